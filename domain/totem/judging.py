"""The judgement of grabs: which one counts, whether it was right, and what becomes of every other one (T-51 …)."""

from __future__ import annotations

from collections.abc import Container, Iterable

from msgspec.structs import replace

from domain.fair import Dice
from domain.game import Event, Refused
from domain.times import later
from domain.totem.arbitration import dead_heat, first, milliseconds_between
from domain.totem.board import Over, Refereeing, Undealt, live_matches
from domain.totem.moves import Grab, JudgeGrabs, MeasuredGrab, VoidGrabs
from domain.totem.resolution import duel, duel_of_many, foul, inward
from domain.totem.sifting import Sifted, judged_grab, sift
from domain.totem.state import State
from domain.totem.verdicts import DeadHeatFound, GrabsJudged, Outcome, Verdict


def grab_error(state: State, seat: int, grab: Grab) -> None:
    """Refuse at once a grab that cannot be judged at all: no foul, no line. Raises Refused (T-44, T-55)."""
    board = state.board
    if isinstance(board.phase, Undealt | Over):
        raise Refused("T-38", "no cards are in play")
    if seat not in board.playing:
        raise Refused("T-44", "you are not in this round any more")
    if board.reveal == 0:
        raise Refused("T-55", "no card lies open yet")
    if grab.reveal > board.reveal:
        raise Refused("T-55", f"reveal {grab.reveal} is not yet published; the last one is {board.reveal}")


def judge(state: State, judging: JudgeGrabs, at: str, dice: Dice) -> list[Event]:
    """Judge all grabs that lie undecided; `totem.grabs_judged` first, then what follows from it.

    On a refereed table a dead heat is laid before the referee instead (T-45). Raises Refused as `grab_error` does.
    """
    if isinstance(state.board.phase, Undealt | Over):
        raise Refused("T-38", "no cards are in play")
    for grab in judging.grabs:
        if grab.reveal > state.board.reveal:
            raise Refused("T-55", f"reveal {grab.reveal} is not yet published")
    sifted = sift(state, judging, {})
    heat = _unclear(state, sifted, {})
    if heat:
        due = later(at, milliseconds=state.rules.referee_window_ms)
        return [DeadHeatFound(judging.grabs, judging.silent, heat, due)]
    return _judged(state, judging, sifted, at, dice)


def void(state: State, voiding: VoidGrabs, at: str, dice: Dice) -> list[Event]:
    """Void grabs that play does not wait for (T-54); with all those of a dead heat, that is over too.

    Raises Refused where no grab can lie undecided.
    """
    del at, dice
    phase = state.board.phase
    if isinstance(phase, Undealt | Over):
        raise Refused("T-38", "no cards are in play")
    heat = isinstance(phase, Refereeing) and {*phase.grabs} <= {*voiding.grabs}
    return [voided(state, voiding.grabs, refereed=heat)]


def voided(state: State, grabs: Iterable[MeasuredGrab], *, refereed: bool) -> GrabsJudged:
    """The line by which grabs are void that nobody judged."""
    told = tuple(judged_grab(state, grab, None, "voided") for grab in sorted(grabs, key=lambda grab: grab.arrival))
    return GrabsJudged(state.board.reveal, told, (), None, "void", refereed=refereed)


def judge_heat(state: State, heat: Refereeing, at: str, dice: Dice) -> list[Event]:
    """Judge the grabs of a dead heat by the referee's figures, such as they are (T-45)."""
    state, judging, sifted = _resumed(state, heat)
    return _judged(state, judging, sifted, at, dice, refereed=True)


def rejudge(state: State, heat: Refereeing, at: str, dice: Dice) -> list[Event]:
    """Look again at a dead heat that a seat has left: it may be clear now, or another one (T-44)."""
    state, judging, sifted = _resumed(state, heat)
    seats = _unclear(state, sifted, {grip.seat for grip in heat.grips})
    if not seats:
        return _judged(state, judging, sifted, at, dice, refereed=True)
    return [] if seats == heat.seats else [DeadHeatFound(heat.grabs, heat.silent, seats, heat.due)]


def _resumed(state: State, heat: Refereeing) -> tuple[State, JudgeGrabs, Sifted]:
    state = replace(state, board=replace(state.board, phase=heat.after))
    judging = JudgeGrabs(heat.grabs, heat.silent)
    return state, judging, sift(state, judging, {grip.seat: grip for grip in heat.grips}, heat.gone)


def _unclear(state: State, sifted: Sifted, known: Container[int]) -> tuple[int, ...]:
    """The seats of a dead heat of which not all have a referee's figures; () if the decision is clear."""
    if not state.rules.refereed or not sifted.in_time:
        return ()
    heat = tuple(sorted(grab.seat for grab in dead_heat(sifted.in_time, state.rules.dead_heat_ms)))
    return heat if len(heat) > 1 and any(seat not in known for seat in heat) else ()


def judge_one(state: State, seat: int, grab: Grab, at: str, dice: Dice) -> list[Event]:
    """Judge a single grab at once, nobody being waited for: play within one process, without a network.

    What the client claims as its reaction is then the time that passed; without a claim it is counted from the
    last reveal or resolution.
    """
    grab_error(state, seat, grab)
    elapsed = grab.reaction_ms
    if elapsed is None:
        elapsed = milliseconds_between(state.board.resolved_at or state.board.revealed_at or at, at)
    measured = MeasuredGrab(
        seat=seat,
        reveal=grab.reveal,
        arrival=0,
        arrived=at,
        elapsed_ms=elapsed,
        reaction_ms=grab.reaction_ms,
        fingers=grab.fingers,
        grip_height=grab.grip_height,
    )
    return judge(state, JudgeGrabs((measured,)), at, dice)


def judging_due(state: State, judging: JudgeGrabs) -> str | None:
    """When the decision on these grabs falls due (A4); None if none of them can count, so that nothing is awaited."""
    due = sift(state, judging, {}).due_ms
    since = state.board.resolved_at or state.board.revealed_at
    return later(since, milliseconds=due) if since and due is not None else None


def _judged(
    state: State, judging: JudgeGrabs, sifted: Sifted, at: str, dice: Dice, *, refereed: bool = False
) -> list[Event]:
    """The line with every input, and what the grab that counts leads to."""
    counts = first(sifted.in_time, state.rules.dead_heat_ms) if sifted.in_time else None
    seat = counts.seat if counts else None
    verdict, losers, effects = _effects(state, seat, at, dice)
    counted: Outcome = "foul" if verdict == "foul" else "won"
    grabs = tuple(
        judged_grab(state, grab, measured, counted if counts and measured is counts else sifted.outcomes[number])
        for number, grab in enumerate(sifted.grabs)
        for measured in (sifted.measured.get(number),)
    )
    told = GrabsJudged(state.board.reveal, grabs, judging.silent, sifted.due_ms, verdict, seat, losers, refereed)
    return [told, *effects]


def _effects(state: State, counts: int | None, at: str, dice: Dice) -> tuple[Verdict, tuple[int, ...], list[Event]]:
    """T-14, T-18: what the grab of `counts` was, whom it beat, and what follows."""
    if counts is None:
        return "void", (), []
    if state.board.inward:
        return "inward", (), inward(state, counts, at)
    group = next((group for group in live_matches(state.board).values() if counts in group), None)
    if group is None:
        return "foul", (), foul(state, counts, "needless_grab", at, dice)
    losers = tuple(seat for seat in group if seat != counts)
    if len(losers) == 1:
        return "duel", losers, duel(state, counts, losers[0], at, dice)
    return "multi_duel", losers, duel_of_many(state, counts, losers, at, dice)
