"""Tokens: transfers between accounts, the books of a table, and the rule that none is ever made or lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct

Amount = Annotated[int, Meta(ge=1, le=(1 << 53) - 1)]
BANK, BOWL = "bank", "bowl"
CODES = (
    *("opening", "load", "contribution", "bonus_red_doll", "bonus_black_doll", "bonus_joker", "bonus_one"),
    *("bonus_kishpa", "false_win", "win", "bowl_won", "bowl_split", "reversal", "correction"),
)
"""Why tokens move: the closed list."""
STANDS = frozenset({"opening", "load"})
"""The codes of transfers that stand even when their round is voided (G-11)."""


@cache
def seat_account(seat: int) -> str:
    """The account of a seat: one text for each seat, as every transfer names two accounts."""
    return f"seat:{seat}"


class Reversed(Struct, frozen=True):
    """Which transfer a reversal undoes: the `index`-th transfer (from 0) of line `seq`."""

    seq: int
    index: int


class Transfer(Struct, frozen=True, gc=False, omit_defaults=True, rename={"payer": "from", "payee": "to"}):
    """So many tokens from one account to another, why (`code`), and the clause that says so."""

    payer: str
    payee: str
    amount: Amount
    code: str
    clause: str
    reverses: Reversed | None = None


class Booked(Struct, frozen=True, gc=False):
    """A transfer and where it stands: the `index`-th (from 0) of line `seq`."""

    seq: int
    index: int
    transfer: Transfer


class Books(Struct, frozen=True):
    """A table's tokens as of a line: `balances` by account, together always 0.

    `undoable` are the transfers since the last deal (or since the table opened) that nothing has reversed.
    """

    balances: Mapping[str, int] = {}
    undoable: tuple[Booked, ...] = ()


def settled(balances: Mapping[str, int], transfers: Iterable[Transfer]) -> dict[str, int]:
    """The balances after `transfers`; the sum over all accounts stays what it was."""
    after = dict(balances)
    for transfer in transfers:
        after[transfer.payer] = after.get(transfer.payer, 0) - transfer.amount
        after[transfer.payee] = after.get(transfer.payee, 0) + transfer.amount
    return after


def booked(books: Books, seq: int, transfers: tuple[Transfer, ...]) -> Books:
    """The books after the transfers of line `seq`. What they reverse cannot be undone again, nor can they."""
    gone = {(back.seq, back.index) for transfer in transfers if (back := transfer.reverses)}
    kept = tuple(old for old in books.undoable if (old.seq, old.index) not in gone) if gone else books.undoable
    new = (Booked(seq, index, transfer) for index, transfer in enumerate(transfers) if not transfer.reverses)
    return Books(settled(books.balances, transfers), (*kept, *new))


def reversal(booking: Booked, clause: str) -> Transfer:
    """The transfer that undoes `booking`, by `clause`."""
    was = booking.transfer
    return Transfer(was.payee, was.payer, was.amount, "reversal", clause, Reversed(booking.seq, booking.index))


def round_undone(books: Books, clause: str) -> tuple[Transfer, ...]:
    """What gives back every transfer since the deal, the last one first; openings and loads stand (G-11)."""
    undone = (booking for booking in reversed(books.undoable) if booking.transfer.code not in STANDS)
    return tuple(reversal(booking, clause) for booking in undone)


def account_undone(books: Books, account: str, clause: str) -> tuple[Transfer, ...]:
    """What gives back every transfer with `account`, the last one first: for a seat that is freed before the start."""
    mine = (it for it in reversed(books.undoable) if account in (it.transfer.payer, it.transfer.payee))
    return tuple(reversal(booking, clause) for booking in mine)


Words = Mapping[str, str]
"""A sentence by language: `en`, `he`."""


class Tokens(Struct, frozen=True, kw_only=True):
    """What a game that is played for tokens adds to its table: how to load, what a token is worth, and why each moved.

    A transfer lies in the field `transfers` of the event that caused it. `scene` is folded from the events with
    transfers and from those whose tags are in `tells`, from a round's start on; `explain` puts a transfer into words.
    """

    load: Callable[[], Any]
    """The move that fetches a load from the bank."""
    worth: Mapping[str, int]
    """What a token is shown as in statements, by currency; nothing is ever paid with it."""
    tells: frozenset[str]
    scene: Callable[[], Any]
    see: Callable[[Any, Any], Any]
    """(scene, event) -> scene."""
    explain: Callable[[Any, Any, Transfer], Words]
    """(scene after the event, event, one of its transfers) -> why it was paid."""
