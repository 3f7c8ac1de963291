"""Reading PostgreSQL from the event loop, with a pool of asynchronous connections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool

from service.store.leading import Leading
from service.store.port import Unavailable
from service.store.postgres import SEARCH_PATH, with_patience
from service.store.reads import Question

T = TypeVar("T")
POOL_MAX = 8
POOL_SECONDS_MAX = 3.0


async def _configure(connection: AsyncConnection[Any]) -> None:
    await connection.execute(SEARCH_PATH)


class PostgresReader:
    """Every answer takes a round trip, so none is waited for on the loop."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[Any]], leading: Leading) -> None:
        self._pool = pool
        self.leads, self.others = leading.leads, leading.others
        self._leading = leading

    @classmethod
    async def open(cls, url: str) -> PostgresReader:
        """Raises PoolTimeout when no connection comes up in time."""
        pool = AsyncConnectionPool(
            kwargs={**with_patience(conninfo_to_dict(url)), "autocommit": True},
            min_size=1,
            max_size=POOL_MAX,
            timeout=POOL_SECONDS_MAX,
            configure=_configure,
            open=False,
        )
        await pool.open(wait=True, timeout=POOL_SECONDS_MAX)
        return cls(pool, Leading(url))

    async def one(self, question: Question[T]) -> T | None:
        rows = await self._ask(question)
        return question.row(rows[0]) if rows else None

    async def all(self, question: Question[T]) -> list[T]:
        return [question.row(row) for row in await self._ask(question)]

    async def _ask(self, question: Question[Any]) -> Sequence[Any]:
        try:
            return await self._rows(question)
        except (OperationalError, InterfaceError):
            pass  # after a restart of the server every idle connection is dead, and reading twice harms nobody
        try:
            await self._pool.check()
            return await self._rows(question)
        except (OperationalError, InterfaceError) as fault:
            raise Unavailable(str(fault)) from fault

    async def _rows(self, question: Question[Any]) -> Sequence[Any]:
        async with self._pool.connection() as connection:
            cursor = await connection.execute(question.postgres, question.values, prepare=True)
            return await cursor.fetchall()

    async def close(self) -> None:
        await self._leading.close()
        await self._pool.close()
