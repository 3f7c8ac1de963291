"""The ledger as a projection: a line's transfers as rows with both running balances; the same for a rebuild."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from domain.lines import Entry
from domain.table.events import RoundStarted
from domain.table.state import Table
from domain.tokens import Transfer, settled
from service.store.rows import LedgerRow


class Standing(Struct, frozen=True):
    """Where a table's books stand: the running round (0 before the first), and every balance."""

    round: int = 0
    balances: Mapping[str, int] = {}


def standing_of(table: Table) -> Standing:
    """Where the books of a table in memory stand: nothing has to be read."""
    return Standing(table.round, table.books.balances)


def process(game: str, standing: Standing, entry: Entry) -> tuple[Standing, tuple[LedgerRow, ...]]:
    """The rows of one line of the table `game`, and where its books stand after it."""
    event = entry.event
    if isinstance(event, RoundStarted):
        return Standing(event.round, standing.balances), ()
    transfers: tuple[Transfer, ...] = getattr(event, "transfers", ())
    rows = []
    for index, transfer in enumerate(transfers):
        standing = Standing(standing.round, settled(standing.balances, (transfer,)))
        rows.append(_row(game, standing, entry, index, transfer))
    return standing, tuple(rows)


def booked(game: str, standing: Standing, entries: Iterable[Entry]) -> Iterator[LedgerRow]:
    """The rows of the lines that follow where `standing` is."""
    for entry in entries:
        standing, rows = process(game, standing, entry)
        yield from rows


def _row(game: str, standing: Standing, entry: Entry, index: int, transfer: Transfer) -> LedgerRow:
    back = transfer.reverses
    return LedgerRow(
        game=game,
        seq=entry.seq,
        index=index,
        round=standing.round,
        payer=transfer.payer,
        payee=transfer.payee,
        amount=transfer.amount,
        code=transfer.code,
        clause=transfer.clause,
        payer_balance=standing.balances[transfer.payer],
        payee_balance=standing.balances[transfer.payee],
        reverses_seq=back.seq if back else None,
        reverses_index=back.index if back else None,
        at=entry.at,
    )
