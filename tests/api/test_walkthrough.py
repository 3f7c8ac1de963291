"""A newcomer's way through the API, once a game; what was answered is recorded for the document (`--accept`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from domain.games import GAMES
from domain.lines import NO_LINE, line_hash
from service.app import ROUTES
from service.openapi import EXAMPLES, document
from tests.api.server import Json, Seated, Server, bearer

DOCUMENT = document(ROUTES)
MOVES_MAX = 3_000
ITEMS_KEPT = 3
ENDLESS = [game.name for game in GAMES.values() if game.rules().rounds is None]
"""The games that go on until their last round is called."""


def test_every_operation_that_answers_with_json_has_a_recorded_example():
    named = {route.operation.id for route in ROUTES if "application/json" in route.operation.media}
    none = {"getDocument"} if ENDLESS else {"getDocument", "callLastRound"}
    assert {file.stem for file in EXAMPLES.glob("*.json")} == named - none


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
    keep = Recorder(accept and game == (ENDLESS or [*GAMES])[0])
    table = walk_to_the_start(server, game, keep)
    keep("getTable", table.get(""))
    keep("getView", table.get("/view", table.seats[0]))
    keep("listMoves", table.get("/moves", table.seats[0]))
    play_to_the_end(table, keep)
    assert table.status() == "ended"
    assert table.get("").json()["results"], "a game that was played has a result"
    assert table.moves(0)["items"] == []
    keep("readFeed", table.get("/events", table.seats[0], params={"limit": 2, "after": 4}))
    the_feed_is_a_chain(table)


def walk_to_the_start(server: Server, game: str, keep: Recorder) -> Seated:
    """Two people and a host's buttons, every answer kept."""
    http, admin = server.http, bearer(server.admin)
    made = keep("makeKey", http.post("/v1/keys", json={"scopes": ["play"]}, headers=admin))
    keep("listRulebooks", http.get("/v1/rulebooks"))
    keep("getRulebook", http.get(f"/v1/rulebooks/{game}"))
    asked = {"game": game, "seats": 2, "name": "Friday night"}
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
    if game in ENDLESS:
        keep("callLastRound", other.post("/last-round", other.host))
    keep("voidTable", other.post("/void", other.host))
    return table


def play_to_the_end(table: Seated, keep: Recorder) -> None:
    """Every seat sends the move that its list names last among the plain ones, until the table is over."""
    for _ in range(MOVES_MAX):
        if table.status() != "running":
            return
        for token in table.seats:
            listed = table.get("/moves", token).json()
            if listed["items"]:
                answer = table.post("/moves", token, choice(listed["items"]))
                assert answer.status_code in (200, 409), answer.text
                if answer.status_code == 200:
                    keep("makeMove", answer)
    pytest.fail(f"not over after {MOVES_MAX} moves")


def choice(moves: list[Json]) -> Json:
    """Being ready before anything else; what gets rid of most cards otherwise."""
    ready = [move for move in moves if move["type"].endswith(".ready")]
    return ready[0] if ready else max(moves, key=lambda move: len(move.get("cards", ())))


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
