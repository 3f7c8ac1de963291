"""What other processes commit: the end of the common log is looked at while somebody watches a table here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from service.store.port import Store, Unavailable

log = structlog.get_logger(__name__)
LOOK_SECONDS = 0.02
"""How often; half of it is the mean delay that a line of another process has here."""
AWAY_SECONDS = 1.0
"""How long a database that is away is left alone."""
POSITIONS_MAX = 1_000

Told = Callable[[str, int], None]
"""(table, seq): this line was committed, here or elsewhere."""


class Tail:
    """Reads positions only, never lines: those are fetched for tables that are watched here."""

    def __init__(self, store: Store, told: Told, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._store, self._told, self._sleep = store, told, sleep
        self._after: int | None = None
        self._wanted = asyncio.Event()

    async def begin(self) -> None:
        """From now on nothing is missed: whoever reads a table after this knows all that will not be told."""
        if self._after is None:
            position = await self._store.position()
            if self._after is None:
                self._after = position
        self._wanted.set()

    def rest(self) -> None:
        """Nobody watches any more."""
        self._after = None
        self._wanted.clear()

    async def run(self) -> None:
        """Look again and again while somebody watches, until cancelled."""
        while True:
            await self._wanted.wait()
            pause = LOOK_SECONDS
            try:
                await self.look()
            except Unavailable as away:
                log.warning("the log cannot be followed now", reason=str(away))
                pause = AWAY_SECONDS
            await self._sleep(pause)

    async def look(self) -> None:
        """Tell of everything committed since the last look."""
        while (after := self._after) is not None:
            found = await self._store.tail(after, POSITIONS_MAX)
            if not found or self._after != after:
                return
            self._after = found[-1].id
            for game, seq in {position.game: position.seq for position in found}.items():
                self._told(game, seq)
