"""An answer that stays open: a stream is sent piece by piece until it ends, its reader goes, or it must stop."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import structlog
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Send

from service.background import end
from service.feeds.watching import Stream

log = structlog.get_logger(__name__)


class HeldOpen(ASGIResponse):
    """Sends a live feed. The server holds `send` back while its reader takes nothing, so nothing piles up here."""

    __slots__ = ("stream",)
    _should_set_content_length = False

    def __init__(self, stream: Stream, headers: dict[str, Any]) -> None:
        super().__init__(headers=headers, media_type=stream.watcher.framing.media)
        self.stream = stream

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Serve it, and give back what it holds however it ends."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.stream.close()

    async def send_body(self, send: Send, receive: Receive) -> None:
        """Send until there is no more. A stream that is cut off is left unfinished: so its reader can tell."""
        pouring = asyncio.create_task(self._pour(send))
        gone = asyncio.create_task(_gone(receive))
        stopped = self.stream.watcher.stopped
        ends: set[asyncio.Future[Any]] = {pouring, gone, stopped}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            finished = pouring.done()
            await end(pouring, gone)
        if finished and (fault := pouring.exception()) is not None:
            log.error("a stream failed", exc_info=fault)
        elif finished or (stopped.done() and stopped.result() and self.stream.watcher.sending_since is None):
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pour(self, send: Send) -> None:
        watcher = self.stream.watcher
        async with aclosing(self.stream.messages()) as messages:
            async for message in messages:
                watcher.offered()
                await send({"type": "http.response.body", "body": message, "more_body": True})
                watcher.took()


async def _gone(receive: Receive) -> None:
    """Until the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
