"""Memory is the game (G-06): what a peek showed, on both stores, retried, restarted, and over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from domain.hatchatul import moves as m
from domain.lines import sealed
from domain.table.moves import CallLastRound
from service.callers import Reader
from service.problems import Problem
from service.tables.answers import Sandbox
from service.tables.snapshots import taken
from tests.domain.hatchatul.scenario import stacked
from tests.service.tables.conftest import House, idem
from tests.service.tables.peeked import DECK, IN_TURN, LOOKING, NO_CLOCK, OVER, PEEK, Peeked, nobody_else, peeked

Tell = Callable[..., None]


def test_g_06_a_look_is_served_on_every_surface_and_to_its_seat_alone(tell: Tell):
    async def story(house: House) -> None:
        table = await peeked(house)
        assert await table.served(table.seats[1]) == LOOKING
        await nobody_else(table)

    tell(story)


def test_g_06_a_restart_neither_ends_a_look_nor_brings_it_back(tell: Tell):
    kept: list[Peeked] = []

    async def before(house: House) -> None:
        kept.append(await peeked(house))

    async def after(house: House) -> None:
        table = kept[0].moved_to(house)
        assert await table.served(table.seats[1]) == LOOKING
        await nobody_else(table)
        await table.move(1, m.EndTurn())

    async def later(house: House) -> None:
        table = kept[0].moved_to(house)
        assert await table.served(table.seats[1]) == OVER
        await nobody_else(table)

    tell(before, after, later)


def test_g_06_a_snapshot_taken_during_a_look_keeps_it_and_lets_it_end(tell: Tell):
    kept: list[Peeked] = []

    async def before(house: House) -> None:
        table = await peeked(house)
        kept.append(table)
        live = await house.tables.registry.get(table.game)
        await house.tables.view(table.game, Reader(table.seats[1]))
        await house.store.keep_snapshot(table.game, table.version, taken(live))

    async def after(house: House) -> None:
        table = kept[0].moved_to(house)
        live = await house.tables.registry.get(table.game)
        assert live.kept[0] == table.version, "loaded from the snapshot"
        assert await table.served(table.seats[1]) == LOOKING
        await nobody_else(table)
        await table.move(1, m.EndTurn())
        assert await table.served(table.seats[1]) == OVER

    tell(before, after)


def test_c9_the_retry_of_a_lost_answer_gets_the_same_card_and_a_new_look_is_refused(tell: Tell):
    kept: list[Peeked] = []

    async def before(house: House) -> None:
        table = await peeked(house)
        kept.append(table)
        again = await table.move(1, m.UsePeek(3), PEEK)
        assert (again.replayed, again.events, again.version) == (True, table.answer.events, table.version)
        await refused(table)

    async def after(house: House) -> None:
        table = kept[0].moved_to(house)
        again = await table.move(1, m.UsePeek(3), PEEK)
        assert (again.replayed, again.events) == (True, table.answer.events)
        await refused(table)
        await table.move(1, m.EndTurn())
        late = await table.move(1, m.UsePeek(3), PEEK)
        assert late.replayed
        assert late.events == (*table.answer.events[:-1], sealed(table.version, table.line))

    tell(before, after)


async def shown(tables: Any, game: str, reader: Reader) -> list[Any]:
    return [*(await tables.view(game, reader)).body["view"]["shown"]]


async def refused(table: Peeked) -> None:
    """With another key the same look is another look, and nothing in its answer tells the card."""
    for slot in (3, 2):
        with pytest.raises(Problem) as no:
            await table.move(1, m.UsePeek(slot), idem(f"another-look-{slot}-{table.house.tables.dealer.new_id()}"))
        assert (no.value.code, no.value.ruling) == ("refused", "H-32")
        assert "0" not in no.value.detail


def test_g_06_the_moves_of_others_and_refused_moves_leave_a_look_open(tell: Tell):
    async def story(house: House) -> None:
        table = await peeked(house)
        with pytest.raises(Problem):
            await table.move(1, m.Throw())
        with pytest.raises(Problem):
            await table.move(0, m.DrawStock())
        await house.tables.host(table.game, table.host, CallLastRound(), None)
        assert await table.served(table.seats[1]) == LOOKING
        await table.move(1, m.EndTurn())
        assert await table.served(table.seats[1]) == OVER

    tell(story)


def test_g_06_a_call_to_the_table_by_the_seat_that_looks_ends_its_look(tell: Tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started(
            2, game="hatchatul", rules=NO_CLOCK, sandbox=Sandbox((stacked([3, 5, "peek"], 2, rows=IN_TURN),))
        )
        tables, creator = house.tables, seats[0]
        for holder, move in ((0, m.Skip()), (1, m.Skip()), (1, m.DrawStock()), (1, m.Throw()), (1, m.EndTurn())):
            await tables.move(game, seats[holder], move, None, None)
        await tables.move(game, creator, m.DrawStock(), None, None)
        answer = await tables.move(game, creator, m.UsePeek(1), None, None)
        assert await shown(tables, game, Reader(creator)) == [{"slot": 1, "card": 9}]
        await tables.host(game, creator, CallLastRound(), None)
        assert await shown(tables, game, Reader(creator)) == []
        page = await tables.events(game, Reader(creator), answer.version - 1, 1)
        assert page.items == (sealed(answer.version, answer.events[-1]),)

    tell(story)


def test_g_06_the_clocks_move_for_a_seat_ends_its_look(tell: Tell):
    async def story(house: House) -> None:
        table = await peeked(house, turn_timeout_s=60)
        house.wait(59)
        assert await house.tables.act(table.game) is None
        assert await table.served(table.seats[1]) == LOOKING
        house.wait(2)
        assert await house.tables.act(table.game) is not None
        assert await table.served(table.seats[1]) == OVER

    tell(story)


def test_g_06_the_opening_look_ends_with_the_first_card_taken(tell: Tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started(2, game="hatchatul", rules=NO_CLOCK, sandbox=Sandbox((DECK,)))
        both = {"slot": 1, "card": 9}, {"slot": 4, "card": 6}
        await house.tables.move(game, seats[1], m.Skip(), None, None)
        answer = await house.tables.move(game, seats[0], m.PeekStart(), None, None)
        assert await shown(house.tables, game, Reader(seats[0])) == [*both]
        await house.tables.move(game, seats[1], m.DrawStock(), None, None)
        assert await shown(house.tables, game, Reader(seats[0])) == []
        page = await house.tables.events(game, Reader(seats[0]), 0, 1_000)
        assert answer.events[-1] not in page.items

    tell(story)


def test_h_07_with_the_memory_aid_a_look_stays_with_its_seat_and_the_view_keeps_what_it_knows(tell: Tell):
    kept: list[Peeked] = []

    async def before(house: House) -> None:
        table = await peeked(house, memory_aid=True)
        kept.append(table)
        await table.move(1, m.EndTurn())
        for seat, move in ((0, m.DrawStock()), (0, m.Throw()), (0, m.EndTurn())):
            await table.move(seat, move)

    async def after(house: House) -> None:
        table = kept[0].moved_to(house)
        found = await table.served(table.seats[1])
        assert found == {**LOOKING, "view": False}
        view = (await house.tables.view(table.game, Reader(table.seats[1]))).body["view"]
        assert [*view["known"]] == [None, None, 0, None]
        await nobody_else(table)
        await table.move(1, m.DrawStock())
        await table.move(1, m.Place(3))
        view = (await house.tables.view(table.game, Reader(table.seats[1]))).body["view"]
        assert [*view["known"]] == [None, None, 4, None]

    tell(before, after)
