"""Four computer players at a table of Hatchatul, played to elimination by a service of its own on PostgreSQL."""

from __future__ import annotations

import itertools
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from domain.games import GAMES
from domain.hatchatul.pack import PACK
from domain.lines import NO_LINE, decode, entry_of, line_hash
from domain.table.evolve import created, evolve
from domain.table.state import Table
from service.tables.live import EVENTS, MOVES
from tests import postgres
from tests.api.server import bearer
from tests.faults.serving import Service

STRENGTHS = ("easy", "normal", "hard", "normal")
SECONDS_MAX = 300


def test_four_bots_play_to_elimination_over_http_on_postgres(tmp_path: Path):
    with (
        postgres.database() as url,
        Service(tmp_path / "data", KUPA_DATABASE_URL=url) as service,
        httpx.Client(base_url=service.base, timeout=30) as http,
    ):
        path = started(http, service.admin())
        ended = until_over(http, path)
        lines = http.get(f"{path}/events", headers={"Accept": "application/x-ndjson"}).content.splitlines()
    table = every_card_in_its_place(lines)
    assert (table.version, line_hash(lines[-1])) == (ended["version"], ended["head"])
    assert json.loads(lines[-1])["data"]["reason"] == "finished"
    assert_elimination(ended["results"])
    looks = [
        line for line in map(decode, lines) if line.type in ("hatchatul.slot_shown", "hatchatul.outer_cards_shown")
    ]
    assert looks, "somebody looked, and now that all is open everybody reads what was seen"


def started(http: httpx.Client, key: str) -> str:
    """A table of four bots, under the rules of the book; its path."""

    def post(path: str, token: str, body: Any = None) -> Any:
        answer = http.post(path, json=body, headers=bearer(token))
        assert answer.is_success, answer.text
        return answer.json()

    opened = post("/v1/games", key, {"game": "hatchatul", "seats": len(STRENGTHS)})
    assert opened["rules"]["mode"] == {"elimination": 100}
    path = f"/v1/games/{opened['id']}"
    for strength in STRENGTHS:
        post(f"{path}/seats", opened["host_token"], {"bot": strength})
    post(f"{path}/start", opened["host_token"])
    return path


def until_over(http: httpx.Client, path: str) -> dict[str, Any]:
    """The table once it has ended."""
    until = time.monotonic() + SECONDS_MAX
    while (table := http.get(path).json())["status"] == "running":
        assert time.monotonic() < until, f"still at version {table['version']} after {SECONDS_MAX} s"
        time.sleep(0.2)
    found: dict[str, Any] = table
    return found


def every_card_in_its_place(lines: list[bytes]) -> Table:
    """The table that the lines tell; they are a chain, and all 54 cards lie somewhere after each of them."""
    table: Table | None = None
    head = NO_LINE
    for line in lines:
        read = decode(line)
        assert read.prev == head
        entry = entry_of(read, EVENTS, MOVES)
        table = evolve(table, entry) if table else created(entry, read.game, GAMES)
        zones = table.game.zones(table.state)
        assert not zones or Counter(itertools.chain.from_iterable(zones.values())) == Counter(PACK)
        head = line_hash(line)
    assert table is not None
    return table


def assert_elimination(results: list[dict[str, Any]]) -> None:
    """Totals grow by each row's sum until at most one is below 100; whoever reaches it plays no more."""
    totals, out = Counter[int](), set[int]()
    for result in results:
        assert {score["seat"] for score in result["scores"]} == set(range(len(STRENGTHS))) - out
        for score in result["scores"]:
            totals[score["seat"]] += score["points"]
            assert (score["points"], score["total"]) == (score["sum"], totals[score["seat"]])
        out |= {seat for seat, total in totals.items() if total >= 100}
        assert set(result["out"]) == out
        assert result["final"] == (len(out) >= len(STRENGTHS) - 1)
    assert results[-1]["final"]
