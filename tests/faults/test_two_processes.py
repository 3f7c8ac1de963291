"""Two servers on one PostgreSQL are as one: no fork, no move twice, nothing stale, and each clock acts once."""

import asyncio
import os
import random
import signal
import time
from pathlib import Path

import httpx

from tests.faults.conftest import LONG, Place
from tests.faults.players import load
from tests.faults.serving import bearer, opened
from tests.faults.watching import until_it_moves, version_of

TABLES = 50 if LONG else 8
PLAYERS = 20 if LONG else 8
SECONDS = 60.0 if LONG else 4.0
TABLES_EACH = 5
"""A player goes about so many tables, and others about the same ones."""
TWINS = 0.2
CLOCKED = {"swap_timeout_s": 1, "turn_timeout_s": 1, "ready_timeout_s": 1, "absent_after": 0}
CLOCK_SECONDS = 20.0 if LONG else 2.5


def test_two_servers_on_one_database_are_as_one(on_postgres: Place):
    with on_postgres.service() as one, on_postgres.service("other") as two:
        rng = random.Random(2)
        tables = [opened(base, one.admin(), seats=4) for base in (one.base, two.base) * (TABLES // 2)]
        shares = [rng.sample(tables, TABLES_EACH) for _ in range(PLAYERS)]

        async def story() -> list:
            async with load([one.base, two.base], shares, twins=TWINS) as players:
                await asyncio.sleep(SECONDS)
            assert set(players.trouble) <= {"request-in-progress", "table-busy"}
            return players.told

        told = asyncio.run(story())
    keys = [one.key for one in told if one.what == "write"]
    assert len(keys) > 10 * TABLES
    assert len(set(keys)) < len(keys), "twins were answered"
    on_postgres.tables([table.game for table in tables], told)


def test_clocks_and_bots_act_once_and_outlive_the_server_that_ran_them(on_postgres: Place):
    with on_postgres.service() as one, on_postgres.service("other") as two:
        clocks = [opened(one.base, one.admin(), seats=3, rules=CLOCKED) for _ in range(3)]
        bots = [opened(one.base, one.admin(), seats=3, bots=2, rules={**CLOCKED, "bot_delay_ms": 100})]
        tables = [*clocks, *bots]
        until = time.monotonic() + CLOCK_SECONDS
        while time.monotonic() < until:
            for table in tables:  # so that both have each table in memory
                version_of(one.base, table.path)
                version_of(two.base, table.path)
            time.sleep(0.1)
        one.kill()
        for table in tables:
            until_it_moves(two.base, table.path, version_of(two.base, table.path))
    found = on_postgres.tables([table.game for table in tables], [])
    assert all(table.version > 20 for table in found.values())


def test_several_workers_behind_one_port_are_as_one_and_a_killed_one_is_replaced(on_postgres: Place):
    with on_postgres.service(KUPA_WORKERS="2", KUPA_FIRST_TABLE="1") as service:
        assert service.process is not None
        first = httpx.get(f"{service.base}/v1/games").json()["items"]
        assert [table["name"] for table in first] == ["Welcome"]
        workers = until_there_are(2, service.process.pid)
        tables = [opened(service.base, service.admin()) for _ in range(4)]

        async def story() -> list:
            async with load([service.base], [[table] for table in tables], fresh=True) as players:
                await players.more(30)
                os.kill(workers.pop(), signal.SIGKILL)
                await players.more(30)
            return players.told

        told = asyncio.run(story())
        assert not {*until_there_are(2, service.process.pid)} <= {*workers}
        headers = bearer(service.admin())
        assert {httpx.get(f"{service.base}/v1/keys", headers=headers).status_code for _ in range(20)} == {200}
        assert service.stop() == 0
    on_postgres.tables([table.game for table in tables], told)


def test_workers_whose_parent_is_killed_end_by_themselves(on_postgres: Place):
    with on_postgres.service(KUPA_WORKERS="2") as service:
        assert service.process is not None
        workers = until_there_are(2, service.process.pid)
        os.kill(service.process.pid, signal.SIGKILL)
        service.process.wait(10)
        until = time.monotonic() + 10
        while any(Path(f"/proc/{worker}").exists() for worker in workers):
            assert time.monotonic() < until, "they run on"
            time.sleep(0.1)
        service.process = None


def until_there_are(number: int, parent: int) -> list[int]:
    """The server's own processes, once there are so many of them."""
    until = time.monotonic() + 20
    while len(found := workers_of(parent)) != number:
        assert time.monotonic() < until, f"{found} run"
        time.sleep(0.05)
    return found


def workers_of(parent: int) -> list[int]:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in children if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()]
