"""Only a process that is alone on its database decides without waiting for what others may be committing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import pytest

from service.grabs import company
from service.grabs.company import Company
from service.grabs.judging import GRACE_MS
from service.store.opening import open_store
from service.store.store import KupaStore
from tests.postgres import execute
from tests.service.grabs.conftest import Court, Place, said
from tests.service.store.test_leading import SESSIONS

LOOK, KNOWN, AFTER = 0.02, 0.2, 0.4


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as in earnest, in shorter time."""
    for name, seconds in (("LOOK_SECONDS", LOOK), ("KNOWN_SECONDS", KNOWN), ("ALONE_AFTER_SECONDS", AFTER)):
        monkeypatch.setattr(company, name, seconds)


@asynccontextmanager
async def arrived(store: KupaStore) -> AsyncIterator[Company]:
    """A process that is there."""
    one = Company(store, several=True)
    await one.arrive()
    looking = asyncio.create_task(one.run())
    try:
        yield one
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def until(one: Company, *, alone: bool) -> None:
    async with asyncio.timeout(10):
        while one.alone != alone:  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.005)


def test_who_arrives_has_been_seen_before_he_serves_and_whoever_stays_is_alone_again(on_postgres: Place):
    async def story(store: KupaStore) -> None:
        time = asyncio.get_running_loop().time
        async with arrived(store) as one:
            assert not one.alone, "one that lost its session could be there"
            began = time()
            await until(one, alone=True)
            assert time() - began > AFTER / 2
            second = await open_store(**on_postgres.where)
            began = time()
            async with arrived(second) as two:
                assert not one.alone
                assert time() - began >= KNOWN
                await asyncio.sleep(2 * AFTER)
                assert not one.alone
                assert not two.alone
            await second.close()
            await until(one, alone=True)

    on_postgres.run(story)


def test_a_look_counts_for_a_moment_only(on_postgres: Place):
    async def story(store: KupaStore) -> None:
        async with arrived(store) as one:
            await until(one, alone=True)
        assert one.alone
        await asyncio.sleep(KNOWN)
        assert not one.alone

    on_postgres.run(story)


def test_one_of_two_that_loses_its_session_does_not_make_the_other_alone(on_postgres: Place):
    async def story(store: KupaStore) -> None:
        second = await open_store(**on_postgres.where)
        async with arrived(store) as one, arrived(second) as two:
            for _ in range(5):
                execute(on_postgres.where["database_url"], SESSIONS)
                for _ in range(10):
                    await asyncio.sleep(LOOK)
                    assert not one.alone
                    assert not two.alone
        await second.close()

    on_postgres.run(story)


def test_on_sqlite_there_is_nobody_else(on_sqlite: Place):
    async def story(store: KupaStore) -> None:
        one = Company(store, several=False)
        await one.arrive()
        assert one.alone

    on_sqlite.run(story)


@pytest.mark.parametrize("others", [False, True])
def test_a_decision_waits_for_commits_elsewhere_only_if_somebody_is_there(on_postgres: Place, others: bool):
    async def story(store: Any) -> None:
        house = Court(store)
        here = house.tables.desk.company
        second = await open_store(**on_postgres.where)
        if others:
            assert await second.others() == 0
        await here.arrive()
        looking = asyncio.create_task(here.run())
        if not others:
            await until(here, alone=True)
        late_ms = min([await decided_late(house) for _ in range(5)])
        assert (late_ms >= GRACE_MS) == others, late_ms
        looking.cancel()
        await second.close()

    on_postgres.run(story)


async def decided_late(house: Court) -> float:
    """How many ms after it could be made a decision was made."""
    match = await house.matched(dead_heat_ms=0)
    assert said(await match.grab(0)) == "won"
    [judged] = await match.lines("totem.grabs_judged")
    since = (await match.lines("totem.card_turned_up"))[-1]["at"]
    after = datetime.fromisoformat(judged["at"]) - datetime.fromisoformat(since)
    return after.total_seconds() * 1_000 - float(judged["data"]["due_ms"])
