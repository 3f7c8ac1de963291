"""What a seat had heard, by version: its own at any time, another's once it is open (G-05)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from domain.hatchatul import moves as m
from domain.lines import sealed
from service.callers import Reader
from service.problems import Problem
from tests.service.tables.conftest import House
from tests.service.tables.peeked import AUDITOR, LOOKING, peeked

Tell = Callable[..., None]


def test_g_05_once_its_round_is_over_everybody_hears_the_look_and_no_view_of_a_seat_changes(tell: Tell):
    async def story(house: House) -> None:
        table = await peeked(house)
        with pytest.raises(Problem) as no:
            await house.tables.history(table.game, Reader(table.seats[0]), 1, 0, 100)
        assert (no.value.code, no.value.ruling) == ("refused", "G-05")
        await table.move(1, m.Knock())
        for move in (m.DrawStock(), m.Throw(), m.EndTurn()):
            await table.move(0, move)
        assert await table.served(table.seats[1]) == {**LOOKING, "view": False}
        for who in (table.seats[0], AUDITOR):
            told = await house.tables.history(table.game, Reader(who), 1, 0, 1_000)
            heard = {item.version: item.events for item in told.items}
            assert heard[table.version][-1] == table.line
            assert (await table.served(who))["feed"]
        own = await house.tables.history(table.game, Reader(table.seats[0]), 0, 0, 1_000)
        unheard = next(item.events for item in own.items if item.version == table.version)
        assert unheard[-1] == sealed(table.version, table.line), "what another heard is no part of a seat's history"

    tell(story)


def test_a_history_comes_in_pages_of_versions_and_has_every_line_once(tell: Tell):
    async def story(house: House) -> None:
        table = await peeked(house)
        reader, after = Reader(table.seats[1]), 0
        found: list[Any] = []
        while True:
            page = await house.tables.history(table.game, reader, 1, after, 3)
            assert len(page.items) <= 3
            found += page.items
            if page.next is None:
                break
            after = page.next
        lines = (await house.tables.events(table.game, reader, 0, 1_000)).items
        assert tuple(event for item in found for event in item.events) == lines
        ends = [item.version for item in found]
        assert ends == sorted({*ends})
        assert ends[-1] == table.version

    tell(story)
