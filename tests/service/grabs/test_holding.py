"""What waits while grabs lie undecided, and what does not."""

from __future__ import annotations

import asyncio

import pytest

from service.problems import Problem
from tests.service.grabs.conftest import Court, said


def test_a_flip_waits_for_the_decision_and_is_judged_on_the_table_after_it(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(1, rtt=125)
        grab = match.grab(0)
        await asyncio.sleep(0.01)
        flip = asyncio.create_task(match.turn_up(2))
        await asyncio.sleep(0.05)
        assert not flip.done()
        assert said(await grab) == "won"
        with pytest.raises(Problem) as refused:
            await flip  # the turn is the loser's now
        assert refused.value.ruling == "T-10"

    tell(story)


def test_a_flip_out_of_turn_is_refused_as_fast_as_ever(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(1, rtt=125)
        grab = match.grab(0)
        await asyncio.sleep(0.01)
        with pytest.raises(Problem) as refused:
            await match.turn_up(1)
        assert refused.value.ruling == "T-10"
        assert not grab.done()
        assert said(await grab) == "won"

    tell(story)


def test_the_clock_of_a_turn_waits_for_the_decision(tell):
    async def story(house: Court) -> None:
        match = await house.matched(turn_timeout_ms=600)
        clock = asyncio.create_task(house.timers.run())
        match.slow(1, rtt=125)
        await asyncio.sleep(0.53)
        grab = match.grab(0)
        answer = await grab
        assert said(answer) == "won"
        judged, flips = await match.lines("totem.grabs_judged"), await match.lines("totem.card_turned_up")
        assert [flip["seq"] for flip in flips if flip["seq"] < judged[0]["seq"]] == [flip["seq"] for flip in flips[:2]]
        clock.cancel()

    tell(story)


def test_leaving_does_not_wait_and_the_grab_of_the_leaver_falls_away(tell):
    async def story(house: Court) -> None:
        match = await house.matched(4)
        match.slow(2, rtt=125)
        gone, stays = match.grab(0), match.grab(1)
        await asyncio.sleep(0.01)
        await house.tables.leave(match.game, match.seats[0], 0, None)
        assert (await gone).extra["grab"]["outcome"] == "left"
        assert said(await stays) in ("late", "foul")

    tell(story)
