"""However play ends while grabs lie undecided, each of them has its one answer, and the feed says the same (T-54)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from domain.table.moves import Void, VoidRound
from domain.totem.moves import EnterGrip, ReportFoul, ReverseFoul
from service.callers import Key
from service.problems import Problem
from service.store.rows import PLAY_ENDS
from service.tables.commands import Order
from tests.service.grabs.conftest import Match, Still, cards, lie_undecided, said
from tests.service.grabs.test_crashes import GRAB, at_table, die_with_grabs_pending
from tests.service.tables.conftest import idem

REFEREE = Key("the-referee", ("referee",))
VOIDED = {"answer": "void", "outcome": "voided"}
Ending = Callable[[Still, Match], Awaitable[Any]]


async def void_table(house: Still, match: Match) -> Any:
    return await house.tables.host(match.game, REFEREE, Void(), None)


async def void_round(house: Still, match: Match) -> Any:
    """No call of the API does it yet."""

    async def plan(live: Any, at: str) -> Any:
        return await house.tables.whole(live, "referee:r", VoidRound(), at)

    return await house.tables.desk.holding.patiently(match.game, Order(caller="key:r"), plan)


async def the_last_rival_leaves(house: Still, match: Match) -> Any:
    await house.tables.leave(match.game, match.seats[1], 1, None)


async def the_grabbers_leave(house: Still, match: Match) -> Any:
    for seat in (0, 1):
        await house.tables.leave(match.game, match.seats[seat], seat, None)


ENDINGS: tuple[tuple[Ending, int, int], ...] = (
    (void_table, 3, 2),
    (void_round, 3, 2),
    (the_last_rival_leaves, 2, 1),
    (the_grabbers_leave, 3, 2),
)
"""By what, at a table of how many, of whom so many have grabbed."""


def agrees(match_lines: list[dict[str, Any]], answers: list[Any]) -> None:
    """Each grab has one outcome in the lines, and what it was answered is that; the line stands before the end."""
    judged = [line for line in match_lines if line["type"] == "totem.grabs_judged"]
    told = sorted((grab["seat"], grab["outcome"]) for line in judged for grab in line["data"]["grabs"])
    heard = sorted((seat, answer.extra["grab"]["outcome"]) for seat, answer in answers)
    assert told == heard
    [ended] = [line["seq"] for line in match_lines if line["type"] in PLAY_ENDS][:1]
    assert all(line["seq"] < ended for line in judged)
    for seat, answer in answers:
        lines = [line for line in judged if any(grab["seat"] == seat for grab in line["data"]["grabs"])]
        assert [line for line in map(json.loads, answer.events) if line in judged] == lines, "it was answered with it"


@pytest.mark.parametrize(("ending", "seats", "grabbing"), ENDINGS)
@pytest.mark.parametrize("rounds", [1, 2])
def test_whatever_ends_play_voids_what_lies_undecided(
    tell_still, ending: Ending, seats: int, grabbing: int, rounds: int
):
    async def story(house: Still) -> None:
        match = await house.matched(seats, rounds=rounds)
        house.wait(0.25)
        match.slow(*range(seats))
        grabs = [match.grab(seat, idem=idem(f"{GRAB}{seat}")) for seat in range(grabbing)]
        await lie_undecided(match, grabbing)
        before = await match.version()
        await ending(house, match)
        answers = await asyncio.gather(*grabs)
        assert [said(answer) for answer in answers] == ["void"] * grabbing
        assert answers[-1].extra["grab"] == VOIDED
        lines = await match.lines()
        agrees(lines, [*enumerate(answers)])
        assert all(line["type"].startswith(("table.seat_left", "totem.")) for line in lines[before:] if not_end(line))
        assert await house.store.grabs(match.game) == []
        for seat, first in enumerate(answers):
            again = await match.grab(seat, idem=idem(f"{GRAB}{seat}"))
            assert (again.replayed, again.extra, again.events) == (True, first.extra, first.events)
        with pytest.raises(Problem) as refused:
            await match.grab(0)
        assert refused.value.ruling in ("T-38", "G-12", "G-09")

    tell_still(story)


def test_a_reported_foul_voids_what_lies_undecided_and_play_goes_on(tell_still):
    async def story(house: Still) -> None:
        match = await house.matched(3)
        house.wait(0.25)
        match.slow(0, 1, 2)
        grabs = [match.grab(seat, idem=idem(f"{GRAB}{seat}")) for seat in (0, 1)]
        await lie_undecided(match, 2)
        before = await match.version()
        foul = await house.tables.referee(match.game, REFEREE, ReportFoul("violence", 2), None)
        answers = await asyncio.gather(*grabs)
        assert [answer.extra["grab"] for answer in answers] == [VOIDED] * 2
        lines = (await match.lines())[before:]
        assert [line["type"] for line in lines][:2] == ["totem.grabs_judged", "totem.foul_reported"]
        assert sorted((grab["seat"], grab["outcome"]) for grab in lines[0]["data"]["grabs"]) == [
            (0, "voided"),
            (1, "voided"),
        ]
        assert foul.version == lines[-1]["seq"]
        assert await house.store.grabs(match.game) == []
        again = await match.grab(0, idem=idem(f"{GRAB}0"))
        assert (again.replayed, again.extra) == (True, answers[0].extra)
        turn = next(line["data"]["seat"] for line in reversed(lines) if line["type"] == "totem.turn_started")
        house.wait(10)
        await match.turn_up(turn)

    tell_still(story)


def test_a_foul_that_is_taken_back_voids_the_grabs_that_came_since(tell_still):
    async def story(house: Still) -> None:
        match = await house.matched(3)
        house.wait(0.25)
        match.slow(0, 1, 2)
        await house.tables.referee(match.game, REFEREE, ReportFoul("violence", 2), None)
        house.wait(0.25)
        grabs = [match.grab(0)]
        await lie_undecided(match, 1)
        before = await match.version()
        await house.tables.referee(match.game, REFEREE, ReverseFoul(), None)
        [answer] = await asyncio.gather(*grabs)
        assert answer.extra["grab"] == VOIDED
        lines = [line["type"] for line in (await match.lines())[before:]]
        assert lines == ["totem.grabs_judged", "totem.foul_reversed"]

    tell_still(story)


def not_end(line: dict[str, Any]) -> bool:
    return line["type"] not in PLAY_ENDS


def test_a_decision_that_is_due_is_made_before_the_table_is_voided(tell_still):
    async def story(house: Still) -> None:
        match = await house.matched(3)
        house.wait(0.25)
        match.slow(2)
        grab = match.grab(0)
        await lie_undecided(match, 1)
        house.wait(0.5)
        await void_table(house, match)
        assert said(await grab) == "won"
        agrees(await match.lines(), [(0, await grab)])
        assert (await match.lines())[-1]["type"] == "table.voided"
        assert await cards(match) == 80

    tell_still(story)


def test_what_a_dead_process_left_is_judged_before_the_table_is_voided(tell):
    kept: dict[str, Any] = {}

    async def before(house: Any) -> None:
        kept["game"] = await die_with_grabs_pending(house, 1, 0, dead_heat_ms=0)

    async def after(house: Any) -> None:
        match = at_table(house, kept["game"])
        await asyncio.sleep(0.2)
        await void_table(house, match)
        answers = [await match.grab(seat, idem=idem(f"{GRAB}{seat}")) for seat in (0, 1)]
        assert sorted(map(said, answers)) == ["lost", "won"]
        agrees(await match.lines(), [*enumerate(answers)])

    tell(before, after)


HEAT = {"refereed": True, "dead_heat_ms": 1_000, "referee_window_ms": 600_000}


@pytest.mark.parametrize("ending", [void_table, void_round])
def test_a_dead_heat_before_the_referee_is_voided_with_its_table(tell_still, ending: Ending):
    async def story(house: Still) -> None:
        match, grabs = await dead_heat(house)
        late = await match.grab(2)
        assert said(late) == "late"
        await ending(house, match)
        answers = [*await asyncio.gather(*grabs), late]
        assert [answer.extra["grab"]["outcome"] for answer in answers[:2]] == ["voided", "voided"]
        agrees(await match.lines(), [*enumerate(answers)])

    tell_still(story)


async def dead_heat(house: Still, seats: int = 3, **more: Any) -> tuple[Match, list[asyncio.Task[Any]]]:
    """The grabs of seats 0 and 1 lie before the referee."""
    match = await house.matched(seats, **HEAT, **more)
    house.wait(0.25)
    match.slow(2)
    grabs = [match.grab(seat) for seat in (0, 1)]
    await lie_undecided(match, 2)
    house.wait(0.5)
    async with asyncio.timeout(10):
        while not await match.lines("totem.dead_heat_found"):  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.005)
    return match, grabs


def test_a_dead_heat_that_a_leaver_ends_is_judged_and_not_voided(tell_still):
    async def story(house: Still) -> None:
        match, grabs = await dead_heat(house)
        for seat in (1, 2):
            await house.tables.leave(match.game, match.seats[seat], seat, None)
        answers = await asyncio.gather(*grabs)
        assert "voided" not in [answer.extra["grab"]["outcome"] for answer in answers]
        agrees(await match.lines(), [*enumerate(answers)])

    tell_still(story)


def test_a_dead_heat_that_a_referee_decides_is_answered_once(tell_still):
    async def story(house: Still) -> None:
        match, grabs = await dead_heat(house)
        for seat, fingers in ((0, 2), (1, 3)):
            await house.tables.referee(match.game, REFEREE, EnterGrip(seat, fingers, 50), None)
        assert [said(answer) for answer in await asyncio.gather(*grabs)] == ["lost", "won"]

    tell_still(story)


def test_a_table_voided_without_a_grab_says_nothing_of_any(tell_still):
    async def story(house: Still) -> None:
        match = await house.matched(3)
        await void_table(house, match)
        assert await match.lines("totem.grabs_judged") == []

    tell_still(story)
