"""The end of a watched table's log, kept once for all who watch it here, and framed once an audience."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec import Struct

from domain.gate import Caller, Heading, hearable
from domain.lines import sealed
from domain.table.state import Ended, Table, Voided, now
from service.callers import Reader
from service.feeds.framing import Framing
from service.store.rows import StoredLine
from service.tables.live import Live, gate_heading

KEPT_LINES_MAX = 256
KEPT_BYTES_MAX = 256 * 1024
"""How much of a table's end is kept while it is watched; who is further behind reads from the store."""
CHUNK_LINES_MAX = 100
WOKEN_AT_ONCE_MAX = 50
FRAMED_MAX = 64
"""Framed chunks kept until the table moves on: one an audience and a place in the log."""


class Kept(Struct, frozen=True):
    """A committed line, with what the gate looks at."""

    heading: Heading
    line: bytes


def kept(stored: StoredLine) -> Kept:
    """A stored line as feeds keep it."""
    return Kept(gate_heading(stored.line), stored.line)


class Watcher:
    """One open stream: who reads, the last line it was given, and what is committed while it takes nothing.

    `silent` is set when it was offered nothing for `heartbeat_seconds`.
    """

    def __init__(
        self, reader: Reader, header: str | None, framing: Framing, after: int, heartbeat_seconds: float
    ) -> None:
        self.reader, self.header, self.framing, self.after = reader, header, framing, after
        self.caller = Caller()
        """As what it last heard."""
        self.news = asyncio.Event()
        """Set when there is something to do."""
        self.silent = False
        self._loop = asyncio.get_running_loop()
        self.stopped: asyncio.Future[bool] = self._loop.create_future()
        """Done when the stream must stop: True if it may be finished properly, False if it is cut off."""
        self.sending_since: float | None = None
        """When it was offered what it has not yet taken; None while it takes everything."""
        self.waiting_bytes = 0
        self._heartbeat_seconds = heartbeat_seconds
        self._said_at = self._loop.time()
        self._timer = self._loop.call_later(heartbeat_seconds, self._listen)

    def miss(self, size: int, most: int) -> None:
        """`size` bytes of lines were committed: if it is not reading they wait for it, and too many cut it off."""
        if self.sending_since is not None:
            self.waiting_bytes += size
            if self.waiting_bytes > most:
                self.stop(properly=False)

    def offered(self) -> None:
        """Something was put before it."""
        self._said_at = self.sending_since = self._loop.time()

    def took(self) -> None:
        """It took what it was offered."""
        self.sending_since, self.waiting_bytes = None, 0

    def stop(self, *, properly: bool) -> None:
        """End its stream."""
        if not self.stopped.done():
            self.stopped.set_result(properly)

    def leave(self) -> None:
        """It is gone."""
        self._timer.cancel()

    def _listen(self) -> None:
        """See whether it was silent for long; one timer for all lines, as most come before it runs out."""
        due = self._said_at + self._heartbeat_seconds
        if self._loop.time() >= due:
            self.silent = True
            self.news.set()
            due = self._loop.time() + self._heartbeat_seconds
        self._timer = self._loop.call_at(due, self._listen)


class Feed:
    """One watched table. It holds only what is committed; what may be heard of it is asked when it is served."""

    def __init__(self, game: str, live: Live) -> None:
        assert live.table is not None
        self.game, self.live = game, live
        self.version = live.table.version
        """The last line that watchers may be given."""
        self.wanted = 0
        """The last line that another process is known to have committed."""
        self.watchers: set[Watcher] = set()
        self.behind = asyncio.Event()
        """Set when the table may have moved on without telling us."""
        self._end: deque[Kept] = deque()
        self._bytes = 0
        self._framed: dict[tuple[int, int, Caller, str], bytes] = {}
        self._framed_at = self.version

    @property
    def over(self) -> bool:
        """Whether the table has ended and everything of it may be given."""
        table = self.live.table
        return table is not None and isinstance(table.phase, Ended | Voided) and table.version == self.version

    @property
    def seats(self) -> frozenset[int]:
        """The seats that watch."""
        return frozenset(watcher.caller.seat for watcher in self.watchers if watcher.caller.seat is not None)

    def take(self, live: Live, lines: Iterable[StoredLine], buffer_bytes: int) -> None:
        """Lines were committed, and `live` stands as after them; those known already are passed over."""
        self.live, size = live, 0
        assert live.table is not None
        for stored in lines:
            if not self.version < stored.seq <= live.table.version:
                continue
            if stored.seq != self.version + 1:
                self.behind.set()
                break
            self._keep(kept(stored))
            size += len(stored.line)
        if size:
            for watcher in self.watchers:
                watcher.miss(size, buffer_bytes)
            # Who sits at the table first; and not all at once, so that a move's answer need not wait for a crowd.
            self._wake(sorted(self.watchers, key=lambda watcher: watcher.caller.seat is None))

    def _wake(self, watchers: list[Watcher]) -> None:
        for watcher in watchers[:WOKEN_AT_ONCE_MAX]:
            watcher.news.set()
        if rest := watchers[WOKEN_AT_ONCE_MAX:]:
            asyncio.get_running_loop().call_soon(self._wake, rest)

    def _keep(self, line: Kept) -> None:
        self.version = line.heading.seq
        self._end.append(line)
        self._bytes += len(line.line)
        while len(self._end) > KEPT_LINES_MAX or self._bytes > KEPT_BYTES_MAX:
            self._bytes -= len(self._end.popleft().line)

    def after(self, seq: int) -> Sequence[Kept] | None:
        """Some lines after `seq`, in order; none at the head, None if they must be read from the store."""
        if seq >= self.version:
            return ()
        first = self.version + 1 - len(self._end)
        if seq + 1 < first:
            return None
        start = seq + 1 - first
        return tuple(islice(self._end, start, start + CHUNK_LINES_MAX))

    def framed(self, lines: Sequence[Kept], caller: Caller, framing: Framing) -> bytes:
        """These lines as `caller` may hear them now, in one piece; made once for all callers alike."""
        table = self.live.table
        assert table is not None
        place = (lines[0].heading.seq, lines[-1].heading.seq, caller, framing.media)
        if self._framed_at != table.version or len(self._framed) >= FRAMED_MAX:
            self._framed.clear()
            self._framed_at = table.version
        if place not in self._framed:
            self._framed[place] = _framed(lines, caller, framing, table)
        return self._framed[place]


def _framed(lines: Sequence[Kept], caller: Caller, framing: Framing, table: Table) -> bytes:
    moment = now(table)
    return b"".join(
        framing.line(
            line.heading.seq,
            line.line if hearable(line.heading, caller, moment) else sealed(line.heading.seq, line.line),
        )
        for line in lines
    )


def for_few(lines: Sequence[Kept], caller: Caller) -> bool:
    """Whether some of these lines are hidden and may be for `caller` alone."""
    if caller.audit:
        return any(line.heading.to is not None for line in lines)
    return caller.seat is not None and any(line.heading.to == caller.seat for line in lines)
