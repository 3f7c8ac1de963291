"""The rows that a unit writes beside its lines, table by table, in the shape that both databases take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from service.store.port import Unit
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

R = TypeVar("R", bound=Struct)
Row = IdempotencyRow | TokenRow | PlayerRow | SeatRow | DirectoryRow | LedgerRow | OutboxRow | GrabRow

TABLES: dict[str, type[Row]] = {
    "idempotency": IdempotencyRow,
    "tokens": TokenRow,
    "players": PlayerRow,
    "seats": SeatRow,
    "directory": DirectoryRow,
    "ledger": LedgerRow,
    "outbox": OutboxRow,
    "grabs": GrabRow,
}
"""Each table of side rows; its columns are the fields of its rows."""


FLAGS: dict[type[Struct], list[int]] = {
    row: [place for place, field in enumerate(row.__struct_fields__) if field in ("sandbox", "bot_to_act", "host")]
    for row in (DirectoryRow, SeatRow)
}

BYTES: dict[type[Struct], list[int]] = {
    row: places
    for row in TABLES.values()
    if (places := [at for at, field in enumerate(msgspec.structs.fields(row)) if field.type in (bytes, bytes | None)])
}
"""Which columns hold bytes, all of them text in UTF-8."""


REVOKED = "token_revoked"
"""The outbox row of a revocation; its body is the token's id."""


class Revoked(Struct, frozen=True):
    """A token that dies, and when."""

    at: str
    id: str


def rows(units: Iterable[Unit]) -> dict[str, list[Row]]:
    """The side rows of all these units by table; tables without any are left out."""
    found: dict[str, list[Row]] = {}
    for unit in units:
        for table, written in _of(unit):
            if written:
                found.setdefault(table, []).extend(written)
    return found


def revoked(units: Iterable[Unit]) -> list[Revoked]:
    """The tokens that die with these units."""
    return [Revoked(unit.at, token) for unit in units for token in unit.revoked]


def judged(units: Iterable[Unit]) -> list[str]:
    """The grabs that wait no longer after these units."""
    return [grab for unit in units for grab in unit.judged]


def ends_play(unit: Unit) -> bool:
    """Whether it has a line after which no grab of its table is judged any more."""
    return any(line.type in PLAY_ENDS for line in unit.lines)


def at_stake(units: Iterable[Unit]) -> list[str]:
    """The tables at which these units could leave a grab behind that outlives its play."""
    return list(dict.fromkeys(unit.game for unit in units if unit.grabs or ends_play(unit)))


def _of(unit: Unit) -> Iterator[tuple[str, tuple[Row, ...]]]:
    if unit.idempotency is not None:
        yield "idempotency", (unit.idempotency,)
    if unit.directory is not None:
        yield "directory", (unit.directory,)
    yield "tokens", unit.tokens
    yield "players", unit.players
    yield "seats", unit.seats
    yield "ledger", unit.ledger
    yield "outbox", (*unit.outbox, *(posted(unit, token) for token in unit.revoked))
    yield "grabs", unit.grabs


def posted(unit: Unit, token: str) -> OutboxRow:
    """How every process hears of a token that died."""
    return OutboxRow(REVOKED, unit.game or None, token.encode())


def columns(row: type[Row]) -> str:
    """The columns of a table as SQL, in the order of the row's fields. Quoted: some are words of SQL."""
    return ", ".join(f'"{field}"' for field in row.__struct_fields__)


def values(row: Row) -> tuple[object, ...]:
    """A row as SQLite takes it within JSON, in the order of `columns`: what it keeps as bytes is text in UTF-8."""
    if type(row) not in BYTES:
        return msgspec.structs.astuple(row)
    given = [*msgspec.structs.astuple(row)]
    for place in BYTES[type(row)]:
        if given[place] is not None:
            given[place] = given[place].decode()
    return tuple(given)


def row_of(row: type[R], stored: Iterable[Any]) -> R:
    """The row that was stored with these values, in the order of `columns`; SQLite keeps booleans as 0 and 1."""
    if row is TokenRow:
        *fields, scopes, expires, dead = stored
        return row(*fields, tuple(msgspec.json.decode(scopes)), expires, dead)
    if row in FLAGS:
        fields = [*stored]
        for flag in FLAGS[row]:
            fields[flag] = bool(fields[flag])
        return row(*fields)
    return row(*stored)
