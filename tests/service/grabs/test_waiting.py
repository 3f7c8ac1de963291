"""How long the sender of a grab waits for its answer."""

from __future__ import annotations

import asyncio

import pytest

from domain.totem.moves import EnterGrip
from service.grabs import desk
from service.problems import Problem
from tests.service.grabs.conftest import Still, said
from tests.service.grabs.test_ending import REFEREE, dead_heat


def test_an_answer_is_waited_for_as_long_as_a_referee_may_take_and_no_longer(tell_still, monkeypatch):
    monkeypatch.setattr(desk, "ANSWER_SECONDS_MAX", 0.3)

    async def story(house: Still) -> None:
        match, grabs = await dead_heat(house)
        await asyncio.wait(grabs, timeout=0.6)
        assert not any(grab.done() for grab in grabs)
        for seat, fingers in ((0, 2), (1, 3)):
            await house.tables.referee(match.game, REFEREE, EnterGrip(seat, fingers, 50), None)
        assert [said(answer) for answer in await asyncio.gather(*grabs)] == ["lost", "won"]

        unrefereed = await house.matched()
        unrefereed.slow(1, 2)
        with pytest.raises(Problem) as late:
            await unrefereed.grab(0)
        assert late.value.code == "request-in-progress"

    tell_still(story)
