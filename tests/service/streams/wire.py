"""The server's side of a connection, as an application sees it, with a reader who may stop reading."""

from __future__ import annotations

import asyncio
from typing import Any

from service.callers import Reader
from service.feeds import framing
from service.feeds.held_open import HeldOpen
from tests.service.streams.conftest import Process, Seated


class Wire:
    """One connection; `full` means that nobody reads at its other end."""

    def __init__(self, *, full: bool = False) -> None:
        self.messages: list[Any] = []
        self.full, self._some, self._gone = full, asyncio.Event(), asyncio.Event()

    async def send(self, message: Any) -> None:
        if self.full and message["type"] == "http.response.body":
            self._some.set()
            await asyncio.Event().wait()
        self.messages.append(message)
        self._some.set()

    async def receive(self) -> Any:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    def hang_up(self) -> None:
        self._gone.set()

    async def sent_something(self) -> None:
        await asyncio.wait_for(self._some.wait(), 5)

    async def serve(self, process: Process, table: Seated, after: int | None = None) -> asyncio.Task[None]:
        stream = await process.streams.open(table.game, Reader(), None, after, framing.EVENTS)
        return asyncio.create_task(HeldOpen(stream, {})({}, self.receive, self.send))
