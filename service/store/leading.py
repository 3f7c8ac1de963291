"""Jobs that one process does for all on a database: whose session holds the job's advisory lock, leads it.

A lock that each process shares says how many there are.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from psycopg import AsyncConnection, Error, InterfaceError, OperationalError
from psycopg.conninfo import conninfo_to_dict

from service.store.port import Unavailable
from service.store.postgres import with_patience
from service.store.schema import MIGRATION_LOCK

T = TypeVar("T")
SILENT_SECONDS_MAX = 10
"""After that the database ends a leader's session: one that hangs, or whose machine is gone, gives its jobs up."""
HERE = (MIGRATION_LOCK, zlib.crc32(b"here") >> 1)
"""The lock that every process shares."""
OTHERS = (
    "SELECT count(*) FROM pg_locks JOIN pg_database ON oid = database WHERE locktype = 'advisory' AND granted"
    " AND datname = current_database() AND classid = %s AND objid = %s AND pid <> pg_backend_pid()"
)


class Leading:
    """A session of its own, whose advisory locks are this process's jobs. Each job is asked for once a second or so."""

    def __init__(self, url: str) -> None:
        self._options = with_patience(conninfo_to_dict(url))
        self._session: AsyncConnection[Any] | None = None
        self._jobs: set[str] = set()
        self._here = False
        self._one_at_a_time = asyncio.Lock()

    async def leads(self, job: str) -> bool:
        """Whether this process does `job` now. Raises Unavailable, and leads nothing, when the database is away."""
        return await self._asked(lambda session: self._leads(session, job))

    async def others(self) -> int:
        """How many other processes have asked this and are still there. Raises Unavailable, as `leads`."""
        return await self._asked(self._others)

    async def _asked(self, ask: Callable[[AsyncConnection[Any]], Awaitable[T]]) -> T:
        async with self._one_at_a_time:
            try:
                if self._session is None:
                    self._session = await AsyncConnection.connect(**self._options, autocommit=True)
                    await self._session.execute(f"SET idle_session_timeout = '{SILENT_SECONDS_MAX}s'")
                return await ask(self._session)
            except (OperationalError, InterfaceError) as fault:
                await self._give_up()
                raise Unavailable(str(fault)) from fault

    async def _leads(self, session: AsyncConnection[Any], job: str) -> bool:
        if job in self._jobs:
            await session.execute("SELECT 1")  # the lock is ours as long as the session answers
            return True
        lock = (MIGRATION_LOCK, zlib.crc32(job.encode()) >> 1)
        cursor = await session.execute("SELECT pg_try_advisory_lock(%s::int, %s::int)", lock)
        row = await cursor.fetchone()
        if row is not None and row[0]:
            self._jobs.add(job)
        return job in self._jobs

    async def _others(self, session: AsyncConnection[Any]) -> int:
        if not self._here:  # before it counts: of two that come at once at least one sees the other
            await session.execute("SELECT pg_advisory_lock_shared(%s::int, %s::int)", HERE)
            self._here = True
        row = await (await session.execute(OTHERS, HERE)).fetchone()
        return int(row[0]) if row is not None else 0

    async def _give_up(self) -> None:
        session, self._session, self._here = self._session, None, False
        self._jobs.clear()
        if session is not None:
            with suppress(Error):
                await session.close()

    async def close(self) -> None:
        """Leave every job to others, at once: the database hears of a closed session only when it comes to it."""
        if self._session is not None:
            with suppress(Error):
                await self._session.execute("SELECT pg_advisory_unlock_all()")
        await self._give_up()
