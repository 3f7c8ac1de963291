"""Whether this process is alone on its database: then no grab of the same moment is being committed elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from service.store.port import Store, Unavailable

log = structlog.get_logger(__name__)
LOOK_SECONDS = 0.25
KNOWN_SECONDS = 1.0
"""For how long a look at who is there counts. Who arrives waits so long before he serves, if anybody is there."""
ALONE_AFTER_SECONDS = 5.0
"""Nobody else has been there for so long: who lost his session to the database has a new one by then."""


class Company:
    """Not alone unless it is certain: a database that is away, or a look that comes late, costs a little time only."""

    def __init__(
        self, store: Store, *, several: bool, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """`several`: whether other processes can be there at all."""
        self._store, self._several, self._sleep = store, several, sleep
        self._looked: float | None = None
        self._alone_since: float | None = None

    @property
    def alone(self) -> bool:
        """Whether no other process takes grabs in now."""
        if not self._several:
            return True
        if self._looked is None or self._alone_since is None:
            return False
        known = asyncio.get_running_loop().time() - self._looked < KNOWN_SECONDS
        return known and self._looked - self._alone_since >= ALONE_AFTER_SECONDS

    async def arrive(self) -> None:
        """Be seen by all that are there, before this process serves anybody."""
        if self._several and not await self.look():
            await self._sleep(KNOWN_SECONDS)

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await self._sleep(LOOK_SECONDS)
            await self.look()

    async def look(self) -> bool:
        """Look once; whether nobody else is there."""
        began = asyncio.get_running_loop().time()
        try:
            others = await self._store.others()
        except Unavailable as away:
            log.warning("not known who else is at the database", why=str(away))
            self._alone_since = None
            return False
        self._looked = began
        if others:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = began
        return not others
