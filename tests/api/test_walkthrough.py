"""A newcomer's way through the API, once a game; what was answered is recorded for the document (`--accept`)."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from domain.games import GAMES
from domain.lines import NO_LINE, line_hash
from service.app import ROUTES
from service.web.openapi import EXAMPLES, document
from tests.api.server import Json, Seated, Server, bearer, quick

DOCUMENT = document(ROUTES)
MOVES_MAX = 3_000
ITEMS_KEPT = 3
RECORDED = "shithead"
"""The game whose walk is in the document; of the call that it refuses, Kishpa's."""
ENDLESS = "kishpa"


def test_every_operation_that_answers_with_json_has_a_recorded_example():
    named = {route.operation.id for route in ROUTES if "application/json" in route.operation.media}
    assert {file.stem for file in EXAMPLES.glob("*.json")} == named - {"getDocument", "getSocketDocument"}


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.json")), ids=lambda file: file.stem)
def test_a_recorded_example_fits_the_document_and_holds_nothing_that_it_does_not_name(file: Path):
    recorded = json.loads(file.read_text(encoding="utf-8"))
    operation = next(o for path in DOCUMENT["paths"].values() for o in path.values() if o["operationId"] == file.stem)
    answers = [content for status, content in operation["responses"].items() if status in ("200", "201")]
    check(recorded["response"], answers[0]["content"]["application/json"]["schema"])
    if "requestBody" in operation and "request" in recorded:
        check(recorded["request"], operation["requestBody"]["content"]["application/json"]["schema"])


def check(value: Any, schema: Json) -> None:
    """`value` fits `schema`, and every object in it has only the fields that are named."""
    validator = Draft202012Validator({**closed(schema), "components": closed(DOCUMENT["components"])})
    assert [error.message[:300] for error in validator.iter_errors(value)] == []


def closed(schema: Any) -> Any:
    """The schema with every object that names its fields closed to others."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    named = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
    return {**made, "additionalProperties": schema.get("additionalProperties", False)} if named else made


class Recorder:
    """Writes the first exchange of each operation to its file, if it is to."""

    def __init__(self, write: bool) -> None:
        self.write = write
        self.kept: set[str] = set()

    def __call__(self, operation_id: str, answer: httpx.Response) -> Json:
        assert answer.is_success, answer.text
        body: Json = answer.json()
        if self.write and operation_id not in self.kept:
            self.kept.add(operation_id)
            sent = answer.request.content
            request = {"request": json.loads(sent)} if sent else {}
            text = json.dumps({**request, "response": shortened(body)}, indent=2, ensure_ascii=False)
            (EXAMPLES / f"{operation_id}.json").write_text(text + "\n", encoding="utf-8")
        return body


def shortened(body: Any) -> Any:
    """Long lists cut, for people to read."""
    if isinstance(body, dict):
        return {key: shortened(value) for key, value in body.items()}
    return [shortened(item) for item in body[:ITEMS_KEPT]] if isinstance(body, list) else body


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_opens_sits_starts_looks_and_plays_a_whole_game(server: Server, game: str, accept: bool):
    keep = Recorder(accept and game == RECORDED)
    table = walk_to_the_start(server, game, keep)
    keep("getTable", table.get(""))
    keep("getView", table.get("/view", table.seats[0]))
    keep("listMoves", table.get("/moves", table.seats[0]))
    play_to_the_end(table, keep)
    assert table.status() == "ended"
    assert table.get("").json()["results"], "a game that was played has a result"
    assert table.moves(0)["items"] == []
    keep("readFeed", table.get("/events", table.seats[0], params={"limit": 2, "after": 4}))
    keep("readHistory", table.get("/seats/1/history", table.seats[0], params={"limit": 2, "after": 9}))
    the_feed_is_a_chain(table)


def test_the_host_calls_the_last_round_of_an_evening_without_a_fixed_number(server: Server, accept: bool):
    table = server.table(ENDLESS, rules={"rounds": None})
    called = Recorder(accept)("callLastRound", table.post("/last-round", table.host))
    assert [line["type"] for line in called["events"]] == ["table.last_round_called"]


def walk_to_the_start(server: Server, game: str, keep: Recorder) -> Seated:
    """Two people and a host's buttons, every answer kept."""
    http, admin = server.http, bearer(server.admin)
    made = keep("makeKey", http.post("/v1/keys", json={"scopes": ["play"]}, headers=admin))
    keep("listRulebooks", http.get("/v1/rulebooks"))
    keep("getRulebook", http.get(f"/v1/rulebooks/{game}"))
    asked = {"game": game, "seats": 2, "name": "Friday night", "rules": quick(game)}
    opened = keep("openTable", http.post("/v1/games", json=asked, headers=bearer(made["key"])))
    table = Seated(server, made["key"], opened)
    keep("sitDown", table.sit("Ruth", seed="ruths-own-share-of-chance"))
    table.sit("Boaz")
    renewed = keep("renewSeatToken", table.post("/seats/1/token", made["key"]))
    keep("leaveSeat", http.delete(f"{table.url}/seats/1", headers=bearer(renewed["seat_token"])))
    table.seats.pop()
    table.sit("Noa")
    keep("listTables", http.get("/v1/games", params={"limit": 2}))
    keep("startTable", table.post("/start", table.host))
    keep("isLive", http.get("/health/live"))
    keep("isReady", http.get("/health/ready"))
    keep("listKeys", http.get("/v1/keys", headers=admin))
    keep("revokeKey", http.delete(f"/v1/keys/{made['id']}", headers=admin))
    other = server.table(game)
    keep("voidTable", other.post("/void", other.host))
    return table


def play_to_the_end(table: Seated, keep: Recorder) -> None:
    """Every seat that is waited for sends a move of its list, until the table is over."""
    chance = random.Random(1)
    for _ in range(MOVES_MAX):
        resource = table.get("").json()
        if resource["status"] != "running":
            return
        if not resource["to_act"]:  # the table itself acts next
            table.moves(0, after=resource["version"], wait=5)
            continue
        token = table.seats[resource["to_act"][0]]
        move = choice(table.get("/moves", token).json()["items"], chance)
        keep("makeMove", table.post("/moves", token, move))
    pytest.fail(f"not over after {MOVES_MAX} moves")


def choice(moves: list[Json], chance: random.Random) -> Json:
    """Being ready before anything else, an end where there is one, as many cards as possible otherwise."""
    for wanted in (".ready", ".peek_start", ".knock"):
        if found := [move for move in moves if move["type"].endswith(wanted)]:
            return found[0]
    return max(moves, key=lambda move: (len(move.get("cards", ())), chance.random()))


def the_feed_is_a_chain(table: Seated) -> None:
    """The NDJSON lines link by their hashes up to the table's head; pages of JSON hold the same bytes."""
    lines = table.get("/events", table.seats[0], headers={"Accept": "application/x-ndjson"}).content.splitlines()
    resource, before = table.get("").json(), NO_LINE
    for number, line in enumerate(lines, start=1):
        said = json.loads(line)
        assert said["seq"] == number
        if "sealed" in said:
            before = said["hash"]
        else:
            assert said["prev"] == before
            before = line_hash(line)
    assert (len(lines), before) == (resource["version"], resource["head"])
    assert b"".join(pages(table)) == b",".join(lines)


def pages(table: Seated) -> list[bytes]:
    """The bytes inside `items` of page after page."""
    found: list[bytes] = []
    after = "0"
    while after is not None:
        answer = table.get("/events", table.seats[0], params={"after": after, "limit": 7})
        after = answer.json()["next"]
        items = answer.content.removeprefix(b'{"items":[').rpartition(b'],"next":')[0]
        found.append(b"," + items if found else items)
    return found
