"""The OpenAPI document: valid, current, and telling the same as the routes."""

from __future__ import annotations

import html
import itertools
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from openapi_spec_validator import validate

from domain.game import type_of
from domain.games import GAMES
from domain.table.events import EVENTS
from service.app import ROUTES
from service.problems import CODES
from service.web.game_shapes import CALLED_ELSEWHERE
from service.web.openapi import as_yaml, document
from tests.api.server import Server

SNAPSHOT = Path(__file__).resolve().parents[2] / "api-spec" / "openapi.yaml"
DOCUMENT = document(ROUTES)
SCHEMAS = DOCUMENT["components"]["schemas"]
OPERATIONS = {o["operationId"]: o for path in DOCUMENT["paths"].values() for o in path.values()}


def test_the_committed_snapshot_is_current(accept):
    if accept:
        SNAPSHOT.write_text(as_yaml(ROUTES), encoding="utf-8")
    assert SNAPSHOT.read_text(encoding="utf-8") == as_yaml(ROUTES), (
        "write it with: kupa openapi -o api-spec/openapi.yaml"
    )


def test_the_document_is_valid_openapi():
    validate(DOCUMENT)


def test_the_service_serves_the_document(http: httpx.Client):
    served = http.get("/v1/openapi.json").json()
    assert served == yaml.safe_load(SNAPSHOT.read_text(encoding="utf-8"))


def test_every_route_is_in_the_document_and_nothing_else_is():
    routed = {(route.method.lower(), route.path.replace(":str", "")) for route in ROUTES}
    assert routed == {(method, path) for path, methods in DOCUMENT["paths"].items() for method in methods}
    assert len(OPERATIONS) == len(ROUTES), "operation ids are unique"


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_says_what_it_is_who_may_and_what_can_go_wrong(name: str):
    operation = OPERATIONS[name]
    assert operation["summary"]
    assert "security" in operation
    assert {"400", "406", "500"} <= operation["responses"].keys()
    for status, answer in operation["responses"].items():
        if int(status) >= 400:
            assert [*answer["content"]] == ["application/problem+json"]
            codes = answer["content"]["application/problem+json"]["schema"]["allOf"][1]["properties"]["code"]["enum"]
            assert {CODES[code].status for code in codes} == {int(status)}


def test_every_object_that_a_request_may_send_is_closed():
    bodies = [
        o["requestBody"]["content"]["application/json"]["schema"] for o in OPERATIONS.values() if "requestBody" in o
    ]
    reached = {name for body in bodies for name in reach(body)}
    assert {"OpenShithead", "ShitheadRules", "ShitheadPlay", "TableReady", "SitAsked", "Nothing"} <= reached
    open_ = {n for n in reached if "properties" in SCHEMAS[n] and SCHEMAS[n].get("additionalProperties") is not False}
    assert open_ == set()


def reach(schema: Any, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The components that a schema leads to."""
    for name in re.findall(r"#/components/schemas/(\w+)", json.dumps(schema)):
        if name not in seen:
            yield name
            yield from reach(SCHEMAS[name], seen | {name})


def test_every_union_has_a_tag_and_a_full_mapping():
    unions = {name: schema for name, schema in SCHEMAS.items() if "discriminator" in schema}
    assert {"Move", "OpenTable", "Table", "TableOpened", "View", "Line"} == unions.keys()
    for union in unions.values():
        field, mapping = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        assert [*mapping.values()] == [member["$ref"] for member in union["oneOf"]]
        for tag, member in mapping.items():
            target = SCHEMAS[member.rpartition("/")[2]]
            assert target["properties"][field]["const"] == tag
            assert field in target["required"]


def test_the_moves_and_lines_of_every_game_are_in_the_unions():
    moves, lines = SCHEMAS["Move"]["discriminator"]["mapping"], SCHEMAS["Line"]["discriminator"]["mapping"]
    sent = {type_of(move) for game in GAMES.values() for move in game.moves}
    assert moves.keys() == {"table.ready", *sent} - CALLED_ELSEWHERE
    assert lines.keys() == {type_of(event) for event in (*EVENTS, *(e for g in GAMES.values() for e in g.events))}


def test_links_lead_from_opening_a_table_to_making_a_move():
    def after(name: str) -> set[str]:
        answers = OPERATIONS[name]["responses"].values()
        return {link["operationId"] for answer in answers for link in answer.get("links", {}).values()}

    road = ["openTable", "sitDown", "startTable", "getView", "listMoves", "makeMove"]
    assert all(then in after(first) for first, then in itertools.pairwise(road))


def test_every_reference_leads_somewhere():
    for target in set(re.findall(r'"#/components/([^"]+)"', json.dumps(DOCUMENT))):
        kind, _, name = target.partition("/")
        assert name in DOCUMENT["components"][kind], target


@pytest.mark.parametrize("code", CODES)
def test_every_problem_has_its_page_in_two_languages(http: httpx.Client, code: str):
    page = http.get(f"/problems/{code}")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert code in page.text
    assert re.search(r'<section lang="he" dir="rtl">\s*<h2>[^<]*[א-ת]', page.text)
    assert not re.search(r'(src|href)="?(https?:)?//', page.text), "a page needs nothing from elsewhere"


@pytest.mark.parametrize(
    ("game", "whole", "packs"),
    [
        ("totem", 80, {(2, 2): 78, (3, 8): 80}),
        ("shithead", 52, {(2, 5): 52, (6, 11): 104}),
        ("kishpa", 106, {(2, 4): 106}),
        ("hatchatul", 54, {(2, 6): 54}),
    ],
)
def test_a_rulebook_has_the_whole_pack_and_what_is_in_play_by_seats(
    http: httpx.Client, game: str, whole: int, packs: dict[tuple[int, int], int]
):
    book = http.get(f"/v1/rulebooks/{game}").json()
    assert len(book["pack"]) == whole
    assert {(p["seats"]["fewest"], p["seats"]["most"]): len(p["cards"]) for p in book["packs"]} == packs
    assert {card for pack in book["packs"] for card in pack["cards"]} == {*book["pack"]}
    fields = SCHEMAS["Rulebook"]["properties"]
    assert fields["pack"]["description"]
    assert fields["packs"]["description"]


def test_the_commands_of_the_start_page_define_what_they_use_and_work_as_printed(server: Server):
    page = server.http.get("/", headers={"Host": "localhost:1234"}).text
    both = re.findall(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    assert len(both) == 2, "English and Hebrew"
    assert both[0] == both[1]
    lines = html.unescape(both[0])
    assert lines.startswith("BASE=http://localhost:1234\nKEY=…\n")
    assert set(re.findall(r"\$(\w+)", lines)) == set(re.findall(r"^(\w+)=", lines, re.MULTILINE))
    assert "--json" not in lines
    given = {"KEY=…": f"KEY={server.admin}", "BASE=http://localhost:1234": f"BASE={server.base}"}
    answers: list[dict[str, Any]] = []
    setup = "\n".join(given.get(line, line) for line in lines.splitlines()[:3])
    for line in lines.splitlines()[3:]:
        known = {name: value for answer in answers for name, value in answer.items() if name.endswith(("id", "_token"))}
        command = re.sub(r"\{(id|host_token|seat_token)\}", lambda found: str(known[found[1]]), line)  # noqa: B023
        done = subprocess.run(["sh", "-c", f"{setup}\n{command}"], capture_output=True, check=True, timeout=30)
        answers.append(json.loads(done.stdout))
    assert len(answers) == 5
    assert answers[-1]["items"], "the legal moves"


def test_a_host_that_is_no_host_stays_out_of_the_page(http: httpx.Client):
    assert "BASE=http://127.0.0.1:8000\n" in http.get("/", headers={"Host": "$(x)"}).text
    assert (
        "BASE=https://kupa.example\n"
        in http.get("/", headers={"Host": "kupa.example", "X-Forwarded-Proto": "https"}).text
    )
