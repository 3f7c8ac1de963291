"""A job that one process does for all: who leads it, and who takes over."""

import asyncio
import time

import pytest

from service.store import leading
from service.store.opening import open_store
from service.store.port import Unavailable
from service.store.store import KupaStore
from tests.postgres import database
from tests.service.store.conftest import Place

TAKE_OVER_SECONDS_MAX = 5.0
SESSIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON oid = database"
    " WHERE locktype = 'advisory' AND datname = current_database()"
)


def test_of_two_processes_one_leads_until_it_goes(on_postgres: Place):
    async def story(one: KupaStore) -> None:
        two = await open_store(**on_postgres.where)
        try:
            assert [await one.leads("sweep") for _ in range(3)] == [True, True, True]
            assert not await two.leads("sweep")
            assert await two.leads("another job"), "each job has a leader of its own"
            assert not await one.leads("another job")
            await one.close()
            assert await two.leads("sweep")
        finally:
            await two.close()

    on_postgres.run(story)


def test_who_loses_its_session_leads_no_more_and_may_stand_again(on_postgres: Place):
    async def story(one: KupaStore) -> None:
        assert await one.leads("sweep")
        on_postgres.execute(SESSIONS)
        with pytest.raises(Unavailable):
            await one.leads("sweep")
        assert await one.leads("sweep")

    on_postgres.run(story)


def test_who_falls_silent_gives_its_jobs_up(on_postgres: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(leading, "SILENT_SECONDS_MAX", 1)

    async def story(one: KupaStore) -> None:
        two = await open_store(**on_postgres.where)
        try:
            assert await one.leads("sweep")
            until = time.monotonic() + TAKE_OVER_SECONDS_MAX
            while not await two.leads("sweep"):
                assert time.monotonic() < until, "nobody took over"
                await asyncio.sleep(0.1)
            with pytest.raises(Unavailable):
                await one.leads("sweep")
            assert not await one.leads("sweep")
        finally:
            await two.close()

    on_postgres.run(story)


def test_each_process_counts_the_others_that_are_there(on_postgres: Place):
    async def story(one: KupaStore) -> None:
        assert await one.others() == 0
        two, silent = await open_store(**on_postgres.where), await open_store(**on_postgres.where)
        try:
            assert await one.others() == 0, "who does not ask is not there"
            assert await two.others() == 1
            assert await one.leads("sweep")
            assert await one.others() == 1
            on_postgres.execute(SESSIONS)
            with pytest.raises(Unavailable):
                await one.others()
            assert await one.others() == 0
            assert await silent.others() == 1
            await one.close()
            assert await silent.others() == 0
        finally:
            await two.close()
            await silent.close()

    on_postgres.run(story)


def test_another_database_of_the_same_server_is_none_of_its_own(on_postgres: Place):
    async def story(one: KupaStore) -> None:
        with database() as url:
            other = await open_store(database_url=url)
            assert await other.others() == await one.others() == 0
            await other.close()

    on_postgres.run(story)


def test_the_one_process_on_sqlite_does_everything(on_sqlite: Place):
    async def story(store: KupaStore) -> None:
        assert await store.leads("sweep")
        assert await store.others() == 0

    on_sqlite.run(story)
