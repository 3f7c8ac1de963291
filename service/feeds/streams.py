"""Live feeds: which tables are watched here, by whom, and how what is committed anywhere reaches them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec
import structlog
from msgspec import Struct

from service.auth import Auth
from service.callers import Reader
from service.feeds.feeds import Feed, Watcher
from service.feeds.framing import Framing
from service.feeds.tail import Tail
from service.feeds.watching import Stream, place
from service.problems import Fault, Problem
from service.store.port import Unavailable
from service.store.rows import StoredLine
from service.tables.live import Live
from service.tables.reads import may_know, reader_audience
from service.tables.tables import Tables
from service.web.limits import Waiting

log = structlog.get_logger(__name__)
STALLED_SECONDS_MAX = 60.0
"""How long a stream may take nothing of what it is offered."""
FULL_RETRY_SECONDS = 5

Spawn = Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"]


class Bounds(Struct, frozen=True, kw_only=True):
    """How often a silent feed says that it is alive, and how much a reader may leave lying, hold open, or all may."""

    heartbeat_seconds: float = 7.0
    buffer_bytes: int = 1024 * 1024
    per_token: int = 32
    most: int = 10_000


class Streams:
    """Every live feed of this process.

    A watcher is subscribed before the table is read, and asks for what follows the last line it was given: so
    nothing is missed and nothing comes twice, wherever a line was committed.
    """

    def __init__(self, tables: Tables, auth: Auth, bounds: Bounds, spawn: Spawn, *, shared: bool = False) -> None:
        """`shared`: whether other processes commit to the same store; then `tail.run()` must run."""
        self.tables, self.auth, self.bounds, self._spawn = tables, auth, bounds, spawn
        self.tail = Tail(tables.store, self.committed) if shared else None
        self._feeds: dict[str, tuple[Feed, asyncio.Task[None]]] = {}
        self._tokens = Waiting(bounds.per_token)
        self.open_now = 0
        self._ending = False
        tables.listeners.append(self.heard)
        auth.followers.append(self.look_again)

    # --- what is told to the feeds

    def heard(self, game: str, live: Live, lines: Sequence[StoredLine]) -> None:
        """This process committed `lines`."""
        if game in self._feeds:
            self._feeds[game][0].take(live, lines, self.bounds.buffer_bytes)

    def committed(self, game: str, seq: int) -> None:
        """Some process committed line `seq`."""
        feed = self._feeds[game][0] if game in self._feeds else None
        if feed is not None and seq > feed.version:
            feed.wanted = max(feed.wanted, seq)
            feed.behind.set()

    def look_again(self, game: str | None) -> None:
        """Tokens of this table (None: API keys) were revoked: whose stream came with one is looked at now."""
        for feed, _ in list(self._feeds.values()):
            if game in (None, feed.game):
                for watcher in feed.watchers:
                    if watcher.header is not None:
                        watcher.news.set()

    def end(self) -> None:
        """End every stream, and open no other: the service stops."""
        self._ending = True
        for feed, _ in self._feeds.values():
            for watcher in feed.watchers:
                watcher.stop(properly=True)

    # --- opening one

    async def open(self, game: str, reader: Reader, header: str | None, after: int | None, framing: Framing) -> Stream:
        """Follow a table from behind line `after`; without it from a snapshot, or the first line where none is told.

        `header` is the Authorization header that `reader` came with. Raises Problem not-found, conflict-of-interest,
        too-many-streams, cursor-invalid, unavailable. The stream must be closed, whether or not it was read.
        """
        live = await self.tables.registry.get(game)
        may_know(live, reader.who, reader.invite, self.tables.mint)
        caller = reader_audience(game, live, reader.who)
        held = self._admitted(header)
        watcher = Watcher(reader, header, framing, after or 0, self.bounds.heartbeat_seconds)
        watcher.caller = caller
        held.callback(watcher.leave)
        try:
            feed = await self._subscribed(game, live, watcher, held)
            opening = await self._opening(feed, watcher, after)
        except Unavailable:
            held.close()
            raise Problem("unavailable", "The table cannot be read now.", retry_after=2) from None
        except BaseException:
            held.close()
            raise
        return Stream(self.tables, self.auth, feed, watcher, opening, held)

    def _admitted(self, header: str | None) -> ExitStack:
        """A place among the open streams, given back when the stack is closed."""
        if self._ending or self.open_now >= self.bounds.most:
            raise Problem("unavailable", "No more streams are opened now.", retry_after=FULL_RETRY_SECONDS)
        held = ExitStack()
        if header is not None:
            held.enter_context(self._tokens.one(header.rpartition("_")[0]))  # the token without its secret
        self.open_now += 1
        held.callback(self._left)
        return held

    def _left(self) -> None:
        self.open_now -= 1

    async def _subscribed(self, game: str, live: Live, watcher: Watcher, held: ExitStack) -> Feed:
        """The table's feed with the watcher among those it tells; the first one brings it up to date."""
        first = game not in self._feeds
        feed = Feed(game, live) if first else self._feeds[game][0]
        feed.watchers.add(watcher)
        held.callback(self._unsubscribe, feed, watcher)
        if first:
            self._feeds[game] = (feed, self._spawn(self._keep_up(feed)))
            if self.tail is not None:
                await self.tail.begin()
            await self._catch_up(feed)
        return feed

    def _unsubscribe(self, feed: Feed, watcher: Watcher) -> None:
        feed.watchers.discard(watcher)
        if not feed.watchers and self._feeds.get(feed.game, (None,))[0] is feed:
            _, keeping = self._feeds.pop(feed.game)
            keeping.cancel()
            if self.tail is not None and not self._feeds:
                self.tail.rest()

    async def _opening(self, feed: Feed, watcher: Watcher, after: int | None) -> bytes:
        """What the stream says before its first line."""
        said = b""
        framing = watcher.framing
        if after is not None and after > feed.version:
            await self._catch_up(feed)
            if after <= feed.version:
                return said
            said = framing.told("reset", place(feed))
            if not said:
                raise _past_the_head(after, feed.version)
            after = None
        if after is None and framing.tells:
            view = await self.tables.view(feed.game, watcher.reader)
            watcher.after = view.version
            said += framing.told("hello", msgspec.json.encode(view.body))
        return said

    # --- keeping up with what this process did not commit itself

    async def _keep_up(self, feed: Feed) -> None:
        """Read what was committed elsewhere when told so, and look now and then in case nobody tells."""
        while feed.watchers:
            try:
                async with asyncio.timeout(self.bounds.heartbeat_seconds):
                    await feed.behind.wait()
            except TimeoutError:
                self._drop_stalled(feed)
            feed.behind.clear()
            try:
                await self._catch_up(feed, pushed=True)
            except (Problem, Unavailable) as away:
                log.warning("a live feed cannot be read now", table=feed.game, reason=str(away))

    async def _catch_up(self, feed: Feed, *, pushed: bool = False) -> None:
        """Bring the table and its feed to the last committed line; `pushed`: for feeds that were open before."""
        live = await self.tables.registry.get(feed.game)
        store = self.tables.store
        async with live.lock:
            table = await self.tables.registry.current(feed.game, live)
            if table.version < max(feed.wanted, await store.version(feed.game)):
                await self.tables.registry.catch_up(feed.game, live)
            assert live.table is not None
            lines = await store.lines(feed.game, after=feed.version) if live.table.version > feed.version else []
            feed.take(live, lines, self.bounds.buffer_bytes)
            if pushed and lines:
                self.tables.pushed(live, feed.seats, lines)

    def _drop_stalled(self, feed: Feed) -> None:
        since = asyncio.get_running_loop().time() - STALLED_SECONDS_MAX
        for watcher in feed.watchers:
            if watcher.sending_since is not None and watcher.sending_since < since:
                watcher.stop(properly=False)


def _past_the_head(after: int, version: int) -> Problem:
    fault = Fault("after", "query", f"the last line is {version}")
    return Problem("cursor-invalid", f"There is no line {after} yet.", errors=(fault,), version=version)
