"""What the ledger's calls answer, as types; amounts are whole tokens, and nothing is ever rounded."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.tokens import CODES
from service.web.shapes import Head, Time, Version

Tokens = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1, description="Whole tokens.")]
Amount = Annotated[int, Meta(ge=1, le=2**53 - 1, description="Whole tokens.")]
Account = Annotated[str, Meta(pattern=r"^(bank|bowl|seat:(0|[1-9][0-9]{0,2}))\Z", description="bank, bowl, seat:<n>.")]
PlayerId = Annotated[str, Meta(description="The opaque id of a player.")]
Code = Annotated[str, Meta(description="Why tokens moved.", extra_json_schema={"enum": [*CODES]})]
Seq = Annotated[int, Meta(ge=1, le=2**53 - 1, description="The line that a transfer lies in.")]
Index = Annotated[int, Meta(ge=0, description="Its place in that line, from 0.")]


class ReversedShown(Struct, frozen=True):
    """The transfer that a reversal undoes."""

    seq: Seq
    index: Index


class TransferShown(Struct, frozen=True, kw_only=True, rename={"payer": "from", "payee": "to"}):
    """A transfer as booked, with both balances after it."""

    seq: Seq
    index: Index
    at: Time
    round: int
    payer: Account
    payee: Account
    amount: Amount
    code: Code
    clause: str
    from_balance: Tokens
    to_balance: Tokens
    reverses: ReversedShown | None


class LedgerPage(Struct, frozen=True, kw_only=True):
    """A page of the ledger, oldest first; `next` is the cursor to go on with."""

    items: list[TransferShown]
    next: str | None


class AccountShown(Struct, frozen=True, kw_only=True):
    """An account: what it received and paid in so many transfers, and what that comes to."""

    account: Account
    player: PlayerId | None
    transfers: int
    received: Tokens
    paid: Tokens
    balance: Tokens


class AccountList(Struct, frozen=True, kw_only=True):
    """Every account of a table: the bank, the bowl, each seat."""

    version: Version
    items: list[AccountShown]
    next: None


class TrialBalance(Struct, frozen=True, kw_only=True):
    """All accounts as of line `version`, whose hash is `head`. Everything received was paid: `sum` is 0."""

    version: Version
    head: Head
    sandbox: bool
    items: list[AccountShown]
    next: None
    received: Tokens
    paid: Tokens
    sum: Tokens


class Explanation(Struct, frozen=True):
    """Which state, which tile or round, which clause, who paid whom: in English and in Hebrew."""

    en: str
    he: str


class Worth(Struct, frozen=True, kw_only=True):
    """Tokens as they are shown in a currency; nothing is ever paid with it."""

    currency: str
    per_token: int
    balance: Tokens
    net: Tokens | None


class StatementEntry(Struct, frozen=True, kw_only=True):
    """A transfer as one account sees it: `amount` is above 0 if it received, `other` is the other side."""

    seq: Seq
    index: Index
    at: Time
    round: int
    other: Account
    amount: Tokens
    balance: Tokens
    worth: Tokens | None
    code: Code
    clause: str
    reverses: ReversedShown | None
    explanation: Explanation


class Statement(Struct, frozen=True, kw_only=True):
    """An account's statement as of `version`. For a seat `net` = `balance` less what came from the bank (K-79)."""

    account: Account
    player: PlayerId | None
    version: Version
    sandbox: bool
    balance: Tokens
    start: Tokens | None
    loads: Tokens | None
    net: Tokens | None
    worth: Worth | None
    items: list[StatementEntry]
    next: str | None


class PlayerEntry(StatementEntry, frozen=True, kw_only=True):
    """A transfer of a player: at which table, and by which of its accounts."""

    game: str
    account: Account


class PlayerLedger(Struct, frozen=True, kw_only=True):
    """One player's tokens over all tables but scripted ones, oldest first; `balance` is what they all come to."""

    player: PlayerId
    balance: Tokens
    items: list[PlayerEntry]
    next: str | None


def place(seq: int | None, index: int | None) -> ReversedShown | None:
    """What a row reverses, if it does."""
    return None if seq is None or index is None else ReversedShown(seq, index)


def transfer_shown(row: Any) -> TransferShown:
    """A ledger row as the API gives it."""
    return TransferShown(
        seq=row.seq,
        index=row.index,
        at=row.at,
        round=row.round,
        payer=row.payer,
        payee=row.payee,
        amount=row.amount,
        code=row.code,
        clause=row.clause,
        from_balance=row.payer_balance,
        to_balance=row.payee_balance,
        reverses=place(row.reverses_seq, row.reverses_index),
    )
