"""Work that runs beside the requests: kept from being forgotten, watched, and ended with the service."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

log = structlog.get_logger(__name__)


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
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.error("background work failed", work=task.get_name(), exc_info=fault)
