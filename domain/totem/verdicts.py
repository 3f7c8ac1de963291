"""The events of a judgement: what was measured of every grab, and what became of it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from domain.game import Event
from domain.totem.moves import MeasuredGrab, SilentSeat

Outcome = Literal[
    "won",  # it counted and was right
    "foul",  # it counted and was needless (T-14)
    "beaten",  # void: another grab counted (T-53)
    "late",  # void: it came when the decision was due, or made (T-54)
    "repeated",  # void: the seat's first one counts (T-56)
    "too_fast",  # void: below `min_reaction_ms` (T-57)
    "settling",  # void: the totem had just been taken (T-25)
    "frozen",  # void: for a frozen match, under `frozen_grab: void` (T-24)
    "choice_open",  # void: a taker is being chosen (T-27)
    "old_reveal",  # void: another reveal has followed (T-55)
    "left",  # void: the seat has left (T-44)
    "voided",  # void: play ended, or a foul was reported, before it was judged (T-46, T-54)
]
Verdict = Literal["duel", "multi_duel", "inward", "foul", "void"]


class JudgedGrab(Struct, frozen=True):
    """A grab with every input of its judgement, its figures and its one outcome.

    `quota_ms` is what the seat's quota held; `allowance_ms` the most that could be given; `compensation_ms` what
    was given and taken off the quota; `adjusted_ms` the time that counts, None where nothing was measured.
    `fingers` and `grip_height` are the figures that count, on a refereed table the referee's. `implausible` marks
    a time below 100 ms (T-57).
    """

    seat: int
    reveal: int
    arrival: int
    arrived: str
    published_ms: int
    elapsed_ms: int
    reaction_ms: int | None
    rtt_ms: int
    quota_ms: int
    allowance_ms: int
    compensation_ms: int
    adjusted_ms: int | None
    fingers: int
    grip_height: int
    implausible: bool
    outcome: Outcome


class DeadHeatFound(Event, frozen=True, tag="totem.dead_heat_found"):
    """On a refereed table: the grabs of `seats` cannot be told apart; a referee may say how they hold it (T-45)."""

    grabs: tuple[MeasuredGrab, ...]
    silent: tuple[SilentSeat, ...]
    seats: tuple[int, ...]
    due: str


class GripEntered(Event, frozen=True, tag="totem.grip_entered"):
    """A referee said how `seat` holds the totem."""

    seat: int
    fingers: int
    grip_height: int


class GrabsJudged(Event, frozen=True, tag="totem.grabs_judged"):
    """The judgement, with all that it was made from. `seat` is whose grab counted, `losers` who he beat.

    `due_ms` is when the decision fell due, counted like `published_ms`; None if no grab was measured. `refereed`:
    it ends a dead heat that lay before the referee.
    """

    reveal: int
    grabs: tuple[JudgedGrab, ...]
    silent: tuple[SilentSeat, ...]
    due_ms: int | None
    verdict: Verdict
    seat: int | None = None
    losers: tuple[int, ...] = ()
    refereed: bool = False
