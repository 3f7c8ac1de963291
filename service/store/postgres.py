"""PostgreSQL: eventsourcing's recorder, with one order-safe statement that writes a whole batch and its side rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from eventsourcing.persistence import (
    AggregateRecorder,
    DataError,
    InternalError,
    OperationalError,
    StoredEvent,
)
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresFactory
from eventsourcing.utils import Environment, EnvType
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import tuple_row
from psycopg_pool import PoolClosed, PoolTimeout
from psycopg_pool.base import AttemptWithBackoff

from service.store.batching import NO_TRACKING, Unreached
from service.store.port import Unit
from service.store.reads import Lines, Question
from service.store.schema import migrate_postgres
from service.store.side_rows import at_stake, judged, revoked, rows

T = TypeVar("T")
SCHEMA = "kupa"
SEARCH_PATH = f"SET search_path TO {SCHEMA}"
TABLES_IN_ORDER = ("players", "seats", "directory", "ledger", "outbox")
COMMIT = "SELECT * FROM kupa.commit_units(%b, %b::bigint[], %b, %b" + ", %s::json" * 8 + ")"
COMMIT_WITH_GRABS = COMMIT.removesuffix(")") + ", %s::json, %s::text[])"

# The pool doubles its pause between attempts to reconnect, which made a failover of 20 s one of 28. The name is not
# public; a test holds it.
AttemptWithBackoff.DELAY_BACKOFF = 1.0


class PostgresLines(PostgresApplicationRecorder):
    """Records lines; `insert_events(…, units=…)` writes the units' lines and side rows too, or nothing at all.

    Not for the library's process recorders: a tracking record would not be written, so it is refused.
    """

    lines = Lines("kupa_events", "notification_id", UUID, str)

    def create_table(self) -> None:
        """Run the migrations that are missing; the library's own DDL races when several processes start."""
        with self.datastore.get_connection() as connection:
            migrate_postgres(connection)
        self.datastore.register_type_adapters()

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, units: Sequence[Unit] = (), tracking: Any = None, **_: Any
    ) -> Sequence[int] | None:
        """One statement, one try. Raises IntegrityError, or OperationalError; Unreached if nothing was written."""
        if tracking is not None:
            raise NotImplementedError(NO_TRACKING)
        try:
            with self.datastore.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
                given, grabs = parameters(stored_events, units), grab_parameters(units)
                cursor.execute(COMMIT_WITH_GRABS if grabs else COMMIT, given + grabs, prepare=True)
                return [number for (number,) in cursor.fetchall()] if stored_events else []
        except (OperationalError, InternalError) as fault:
            match fault.__cause__:
                case PoolTimeout() | PoolClosed() | errors.LockNotAvailable() | errors.ReadOnlySqlTransaction():
                    raise Unreached(str(fault)) from fault
                case errors.ProgramLimitExceeded():  # its class is that of a database in trouble, yet one row did it
                    raise DataError(str(fault)) from fault
            raise

    def ask(self, question: Question[T], *, commit: bool = False) -> list[T]:  # noqa: ARG002  (always committed here)
        """Every row of the answer, from the thread that calls; `commit` if it is a statement that changes rows."""
        with self.datastore.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(SEARCH_PATH)
            cursor.execute(question.postgres, question.values)
            return [question.row(row) for row in cursor.fetchall()]


def parameters(stored_events: Sequence[StoredEvent], units: Sequence[Unit]) -> list[Any]:
    """What `kupa.commit_units` takes."""
    lines: list[tuple[Any, int, str, bytes]] = [
        (event.originator_id, event.originator_version, event.topic, event.state) for event in stored_events
    ]
    for unit in units:
        game = UUID(unit.game) if unit.lines else None  # what is no table's has no lines
        lines += [(game, line.seq, line.type, line.line) for line in unit.lines]
    found: dict[str, Sequence[Any]] = {**rows(units)}
    sides = [found.get("idempotency"), found.get("tokens"), revoked(units)]
    sides += [found.get(table) for table in TABLES_IN_ORDER]
    columns = [[line[place] for line in lines] for place in range(4)]
    return [*columns, *(msgspec.json.encode(side).decode() if side else None for side in sides)]


def grab_parameters(units: Sequence[Unit]) -> list[Any]:
    """What `kupa.commit_units` takes besides where grabs come or go, or play ends; nothing where none of it does."""
    come, gone = [grab for unit in units for grab in unit.grabs], judged(units)
    if not gone and not at_stake(units):
        return []
    return [msgspec.json.encode(come).decode() if come else None, gone]


class PostgresStorage(PostgresFactory):
    """The library's factory with our recorder: PERSISTENCE_MODULE=service.store.postgres:PostgresStorage.

    Takes the whole connection URL of libpq in POSTGRES_URL, with every option that the library has no name for.
    """

    application_recorder_class: type[PostgresApplicationRecorder] = PostgresLines

    def __init__(self, env: Environment | EnvType | None) -> None:
        given = env if isinstance(env, Environment) else Environment(env=env)
        options = with_patience(conninfo_to_dict(given.get("POSTGRES_URL") or ""))
        for name in ("dbname", "host", "port", "user", "password"):
            if name in options:
                given[f"POSTGRES_{name.upper()}"] = str(options.pop(name))
            else:
                given.setdefault(f"POSTGRES_{name.upper()}", "")
        given["POSTGRES_SCHEMA"] = SCHEMA
        given.setdefault("POSTGRES_CONNECT_TIMEOUT", "3")
        given.setdefault("POSTGRES_POOL_SIZE", "2")
        super().__init__(given)
        assert isinstance(self.datastore.pool.kwargs, dict)
        self.datastore.pool.kwargs |= options

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        """For snapshots; their table is made by our migrations."""
        table = f"{self.env.name.lower()}_{purpose}"
        return self.aggregate_recorder_class(datastore=self.datastore, events_table_name=table)


def with_patience(options: dict[str, Any]) -> dict[str, Any]:
    """The options of libpq, with limits on how long a silent network is waited for, where none are given."""
    return {"connect_timeout": 3, "tcp_user_timeout": 4_000, "keepalives_idle": 5, **options}
