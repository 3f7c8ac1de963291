"""PostgreSQL out of reach: answers that got lost, requests that never came, a server that is restarted."""

import asyncio
import time
from collections.abc import Iterator

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool.base import AttemptWithBackoff

from service.store.opening import open_store
from service.store.port import KeyTaken, LinesTaken, Unavailable, Unit
from tests import postgres
from tests.service.store.cutting import Cutting
from tests.service.store.units import AT, full_unit, lines_of, new_game


@pytest.fixture
def cutting(on_postgres) -> Iterator[Cutting]:
    proxy = Cutting(int(str(conninfo_to_dict(on_postgres.where["database_url"])["port"])))
    on_postgres.where["database_url"] = make_conninfo(
        on_postgres.where["database_url"], port=proxy.port, sslmode="disable"
    )
    yield proxy
    proxy.close()


def test_a_commit_whose_acknowledgement_is_lost_is_answered_as_committed_and_written_once(on_postgres, cutting):
    async def story(store):
        await store.commit(full_unit(new_game()))  # the statement is prepared, connections are up
        units = [full_unit(new_game()) for _ in range(5)]
        cutting.cut_answer()
        await asyncio.gather(*map(store.commit, units))
        assert cutting.cuts == 1
        for unit in units:
            assert await store.lines(unit.game) == list(unit.lines)
            assert unit.idempotency
            assert await store.idempotency(unit.idempotency.caller, unit.idempotency.key) == unit.idempotency
        assert len(await store.outbox()) == 6
        assert len(await store.tail(0)) == 18

    on_postgres.run(story)


def test_a_request_that_never_reached_the_server_is_sent_again(on_postgres, cutting):
    async def story(store):
        await store.commit(full_unit(new_game()))
        unit = full_unit(new_game())
        cutting.cut_request()
        await store.commit(unit)
        assert cutting.cuts == 1
        assert await store.lines(unit.game) == list(unit.lines)

    on_postgres.run(story)


def test_after_a_lost_acknowledgement_losers_are_still_told_apart(on_postgres, cutting):
    async def story(store):
        taken, used, new = full_unit(new_game()), full_unit(new_game()), full_unit(new_game())
        await store.commit(taken)
        await store.commit(used)
        cutting.cut_request()
        fates = await asyncio.gather(
            store.commit(Unit(game=taken.game, at=AT, lines=lines_of(taken.game, 3, seed="another-seed-000"))),
            store.commit(Unit(game=used.game, at=AT, lines=lines_of(used.game, 4), idempotency=used.idempotency)),
            store.commit(new),
            return_exceptions=True,
        )
        assert [type(fate) for fate in fates] == [LinesTaken, KeyTaken, type(None)]

    on_postgres.run(story)


def test_a_read_on_a_dead_connection_is_asked_again(on_postgres, cutting):
    async def story(store):
        unit = full_unit(new_game())
        await store.commit(unit)
        assert await store.version(unit.game) == 3
        cutting.cut_answer()
        assert await store.version(unit.game) == 3
        assert cutting.cuts == 1

    on_postgres.run(story)


def test_while_the_server_is_away_all_is_unavailable_in_bounded_time_and_then_it_goes_on():
    found = postgres.binaries()
    assert found is not None
    server = postgres.Server(found)

    async def story():
        store = await open_store(database_url=server.url())
        try:
            before = full_unit(new_game())
            await store.commit(before)
            assert await store.version(before.game) == 3
            server.stop()
            started = time.monotonic()
            fates = await asyncio.gather(
                store.commit(full_unit(new_game())), store.version(before.game), return_exceptions=True
            )
            assert all(isinstance(fate, Unavailable) for fate in fates)
            assert time.monotonic() - started < 7
            server.start()
            after = full_unit(new_game())
            for _ in range(20):  # the pool tries once a second
                try:
                    await store.commit(after)
                except Unavailable:
                    continue
                break
            assert await store.lines(after.game) == list(after.lines)
            assert await store.lines(before.game) == list(before.lines)
        finally:
            await store.close()

    try:
        asyncio.run(story())
    finally:
        server.close()


def test_the_pool_still_has_the_setting_by_which_it_reconnects_once_a_second():
    attempt = AttemptWithBackoff(timeout=1_000)
    delays = []
    for _ in range(5):
        attempt.update_delay(0.0)
        delays.append(attempt.delay)
    assert max(delays) < 1.2
