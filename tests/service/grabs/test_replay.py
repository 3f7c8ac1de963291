"""A judgement depends on nothing but its lines: any machine, whatever its clock says, names the same winners."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from domain.game import type_of
from domain.games import GAMES
from domain.lines import Entry, decode
from domain.table.decide import decide
from domain.table.evolve import created, evolve
from domain.table.state import Table
from service import clock
from service.tables.live import read
from tests.service.grabs.conftest import Court, Still
from tests.service.grabs.test_ending import dead_heat, void_table


def test_a_replay_with_clocks_set_to_nonsense_names_the_same_winners(place, monkeypatch):
    kept: list[bytes] = []

    async def story(store: Any) -> None:
        house = Court(store)
        match = await house.matched(4, dead_heat_ms=0)
        match.slow(2, rtt=60)
        await asyncio.gather(match.grab(0, reaction_ms=1), match.grab(1), match.grab(3))
        await asyncio.gather(match.grab(2), match.grab(3))
        kept.extend(line.line for line in await store.lines(match.game))

    place.run(story)
    monkeypatch.setattr(clock, "now", lambda: "1970-01-01T00:00:00.000000Z")
    monkeypatch.setattr(time, "time", lambda: -1.0)
    monkeypatch.setattr(time, "time_ns", lambda: -1)
    judged = 0
    for table, command in commands(kept):
        first = command[0]
        assert first.move is not None
        again = decide(table, first.by, first.move, first.at)
        assert again.entries == tuple(command), "the move and the time in its line decide it"
        judged += first.by == "table" and hasattr(first.event, "grabs")
    assert judged >= 2


def test_the_end_of_a_table_with_grabs_undecided_is_decided_again_from_its_lines(place):
    kept: list[bytes] = []

    async def story(store: Any) -> None:
        house = Still(store, several=place.kind != "sqlite")
        match, heat = await dead_heat(house)
        await void_table(house, match)
        await asyncio.gather(*heat)
        kept.extend(line.line for line in await store.lines(match.game))

    place.run(story)
    tellers = []
    for table, command in commands(kept):
        first = command[0]
        assert first.move is not None
        assert decide(table, first.by, first.move, first.at).entries == tuple(command)
        tellers.append((first.by.split(":")[0], type_of(first.move)))
    assert tellers[-2:] == [("table", "totem.void_grabs"), ("referee", "table.void")]


def commands(lines: list[bytes]) -> list[tuple[Table, list[Entry]]]:
    """Each command from the start of the round on, with the table before it."""
    found: list[tuple[Table, list[Entry]]] = []
    table: Table | None = None
    for line in lines:
        entry = read(line)
        if table is None:
            table = created(entry, decode(line).game, GAMES)
            continue
        if entry.move is not None:
            found.append((table, []))
        found[-1][1].append(entry)
        table = evolve(table, entry)
    return found
