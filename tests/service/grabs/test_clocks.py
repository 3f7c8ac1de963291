"""The clocks of a Totem table run on any process, survive a restart, and do what is due once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.service.grabs.conftest import Court, Match, Still, lie_undecided, said
from tests.service.grabs.test_crashes import at_table
from tests.service.grabs.test_ending import dead_heat


async def a_card_is_looked_at(house: Still) -> Match:
    match = await house.dealt(min_flip_interval_ms=1_500)
    await match.turn_up(0)
    return match


async def a_turn_runs(house: Still) -> Match:
    return await house.dealt(turn_timeout_ms=30_000)


async def outward_arrows_are_counted(house: Still) -> Match:
    match = await house.dealt(tops=("outward", "s01-green", "s02-purple", "s03-purple"), countdown_ms=3_000, outward=1)
    await match.turn_up(0)
    return match


async def a_taker_is_chosen(house: Still) -> Match:
    match = await house.dealt(tops=("s01-purple", "s01-green", "s01-orange", "s03-purple"), choice_timeout_ms=10_000)
    for seat in range(3):
        await match.turn_up(seat)
    grab = match.grab(0, reveal=3)
    await lie_undecided(match, 1)
    house.wait(0.5)
    assert said(await grab) == "won"
    return match


async def a_dead_heat_lies_before_the_referee(house: Still) -> Match:
    match, grabs = await dead_heat(house)
    for grab in grabs:
        grab.add_done_callback(lambda done: done.cancelled() or done.exception())
    return match


CLOCKS: tuple[tuple[Callable[[Still], Awaitable[Match]], float, str, int], ...] = (
    (a_card_is_looked_at, 1.5, "totem.turn_started", 1),
    (a_turn_runs, 30, "totem.card_turned_up", 0),
    (outward_arrows_are_counted, 3, "totem.all_turned_up", 0),
    (a_taker_is_chosen, 10, "totem.taker_chosen", 0),
    (a_dead_heat_lies_before_the_referee, 600, "totem.grabs_judged", 0),
)
"""What runs, how many seconds, what then happens, and how often it had happened before."""


@pytest.mark.parametrize(("begun", "seconds", "kind", "before"), CLOCKS)
def test_what_is_due_is_done_once_by_whichever_process_and_not_too_early(place, begun, seconds, kind, before):
    async def story(store: Any) -> None:
        several = place.kind != "sqlite"
        houses = [Still(store, several=several) for _ in range(2 if several else 1)]
        match = await begun(houses[0])
        tables = [house.tables for house in houses] * 2
        houses[0].wait(seconds - 0.6 if seconds > 1.5 else 1.4)
        for house in houses:
            house.time = houses[0].time
        await asyncio.gather(*(one.act(match.game) for one in tables))
        assert len(await match.lines(kind)) == before
        for house in houses:
            house.wait(0.7)
        await asyncio.gather(*(one.act(match.game) for one in tables))
        assert len(await match.lines(kind)) == before + 1
        assert len({line["seq"] for line in await match.lines()}) == await match.version()

    place.run(story)


@pytest.mark.parametrize(("begun", "seconds", "kind", "before"), CLOCKS)
def test_what_is_due_after_a_restart_is_done_once(place, begun, seconds, kind, before):
    kept: dict[str, str] = {}

    async def started(store: Any) -> None:
        house = Still(store, several=place.kind != "sqlite")
        kept["game"] = (await begun(house)).game
        kept["time"] = house.time

    async def again(store: Any) -> None:
        house = Still(store, several=place.kind != "sqlite")
        house.time = kept["time"]
        house.wait(seconds)
        match = at_table(house, kept["game"])
        for _ in range(2):
            await house.timers.sweep_once()
            await asyncio.sleep(0.05)
        async with asyncio.timeout(10):
            while len(await match.lines(kind)) == before:  # noqa: ASYNC110 - nobody is told
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        assert len(await match.lines(kind)) == before + 1

    place.run(started, again)


def test_a_clock_of_a_house_in_which_time_goes_on_runs_by_itself(tell):
    async def story(house: Court) -> None:
        clock = asyncio.create_task(house.timers.run())
        match = await house.dealt(
            tops=("outward", "s01-green", "s02-purple", "s03-purple"), countdown_ms=100, outward=1
        )
        await match.turn_up(0)
        async with asyncio.timeout(10):
            while not await match.lines("totem.all_turned_up"):  # noqa: ASYNC110 - nobody is told
                await asyncio.sleep(0.01)
        clock.cancel()

    tell(story)
