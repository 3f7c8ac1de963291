"""What can be read of a table's tokens, and of a player's: by a seat of the table, and by an auditor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from domain.games import GAMES
from domain.lines import line_hash
from domain.table.state import Table
from domain.tokens import BANK, BOWL, Words, seat_account
from service.callers import Key, Reader, SeatHolder
from service.ledger import ledger_shapes as shapes
from service.ledger.explaining import Place, explanations
from service.problems import Fault, Problem
from service.store.ledger import START, Booking, Turnover
from service.store.rows import LedgerRow
from service.tables.kinds import Kinds
from service.tables.live import Live
from service.tables.reads import may_know, no_conflict
from service.tables.tables import Tables


class Ledgers:
    """The ledgers of all tables, read as of the version that this process has folded."""

    def __init__(self, tables: Tables, kinds: Kinds) -> None:
        self.tables, self.kinds, self.books = tables, kinds, tables.store.books

    async def open(self, game: str, reader: Reader) -> Table:
        """The table, if the reader may see its tokens. Raises Problem not-found, wrong-role, conflict-of-interest."""
        live: Live = await self.tables.registry.fresh(game)
        may_know(live, reader.who, reader.invite, self.tables.mint)
        assert live.table is not None
        match reader.who:
            case SeatHolder(game=own) if own == game:
                return live.table
            case Key(scopes=scopes) as key:
                if "audit" not in scopes:
                    raise Problem(
                        "scope-missing", "This call needs a seat of the table, or a key with the scope audit."
                    )
                no_conflict(live, key)
                return live.table
            case _:
                raise Problem("wrong-role", "The ledger is for the seats of the table and for auditors.")

    async def page(self, table: Table, after: Place, limit: int) -> shapes.LedgerPage:
        """The table's transfers after a place."""
        rows, following = await self._rows(table, after, limit, None)
        return shapes.LedgerPage(items=[shapes.transfer_shown(row) for row in rows], next=following)

    async def _rows(
        self, table: Table, after: Place, limit: int, account: str | None
    ) -> tuple[list[LedgerRow], str | None]:
        """A page of rows, none newer than the table as it is known here; and the cursor of the next one."""
        found = await self.books.page(table.id, after, limit + 1, account)
        rows = [row for row in found if row.seq <= table.version]
        page = rows[:limit]
        return page, cursor(page[-1]) if len(rows) > limit else None

    async def accounts(self, table: Table, at: int) -> list[shapes.AccountShown]:
        """Every account as of line `at`; none at a table that is not played for tokens."""
        turnover = await self.books.turnover(table.id, at)
        return [_account(table, account, turnover) for account in accounts_of(table)]

    async def trial_balance(self, table: Table, at: int | None) -> shapes.TrialBalance:
        """All accounts as of line `at`, and that they add up. Raises Problem invalid-value for no such line."""
        at = table.version if at is None else at
        if not 1 <= at <= table.version:
            fault = Fault("at", "query", f"1 to {table.version}")
            raise Problem("invalid-value", f"There is no version {at} of this table.", errors=(fault,))
        line = (await self.tables.store.lines(table.id, after=at - 1, limit=1))[0]
        items = await self.accounts(table, at)
        return shapes.TrialBalance(
            version=at,
            head=line_hash(line.line),
            sandbox=table.sandbox,
            items=items,
            next=None,
            received=sum(item.received for item in items),
            paid=sum(item.paid for item in items),
            sum=sum(item.balance for item in items),
        )

    async def head_of(self, table: Table) -> str:
        """The hash of the line that a table stands at."""
        return line_hash((await self.tables.store.lines(table.id, after=table.version - 1, limit=1))[0].line)

    async def statement(self, table: Table, account: str, after: Place, limit: int) -> shapes.Statement:
        """One account with every transfer explained. Raises Problem not-found for no account of this table."""
        if account not in accounts_of(table):
            raise Problem("not-found", "There is no such account at this table.")
        turnover = await self.books.turnover(table.id, table.version)
        rows, following = await self._rows(table, after, limit, account)
        said = await explanations(self.books, table.id, table.game.name, rows)
        shown = _account(table, account, turnover)
        start, loads = (_from_bank(turnover, account, code) for code in ("opening", "load"))
        net = shown.balance - _from_bank(turnover, account)
        seat = account not in (BANK, BOWL)
        return shapes.Statement(
            account=account,
            player=shown.player,
            version=table.version,
            sandbox=table.sandbox,
            balance=shown.balance,
            start=start if seat else None,
            loads=loads if seat else None,
            net=net if seat else None,
            worth=_worth(table, shown.balance, net if seat else None),
            items=[shapes.StatementEntry(**_entry(row, account, said, _worth_of(table.game.name))) for row in rows],
            next=following,
        )

    async def player(self, player: str, after: tuple[str, str, int, int], limit: int) -> shapes.PlayerLedger:
        """One player's tokens over all tables but scripted ones."""
        found = await self.books.of_player(player, after, limit + 1)
        page = found[:limit]
        last = page[-1].row if len(found) > limit else None
        return shapes.PlayerLedger(
            player=player,
            balance=await self.books.balance_of_player(player),
            items=[entry for game, mine in _by_game(page) for entry in await self._of_game(game, mine)],
            next=f"{last.at}~{last.game}~{last.seq}~{last.index}" if last else None,
        )

    async def _of_game(self, game: str, mine: Sequence[Booking]) -> list[shapes.PlayerEntry]:
        kind = await self.kinds.of(game)
        said = await explanations(self.books, game, kind, [each.row for each in mine])
        per_token = _worth_of(kind)
        return [
            shapes.PlayerEntry(game=game, account=each.account, **_entry(each.row, each.account, said, per_token))
            for each in mine
        ]


def accounts_of(table: Table) -> tuple[str, ...]:
    """The accounts of a table: none if it is not played for tokens."""
    if table.game.tokens is None:
        return ()
    return (BANK, BOWL, *(seat_account(seat) for seat in range(table.size)))


def cursor(row: LedgerRow) -> str:
    """Where a page goes on after `row`."""
    return f"{row.seq}-{row.index}"


def place_of(text: str | None) -> Place:
    """The place that a cursor names."""
    if text is None:
        return START
    seq, _, index = text.partition("-")
    return int(seq), int(index)


def _account(table: Table, account: str, turnover: Iterable[Turnover]) -> shapes.AccountShown:
    mine = [each for each in turnover if account in (each.payer, each.payee)]
    received = sum(each.amount for each in mine if each.payee == account)
    paid = sum(each.amount for each in mine if each.payer == account)
    seat = table.seats[int(account[5:])] if account.startswith("seat:") else None
    return shapes.AccountShown(
        account=account,
        player=seat.player if seat else None,
        transfers=sum(each.transfers for each in mine),
        received=received,
        paid=paid,
        balance=received - paid,
    )


def _from_bank(turnover: Iterable[Turnover], account: str, code: str | None = None) -> int:
    """What the bank gave an account for one reason (None: for any), less what went back to it."""
    given = 0
    for each in turnover:
        if code in (None, each.code):
            given += each.amount if (each.payer, each.payee) == (BANK, account) else 0
            given -= each.amount if (each.payer, each.payee) == (account, BANK) else 0
    return given


def _worth_of(kind: str) -> int | None:
    """What a token of this game is shown as, in its first currency."""
    tokens = GAMES[kind].tokens
    return next(iter(tokens.worth.values()), None) if tokens else None


def _worth(table: Table, balance: int, net: int | None) -> shapes.Worth | None:
    tokens = table.game.tokens
    if tokens is None or not tokens.worth:
        return None
    currency, each = next(iter(tokens.worth.items()))
    return shapes.Worth(
        currency=currency, per_token=each, balance=balance * each, net=None if net is None else net * each
    )


def _entry(row: LedgerRow, account: str, said: Mapping[Place, Words], per_token: int | None) -> dict[str, Any]:
    received = row.payee == account
    amount = row.amount if received else -row.amount
    words = said[row.seq, row.index]
    return {
        "seq": row.seq,
        "index": row.index,
        "at": row.at,
        "round": row.round,
        "other": row.payer if received else row.payee,
        "amount": amount,
        "balance": row.payee_balance if received else row.payer_balance,
        "worth": None if per_token is None else amount * per_token,
        "code": row.code,
        "clause": row.clause,
        "reverses": shapes.place(row.reverses_seq, row.reverses_index),
        "explanation": shapes.Explanation(words["en"], words["he"]),
    }


def _by_game(page: Iterable[Booking]) -> Iterable[tuple[str, list[Booking]]]:
    """Transfers of one table after another, in the order of time."""
    return [(game, list(mine)) for game, mine in groupby(page, key=lambda each: each.row.game)]
