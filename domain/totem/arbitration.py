"""Who was first? Reaction times measured by the server, with a bounded allowance for the network (T-51 to T-57).

Pure functions of whole milliseconds. A moment is counted from the time of the line that published the reveal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from domain.totem.moves import MeasuredGrab, SilentSeat

QUOTA_STEP_MS = 20
"""What each reveal adds to a seat's quota."""
QUOTA_START_MS = 3 * QUOTA_STEP_MS
QUOTA_MAX_MS = 7 * QUOTA_STEP_MS
ALLOWANCE_MAX_MS = 150
JITTER_MS = 20
IMPLAUSIBLE_MS = 100
"""Faster than this is no reaction, but a guess (T-57)."""
PINGS_KEPT = 20


def lower_quartile(pings: Sequence[int]) -> int:
    """The latency figure of a seat: the lower quartile of its last pings in ms, 0 without any."""
    last = sorted(pings[-PINGS_KEPT:])
    return last[(len(last) - 1) // 4] if last else 0


def refilled(quota_ms: int, reveals: int) -> int:
    """A quota after so many further reveals."""
    return min(QUOTA_MAX_MS, quota_ms + QUOTA_STEP_MS * reveals)


def allowance(quota_ms: int, rtt_ms: int) -> int:
    """The most that a seat may be given: its quota, 1.2 round trips and some jitter, and never over the cap."""
    return min(quota_ms, rtt_ms * 12 // 10 + JITTER_MS, ALLOWANCE_MAX_MS)


def compensation(elapsed_ms: int, reaction_ms: int | None, allowance_ms: int) -> int:
    """What is taken off the time that the server measured: the delay that the client claims, within its allowance."""
    claimed = elapsed_ms if reaction_ms is None else min(max(reaction_ms, 0), elapsed_ms)
    return min(elapsed_ms - claimed, allowance_ms)


class Rival(Struct, frozen=True):
    """A seat that may be first: when the reveal was published to it, and the most that it may be given."""

    seat: int
    published_ms: int
    allowance_ms: int


class Contender(Rival, frozen=True):
    """A seat that has grabbed, at the moment `arrived_ms`; `adjusted_ms` is its time that counts."""

    arrival: int
    arrived_ms: int
    adjusted_ms: int
    fingers: int = 1
    grip_height: int = 100


class Decision(Struct, frozen=True):
    """The grabs in time by the order of their arrival, the late ones, and the moment when the decision fell due."""

    in_time: tuple[Contender, ...]
    late: tuple[Contender, ...]
    due_ms: int | None


def grabbed(grab: MeasuredGrab, quota_ms: int) -> Contender:
    """A measured grab as a contender whose time counts."""
    allowed = allowance(quota_ms, grab.rtt_ms)
    adjusted = grab.elapsed_ms - compensation(grab.elapsed_ms, grab.reaction_ms, allowed)
    return Contender(
        seat=grab.seat,
        published_ms=grab.published_ms,
        allowance_ms=allowed,
        arrival=grab.arrival,
        arrived_ms=grab.published_ms + grab.elapsed_ms,
        adjusted_ms=adjusted,
        fingers=grab.fingers,
        grip_height=grab.grip_height,
    )


def silent(seat: SilentSeat, quota_ms: int) -> Rival:
    """A seat that has not grabbed."""
    return Rival(seat.seat, seat.published_ms, allowance(quota_ms, seat.rtt_ms))


def decision(grabs: Iterable[Contender], others: Iterable[Rival]) -> Decision:
    """Which grabs are in time: those that arrive before the moment at which no silent seat could still be first.

    `grabs` hold at most one for a seat. Before a seat's grab arrives it is as silent as `others`.
    """
    by_arrival = sorted(grabs, key=lambda grab: (grab.arrived_ms, grab.arrival))
    still_silent: list[Rival] = [*others, *by_arrival]
    in_time: list[Contender] = []
    due: int | None = None
    for grab in by_arrival:
        if due is not None and grab.arrived_ms >= due:
            break
        in_time.append(grab)
        still_silent.remove(grab)
        due = decision_due(in_time, still_silent)
    return Decision(tuple(in_time), tuple(by_arrival[len(in_time) :]), due)


def decision_due(in_time: Sequence[Contender], still_silent: Sequence[Rival]) -> int:
    """The moment after which no silent seat can be first; not before the last arrival, and then if all have grabbed."""
    last = max(grab.arrived_ms for grab in in_time)
    if not still_silent:
        return last
    best = min(grab.adjusted_ms for grab in in_time)
    return max(last, best + max(seat.published_ms + seat.allowance_ms for seat in still_silent))


def dead_heat(grabs: Sequence[Contender], window_ms: int) -> tuple[Contender, ...]:
    """The best grab and all less than `window_ms` after it (from the best, not in chains); equal times always."""
    best = min(grab.adjusted_ms for grab in grabs)
    return tuple(grab for grab in grabs if grab.adjusted_ms - best < max(window_ms, 1))


def first(grabs: Sequence[Contender], window_ms: int) -> Contender:
    """The grab that counts: in a dead heat more fingers, then the lower grip, then the earlier arrival (T-45, T-52)."""
    heat = dead_heat(grabs, window_ms)
    return min(heat, key=lambda grab: (-grab.fingers, grab.grip_height, grab.arrival))


def is_implausible(adjusted_ms: int) -> bool:
    """Whether the time is too short for a reaction."""
    return adjusted_ms < IMPLAUSIBLE_MS


def milliseconds_between(earlier: str, later: str) -> int:
    """Whole milliseconds from one RFC 3339 time to another, rounded down; 0 if they stand the other way round."""
    span = datetime.fromisoformat(later) - datetime.fromisoformat(earlier)
    return max(span // timedelta(milliseconds=1), 0)
