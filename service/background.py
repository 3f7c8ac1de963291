"""Work that runs beside the requests: kept from being forgotten, watched, and ended with the service."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

log = structlog.get_logger(__name__)
CANCEL_AGAIN_SECONDS = 0.2


class Background:
    """Tasks of this process. Those that are `kept` must run for ever; `alive` says whether they do."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._kept: list[asyncio.Task[None]] = []

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work`; a fault in it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def keep(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Run `work`, which is to run as long as the service does."""
        task = self.spawn(work)
        task.set_name(name)
        self._kept.append(task)

    def alive(self) -> bool:
        """Whether all that should run for ever still runs."""
        return not any(task.done() for task in self._kept)

    async def stop(self) -> None:
        """End everything and wait until it has ended."""
        await end(*self._tasks)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.error("background work failed", work=task.get_name(), exc_info=fault)


async def end(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks until they have ended.

    Once is not enough: before Python 3.12 `asyncio.wait_for`, by which database drivers wait, loses a cancellation
    that comes together with what it waits for.
    """
    while going := [task for task in tasks if not task.done()]:
        for task in going:
            task.cancel()
        await asyncio.wait(going, timeout=CANCEL_AGAIN_SECONDS)
