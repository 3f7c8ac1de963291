"""Grabs that keep coming do not keep play from ending, and no fault of a store leaves them unjudged."""

from __future__ import annotations

import asyncio
from typing import Any

from eventsourcing.persistence import IntegrityError

from service.store.port import Unit
from tests.service.grabs.conftest import Court, Match, Still, lie_undecided, said
from tests.service.grabs.test_ending import VOIDED, agrees, void_table


async def burst(house: Still, match: Match, count: int) -> list[tuple[int, asyncio.Task[Any]]]:
    """From now on a grab is committed after each look at those that an end would take along, by so many seats."""
    judging, grabs = house.tables.desk.judging, list[tuple[int, asyncio.Task[Any]]]()

    async def as_of_before(game: str) -> list[Any]:
        rows = await house.store.grabs(game)
        if len(grabs) < count:
            grabs.append((seat := len(grabs), match.grab(seat)))
            await lie_undecided(match, len(grabs))
        return list(rows)

    judging.undecided = as_of_before  # type: ignore[method-assign]
    return grabs


def test_a_burst_of_grabs_does_not_keep_the_referee_from_voiding_the_table(tell_still):
    async def story(house: Still) -> None:
        match = await house.matched(8)
        house.wait(0.25)
        match.slow(*range(8))
        grabs = await burst(house, match, 7)
        await void_table(house, match)
        assert len(grabs) == 7
        answers = [(seat, await grab) for seat, grab in grabs]
        assert all(answer.extra["grab"] == VOIDED for _, answer in answers)
        agrees(await match.lines(), answers)
        assert await house.store.grabs(match.game) == []

    tell_still(story)


def test_a_judgement_that_the_store_refuses_for_whatever_reason_is_made_again(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        commit, refused = house.store.commit, list[Unit]()

        async def faulty(unit: Unit) -> None:
            if unit.judged and not refused:
                refused.append(unit)
                raise IntegrityError("a wrong row")
            await commit(unit)

        house.store.commit = faulty
        async with asyncio.timeout(5):
            assert said(await match.grab(0)) == "won"
        assert len(refused) == 1
        assert len(await match.lines("totem.grabs_judged")) == 1

    tell(story)
