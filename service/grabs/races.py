"""Games whose seats race each other: what the service must know of such a game. Start reading here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain import totem
from domain.game import Due, Event, Move
from domain.totem.arbitration import milliseconds_between
from domain.totem.board import Over, Refereeing, Undealt
from domain.totem.events import FoulReported, FoulReversed
from domain.totem.moves import Grab, JudgeGrabs, MeasuredGrab, SilentSeat, TurnUp, VoidGrabs
from domain.totem.state import State
from domain.totem.verdicts import DeadHeatFound, GrabsJudged
from service.store.rows import GrabRow

PUBLISHED_MS_MAX = 150
"""How long after the time in its line a reveal may have been pushed: no seat chooses it, and a slow store no more."""
SPAN_MS_MAX = 86_400_000
LAID = "laid before the referee"
GRABS_JUDGED_MAX = 64
"""In one judgement: it lies in one event line, twice, of at most 65,535 bytes."""


class Arrival(Struct, frozen=True):
    """A grab as it came: whose, when, and what is known of its seat.

    `published` is when what it answers was pushed to the seat (None: not from here, so it counts from the line),
    `rtt_ms` the latency figure of that seat.
    """

    seat: int
    move: Any
    arrived: str
    published: str | None
    rtt_ms: int


class Rival(Struct, frozen=True):
    """A seat that has not grabbed, and what is known of it, as in an Arrival."""

    seat: int
    published: str | None
    rtt_ms: int


class Race(Struct, frozen=True, kw_only=True):
    """One such game, as pure functions of its state."""

    grab: type[Move]
    held: frozenset[type[Move]]
    """Moves that wait while grabs lie undecided."""
    holds: Callable[[Due], bool]
    """(due) -> whether what the table does by itself waits as well."""
    refuse: Callable[[Any, int, Any], None]
    """(state, seat, grab) -> None, or raises Refused for a grab that cannot be judged at all."""
    since: Callable[[Any], str | None]
    """(state) -> the time in the line from which reactions count now; None while nothing can be grabbed for."""
    measured: Callable[[Any, Arrival], tuple[int, int]]
    """(state, arrival) -> published and elapsed ms."""
    judging: Callable[[Any, Sequence[GrabRow], Sequence[Rival]], Move]
    """(state, grabs in the order of their commits, the others) -> the table's move that judges them."""
    due: Callable[[Any, Any], str | None]
    """(state, that move) -> when it falls due; None if no grab can count, so that nothing is awaited."""
    playing: Callable[[Any], tuple[int, ...]]
    """(state) -> the seats that may be first."""
    outcome: Callable[[Event, int, str], str | None]
    """(event, seat, arrived) -> what became of that grab, if this event says so; LAID if a referee is to say it."""
    heat: Callable[[Any], Sequence[Any]]
    """(state) -> the grabs that lie before a referee, each with its `seat` and when it `arrived`."""
    window_ms: Callable[[Any], int]
    """(state) -> how long a referee may take over a dead heat; 0 without one."""
    voiding: Callable[[Sequence[Any], Sequence[GrabRow]], Sequence[Move]]
    """(grabs before a referee, grabs) -> the table's moves that void them."""
    voided_by: frozenset[type[Event]]
    """Events that void what lies undecided although play goes on."""
    reaction: Callable[[str, Any, Any, Callable[[int], int]], int | None]
    """(strength, memory, view, below) -> after how many ms a bot grabs, if at all."""
    reveal: Callable[[Any], int]
    """(state) -> the number of the last reveal of the round; 0 before the first."""
    is_settled: Callable[[Any], bool]
    """(state) -> whether what that reveal showed has been grabbed for already."""
    bots_grab: Callable[[Any, int], Move]
    """(state, reaction in ms) -> the bot's move."""


def _since(state: State) -> str | None:
    board = state.board
    if isinstance(board.phase, Undealt | Over):
        return None
    return board.resolved_at or board.revealed_at


def _published_ms(state: State, published: str | None) -> int:
    since = _since(state)
    if since is None or published is None:
        return 0
    return min(milliseconds_between(since, published), PUBLISHED_MS_MAX)


def _measured(state: State, arrival: Arrival) -> tuple[int, int]:
    since = _since(state) or arrival.arrived
    published = _published_ms(state, arrival.published)
    elapsed = milliseconds_between(since, arrival.arrived) - published
    return published, min(max(elapsed, 0), SPAN_MS_MAX)


_grab = msgspec.json.Decoder(Grab)


def _judging(state: State, grabs: Sequence[GrabRow], rivals: Sequence[Rival]) -> JudgeGrabs:
    silent = tuple(SilentSeat(one.seat, _published_ms(state, one.published), one.rtt_ms) for one in rivals)
    return JudgeGrabs(_by_arrival(grabs), silent)


def _by_arrival(grabs: Sequence[GrabRow]) -> tuple[MeasuredGrab, ...]:
    return tuple(_measured_grab(number, row) for number, row in enumerate(sorted(grabs, key=lambda row: row.arrived)))


def _voiding(heat: Sequence[MeasuredGrab], grabs: Sequence[GrabRow]) -> list[Move]:
    rows = _by_arrival(grabs)
    parts = [rows[first : first + GRABS_JUDGED_MAX] for first in range(0, len(rows), GRABS_JUDGED_MAX)]
    return [VoidGrabs(tuple(part)) for part in (heat, *parts) if part]


def _measured_grab(number: int, row: GrabRow) -> MeasuredGrab:
    move = _grab.decode(row.move)
    return MeasuredGrab(
        seat=row.seat,
        reveal=move.reveal,
        arrival=number,
        arrived=row.arrived,
        elapsed_ms=row.elapsed_ms,
        published_ms=row.published_ms,
        reaction_ms=move.reaction_ms,
        rtt_ms=row.rtt_ms,
        fingers=move.fingers,
        grip_height=move.grip_height,
    )


def _outcome(event: Event, seat: int, arrived: str) -> str | None:
    match event:
        case GrabsJudged(grabs=judged):
            return next((grab.outcome for grab in judged if (grab.seat, grab.arrived) == (seat, arrived)), None)
        case DeadHeatFound(grabs=laid) if any((grab.seat, grab.arrived) == (seat, arrived) for grab in laid):
            return LAID
        case _:
            return None


def _heat(state: State) -> tuple[MeasuredGrab, ...]:
    heat = state.board.phase
    return heat.grabs if isinstance(heat, Refereeing) else ()


RACES: Mapping[str, Race] = {
    "totem": Race(
        grab=Grab,
        held=frozenset({TurnUp}),
        holds=lambda due: due.what != "turn",  # that a turn does not open would tell of a grab
        refuse=totem.grab_error,
        since=_since,
        measured=_measured,
        judging=_judging,
        due=totem.judging_due,
        playing=lambda state: state.board.playing,
        outcome=_outcome,
        heat=_heat,
        window_ms=lambda state: state.rules.referee_window_ms if state.rules.refereed else 0,
        voiding=_voiding,
        voided_by=frozenset({FoulReported, FoulReversed}),
        reaction=totem.reaction_ms,
        reveal=lambda state: state.board.reveal,
        is_settled=lambda state: state.board.resolved_at is not None,
        bots_grab=lambda state, reaction: Grab(state.board.reveal, reaction_ms=reaction),
    )
}
"""The games whose seats race each other, by name."""

GRABS = frozenset(race.grab for race in RACES.values())
HELD = frozenset(move for race in RACES.values() for move in race.held)

ANSWERS: Mapping[str, str] = {"won": "won", "foul": "foul", "beaten": "lost", "late": "late", "settling": "late"}
"""What a grab is answered, by its outcome; every other outcome is void."""


def answered(outcome: str) -> str:
    """The one final answer of a grab: won, lost, late, foul or void."""
    return ANSWERS.get(outcome, "void")
