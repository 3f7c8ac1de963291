"""Memory is the game (G-06): what a peek showed, on both stores, retried, restarted, and over."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from domain.hatchatul import moves as m
from domain.lines import sealed
from domain.table.moves import CallLastRound
from service.answers import Answer, Sandbox
from service.callers import Host, Key, Reader, SeatHolder
from service.problems import Problem
from tests.domain.hatchatul.scenario import stacked
from tests.service.tables.conftest import House, idem

ROWS = [(9, 8, 7, 6), (1, 2, 0, 4)]
IN_TURN = [ROWS[seat][slot] for slot in range(4) for seat in (1, 0)]
DECK = stacked([3, "peek", 5, 4], 2, rows=IN_TURN)
NO_CLOCK = {"turn_timeout_s": 0, "peek_timeout_s": 0, "ready_timeout_s": 0, "rounds": None}
PEEK = idem("the-one-look-" + "x" * 8)
AUDITOR = Key("auditor", ("audit",))
Tell = Callable[..., None]


class Peeked:
    """A table of two at which seat 1 has peeked at its slot 3, a 0; and whatever can be asked about that."""

    def __init__(self, house: House, game: str, seats: list[SeatHolder], host: Host, answer: Answer) -> None:
        self.house, self.game, self.seats, self.host, self.answer = house, game, seats, host, answer
        self.version, self.line = answer.version, answer.events[-1]

    def moved_to(self, house: House) -> Peeked:
        """The same table in another process."""
        return Peeked(house, self.game, self.seats, self.host, self.answer)

    async def move(self, seat: int, move: Any, key: Any = None) -> Answer:
        return await self.house.tables.move(self.game, self.seats[seat], move, key, None)

    async def served(self, who: Any) -> dict[str, bool]:
        """On which surfaces the line of that look is served to `who` now; the other bytes are its sealed entry."""
        tables, reader, seq = self.house.tables, Reader(who), self.version
        page = await tables.events(self.game, reader, 0, 1_000)
        found = {"feed": self._served(page.items[seq - 1])}
        if isinstance(who, SeatHolder):
            found["replay"] = who.seat == 1 and self._served((await self.move(1, m.UsePeek(3), PEEK)).events[-1])
        if who is self.seats[1]:
            told = await tables.history(self.game, reader, 1, 0, 1_000)
            heard = next(item.events for item in told.items if item.version == seq)
            found["history"] = self._served(heard[-1])
        head = await tables.view(self.game, reader)
        then = await tables.view(self.game, reader, at=seq)
        if head.version == seq:
            assert head.body == then.body
        found["view"] = [*head.body["view"]["shown"]] == [{"slot": 3, "card": 0}]
        found["view at"] = [*then.body["view"]["shown"]] == [{"slot": 3, "card": 0}]
        return found

    def _served(self, item: bytes) -> bool:
        assert item in (self.line, sealed(self.version, self.line))
        return item == self.line


async def peeked(house: House, **rules: Any) -> Peeked:
    how = {"game": "hatchatul", "rules": {**NO_CLOCK, **rules}, "sandbox": Sandbox((DECK,))}
    game, seats, host = await house.started(2, **how)
    if not rules.get("open_outer"):
        for holder in seats:
            await house.tables.move(game, holder, m.Skip(), None, None)
    await house.tables.move(game, seats[1], m.DrawStock(), None, None)
    answer = await house.tables.move(game, seats[1], m.UsePeek(3), PEEK, None)
    shown = json.loads(answer.events[-1])
    assert (shown["type"], shown["to"], shown["data"]) == ("hatchatul.slot_shown", 1, {"slot": 3, "card": 0})
    return Peeked(house, game, seats, host, answer)


LOOKING = {"feed": True, "replay": True, "history": True, "view": True, "view at": True}
OVER = dict.fromkeys(LOOKING, False)


async def nobody_else(table: Peeked) -> None:
    for who in (table.seats[0], table.host, AUDITOR, Key("stranger", ("play",))):
        assert not any((await table.served(who)).values()), who


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
        reader, found, after = Reader(table.seats[1]), [], 0
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
