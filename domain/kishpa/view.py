"""What a seat, or a spectator, knows of a table: a fold of the events that it heard, and nothing else."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from domain.kishpa.evening import Course, Evening, empty_evening
from domain.kishpa.events import Row
from domain.kishpa.pack import Meld
from domain.kishpa.rules import KishpaRules

Phase = Literal["undealt", "setting", "exposing", "drawing", "holding", "thrown", "over"]


class PlayRules(Struct, frozen=True):
    """The table rules that a view needs to list moves and keep the score."""

    run_wrap: str
    seven_pairs: bool
    ban_rediscard: bool
    stock_empty: str
    streak: str
    draw_breaks_streak: bool
    last_round_applies: str


class Paid(Struct, frozen=True):
    """A bonus paid in this round."""

    seat: int
    row: Row
    copies: int


class Won(Struct, frozen=True):
    """The winner's hand laid open."""

    seat: int
    melds: tuple[Meld, ...]
    payment: int


class View(Struct, frozen=True, kw_only=True):
    """The table as `seat` knows it (None: a spectator).

    `hand` is the seat's own, lowest tile first; `tiles` counts everybody's. `turn` and `due` say who must act until
    when, `awaited` who has not answered in the exposure window. `drawn` is the tile that came last to the own hand,
    `taken` the one that the seat on turn took from the discards. `evening` is the score, `before` how it had gone
    before this round, as a voided round would leave it. `hands` is empty except in the open view of an opened round.
    """

    seat: int | None
    rules: PlayRules
    evening: Evening
    before: Course = Course()
    phase: Phase = "undealt"
    round: int = 0
    seats: tuple[int, ...] = ()
    starter: int | None = None
    last: bool = False
    kishpa: str | None = None
    joker: str | None = None
    spent: str | None = None
    exposer: int | None = None
    stock: int = 0
    discards: tuple[str, ...] = ()
    tiles: tuple[int, ...] = ()
    hand: tuple[str, ...] = ()
    drawn: str | None = None
    taken: str | None = None
    turn: int | None = None
    due: str | None = None
    last_chance: bool = False
    awaited: tuple[int, ...] = ()
    turns: int = 0
    bonuses: tuple[Paid, ...] = ()
    won: Won | None = None
    exhausted: str | None = None
    hands: dict[str, tuple[str, ...]] = {}


def empty_view(rules: KishpaRules, seats: int, seat: int | None) -> View:
    """The view before the first deal."""
    return View(seat=seat, rules=_play_rules(rules), evening=empty_evening(seats))


@lru_cache(maxsize=256)
def _play_rules(rules: KishpaRules) -> PlayRules:
    """One object for all views, since most tables play by the same rules."""
    return PlayRules(
        rules.run_wrap,
        rules.seven_pairs,
        rules.ban_rediscard,
        rules.stock_empty,
        rules.streak,
        rules.draw_breaks_streak,
        rules.last_round_applies,
    )
