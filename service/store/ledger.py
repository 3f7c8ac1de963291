"""What can be asked of the ledger: pages of transfers, sums, a player's tokens, and the lines that explain them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from service.store.reads import Lines, Question
from service.store.rows import LedgerRow, StoredLine
from service.store.side_rows import columns

T = TypeVar("T")
START = (0, -1)
"""Before a ledger's first transfer."""
GAMES_AT_ONCE = 500


class Turnover(Struct, frozen=True):
    """What moved from one account to another for one reason: how many transfers, how many tokens together."""

    code: str
    payer: str
    payee: str
    transfers: int
    amount: int


class Booking(Struct, frozen=True):
    """A transfer of a player over all tables: the row, and which of the table's accounts is the player's."""

    row: LedgerRow
    account: str


class Reader(Protocol):
    """Asks the database on behalf of the event loop."""

    async def one(self, question: Question[T]) -> T | None: ...

    async def all(self, question: Question[T]) -> list[T]: ...


class LedgerReader:
    """The ledger of every table. Raises Unavailable when the database cannot be reached."""

    def __init__(self, reader: Reader, lines: Lines) -> None:
        self._reader, self._lines = reader, lines

    async def page(
        self, game: str, after: tuple[int, int] = START, limit: int = 100, account: str | None = None
    ) -> list[LedgerRow]:
        """The table's transfers after the place (seq, index), in order; of one account if it is named."""
        return await self._reader.all(_page(game, after, limit, account))

    async def turnover(self, game: str, at: int) -> list[Turnover]:
        """The sums of all transfers up to line `at`, by code and both accounts."""
        return await self._reader.all(_turnover(game, at))

    async def told(self, game: str, types: Iterable[str], first: int, last: int) -> list[StoredLine]:
        """The table's lines first … last that are of one of `types`, in order."""
        return await self._reader.all(_told(self._lines, game, sorted(types), first, last))

    async def round_start(self, game: str, seq: int) -> int:
        """The line with which the round that line `seq` belongs to began; 1 before the first."""
        return await self._reader.one(_round_start(self._lines, game, seq)) or 1

    async def owners(self, player: str) -> set[str]:
        """The API keys that this player sat or sits at a table for."""
        return set(await self._reader.all(Question(OWNERS, {"player": player}, _first)))

    async def of_player(self, player: str, after: tuple[str, str, int, int], limit: int) -> list[Booking]:
        """A player's transfers over all tables but sandbox ones, in order of time, after (at, game, seq, index)."""
        at, game, seq, index = after
        values = {"player": player, "at": at, "game": game, "seq": seq, "index": index, "limit": limit}
        return await self._reader.all(Question(OF_PLAYER, values, _booking))

    async def balance_of_player(self, player: str) -> int:
        """What a player's transfers over all tables but sandbox ones come to."""
        return await self._reader.one(Question(BALANCE_OF_PLAYER, {"player": player}, _whole)) or 0

    async def games(self, after: str) -> list[str]:
        """Some tables in the order of their ids, after this one."""
        sql = 'SELECT "game" FROM directory WHERE "game" > :after ORDER BY "game" LIMIT :limit'
        return await self._reader.all(Question(sql, {"after": after, "limit": GAMES_AT_ONCE}, _first))


def _page(game: str, after: tuple[int, int], limit: int, account: str | None) -> Question[LedgerRow]:
    mine = "" if account is None else ' AND ("payer" = :account OR "payee" = :account)'
    sql = (
        f'SELECT {columns(LedgerRow)} FROM ledger WHERE "game" = :game AND ("seq", "index") > (:seq, :index){mine}'  # noqa: S608
        ' ORDER BY "seq", "index" LIMIT :limit'
    )
    values = {"game": game, "seq": after[0], "index": after[1], "account": account, "limit": limit}
    return Question(sql, values, _row)


def _turnover(game: str, at: int) -> Question[Turnover]:
    # PostgreSQL sums numbers to a decimal, which is cast back; the sums of a table stay far below the bounds of both.
    sql = (
        'SELECT "code", "payer", "payee", COUNT(*), CAST(SUM("amount") AS bigint) FROM ledger'
        ' WHERE "game" = :game AND "seq" <= :at GROUP BY "code", "payer", "payee" ORDER BY "code", "payer", "payee"'
    )
    return Question(sql, {"game": game, "at": at}, lambda stored: Turnover(*stored))


def _told(lines: Lines, game: str, types: list[str], first: int, last: int) -> Question[StoredLine]:
    names = {f"type{n}": name for n, name in enumerate(types)}
    sql = (
        f"SELECT originator_version, topic, state FROM {lines.table} WHERE originator_id = :id"  # noqa: S608
        " AND originator_version BETWEEN :first AND :last"
        f" AND topic IN ({', '.join(':' + name for name in names)}) ORDER BY originator_version"
    )
    values = {"id": lines.id_of(game), "first": first, "last": last, **names}
    return Question(sql, values, lambda stored: StoredLine(*stored))


def _round_start(lines: Lines, game: str, seq: int) -> Question[int]:
    sql = (
        f"SELECT originator_version FROM {lines.table} WHERE originator_id = :id"  # noqa: S608
        " AND originator_version <= :seq AND topic = 'table.round_started' ORDER BY originator_version DESC LIMIT 1"
    )
    return Question(sql, {"id": lines.id_of(game), "seq": seq}, _first)


# A seat that was freed before the start had another player before and after.
_PLAYERS = (
    ' FROM seats JOIN directory ON directory."game" = seats."game" JOIN ledger ON ledger."game" = seats."game"'
    ' AND ledger."seq" > seats."since" AND (seats."until" IS NULL OR ledger."seq" <= seats."until")'
    ' AND \'seat:\' || seats."seat" IN (ledger."payer", ledger."payee")'
    ' WHERE seats."player" = :player AND NOT directory."sandbox"'
)
_LEDGER_COLUMNS = ", ".join(f'ledger."{field}"' for field in LedgerRow.__struct_fields__)
OWNERS = 'SELECT DISTINCT "owner" FROM seats WHERE "player" = :player'
OF_PLAYER = (
    f"SELECT 'seat:' || seats.\"seat\", {_LEDGER_COLUMNS}{_PLAYERS}"
    ' AND (ledger."at", ledger."game", ledger."seq", ledger."index") > (:at, :game, :seq, :index)'
    ' ORDER BY ledger."at", ledger."game", ledger."seq", ledger."index" LIMIT :limit'
)
BALANCE_OF_PLAYER = (
    'SELECT CAST(SUM(CASE WHEN ledger."payee" = \'seat:\' || seats."seat" THEN ledger."amount"'
    f' ELSE -ledger."amount" END) AS bigint){_PLAYERS}'
)


def _row(stored: Iterable[Any]) -> LedgerRow:
    return LedgerRow(*stored)


def _first(stored: Iterable[Any]) -> Any:
    return next(iter(stored))


def _whole(stored: Iterable[Any]) -> int:
    return next(iter(stored)) or 0


def _booking(stored: Iterable[Any]) -> Booking:
    account, *row = stored
    return Booking(LedgerRow(*row), account)
