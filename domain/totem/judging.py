"""The judgement of grabs: which one counts, whether it was right, and what becomes of every other one (T-51 …)."""

from __future__ import annotations

from collections.abc import Container, Mapping

from msgspec import Struct
from msgspec.structs import replace

from domain.fair import Dice
from domain.game import Event, Refused
from domain.times import later
from domain.totem.arbitration import (
    Contender,
    Decision,
    allowance,
    dead_heat,
    decision,
    first,
    grabbed,
    is_implausible,
    milliseconds_between,
    silent,
)
from domain.totem.board import Board, Choosing, Grip, Over, Refereeing, Undealt, live_matches, matches
from domain.totem.moves import Grab, JudgeGrabs, MeasuredGrab
from domain.totem.resolution import duel, duel_of_many, foul, inward
from domain.totem.state import State, quota_ms
from domain.totem.verdicts import DeadHeatFound, GrabsJudged, JudgedGrab, Outcome, Verdict

NO_FIGURES = Grip(-1, 1, 100)
"""A seat without a referee's figures holds the totem by one finger at the top (T-45)."""


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
    sifted = _sift(state, judging, {})
    heat = _unclear(state, sifted, {})
    if heat:
        due = later(at, milliseconds=state.rules.referee_window_ms)
        return [DeadHeatFound(judging.grabs, judging.silent, heat, due)]
    return _judged(state, judging, sifted, at, dice)


def judge_heat(state: State, heat: Refereeing, at: str, dice: Dice) -> list[Event]:
    """Judge the grabs of a dead heat by the referee's figures, such as they are (T-45)."""
    state, judging, grips = _resumed(state, heat)
    return _judged(state, judging, _sift(state, judging, grips), at, dice, refereed=True)


def rejudge(state: State, heat: Refereeing, at: str, dice: Dice) -> list[Event]:
    """Look again at a dead heat that a seat has left: it may be clear now, or another one (T-44)."""
    state, judging, grips = _resumed(state, heat)
    sifted = _sift(state, judging, grips)
    seats = _unclear(state, sifted, grips)
    if not seats:
        return _judged(state, judging, sifted, at, dice, refereed=True)
    return [] if seats == heat.seats else [DeadHeatFound(heat.grabs, heat.silent, seats, heat.due)]


def _resumed(state: State, heat: Refereeing) -> tuple[State, JudgeGrabs, dict[int, Grip]]:
    going = replace(state, board=replace(state.board, phase=heat.after))
    return going, JudgeGrabs(heat.grabs, heat.silent), {grip.seat: grip for grip in heat.grips}


def _unclear(state: State, sifted: _Sifted, grips: Mapping[int, Grip]) -> tuple[int, ...]:
    """The seats of a dead heat that waits for a referee's figures; () if the decision is clear."""
    in_time = sifted.decision.in_time
    if not state.rules.refereed or not in_time:
        return ()
    heat = tuple(sorted(grab.seat for grab in dead_heat(in_time, state.rules.dead_heat_ms)))
    return heat if len(heat) > 1 and any(seat not in grips for seat in heat) else ()


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
    due = _sift(state, judging, {}).decision.due_ms
    since = state.board.resolved_at or state.board.revealed_at
    return later(since, milliseconds=due) if since and due is not None else None


class _Sifted(Struct, frozen=True):
    """Grabs by arrival: those void from the start with their outcome, those that were measured, and the decision."""

    grabs: tuple[MeasuredGrab, ...]
    voids: dict[int, Outcome]
    measured: dict[int, Contender]
    decision: Decision


def _sift(state: State, judging: JudgeGrabs, grips: Mapping[int, Grip]) -> _Sifted:
    grabs = tuple(sorted(judging.grabs, key=lambda grab: grab.arrival))
    voids: dict[int, Outcome] = {}
    measured: dict[int, Contender] = {}
    answered = set(state.board.answered)
    settled = later(state.board.resolved_at, milliseconds=state.rules.settle_ms) if state.board.resolved_at else ""
    for number, grab in enumerate(grabs):
        void = _void(state.board, grab, settled, answered)
        if void is None:
            answered.add(grab.seat)
            if _is_ignored(state, grab.seat):
                void = "frozen"
            else:
                measured[number] = _contender(state, grab, grips)
                if measured[number].adjusted_ms < state.rules.min_reaction_ms:
                    void = "too_fast"
        if void is not None:
            voids[number] = void
    others = [silent(s, quota_ms(state, s.seat)) for s in judging.silent if s.seat not in answered]
    contenders = [contender for number, contender in measured.items() if number not in voids]
    return _Sifted(grabs, voids, measured, decision(contenders, others))


def _void(board: Board, grab: MeasuredGrab, settled: str, answered: Container[int]) -> Outcome | None:
    """Why a grab cannot count, whatever its time; None if it can."""
    if grab.seat not in board.playing:
        return "left"
    if grab.reveal < board.reveal:
        return "old_reveal"
    if isinstance(board.phase, Choosing):
        return "choice_open"
    if isinstance(board.phase, Refereeing):
        return "late"
    if grab.arrived < settled:
        return "settling"
    return "repeated" if grab.seat in answered else None


def _is_ignored(state: State, seat: int) -> bool:
    """T-24: under `frozen_grab: void`, a seat whose only match is frozen."""
    board = state.board
    if state.rules.frozen_grab == "foul" or board.inward:
        return False
    return any(seat in group and key in board.frozen for key, group in matches(board.tops).items())


def _contender(state: State, grab: MeasuredGrab, grips: Mapping[int, Grip]) -> Contender:
    contender = grabbed(grab, quota_ms(state, grab.seat))
    if not state.rules.refereed:
        return contender
    grip = grips.get(grab.seat, NO_FIGURES)
    return replace(contender, fingers=grip.fingers, grip_height=grip.grip_height)


def _judged(
    state: State, judging: JudgeGrabs, sifted: _Sifted, at: str, dice: Dice, *, refereed: bool = False
) -> list[Event]:
    """The line with every input, and what the grab that counts leads to."""
    in_time = sifted.decision.in_time
    counts = first(in_time, state.rules.dead_heat_ms).seat if in_time else None
    verdict, losers, effects = _effects(state, counts, at, dice)
    outcomes: dict[int, Outcome] = {contender.seat: "beaten" for contender in in_time}
    outcomes.update({contender.seat: "late" for contender in sifted.decision.late})
    if counts is not None:
        outcomes[counts] = "foul" if verdict == "foul" else "won"
    grabs = tuple(
        _entry(state, grab, sifted.measured.get(number), sifted.voids.get(number) or outcomes[grab.seat])
        for number, grab in enumerate(sifted.grabs)
    )
    reveal = state.board.reveal
    told = GrabsJudged(reveal, grabs, judging.silent, sifted.decision.due_ms, verdict, counts, losers, refereed)
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


def _entry(state: State, grab: MeasuredGrab, measured: Contender | None, outcome: Outcome) -> JudgedGrab:
    quota = quota_ms(state, grab.seat)
    counted = measured if measured is not None and outcome != "late" else None
    figures = measured or grab
    return JudgedGrab(
        seat=grab.seat,
        reveal=grab.reveal,
        arrival=grab.arrival,
        arrived=grab.arrived,
        published_ms=grab.published_ms,
        elapsed_ms=grab.elapsed_ms,
        reaction_ms=grab.reaction_ms,
        rtt_ms=grab.rtt_ms,
        quota_ms=quota,
        allowance_ms=allowance(quota, grab.rtt_ms),
        compensation_ms=grab.elapsed_ms - counted.adjusted_ms if counted else 0,
        adjusted_ms=counted.adjusted_ms if counted else None,
        fingers=figures.fingers,
        grip_height=figures.grip_height,
        implausible=counted is not None and is_implausible(counted.adjusted_ms),
        outcome=outcome,
    )
