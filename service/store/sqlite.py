"""SQLite: eventsourcing's recorder, with our side rows in the same transaction and with subscriptions."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from threading import Event
from typing import Any, TypeVar
from uuid import UUID

from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    ListenNotifySubscription,
    OperationalError,
    StoredEvent,
    Subscription,
)
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor, SQLiteFactory

from service.store.batching import NO_TRACKING, Unreached
from service.store.port import Unit
from service.store.reads import Lines, Question
from service.store.rows import (
    PLAY_ENDS,
    DirectoryRow,
    GrabRow,
    IdempotencyRow,
    LedgerRow,
    OutboxRow,
    PlayerRow,
    SeatRow,
    TokenRow,
)
from service.store.schema import migrate_sqlite
from service.store.side_rows import Row, at_stake, columns, judged, revoked, rows, values
from service.store.threads import spawn

T = TypeVar("T")
POLL_SECONDS = 0.02
PRAGMAS = (
    "PRAGMA synchronous=FULL",  # some builds of SQLite have a lesser default in WAL mode
    "PRAGMA wal_autocheckpoint=4000",  # 16 MB: a busy page is copied home once for some dozen batches, not for three
    "PRAGMA cache_size=-16000",  # 16 MB: a full batch fits, and none of it is spilled before its commit
)
"""What holds for the connection that writes; the pool opens it, so it is told before each transaction."""


def insert(table: str, row: type[Row], tail: str = "") -> str:
    """The statement that inserts a row of this type."""
    marks = ", ".join("?" * len(row.__struct_fields__))
    return f"INSERT INTO {table} ({columns(row)}) VALUES ({marks}) {tail}"  # noqa: S608  (names of ours)


def replaced(row: type[Row], *key: str) -> str:
    """The tail of an insert that replaces the row with the same key."""
    fields = [field for field in row.__struct_fields__ if field not in key]
    keys = ", ".join(f'"{field}"' for field in key)
    return f"ON CONFLICT ({keys}) DO UPDATE SET " + ", ".join(f'"{field}" = excluded."{field}"' for field in fields)


INSERTS = {
    "idempotency": insert("idempotency", IdempotencyRow),  # the insert is the check: no row may be there
    "tokens": insert("tokens", TokenRow),
    # A seat that was freed does not come back.
    "seats": insert("seats", SeatRow, replaced(SeatRow, "game", "seat", "since") + ' WHERE seats."until" IS NULL'),
    # A row of an older version must not overwrite what a newer one said.
    "directory": insert(
        "directory", DirectoryRow, replaced(DirectoryRow, "game") + " WHERE excluded.version >= directory.version"
    ),
    "ledger": insert("ledger", LedgerRow),
    "outbox": insert("outbox", OutboxRow),
    "grabs": insert("grabs", GrabRow),
    # The same player again is no news; another player for the same label is somebody who was faster.
    "players": f"INSERT INTO players ({columns(PlayerRow)}) SELECT ?1, ?2, ?3 WHERE NOT EXISTS"  # noqa: S608  (names of ours)
    ' (SELECT 1 FROM players WHERE "key" = ?1 AND "label" = ?2 AND "player" = ?3)',
}
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


class SQLiteLines(SQLiteApplicationRecorder):
    """Records lines; `insert_events(…, units=…)` writes the units' lines and side rows too, or nothing at all."""

    lines = Lines("stored_events", "rowid", lambda game: UUID(game).hex, lambda stored: str(UUID(stored)))

    def create_table(self) -> None:
        """Run the migrations that are missing; the library's own DDL is part of them."""
        migrate_sqlite(self.datastore.pool.db_name)

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        """One transaction, one try. Raises IntegrityError, or OperationalError; Unreached if nothing was begun."""
        if kwargs.get("tracking") is not None:
            raise NotImplementedError(NO_TRACKING)
        with self.datastore.get_connection(commit=True) as connection:
            cursor = connection.cursor()
            try:
                for pragma in PRAGMAS:
                    cursor.execute(pragma)
                with connection.transaction(commit=True) as transaction:
                    return self._insert_events(transaction, stored_events, **kwargs)
            except OperationalError as fault:
                with suppress(sqlite3.Error):
                    connection.rollback()  # a COMMIT that failed leaves its transaction open
                if "locked" in str(fault):
                    raise Unreached(str(fault)) from fault
                raise

    def _insert_events(
        self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], *, units: Sequence[Unit] = (), **kwargs: Any
    ) -> Sequence[int] | None:
        inserted = super()._insert_events(c, stored_events, **kwargs)
        c.executemany(
            self.insert_events_statement,
            [(UUID(unit.game).hex, line.seq, line.type, line.line) for unit in units for line in unit.lines],
        )
        for table, written in rows(units).items():
            c.executemany(INSERTS[table], [values(row) for row in written])
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
