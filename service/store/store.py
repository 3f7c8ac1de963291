"""The store that the service sees: units go through the committer, questions straight to the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol, TypeVar
from uuid import UUID

from eventsourcing.persistence import IntegrityError, InterfaceError, OperationalError, StoredEvent

from service.store import latencies, reads
from service.store.application import Kupa
from service.store.batching import Fate, settle
from service.store.committer import Committer
from service.store.ledger import LedgerReader
from service.store.mapper import Snapshot
from service.store.port import DirectoryQuery, Unavailable, Unit
from service.store.reads import Lines, Question
from service.store.rows import (
    DirectoryRow,
    GrabRow,
    IdempotencyRow,
    LatencyRow,
    LedgerRow,
    Position,
    Posted,
    SeatRow,
    StoredLine,
    TokenRow,
)

T = TypeVar("T")


class Reader(Protocol):
    """Asks the database on behalf of the event loop. Raises Unavailable when it cannot be reached."""

    async def one(self, question: Question[T]) -> T | None:
        """The first row of the answer: for questions that one row of an index answers."""

    async def all(self, question: Question[T]) -> list[T]:
        """Every row of the answer."""

    async def leads(self, job: str, /) -> bool:
        """Whether this process, of all on this database, does `job` now."""

    async def others(self) -> int:
        """How many other processes are at this database now."""

    async def close(self) -> None: ...


class Recorder(Protocol):
    """What our recorders add to the library's."""

    lines: Lines

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, units: Sequence[Unit] = ()
    ) -> Sequence[int] | None:
        """Insert events as the library gives them, and units whole: their lines and all rows beside them."""

    def ask(self, question: Question[T], *, commit: bool = False) -> list[T]:
        """Every row of the answer, from the thread that calls; `commit` if it is a statement that changes rows."""


class Settling:
    """A recorder as settling wants it (batching.Database); used on the committer's thread only."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def write(self, units: Sequence[Unit]) -> None:
        self._recorder.insert_events((), units=units)

    def stored(self, game: str, first: int, last: int) -> list[StoredLine]:
        return self._recorder.ask(self._recorder.lines.after(game, first - 1, last - first + 1))

    def used(self, caller: str, key: str) -> IdempotencyRow | None:
        return next(iter(self._recorder.ask(reads.idempotency(caller, key))), None)

    def token(self, token_id: str) -> TokenRow | None:
        return next(iter(self._recorder.ask(reads.token(token_id))), None)

    def player(self, key: str, label: str) -> str | None:
        return next(iter(self._recorder.ask(reads.player(key, label))), None)

    def grab(self, grab_id: str) -> GrabRow | None:
        return next(iter(self._recorder.ask(reads.grab(grab_id))), None)

    def grabs(self, game: str) -> list[GrabRow]:
        return self._recorder.ask(reads.grabs(game))

    def ended(self, game: str, after: int) -> bool:
        return bool(self._recorder.ask(self._recorder.lines.ended(game, after)))

    def __call__(self, units: Sequence[Unit]) -> list[Fate]:
        return settle(self, units)


class KupaStore:
    """port.Store on either database; opened by `opening.open_store`, on the event loop that uses it."""

    def __init__(self, app: Kupa, recorder: Recorder, reader: Reader) -> None:
        self.app = app
        """The library's application, for followers and for those who know it; its calls block."""
        self._reader = reader
        self._recorder = recorder
        self._lines = recorder.lines
        self.books = LedgerReader(reader, recorder.lines)
        self.committer = Committer(Settling(recorder))
        self._closing = False
        self._threads = ThreadPoolExecutor(2, "kupa-aside")
        """For what the library does while its caller waits, and needs no batch."""

    async def commit(self, unit: Unit) -> None:
        await self.committer.commit(unit)

    async def lines(self, game: str, after: int = 0, limit: int | None = None) -> list[StoredLine]:
        return await self._reader.all(self._lines.after(game, after, limit))

    async def version(self, game: str) -> int:
        return await self._reader.one(self._lines.version(game)) or 0

    async def idempotency(self, caller: str, key: str) -> IdempotencyRow | None:
        return await self._reader.one(reads.idempotency(caller, key))

    async def token(self, token_id: str) -> TokenRow | None:
        return await self._reader.one(reads.token(token_id))

    async def tokens(self, owner: str | None = None) -> list[TokenRow]:
        return await self._reader.all(reads.keys(owner))

    async def player(self, key: str, label: str) -> str | None:
        return await self._reader.one(reads.player(key, label))

    async def seats(self, game: str) -> list[SeatRow]:
        return await self._reader.all(reads.seats(game))

    async def directory(self, game: str) -> DirectoryRow | None:
        return await self._reader.one(reads.directory(game))

    async def find(self, query: DirectoryQuery) -> list[DirectoryRow]:
        return await self._reader.all(reads.find(query))

    async def waiting(self, at: str) -> list[DirectoryRow]:
        return await self._reader.all(reads.waiting(at))

    async def grabs(self, game: str) -> list[GrabRow]:
        return await self._reader.all(reads.grabs(game))

    async def undecided(self, before: str) -> list[str]:
        return await self._reader.all(reads.undecided(before))

    async def ledger(self, game: str, after: int = 0) -> list[LedgerRow]:
        return await self._reader.all(reads.ledger(game, after))

    async def outbox(self, after: int = 0, limit: int = 1_000) -> list[Posted]:
        return await self._reader.all(reads.outbox(after, limit))

    async def posted(self) -> int:
        return await self._reader.one(reads.posted()) or 0

    async def tail(self, after: int, limit: int = 1_000) -> list[Position]:
        return await self._reader.all(self._lines.tail(after, limit))

    async def position(self) -> int:
        return await self._reader.one(self._lines.last()) or 0

    async def leads(self, job: str) -> bool:
        return await self._reader.leads(job)

    async def others(self) -> int:
        return await self._reader.others()

    async def tell_latencies(
        self, process: str, rows: Sequence[LatencyRow], gone: Sequence[tuple[str, int]] = ()
    ) -> None:
        for first in range(0, len(rows), latencies.AT_ONCE_MAX):
            await self._change(latencies.told(rows[first : first + latencies.AT_ONCE_MAX]))
        for first in range(0, len(gone), latencies.AT_ONCE_MAX):
            await self._change(latencies.gone(process, gone[first : first + latencies.AT_ONCE_MAX]))

    async def latencies(self, game: str, process: str, after: str) -> list[LatencyRow]:
        return await self._reader.all(latencies.heard(game, process, after))

    async def clear_latencies(self, before: str) -> int:
        return await self._drop(latencies.stale(before))

    async def forget(self, before: str) -> int:
        return await self._drop(reads.forgotten(before))

    async def clear_outbox(self, keep: int) -> int:
        return await self._drop(reads.heard_posts(keep))

    async def _drop(self, some: Question[int]) -> int:
        """Ask for it until nothing more is dropped; how many rows were."""
        dropped = 0
        while gone := await self._change(some):
            dropped += len(gone)
        return dropped

    async def _change(self, some: Question[int]) -> list[int]:
        """Rows changed outside of any unit; an answer for each. Raises Unavailable."""
        try:
            return await self._aside(partial(self._recorder.ask, some, commit=True))
        except (OperationalError, InterfaceError) as fault:
            raise Unavailable(str(fault)) from fault

    async def snapshot(self, game: str) -> tuple[int, bytes] | None:
        try:
            return await self._aside(partial(self._snapshot, UUID(game)))
        except (OperationalError, InterfaceError) as fault:
            raise Unavailable(str(fault)) from fault

    def _snapshot(self, game: UUID) -> tuple[int, bytes] | None:
        assert self.app.snapshots is not None
        for kept in self.app.snapshots.get(game, desc=True, limit=1):
            assert isinstance(kept, Snapshot)
            return kept.originator_version, kept.state
        return None

    async def keep_snapshot(self, game: str, seq: int, body: bytes) -> None:
        assert self.app.snapshots is not None
        try:
            await self._aside(partial(self.app.snapshots.put, [Snapshot(UUID(game), seq, body)]))
        except IntegrityError:
            return
        except (OperationalError, InterfaceError) as fault:
            raise Unavailable(str(fault)) from fault

    async def _aside(self, call: Callable[[], T]) -> T:
        if self._closing:
            raise Unavailable("the store is closed")
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def close(self) -> None:
        """Commit what is waiting, then let go of the database.

        What was begun aside is waited for, though nobody else may wait for it any more: SQLite takes the whole process
        down with it when a connection is closed in mid-statement.
        """
        self._closing = True
        await self.committer.close()
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
        await self._reader.close()
        self.app.close()
