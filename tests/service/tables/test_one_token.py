"""A seat has one living token, whichever of several processes gave it, and a freed seat has none."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from service.callers import Host, Key
from service.problems import Problem
from service.tables.answers import Answer, SitRequest
from tests.service.tables.conftest import KEY, House

OTHER = Key("another-key", ("play",))


async def alive(house: House, answer: Answer) -> bool:
    """Whether the token of this answer lives, as the store has it."""
    _, _, token_id, _ = answer.extra["seat_token"].split("_")
    row = await house.store.token(token_id)
    assert row is not None
    return row.revoked is None


async def seated(store: Any) -> tuple[House, House, str, Host, Answer]:
    """Two processes with one table in memory, and a seat taken at the first."""
    here, there = House(store), House(store)
    opened = await here.open(seats=2)
    game, host = opened.game, Host(opened.game, KEY.id)
    taken = await here.tables.sit(game, KEY, SitRequest(player="one"), None)
    for house in (here, there):
        await house.tables.registry.fresh(game)
    return here, there, game, host, taken


def test_of_renewals_at_two_processes_the_last_one_lives(tell):
    async def story(house: House) -> None:
        here, there, game, _, taken = await seated(house.store)
        renewed = [await at.tables.renew_token(game, KEY, 0, None) for at in (here, there, there, here)]
        given = [taken, *renewed]
        assert [await alive(house, one) for one in given] == [False] * 4 + [True]

    tell(story)


def test_of_renewals_at_the_same_moment_one_lives(tell):
    async def story(house: House) -> None:
        here, there, game, _, taken = await seated(house.store)
        given = await asyncio.gather(*(at.tables.renew_token(game, KEY, 0, None) for at in (here, there) * 4))
        assert sum([await alive(house, one) for one in given]) == 1
        assert not await alive(house, taken)

    tell(story)


def test_a_renewed_token_dies_with_its_seat_freed_elsewhere(tell):
    async def story(house: House) -> None:
        here, there, game, host, taken = await seated(house.store)
        renewed = await here.tables.renew_token(game, KEY, 0, None)
        await there.tables.leave(game, host, 0, None)
        stranger = await there.tables.sit(game, OTHER, SitRequest(player="two", seat=0), None)
        assert [await alive(house, one) for one in (taken, renewed, stranger)] == [False, False, True]
        with pytest.raises(Problem, match="no such seat"):
            await here.tables.renew_token(game, KEY, 0, None)
        assert await alive(house, stranger)

    tell(story)
