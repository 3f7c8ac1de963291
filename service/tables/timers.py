"""What tables must do by themselves, when it is due: each table's clock in this process, and a sweep for the rest."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime
from typing import Any

import structlog

from domain.table.due import due
from domain.times import later
from service.grabs.distances import HEARD_SECONDS_MAX
from service.problems import Problem
from service.store.port import Unavailable
from service.tables.live import Live
from service.tables.tables import Tables

log = structlog.get_logger(__name__)
SWEEP_SECONDS = 1.0
"""How often the store is asked for tables that nobody in memory looks after."""
KEPT_SECONDS = 2 * 86_400
"""How long an idempotency key is kept: twice what is promised."""
POSTS_KEPT = 100_000
"""Rows of the outbox: each process reads them four times a second, and one that slept begins anew."""
FORGET_SECONDS = 3_600.0


class Timers:
    """One loop for all tables. A late, early or repeated call is harmless: the table itself knows what is due."""

    def __init__(
        self,
        tables: Tables,
        wake_bots: Callable[[str], None],
        *,
        spawn: Callable[[Coroutine[Any, Any, None]], Any] = asyncio.create_task,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.tables, self.wake_bots, self.spawn, self.sleep = tables, wake_bots, spawn, sleep
        self._due: dict[str, str] = {}
        self._queue: list[tuple[str, str]] = []
        self._sooner = asyncio.Event()
        self._acting: set[str] = set()
        self._again: set[str] = set()

    def follow(self, game: str, live: Live) -> None:
        """A table moved on: its clock is set anew, or stopped."""
        found = due(live.table) if live.table else None
        if found is None or found.at is None:
            self._due.pop(game, None)
            return
        self._due[game] = found.at
        heapq.heappush(self._queue, (found.at, game))
        self._sooner.set()

    async def run(self) -> None:
        """Act for tables as they fall due, until cancelled."""
        while True:
            self.act_on_due()
            self._sooner.clear()
            try:
                async with asyncio.timeout(self._pause()):
                    await self._sooner.wait()
            except TimeoutError:
                continue

    def act_on_due(self) -> None:
        """Act for every table whose time has come."""
        now = self.tables.now()
        while self._queue and self._queue[0][0] <= now:
            at, game = heapq.heappop(self._queue)
            if self._due.get(game) == at:
                del self._due[game]
                self._act(game)

    async def sweep(self) -> None:
        """Once a second take over tables that are late or wait for a bot: after a restart, all of them.

        One process does it for all on the database.
        """
        while True:
            try:
                if await self.tables.store.leads("sweep"):
                    await self.sweep_once()
            except Unavailable as fault:
                log.warning("nobody swept", why=str(fault))
            except Exception:
                log.exception("sweep failed")
            await self.sleep(SWEEP_SECONDS)

    async def forget(self) -> None:
        """Once an hour drop what nobody asks for any more.

        That is what was kept of keyed requests longer than is promised, posts that all have read, and what processes
        that are gone said of seats.
        """
        while True:
            try:
                await self.tables.store.forget(later(self.tables.now(), seconds=-KEPT_SECONDS))
                await self.tables.store.clear_outbox(POSTS_KEPT)
                await self.tables.store.clear_latencies(later(self.tables.now(), seconds=-HEARD_SECONDS_MAX))
            except Unavailable as fault:
                log.warning("keys and posts not forgotten", why=str(fault))
            await self.sleep(FORGET_SECONDS)

    async def sweep_once(self) -> None:
        """Look once."""
        await self.tables.desk.judging.sweep()
        now = self.tables.now()
        for row in await self.tables.store.waiting(now):
            if row.bot_to_act:
                self.wake_bots(row.game)
            if row.due_at is not None and row.due_at <= now:
                self._act(row.game)

    def _act(self, game: str) -> None:
        if game in self._acting:
            self._again.add(game)  # what it does just now may have made something due at once
            return
        self._acting.add(game)
        self.spawn(self._acted(game))

    async def _acted(self, game: str) -> None:
        try:
            self._again.add(game)
            while game in self._again:
                self._again.discard(game)
                await self.tables.act(game)
        except (Problem, Unavailable) as problem:  # the sweep comes by again
            log.warning("clock not heard", table=game, problem=str(problem))
        finally:
            self._acting.discard(game)
            self._again.discard(game)

    def _pause(self) -> float | None:
        """Seconds until the next clock runs out; None if none runs."""
        if not self._queue:
            return None
        waits = datetime.fromisoformat(self._queue[0][0]) - datetime.fromisoformat(self.tables.now())
        return max(0.0, waits.total_seconds())
