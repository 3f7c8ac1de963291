"""What happens when a round ends: the rows turned up, the action cards replaced, the score."""

from typing import ClassVar, Literal

from msgspec import Struct

from domain.game import Event
from domain.hatchatul.pack import ActionCard, Card


class Row(Struct, frozen=True):
    """One player's four cards, face up."""

    seat: int
    cards: tuple[Card, ...]


class RowsRevealed(Event, frozen=True, tag="hatchatul.rows_revealed"):
    """All rows are turned up, from the dealer's left; why the round ended."""

    ends_showing: ClassVar[bool] = True

    rows: tuple[Row, ...]
    cause: Literal["lap_done", "stock_out", "turn_cap", "abandoned"]


class ActionCardThrown(Event, frozen=True, tag="hatchatul.action_card_thrown"):
    """An action card in a revealed row was thrown (H-20)."""

    seat: int
    slot: int
    card: ActionCard


class ReplacementDrawn(Event, frozen=True, tag="hatchatul.replacement_drawn"):
    """The next card of the stock took its place, and is replaced in turn if it is an action card (H-20)."""

    seat: int
    slot: int
    card: Card


class Score(Struct, frozen=True):
    """One player's round: the sum of his row, the points that it costs him (H-19), his total after it."""

    seat: int
    sum: int
    points: int
    total: int


class RoundScored(Event, frozen=True, tag="hatchatul.round_scored"):
    """Points and `winners` of the round, who is put `out` by it, who leads; with `final` the leaders have won."""

    scores: tuple[Score, ...]
    winners: tuple[int, ...]
    out: tuple[int, ...]
    leaders: tuple[int, ...]
    final: bool


class TimeExpired(Event, frozen=True, tag="hatchatul.time_expired"):
    """The time of the mode is up: a round in progress is dropped, and the leaders have won (H-22)."""

    ends_showing: ClassVar[bool] = True

    leaders: tuple[int, ...]


class GameForfeited(Event, frozen=True, tag="hatchatul.game_forfeited"):
    """All others have left: `winner` has won (H-23)."""

    ends_showing: ClassVar[bool] = True

    winner: int
