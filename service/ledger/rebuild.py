"""The ledger made again from the lines, compared with what is stored; missing rows can be added, none ever changed."""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec import Struct

from service.ledger.rows import Standing, process
from service.store.port import Store, Unit
from service.store.rows import LedgerRow
from service.tables.live import read

LINES_AT_ONCE = 5_000
ROWS_AT_ONCE = 1_000


class Difference(Struct, frozen=True):
    """A place where the two do not agree: what is stored, and what the lines say (None: no such row)."""

    seq: int
    index: int
    stored: LedgerRow | None
    made: LedgerRow | None


class Compared(Struct, frozen=True, kw_only=True):
    """A table's ledger against its lines. `missing` rows can be added; `wrong` ones are stored and should not be so."""

    game: str
    lines: int
    rows: int
    missing: tuple[LedgerRow, ...]
    wrong: tuple[Difference, ...]

    @property
    def holds(self) -> bool:
        """Whether the stored rows are those that follow from the lines."""
        return not self.missing and not self.wrong


async def compare(store: Store, game: str) -> Compared:
    """Make the table's rows from its lines and compare. Lines are read first, so no row can be ahead of them."""
    made: dict[tuple[int, int], LedgerRow] = {}
    standing, last = Standing(), 0
    while lines := await store.lines(game, after=last, limit=LINES_AT_ONCE):
        for stored in lines:
            standing, rows = process(game, standing, read(stored.line))
            made |= {(row.seq, row.index): row for row in rows}
        last = lines[-1].seq
    stored_rows = {(row.seq, row.index): row for row in await store.ledger(game) if row.seq <= last}
    wrong = [
        Difference(*place, stored=row, made=made.get(place))
        for place, row in sorted(stored_rows.items())
        if made.get(place) != row
    ]
    missing = [row for place, row in sorted(made.items()) if place not in stored_rows]
    return Compared(game=game, lines=last, rows=len(made), missing=tuple(missing), wrong=tuple(wrong))


async def add_missing(store: Store, compared: Compared) -> None:
    """Write the rows that are missing. Nothing is written where a stored row is wrong: it would lie beside it."""
    assert not compared.wrong, "wrong rows cannot be mended by adding others"
    for first in range(0, len(compared.missing), ROWS_AT_ONCE):
        rows = compared.missing[first : first + ROWS_AT_ONCE]
        await store.commit(Unit(game=compared.game, at=rows[-1].at, ledger=rows))


async def games(store: Store) -> AsyncIterator[str]:
    """Every table of the store."""
    after = ""
    while found := await store.books.games(after):
        for game in found:
            yield game
        after = found[-1]
