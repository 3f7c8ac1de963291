"""One open live feed: what it says piece by piece, and whether its reader may still hear it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import ExitStack

import structlog

from service.auth import Auth
from service.feeds.feeds import CHUNK_LINES_MAX, Feed, Kept, Watcher, for_few, kept
from service.problems import Problem
from service.store.port import Unavailable
from service.tables.reads import may_know, reader_audience
from service.tables.tables import Tables

log = structlog.get_logger(__name__)


class Stream:
    """A watcher at its feed. `opening` is said first; `held` is what it gives back when it is closed."""

    def __init__(
        self,
        tables: Tables,
        auth: Auth,
        feed: Feed,
        watcher: Watcher,
        opening: bytes,
        held: ExitStack,
    ) -> None:
        self._tables, self._auth = tables, auth
        self._feed, self.watcher, self._opening, self._held = feed, watcher, opening, held
        self.version = feed.version
        """The version of the table as it was opened."""

    async def messages(self) -> AsyncGenerator[bytes, None]:
        """Lines as they are committed, heartbeats between them, `end`. It ends when its reader may hear no more."""
        feed, watcher, framing = self._feed, self.watcher, self.watcher.framing
        if self._opening:
            yield self._opening
        try:
            while True:
                watcher.news.clear()
                lines = await self._lines()
                await self._look(fresh=for_few(lines, watcher.caller))
                if lines:
                    watcher.after = lines[-1].heading.seq
                    yield feed.framed(lines, watcher.caller, framing)
                elif feed.over and watcher.after >= feed.version:
                    if framing.tells:
                        yield framing.told("end", place(feed))
                    return
                elif watcher.silent:
                    watcher.silent = False
                    yield framing.heartbeat
                else:
                    await watcher.news.wait()
        except Problem:
            return  # its reader may hear no more
        except Unavailable as away:
            log.warning("a live feed was left, for the store is away", table=feed.game, reason=str(away))

    async def _lines(self) -> Sequence[Kept]:
        """Some lines that it was not given, from the feed's own end or from the store; none at the head."""
        feed, after = self._feed, self.watcher.after
        lines = feed.after(after)
        if lines is not None:
            return lines
        stored = await self._tables.store.lines(feed.game, after=after, limit=CHUNK_LINES_MAX)
        return [kept(line) for line in stored if line.seq <= feed.version]

    async def _look(self, *, fresh: bool) -> None:
        """Whether the reader may still hear this table, and as whom. Raises Problem if not.

        A token is believed for a second; before a line that is for its holder alone the store is asked, after that
        line was committed: so none that follows a revocation is ever told.
        """
        feed, watcher, reader = self._feed, self.watcher, self.watcher.reader
        who = reader.who
        if watcher.header is not None:
            who = await self._auth.resolve(watcher.header, fresh=fresh)
        if feed.live.table is None:
            feed.live = await self._tables.registry.get(feed.game)
        may_know(feed.live, who, reader.invite, self._tables.mint)
        watcher.caller = reader_audience(feed.game, feed.live, who)

    def close(self) -> None:
        """Give back all that it holds."""
        self._held.close()


def place(feed: Feed) -> bytes:
    """Where the table stands, as `end` and `reset` tell it."""
    return b'{"head":"%b","version":%d}' % (feed.live.head.encode(), feed.version)
