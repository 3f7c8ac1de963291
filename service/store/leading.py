"""Jobs that one process does for all on a database: whose session holds the job's advisory lock, leads it."""

from __future__ import annotations

import asyncio
import zlib
from contextlib import suppress
from typing import Any

from psycopg import AsyncConnection, Error, InterfaceError, OperationalError
from psycopg.conninfo import conninfo_to_dict

from service.store.port import Unavailable
from service.store.postgres import with_patience
from service.store.schema import MIGRATION_LOCK

SILENT_SECONDS_MAX = 10
"""After that the database ends a leader's session: one that hangs, or whose machine is gone, gives its jobs up."""


class Leading:
    """A session of its own, whose advisory locks are this process's jobs. Each job is asked for once a second or so."""

    def __init__(self, url: str) -> None:
        self._options = with_patience(conninfo_to_dict(url))
        self._session: AsyncConnection[Any] | None = None
        self._jobs: set[str] = set()
        self._one_at_a_time = asyncio.Lock()

    async def leads(self, job: str) -> bool:
        """Whether this process does `job` now. Raises Unavailable, and leads nothing, when the database is away."""
        async with self._one_at_a_time:
            try:
                return await self._ask(job)
            except (OperationalError, InterfaceError) as fault:
                await self._give_up()
                raise Unavailable(str(fault)) from fault

    async def _ask(self, job: str) -> bool:
        if self._session is None:
            self._session = await AsyncConnection.connect(**self._options, autocommit=True)
            await self._session.execute(f"SET idle_session_timeout = '{SILENT_SECONDS_MAX}s'")
        if job in self._jobs:
            await self._session.execute("SELECT 1")  # the lock is ours as long as the session answers
            return True
        lock = (MIGRATION_LOCK, zlib.crc32(job.encode()) >> 1)
        cursor = await self._session.execute("SELECT pg_try_advisory_lock(%s::int, %s::int)", lock)
        row = await cursor.fetchone()
        if row is not None and row[0]:
            self._jobs.add(job)
        return job in self._jobs

    async def _give_up(self) -> None:
        session, self._session = self._session, None
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
