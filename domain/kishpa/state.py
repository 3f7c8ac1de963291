"""Where a table of Kishpa stands: the phases as types. What the seats may not see of it is never shown from here."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from domain.kishpa.evening import Course, Evening, Statement
from domain.kishpa.rules import KishpaRules

Cause = Literal["won", "stock", "chance", "turns"]


class Round(Struct, frozen=True, kw_only=True):
    """One round's tiles and facts. Hands by seat, lowest first; the stock's next tile first; the newest discard last.

    `before` is how the evening had gone, and will have gone again if this round is voided. `paid` has (seat, row) once
    for each copy paid.
    """

    rules: KishpaRules
    evening: Evening
    before: Course
    number: int
    seats: tuple[int, ...]
    starter: int
    last: bool
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    turned: str = ""
    """The doll that was flipped and not yet put back."""
    kishpa: str = ""
    joker: str = ""
    spent: tuple[str, ...] = ()
    """The kishpa that was replaced: out of play (K-07)."""
    exposer: int | None = None
    paid: tuple[tuple[int, str], ...] = ()
    turns: int = 0
    returns: int = 0
    reshuffles: int = 0


class Undealt(Struct, frozen=True, tag="undealt", tag_field="phase"):
    """Nothing is dealt: before the first round, or after one was voided."""

    rules: KishpaRules
    evening: Evening


class Setting(Struct, frozen=True, tag="setting", tag_field="phase"):
    """The table sets the round up: dealing, flipping, paying. No seat can move."""

    round: Round


class Exposing(Struct, frozen=True, tag="exposing", tag_field="phase"):
    """The exposure window: `awaited` seats have not answered (K-51)."""

    round: Round
    due: str | None
    awaited: tuple[int, ...]


class Drawing(Struct, frozen=True, tag="drawing", tag_field="phase"):
    """`seat` must draw or take; on a last chance take or pass (K-29)."""

    round: Round
    seat: int
    due: str | None
    last_chance: bool = False


class Holding(Struct, frozen=True, tag="holding", tag_field="phase"):
    """`seat` has fifteen tiles and must throw one. `tile` came last: drawn, or `taken` from the discards."""

    round: Round
    seat: int
    due: str | None
    tile: str | None = None
    taken: bool = False
    last_chance: bool = False


class Thrown(Struct, frozen=True, tag="thrown", tag_field="phase"):
    """`seat` has just discarded: either that won, or the turn passes, or the round is exhausted."""

    round: Round
    seat: int
    last_chance: bool


class Over(Struct, frozen=True, tag="over", tag_field="phase"):
    """The round is over; the end bonuses and the bowl are being paid, or have been."""

    round: Round
    winner: int | None
    cause: Cause
    payment: int = 0


Dealt = Setting | Exposing | Drawing | Holding | Thrown | Over
State = Undealt | Dealt


class Result(Struct, frozen=True):
    """What a round came to: `winners` is one seat or none; `payment` tokens from each other seat (K-62).

    `leaders` have the highest net so far (K-82); with `last` no round follows (K-77).
    """

    winners: tuple[int, ...]
    cause: Cause
    payment: int
    last: bool
    bowl: int
    statements: tuple[Statement, ...]
    leaders: tuple[int, ...]
