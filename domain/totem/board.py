"""What everybody sees of a Totem table, as one value: its phases are types, its matches are questions."""

from __future__ import annotations

from msgspec import Struct

from domain.totem.moves import MeasuredGrab, SilentSeat
from domain.totem.pack import ARROWS, COLOURED


class Undealt(Struct, frozen=True, tag_field="phase", tag="undealt"):
    """Before the first deal."""


class Turning(Struct, frozen=True, tag_field="phase", tag="turning"):
    """It is the turn of `seat` to turn a card up, until `due` (None: no clock)."""

    seat: int
    due: str | None


class Showing(Struct, frozen=True, tag_field="phase", tag="showing"):
    """The last card is being looked at: the turn of `seat` begins at `opens` and runs until `due` (T-08)."""

    seat: int
    opens: str
    due: str | None


class Counting(Struct, frozen=True, tag_field="phase", tag="counting"):
    """Outward arrows: everybody turns a card up at `due` (T-30)."""

    revealer: int
    due: str


class Waiting(Struct, frozen=True, tag_field="phase", tag="waiting"):
    """Nobody, not even `seat`, can turn a card up; the table ends at `due` unless somebody grabs (T-43)."""

    seat: int
    due: str


Going = Turning | Showing | Counting | Waiting
"""The phases in which a grab can be right; a choice or a dead heat only interrupts them."""


class Choosing(Struct, frozen=True, tag_field="phase", tag="choosing"):
    """`seat` names which of `losers` takes the cards (T-27); `after` goes on when that is done."""

    seat: int
    losers: tuple[int, ...]
    due: str | None
    after: Going


class Grip(Struct, frozen=True):
    """How a seat of a dead heat holds the totem, by the referee's word."""

    seat: int
    fingers: int
    grip_height: int


class Refereeing(Struct, frozen=True, tag_field="phase", tag="refereeing"):
    """A dead heat of `seats` waits for a referee until `due` (T-45); `after` goes on when it is judged.

    `gone` have left since: their grabs count for nothing, and leave the decision's moment as it was (T-44).
    """

    grabs: tuple[MeasuredGrab, ...]
    silent: tuple[SilentSeat, ...]
    seats: tuple[int, ...]
    grips: tuple[Grip, ...]
    due: str
    after: Going
    gone: tuple[int, ...] = ()


class Over(Struct, frozen=True, tag_field="phase", tag="over"):
    """Nothing more is played."""

    by: str


Phase = Undealt | Going | Choosing | Refereeing | Over


class Board(Struct, frozen=True):
    """The public facts. Tuples over all seats hold one entry a seat, empty for those who do not play.

    `playing` are the seats with cards, ascending; `shed` those who got rid of theirs, in that order. `draws` and
    `ups` count the cards of the draw piles and the face-up piles; `tops` are the live cards. `reveal` numbers the
    reveals of the round; `resolved_at` and `left_at` are the times of the last resolution and the last leaving since
    then. `inward` are the seats whose inward arrows may be grabbed for; `frozen` the matches that wait for the next
    reveal (T-24); `answered` the seats whose grab for this reveal and resolution is judged (T-56); `recycled` those
    whose face-up pile was turned over since cards last changed hands (T-12, T-43).
    """

    phase: Phase
    playing: tuple[int, ...]
    draws: tuple[int, ...]
    ups: tuple[int, ...]
    tops: tuple[str | None, ...]
    pot: int = 0
    reveal: int = 0
    revealed_at: str | None = None
    resolved_at: str | None = None
    inward: tuple[int, ...] = ()
    frozen: tuple[str, ...] = ()
    answered: tuple[int, ...] = ()
    shed: tuple[tuple[int, ...], ...] = ()
    recycled: tuple[int, ...] = ()
    left_at: str | None = None


def empty_board(seats: int) -> Board:
    """The board before the first deal."""
    return Board(Undealt(), (), (0,) * seats, (0,) * seats, (None,) * seats)


def matches(tops: tuple[str | None, ...]) -> dict[str, tuple[int, ...]]:
    """The seats that match each other, by what they have in common: a symbol, in colour mode a colour (T-34)."""
    part = slice(4, None) if COLOURED in tops else slice(3)
    groups: dict[str, tuple[int, ...]] = {}
    matched = False
    for seat, top in enumerate(tops):
        if top is None or top in ARROWS:  # T-16: arrows never match
            continue
        key = top[part]
        if key in groups:
            groups[key] += (seat,)
            matched = True
        else:
            groups[key] = (seat,)
    return {key: group for key, group in groups.items() if len(group) > 1} if matched else {}


def live_matches(board: Board) -> dict[str, tuple[int, ...]]:
    """The matches that may be played now: not the frozen ones (T-24), none while an inward contest is on (T-18)."""
    if board.inward:
        return {}
    return {key: group for key, group in matches(board.tops).items() if key not in board.frozen}


def is_contested(board: Board) -> bool:
    """Whether somebody may rightly grab now."""
    return bool(board.inward or live_matches(board))


def clockwise(board: Board, after: int) -> tuple[int, ...]:
    """The seats in play, clockwise, beginning left of `after`, who comes last if he plays."""
    playing = board.playing
    return tuple(s for s in playing if s > after) + tuple(s for s in playing if s <= after)


def going(board: Board) -> Going:
    """The phase that goes on when a choice or a dead heat is done with."""
    phase = board.phase.after if isinstance(board.phase, Choosing | Refereeing) else board.phase
    assert isinstance(phase, Going), f"nothing is played in {phase}"
    return phase
