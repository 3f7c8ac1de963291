"""SQLite: eventsourcing's recorder, with our side rows in the same transaction and with subscriptions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from threading import Event
from typing import Any, TypeVar
from uuid import UUID
from weakref import WeakSet

from eventsourcing import persistence
from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    ListenNotifySubscription,
    OperationalError,
    StoredEvent,
    Subscription,
)
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteConnection, SQLiteCursor, SQLiteFactory

from service.store.batching import NO_TRACKING, Unreached
from service.store.port import Unit
from service.store.reads import Lines, Question
from service.store.rows import PLAY_ENDS
from service.store.schema import migrate_sqlite
from service.store.side_rows import at_stake, judged, revoked
from service.store.sqlite_batch import MADE_READY, WRITE, parameters
from service.store.threads import spawn

T = TypeVar("T")
POLL_SECONDS = 0.02
ONE_A_SEAT = (
    'UPDATE tokens SET "revoked" = ?1 WHERE "kind" = \'seat\' AND "game" = ?2 AND "seat" = ?3 AND "revoked" IS NULL'
    ' AND NOT EXISTS (SELECT 1 FROM seats s WHERE s."game" = ?2 AND s."seat" = ?3 AND s."until" IS NULL'
    ' AND s."token" = tokens."id")'
)
REVOKE = 'UPDATE tokens SET "revoked" = ? WHERE "id" = ? AND "revoked" IS NULL'
JUDGED = 'DELETE FROM grabs WHERE "id" = ?'
OUTLIVES = (
    'SELECT 1 FROM grabs g WHERE g."game" = ? AND EXISTS (SELECT 1 FROM stored_events e WHERE e.originator_id = ?'  # noqa: S608  (names of ours)
    f' AND e.originator_version > g."version" AND e.topic IN {PLAY_ENDS}) LIMIT 1'
)
"""A grab that would lie undecided after the play that it was made in."""


def stands_apart(units: Sequence[Unit]) -> bool:
    """Whether anything else than inserts belongs to these units."""
    return any(unit.seats or unit.revoked or unit.judged for unit in units) or bool(at_stake(units))


def make_ready(connection: SQLiteConnection) -> None:
    """Tell a connection what whoever writes needs: the pool opens it, and knows nothing of that."""
    cursor = connection.cursor()
    for statement in MADE_READY:
        cursor.execute(statement)


@contextmanager
def named() -> Iterator[None]:
    """Errors of sqlite3 as the library's of the same name."""
    try:
        yield
    except sqlite3.Error as fault:
        raise getattr(persistence, type(fault).__name__, persistence.PersistenceError)(fault) from fault


class SQLiteLines(SQLiteApplicationRecorder):
    """Records lines; `insert_events(…, units=…)` writes the units' lines and side rows too, or nothing at all."""

    lines = Lines("stored_events", "rowid", lambda game: UUID(game).hex, lambda stored: str(UUID(stored)))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ready = WeakSet[SQLiteConnection]()

    def create_table(self) -> None:
        """Run the migrations that are missing; the library's own DDL is part of them."""
        migrate_sqlite(self.datastore.pool.db_name)

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, units: Sequence[Unit] = (), tracking: Any = None, **_: Any
    ) -> Sequence[int] | None:
        """One transaction, one try. Raises IntegrityError, or OperationalError; Unreached if nothing was begun."""
        if tracking is not None:
            raise NotImplementedError(NO_TRACKING)
        with self.datastore.get_connection(commit=True) as connection:
            try:
                if connection not in self._ready:
                    make_ready(connection)
                    self._ready.add(connection)
                if stored_events or stands_apart(units):
                    with connection.transaction(commit=True) as c:
                        return self._insert_whole(c, stored_events, units)
                with named():
                    connection.cursor().execute(WRITE, parameters(units))  # a statement alone is a transaction
            except OperationalError as fault:
                with suppress(sqlite3.Error):
                    connection.rollback()  # a COMMIT that failed leaves its transaction open
                if "locked" in str(fault):
                    raise Unreached(str(fault)) from fault
                raise
        return []

    def _insert_whole(
        self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], units: Sequence[Unit]
    ) -> Sequence[int] | None:
        """All that units may bring."""
        inserted = self._insert_events(c, stored_events)
        c.execute(WRITE, parameters(units))
        c.executemany(ONE_A_SEAT, [(unit.at, row.game, row.seat) for unit in units for row in unit.seats])
        c.executemany(REVOKE, [(token.at, token.id) for token in revoked(units)])
        c.executemany(JUDGED, [(grab,) for grab in judged(units)])
        for game in at_stake(units):
            c.execute(OUTLIVES, (game, UUID(game).hex))
            if c.fetchone() is not None:
                raise IntegrityError("a grab would outlive its play")
        return inserted

    def ask(self, question: Question[T], *, commit: bool = False) -> list[T]:
        """Every row of the answer, from the thread that calls; `commit` if it is a statement that changes rows."""
        with self.datastore.transaction(commit=commit) as c:
            c.execute(question.sql, question.values)
            return [question.row(row) for row in c.fetchall()]

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        """Everything recorded after `gt`, as it is recorded, by this process or another."""
        return SQLiteSubscription(self, gt, topics)


class SQLiteSubscription(ListenNotifySubscription[ApplicationRecorder]):
    """SQLite tells nobody of a commit, but its `data_version` changes: that is looked at 50 times a second."""

    def __init__(self, recorder: SQLiteLines, gt: int | None, topics: Sequence[str]) -> None:
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        self._stopping = Event()
        self._watcher = spawn("kupa-watch", lambda: self._watch(recorder.datastore.pool.db_name))

    def stop(self) -> None:
        super().stop()
        if hasattr(self, "_stopping"):  # the pulling thread may fail before __init__ is through
            self._stopping.set()

    def __exit__(self, *args: object, **kwargs: Any) -> None:
        try:
            super().__exit__(*args, **kwargs)
        finally:
            self._watcher.join()

    def _watch(self, file: str) -> None:
        try:
            with closing(sqlite3.connect(file, uri=True, isolation_level=None)) as database:
                seen = None
                while not self._stopping.wait(POLL_SECONDS):
                    version = database.execute("PRAGMA data_version").fetchone()
                    if version != seen:
                        seen = version
                        self._has_been_notified.set()
        except BaseException as fault:  # noqa: BLE001  (the reader must hear of it, whatever it is)
            self._thread_error = self._thread_error or fault
            self.stop()


class SQLiteStorage(SQLiteFactory):
    """The library's factory with our recorder: PERSISTENCE_MODULE=service.store.sqlite:SQLiteStorage."""

    application_recorder_class = SQLiteLines
