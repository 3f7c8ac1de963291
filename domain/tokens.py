"""Tokens: transfers between accounts, and the rule that none is ever made or lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta, Struct

Amount = Annotated[int, Meta(ge=1, le=(1 << 53) - 1)]
BANK, BOWL = "bank", "bowl"


def seat_account(seat: int) -> str:
    """The account of a seat."""
    return f"seat:{seat}"


class Reversed(Struct, frozen=True):
    """Which transfer a reversal undoes: the `index`-th transfer (from 0) of line `seq`."""

    seq: int
    index: int


class Transfer(Struct, frozen=True, omit_defaults=True, rename={"payer": "from", "payee": "to"}):
    """So many tokens from one account to another, why (`code`), and the clause that says so."""

    payer: str
    payee: str
    amount: Amount
    code: str
    clause: str
    reverses: Reversed | None = None


def settled(balances: Mapping[str, int], transfers: Iterable[Transfer]) -> dict[str, int]:
    """The balances after `transfers`; the sum over all accounts stays what it was."""
    after = dict(balances)
    for transfer in transfers:
        after[transfer.payer] = after.get(transfer.payer, 0) - transfer.amount
        after[transfer.payee] = after.get(transfer.payee, 0) + transfer.amount
    return after
