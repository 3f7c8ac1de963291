"""A grab and the end of play that meet, in one process or two: the grab is in the end's unit, or was never taken in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from service.callers import SeatHolder
from service.problems import Problem
from service.store.rows import PLAY_ENDS
from tests.service.grabs.conftest import Court, Match, Still, cards, lie_undecided
from tests.service.grabs.test_crashes import GRAB
from tests.service.grabs.test_ending import VOIDED, agrees, the_last_rival_leaves, void_table
from tests.service.tables.conftest import KEY, idem

Houses = Callable[[Any], tuple[Still, Still]]


@pytest.fixture
def houses(place: Any) -> Houses:
    """Two processes on PostgreSQL; on SQLite the one that there may be, twice."""

    def built(store: Any) -> tuple[Still, Still]:
        if place.kind == "sqlite":
            house = Still(store, several=False)
            return house, house
        return Still(store), Still(store)

    return built


async def reach(here: Still, there: Still, seats: int = 3) -> tuple[Match, Match]:
    """A table with a match, as both processes know it; no decision falls due."""
    match = await here.matched(seats)
    here.wait(0.25)
    there.time = here.time
    twin = Match(there, match.game, [SeatHolder(match.game, seat, KEY.id) for seat in range(seats)])
    for one in (match, twin):
        one.slow(*range(seats))
        await one.state()
    return match, twin


@pytest.mark.parametrize(("ending", "seats"), [(void_table, 3), (the_last_rival_leaves, 2)])
def test_a_grab_committed_while_the_end_is_being_decided_is_void_in_the_ends_unit(place, houses, ending, seats):
    async def story(store: Any) -> None:
        here, there = houses(store)
        match, twin = await reach(here, there, seats)
        grabs: list[asyncio.Task[Any]] = []

        async def as_of_before(game: str) -> list[Any]:
            rows = await store.grabs(game)
            if not grabs:
                grabs.append(twin.grab(0, idem=idem(GRAB)))
                await lie_undecided(twin, 1)
            return list(rows)

        here.tables.desk.judging.undecided = as_of_before
        await ending(here, match)
        there.wait(1)  # the other process looks when it would have judged
        answer = await grabs[0]
        assert answer.extra["grab"] == VOIDED
        agrees(await match.lines(), [(0, answer)])
        assert await store.grabs(match.game) == []
        again = await match.grab(0, idem=idem(GRAB))
        assert (again.replayed, again.extra, again.events) == (True, answer.extra, answer.events)

    place.run(story)


@pytest.mark.parametrize(("ending", "seats"), [(void_table, 3), (the_last_rival_leaves, 2)])
def test_a_grab_that_is_committed_after_the_end_was_never_taken_in(place, houses, ending, seats):
    async def story(store: Any) -> None:
        here, there = houses(store)
        match, twin = await reach(here, there, seats)
        desk, commit = there.tables.desk, there.tables.desk._commit

        async def after_the_end(*given: Any) -> Any:
            await ending(here, match)
            return await commit(*given)

        desk._commit = after_the_end
        for one in (twin, match):
            with pytest.raises(Problem) as refused:
                await one.grab(0, idem=idem(GRAB))
            assert (refused.value.code, refused.value.ruling) == ("refused", "T-38")
            assert ("Idempotent-Replayed" in refused.value.headers) == (one is match)
        assert await store.grabs(match.game) == []
        assert await match.lines("totem.grabs_judged") == []
        assert (await match.lines())[-1]["type"] in PLAY_ENDS

    place.run(story)


async def racing(match: Match, twin: Match, end: Callable[[], Awaitable[Any]], turn: int) -> list[Any]:
    """Grabs at both processes and the end of the table, all at once."""
    grabs = [(match, 0, 0.0), (twin, 1, 0.0), (twin, 2, turn % 7 / 1000)]

    async def grab(one: Match, seat: int, wait: float) -> Any:
        await asyncio.sleep(wait)
        return await one.grab(seat, idem=idem(f"{GRAB}{seat}"))

    async def ended() -> Any:
        await asyncio.sleep(turn % 5 / 1000)
        return await end()

    *answers, _ = await asyncio.gather(*(grab(*one) for one in grabs), ended(), return_exceptions=True)
    return answers


def test_grabs_and_the_end_of_the_table_at_once_leave_no_grab_without_its_answer(place):
    async def story(store: Any) -> None:
        several = place.kind != "sqlite"
        here = Court(store, several=several)
        there = Court(store) if several else here
        for turn in range(12):
            match = await here.matched(3, dead_heat_ms=0)
            twin = Match(there, match.game, match.seats)
            for one in (match, twin):
                one.slow(0, 1, 2)
                await one.state()
            void = lambda house=here, match=match: void_table(house, match)  # noqa: E731
            answers = await racing(match, twin, void, turn)
            told = [(seat, answer) for seat, answer in enumerate(answers) if not isinstance(answer, Problem)]
            agrees(await match.lines(), told)
            assert all(answer.ruling in ("T-38", "G-12") for answer in answers if isinstance(answer, Problem)), (
                "it came after the end"
            )
            assert await store.grabs(match.game) == []
            assert await cards(match) == 80
            for seat, first in told:
                assert (await twin.grab(seat, idem=idem(f"{GRAB}{seat}"))).extra == first.extra

    place.run(story)
