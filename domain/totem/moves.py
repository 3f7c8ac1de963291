"""The moves of Totem: what a seat, a referee and the table itself may ask for. None is hidden."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.game import Move

Seat = Annotated[int, Meta(ge=0, le=9)]
Reveal = Annotated[int, Meta(ge=1, le=(1 << 53) - 1)]
Sequence = Annotated[int, Meta(ge=0, le=(1 << 53) - 1)]
Span = Annotated[int, Meta(ge=0, le=86_400_000)]
"""Whole milliseconds."""
Fingers = Annotated[int, Meta(ge=1, le=5)]
GripHeight = Annotated[int, Meta(ge=0, le=100)]
"""0 is the lowest grip on the totem."""

Shares = Annotated[
    dict[Annotated[str, Meta(pattern=r"^[0-9]\Z")], Annotated[int, Meta(ge=0, le=1_000)]], Meta(max_length=10)
]
"""Cards by seat."""

ReportedKind = Literal[
    "totem_struck",
    "totem_thrown",
    "totem_upside_down",
    "card_shown_to_self",
    "violence",
    "blocking",
    "totem_danced",
    "totem_broken",
    "totem_fell_unknown",
]


class TurnUp(Move, frozen=True, tag="totem.turn_up"):
    """A seat turns its next card up, in its turn (T-10)."""


class Grab(Move, frozen=True, tag="totem.grab"):
    """A seat grabs the totem in answer to the reveal it names.

    `reaction_ms` is the client's own measure from showing the reveal to the grab; it is believed within the
    allowance only (T-51). `fingers` and `grip_height` decide a dead heat (T-45).
    """

    reveal: Reveal
    reaction_ms: Span | None = None
    fingers: Fingers = 1
    grip_height: GripHeight = 100


class ChooseTaker(Move, frozen=True, tag="totem.choose_taker"):
    """The winner of a duel of three or more names the loser who takes the cards (T-23, T-27).

    Under `multi_duel: split` he may deal out `shares` {seat: cards}; what they leave over goes to the taker.
    """

    taker: Seat
    shares: Shares | None = None


class ReportFoul(Move, frozen=True, tag="totem.report_foul"):
    """A referee reports a foul of `offender`; nobody's for `totem_fell_unknown` (T-46, T-48)."""

    kind: ReportedKind
    offender: Seat | None = None


class ReverseFoul(Move, frozen=True, tag="totem.reverse_foul"):
    """A referee takes the last reported foul back (T-50)."""


class EnterGrip(Move, frozen=True, tag="totem.enter_grip"):
    """A referee enters, or corrects, how a seat of the dead heat holds the totem (T-45)."""

    seat: Seat
    fingers: Fingers
    grip_height: GripHeight


class MeasuredGrab(Struct, frozen=True, forbid_unknown_fields=True):
    """A grab as the server measured it; everything that its judgement depends on.

    `arrival` numbers the grabs in the order of their arrival, `arrived` is its time. `published_ms` is when the
    reveal (or the resolution after it) was published to that seat, counted from the time in its line; `elapsed_ms`
    runs from there to the arrival. `rtt_ms` is the lower quartile of the seat's last pings, 0 without any.
    """

    seat: Seat
    reveal: Reveal
    arrival: Sequence
    arrived: str
    elapsed_ms: Span
    published_ms: Span = 0
    reaction_ms: Span | None = None
    rtt_ms: Span = 0
    fingers: Fingers = 1
    grip_height: GripHeight = 100


class SilentSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat that has not grabbed: when the reveal was published to it, and its latency figure (as in a grab)."""

    seat: Seat
    published_ms: Span = 0
    rtt_ms: Span = 0


class JudgeGrabs(Move, frozen=True, tag="totem.judge_grabs"):
    """The table judges all grabs that lie undecided, once the decision is due (T-51)."""

    grabs: tuple[MeasuredGrab, ...]
    silent: tuple[SilentSeat, ...] = ()


class VoidGrabs(Move, frozen=True, tag="totem.void_grabs"):
    """The table voids grabs that lie undecided, or before a referee, for play ends with what follows (T-54)."""

    grabs: tuple[MeasuredGrab, ...]


SEAT_MOVES: tuple[type[Move], ...] = (TurnUp, Grab, ChooseTaker)
REFEREE_MOVES: tuple[type[Move], ...] = (ReportFoul, ReverseFoul, EnterGrip)
TABLE_MOVES: tuple[type[Move], ...] = (JudgeGrabs, VoidGrabs)
