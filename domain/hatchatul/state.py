"""Where a table of Hatchatul stands: the sitting, the cards, the course of the round, and its phase as a type."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from domain.hatchatul.ending_events import Score
from domain.hatchatul.pack import ActionCard, Card, NumberCard
from domain.hatchatul.rules import HatchatulRules

Row = tuple[Card, ...]


class Turn(Struct, frozen=True):
    """Whose turn it is; `owed` counts it and those still to come, `extra` says that Draw Two owes it (H-14)."""

    seat: int
    owed: int
    extra: bool
    due: str | None


class RoundResult(Struct, frozen=True):
    """What a round came to, in public facts. `out`: all who are out of the game; with `final` the leaders have won."""

    scored: bool
    scores: tuple[Score, ...]
    winners: tuple[int, ...]
    knocker: int | None
    out: tuple[int, ...]
    leaders: tuple[int, ...]
    final: bool


# The phases


class Undealt(Struct, frozen=True, tag=True):
    """Before the first deal."""


class Setup(Struct, frozen=True, tag=True):
    """Between the deal and the first turn, while nobody is awaited."""


class Peeking(Struct, frozen=True, tag=True):
    """`waiting` may still look at their outer cards (H-06)."""

    waiting: tuple[int, ...]
    due: str | None


class TurnStart(Struct, frozen=True, tag=True):
    """The player to move takes a card."""

    turn: Turn


class HoldingNumber(Struct, frozen=True, tag=True):
    """He holds a number that only he has seen."""

    turn: Turn
    card: NumberCard


class HoldingAction(Struct, frozen=True, tag=True):
    """He holds an action card that all have seen (H-10)."""

    turn: Turn
    card: ActionCard


class TurnEnd(Struct, frozen=True, tag=True):
    """He has played: he ends his turn or knocks (H-16)."""

    turn: Turn


class Revealing(Struct, frozen=True, tag=True):
    """The rows lie face up and action cards are being replaced (H-20)."""


class Over(Struct, frozen=True, tag=True):
    """The round is over."""

    result: RoundResult


Phase = Undealt | Setup | Peeking | TurnStart | HoldingNumber | HoldingAction | TurnEnd | Revealing | Over


class Cards(Struct, frozen=True):
    """All cards but a held one: rows by seat (empty for none), stock with the next first, pile with the last on top."""

    rows: tuple[Row, ...]
    stock: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    aside: tuple[Card, ...] = ()


class Course(Struct, frozen=True):
    """How the round went so far: who plays, turns ended, reshuffles; who knocked and who still has his last turn.

    `late`: the running turn is the clock's; `idle` turns in a row before it were (H-33).
    """

    seats: tuple[int, ...] = ()
    turns: int = 0
    reshuffles: int = 0
    knocker: int | None = None
    waiting: tuple[int, ...] = ()
    begun: bool = False
    late: bool = False
    idle: int = 0


class Sitting(Struct, frozen=True):
    """What outlasts a round. `dealer` is None before the first deal, `ends_at` when no time was set (H-22).

    `rounds` were scored; `last` is the number of the one that was called as the last (G-08).
    """

    rules: HatchatulRules
    seats: int
    totals: tuple[int, ...]
    dealer: int | None = None
    out: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    rounds: int = 0
    last: int | None = None
    ends_at: str | None = None
    finished: bool = False


class State(Struct, frozen=True):
    """The whole table."""

    sitting: Sitting
    cards: Cards
    course: Course
    phase: Phase


def initial(rules: HatchatulRules, seats: int) -> State:
    """The table before its first deal."""
    return State(Sitting(rules, seats, (0,) * seats), Cards(((),) * seats), Course(), Undealt())


def zones(state: State) -> Mapping[str, tuple[Card, ...]]:
    """Every card by where it lies; {} before a deal."""
    cards, phase = state.cards, state.phase
    if not cards.stock and not cards.discard:
        return {}
    held = (phase.card,) if isinstance(phase, HoldingNumber | HoldingAction) else ()
    rows = {f"row:{seat}": row for seat, row in enumerate(cards.rows)}
    return {"stock": cards.stock, "discard": cards.discard, "held": held, "aside": cards.aside, **rows}


def over(state: State) -> RoundResult | None:
    """The round's result once it is over."""
    return state.phase.result if isinstance(state.phase, Over) else None


def finished(state: State) -> bool:
    """Whether the game is decided, or fewer than two could play another round."""
    sitting = state.sitting
    return sitting.finished or sitting.seats - len({*sitting.out, *sitting.left}) < 2  # noqa: PLR2004 - two players


def with_card(rows: tuple[Row, ...], seat: int, slot: int, card: Card) -> tuple[Row, ...]:
    """`rows` with another card in one slot."""
    row = rows[seat]
    return (*rows[:seat], (*row[: slot - 1], card, *row[slot:]), *rows[seat + 1 :])


def clockwise(seats: tuple[int, ...], after: int) -> tuple[int, ...]:
    """`seats`, ascending, in the order of play from the left of `after`; itself last, if it is among them."""
    return (*(seat for seat in seats if seat > after), *(seat for seat in seats if seat <= after))


def leaders(totals: tuple[int, ...], seats: tuple[int, ...]) -> tuple[int, ...]:
    """Those of `seats` with the lowest total; equal ones share (H-22)."""
    lowest = min((totals[seat] for seat in seats), default=0)
    return tuple(seat for seat in seats if totals[seat] == lowest)


def in_game(sitting: Sitting) -> tuple[int, ...]:
    """The seats that are neither out nor gone."""
    return tuple(seat for seat in range(sitting.seats) if seat not in sitting.out and seat not in sitting.left)


def without(sitting: Sitting, seat: int) -> Sitting:
    """The sitting after a seat has left, of which it may have heard before."""
    return sitting if seat in sitting.left else replace(sitting, left=(*sitting.left, seat))
