"""The questions that the service asks of its tables, in SQL that SQLite and PostgreSQL both take."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Generic, TypeVar

from msgspec import Struct

from service.store.port import DirectoryQuery
from service.store.rows import (
    PLAY_ENDS,
    DirectoryRow,
    GrabRow,
    IdempotencyRow,
    LedgerRow,
    OutboxRow,
    Position,
    Posted,
    SeatRow,
    StoredLine,
    TokenRow,
)
from service.store.side_rows import columns, row_of

T = TypeVar("T")
PARAMETER = re.compile(r":(\w+)")
Values = dict[str, Any]


class Question(Struct, Generic[T], frozen=True):
    """SQL with named parameters (`:game`), their values, and what a row of the answer is made into."""

    sql: str
    values: Values
    row: Callable[[Iterable[Any]], T]

    @property
    def postgres(self) -> str:
        """The SQL with its parameters as psycopg marks them."""
        return _psycopg(self.sql)


@cache
def _psycopg(sql: str) -> str:
    return PARAMETER.sub(r"%(\1)s", sql)


def _select(table: str, row: type[Any], rest: str) -> str:
    return f"SELECT {columns(row)} FROM {table} {rest}"  # noqa: S608  (names of ours)


def _rows(row: type[T]) -> Callable[[Iterable[Any]], T]:
    return lambda stored: row_of(row, stored)  # type: ignore[type-var]


def _first(stored: Iterable[Any]) -> Any:
    return next(iter(stored))


def idempotency(caller: str, key: str) -> Question[IdempotencyRow]:
    """What a request with this key did."""
    sql = _select("idempotency", IdempotencyRow, 'WHERE "caller" = :caller AND "key" = :key')
    return Question(sql, {"caller": caller, "key": key}, _rows(IdempotencyRow))


def forgotten(before: str) -> Question[int]:
    """Drops the oldest of what is kept of keyed requests, a bounded number at once; a row for each that is gone."""
    sql = (
        'DELETE FROM idempotency WHERE ("caller", "key") IN (SELECT "caller", "key" FROM idempotency'
        ' WHERE "at" < :before ORDER BY "at" LIMIT 1000) RETURNING 1'
    )
    return Question(sql, {"before": before}, _first)


def heard_posts(keep: int) -> Question[int]:
    """Drops the oldest rows of the outbox, a bounded number at once, never the last `keep`; a row for each gone."""
    sql = (
        'DELETE FROM outbox WHERE "id" IN (SELECT "id" FROM outbox'
        ' WHERE "id" <= (SELECT MAX("id") FROM outbox) - :keep ORDER BY "id" LIMIT 1000) RETURNING 1'
    )
    return Question(sql, {"keep": keep}, _first)


def token(token_id: str) -> Question[TokenRow]:
    """A token at rest."""
    return Question(_select("tokens", TokenRow, 'WHERE "id" = :id'), {"id": token_id}, _rows(TokenRow))


def keys(owner: str | None) -> Question[TokenRow]:
    """API keys, newest first."""
    mine = "" if owner is None else ' AND "owner" = :owner'
    sql = _select("tokens", TokenRow, f"""WHERE "kind" = 'key'{mine} ORDER BY "at" DESC, "id" DESC""")
    return Question(sql, {"owner": owner}, _rows(TokenRow))


def player(key: str, label: str) -> Question[str]:
    """The player behind a label."""
    sql = 'SELECT "player" FROM players WHERE "key" = :key AND "label" = :label'
    return Question(sql, {"key": key, "label": label}, _first)


def seats(game: str) -> Question[SeatRow]:
    """Every seat row of a table, oldest first."""
    sql = _select("seats", SeatRow, 'WHERE "game" = :game ORDER BY "since", "seat"')
    return Question(sql, {"game": game}, _rows(SeatRow))


def directory(game: str) -> Question[DirectoryRow]:
    """A table's row in the directory."""
    return Question(_select("directory", DirectoryRow, 'WHERE "game" = :game'), {"game": game}, _rows(DirectoryRow))


def find(query: DirectoryQuery) -> Question[DirectoryRow]:
    """Newest first. Ids need not be in order of time, so a page goes on from where its last table stood."""
    values = {field: getattr(query, field) for field in query.__struct_fields__}
    wanted = []
    if query.kind is not None:
        wanted.append('"kind" = :kind')
    if query.status is not None:
        wanted.append('"status" = :status')
    if query.owner is None:
        wanted.append("\"visibility\" = 'public'")
    else:
        wanted.append(
            '"game" IN (SELECT "game" FROM directory WHERE "owner" = :owner'
            ' UNION SELECT "game" FROM seats WHERE "owner" = :owner AND "until" IS NULL)'
        )
    if query.after is not None:
        wanted.append('("opened_at", "game") < (SELECT "opened_at", "game" FROM directory WHERE "game" = :after)')
    rest = f'WHERE {" AND ".join(wanted)} ORDER BY "opened_at" DESC, "game" DESC LIMIT :limit'
    return Question(_select("directory", DirectoryRow, rest), values, _rows(DirectoryRow))


def waiting(at: str) -> Question[DirectoryRow]:
    """Tables that must act by `at`, or that wait for a bot. Asked every second: SQLite scans all tables for an OR."""
    rest = (
        'WHERE "game" IN (SELECT "game" FROM directory WHERE "due_at" <= :at'
        ' UNION SELECT "game" FROM directory WHERE "bot_to_act")'
    )
    return Question(_select("directory", DirectoryRow, rest), {"at": at}, _rows(DirectoryRow))


def grab(grab_id: str) -> Question[GrabRow]:
    """A grab that lies undecided."""
    return Question(_select("grabs", GrabRow, 'WHERE "id" = :id'), {"id": grab_id}, _rows(GrabRow))


def grabs(game: str) -> Question[GrabRow]:
    """A table's grabs that lie undecided, in the order of their arrival."""
    sql = _select("grabs", GrabRow, 'WHERE "game" = :game ORDER BY "number"')
    return Question(sql, {"game": game}, _rows(GrabRow))


def undecided(before: str) -> Question[str]:
    """The tables at which a grab that arrived before then lies undecided."""
    return Question('SELECT DISTINCT "game" FROM grabs WHERE "arrived" < :before', {"before": before}, _first)


def ledger(game: str, after: int) -> Question[LedgerRow]:
    """A table's transfers booked after line `after`, in order."""
    sql = _select("ledger", LedgerRow, 'WHERE "game" = :game AND "seq" > :after ORDER BY "seq", "index"')
    return Question(sql, {"game": game, "after": after}, _rows(LedgerRow))


def outbox(after: int, limit: int) -> Question[Posted]:
    """What was posted after row `after`, in order."""
    sql = f'SELECT "id", {columns(OutboxRow)} FROM outbox WHERE "id" > :after ORDER BY "id" LIMIT :limit'  # noqa: S608
    return Question(sql, {"after": after, "limit": limit}, lambda stored: Posted(*stored))


def posted() -> Question[int]:
    """The last row of the outbox; 0 if there is none."""
    return Question('SELECT COALESCE(MAX("id"), 0) FROM outbox', {}, _first)


class Lines(Struct, frozen=True):
    """Questions to the table of lines, whose name and columns are the library's and differ by database."""

    table: str
    position: str
    """The column that numbers the lines of all tables in the order of their commit."""
    id_of: Callable[[str], Any]
    """The table's id as this database keeps it in `originator_id`."""
    game_of: Callable[[Any], str]
    """And back."""

    def after(self, game: str, after: int, limit: int | None) -> Question[StoredLine]:
        few = "" if limit is None else " LIMIT :limit"
        sql = (
            f"SELECT originator_version, topic, state FROM {self.table}"  # noqa: S608
            f" WHERE originator_id = :id AND originator_version > :after ORDER BY originator_version{few}"
        )
        return Question(sql, {"id": self.id_of(game), "after": after, "limit": limit}, lambda row: StoredLine(*row))

    def ended(self, game: str, after: int) -> Question[int]:
        """The first line after `after` by which play ended, if it did."""
        sql = (
            f"SELECT originator_version FROM {self.table} WHERE originator_id = :id AND originator_version > :after"  # noqa: S608
            f" AND topic IN {PLAY_ENDS} ORDER BY originator_version LIMIT 1"
        )
        return Question(sql, {"id": self.id_of(game), "after": after}, _first)

    def version(self, game: str) -> Question[int]:
        sql = f"SELECT COALESCE(MAX(originator_version), 0) FROM {self.table} WHERE originator_id = :id"  # noqa: S608
        return Question(sql, {"id": self.id_of(game)}, _first)

    def tail(self, after: int, limit: int) -> Question[Position]:
        sql = (
            f"SELECT {self.position}, originator_id, originator_version FROM {self.table}"  # noqa: S608
            f" WHERE {self.position} > :after ORDER BY {self.position} LIMIT :limit"
        )
        return Question(sql, {"after": after, "limit": limit}, self._position)

    def last(self) -> Question[int]:
        return Question(f"SELECT COALESCE(MAX({self.position}), 0) FROM {self.table}", {}, _first)  # noqa: S608

    def _position(self, row: Iterable[Any]) -> Position:
        number, game, seq = row
        return Position(number, self.game_of(game), seq)
