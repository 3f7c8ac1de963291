"""The ledger as files that others re-check: hledger, Beancount, CSV, NDJSON; made piece by piece."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from datetime import date, timedelta

import msgspec
from msgspec import Struct

from domain.table.state import Table
from domain.tokens import BANK, BOWL
from service.ledger.ledger_shapes import transfer_shown
from service.ledger.ledgers import accounts_of
from service.store.ledger import START, LedgerReader
from service.store.rows import LedgerRow

ROWS_AT_ONCE = 1_000
COMMODITY = "TOKEN"
Made = Callable[["Book", Iterable[LedgerRow]], str]


class Book(Struct):
    """A ledger on its way into a file: the table, when it opened, and the balances written so far."""

    table: Table
    head: str
    opened: str
    day: str = ""
    balances: dict[str, int] = {}

    def take(self, row: LedgerRow) -> None:
        """The balances after a row."""
        self.balances |= {row.payer: row.payer_balance, row.payee: row.payee_balance}


class Format(Struct, frozen=True):
    """One kind of file: its media type, how its name ends, and its text before, for some rows, and at the end."""

    media: str
    suffix: str
    begin: Callable[[Book], str]
    rows: Made
    end: Callable[[Book], str]


async def pieces(books: LedgerReader, book: Book, form: Format) -> AsyncIterator[bytes]:
    """The file, up to the line that `book.table` stands at."""
    yield form.begin(book).encode()
    after = START
    while True:
        found = await books.page(book.table.id, after, ROWS_AT_ONCE)
        rows = [row for row in found if row.seq <= book.table.version]
        if rows:
            yield form.rows(book, rows).encode()
            after = (rows[-1].seq, rows[-1].index)
        if len(rows) < ROWS_AT_ONCE:
            break
    yield form.end(book).encode()


def account_name(account: str) -> str:
    """An account as accounting programs want it: parts that begin with a capital or a digit, under a known root."""
    if account in (BANK, BOWL):
        return {BANK: "Equity:Bank", BOWL: "Assets:Bowl"}[account]
    return f"Assets:Seat:{account.removeprefix('seat:')}"


def _heading(book: Book) -> list[str]:
    table = book.table
    lines = [
        f"; Kupa, table {table.id} ({table.game.name}), up to line {table.version}, whose hash is",
        f"; {book.head}",
    ]
    return [*lines, "; A sandbox table: its deal is scripted."] if table.sandbox else lines


def _players(table: Table) -> Mapping[str, str]:
    return {f"seat:{n}": seat.player for n, seat in enumerate(table.seats) if seat}


def hledger_begin(book: Book) -> str:
    """Every commodity and account declared, as --strict wants it; the point is part of the directive."""
    players = _players(book.table)
    lines = [*_heading(book), "; hledger check --strict -f FILE", "", f"commodity 1. {COMMODITY}", ""]
    for account in accounts_of(book.table):
        who = f"  ; player:{players[account]}" if account in players else ""
        lines.append(f"account {account_name(account)}{who}")
    return "\n".join([*lines, ""])


def hledger_rows(book: Book, rows: Iterable[LedgerRow]) -> str:
    """One transaction a transfer, an assertion on each of its postings."""
    made = []
    for row in rows:
        back = f", reverses:{row.reverses_seq}:{row.reverses_index}" if row.reverses_seq is not None else ""
        payer, payee = account_name(row.payer), account_name(row.payee)
        made.append(
            f"\n{row.at[:10]} * ({row.seq}:{row.index}) {row.code} {row.clause}\n"
            f"    ; line:{row.seq}, index:{row.index}, round:{row.round}, clause:{row.clause}{back}, at:{row.at}\n"
            f"    {payer}  -{row.amount} {COMMODITY} = {row.payer_balance} {COMMODITY}\n"
            f"    {payee}  {row.amount} {COMMODITY} = {row.payee_balance} {COMMODITY}\n"
        )
        book.take(row)
    return "".join(made)


def hledger_end(book: Book) -> str:
    """What everything comes to."""
    return f"\n; {len(book.balances)} accounts, together {sum(book.balances.values())} {COMMODITY}.\n"


def beancount_begin(book: Book) -> str:
    """The commodity and every account, opened when the table was."""
    players, day = _players(book.table), book.opened[:10]
    lines = [*_heading(book), "; bean-check FILE", "", f'option "title" "Kupa {book.table.id}"']
    lines += [f'option "operating_currency" "{COMMODITY}"', "", f"{day} commodity {COMMODITY}", ""]
    for account in accounts_of(book.table):
        lines.append(f"{day} open {account_name(account)} {COMMODITY}")
        if account in players:
            lines.append(f'  player: "{players[account]}"')
    return "\n".join([*lines, ""])


def beancount_rows(book: Book, rows: Iterable[LedgerRow]) -> str:
    """One transaction a transfer; as each day ends, every balance is asserted."""
    made = []
    for row in rows:
        if book.day and row.at[:10] != book.day:
            made.append(_balances(book))
        book.day = row.at[:10]
        back = f'  reverses: "{row.reverses_seq}:{row.reverses_index}"\n' if row.reverses_seq is not None else ""
        made.append(
            f'\n{book.day} * "{row.code}" "{row.clause}, line {row.seq}, transfer {row.index}"\n'
            f'  line: {row.seq}\n  index: {row.index}\n  round: {row.round}\n  clause: "{row.clause}"\n{back}'
            f'  at: "{row.at}"\n'
            f"  {account_name(row.payer)}  -{row.amount} {COMMODITY}\n    balance: {row.payer_balance}\n"
            f"  {account_name(row.payee)}  {row.amount} {COMMODITY}\n    balance: {row.payee_balance}\n"
        )
        book.take(row)
    return "".join(made)


def _balances(book: Book) -> str:
    """Beancount asserts a balance as a day begins: of the next one, after the last that was written."""
    following = date.fromisoformat(book.day) + timedelta(days=1)
    lines = (
        f"{following} balance {account_name(account)}  {balance} {COMMODITY}"
        for account, balance in sorted(book.balances.items())
    )
    return "\n" + "\n".join(lines) + "\n"


def beancount_end(book: Book) -> str:
    """The last day's balances."""
    return _balances(book) if book.day else ""


COLUMNS = (
    *("game", "seq", "index", "at", "round", "from", "to", "amount", "code", "clause"),
    *("from_balance", "to_balance", "reverses_seq", "reverses_index"),
)


def csv_begin(_: Book) -> str:
    """The names of the columns."""
    return _csv([COLUMNS])


def csv_rows(book: Book, rows: Iterable[LedgerRow]) -> str:
    """A line a transfer (RFC 4180)."""
    return _csv(
        (
            *(book.table.id, row.seq, row.index, row.at, row.round, row.payer, row.payee, row.amount, row.code),
            *(row.clause, row.payer_balance, row.payee_balance, row.reverses_seq, row.reverses_index),
        )
        for row in rows
    )


def _csv(lines: Iterable[tuple[object, ...]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(lines)
    return out.getvalue()


def ndjson_rows(book: Book, rows: Iterable[LedgerRow]) -> str:
    """A line a transfer, as the API gives it, and its table."""
    lines = ({"game": book.table.id, **msgspec.to_builtins(transfer_shown(row))} for row in rows)
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def nothing(_: Book) -> str:
    """Nothing before, or nothing after."""
    return ""


FORMATS: Mapping[str, Format] = {
    "hledger": Format("text/plain", "journal", hledger_begin, hledger_rows, hledger_end),
    "beancount": Format("text/plain", "beancount", beancount_begin, beancount_rows, beancount_end),
    "csv": Format("text/csv", "csv", csv_begin, csv_rows, nothing),
    "ndjson": Format("application/x-ndjson", "ndjson", nothing, ndjson_rows, nothing),
}
"""Every kind of file by its name."""
