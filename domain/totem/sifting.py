"""Before a judgement: which grabs are void whatever their time, which were measured, which of those were in time."""

from __future__ import annotations

from collections.abc import Container, Mapping

from msgspec import Struct
from msgspec.structs import replace

from domain.totem.arbitration import (
    Contender,
    allowance,
    decision,
    grabbed,
    is_implausible,
    milliseconds_between,
    silent,
)
from domain.totem.board import Choosing, Grip, Refereeing, live_matches, matches
from domain.totem.moves import JudgeGrabs, MeasuredGrab
from domain.totem.state import State, quota_ms
from domain.totem.verdicts import JudgedGrab, Outcome

NO_FIGURES = Grip(-1, 1, 100)
"""A seat without a referee's figures holds the totem by one finger at the top (T-45)."""


class Sifted(Struct, frozen=True):
    """Grabs by arrival and, by their place there, what was measured and what becomes of them if they do not count.

    `in_time` are the contenders for the one that counts; the decision fell due at `due_ms`.
    """

    grabs: tuple[MeasuredGrab, ...]
    measured: dict[int, Contender]
    outcomes: dict[int, Outcome]
    in_time: tuple[Contender, ...]
    due_ms: int | None


def sift(state: State, judging: JudgeGrabs, grips: Mapping[int, Grip], gone: Container[int] = ()) -> Sifted:
    """Sort out the grabs of a judgement. `gone` have left while a referee looked at them (T-44)."""
    grabs = tuple(sorted(judging.grabs, key=lambda grab: grab.arrival))
    outcomes: dict[int, Outcome] = {}
    measured: dict[int, Contender] = {}
    playing, answered = state.board.playing, list(state.board.answered)
    for number, grab in enumerate(grabs):
        void = _void(state, grab, answered, gone)
        if void is None or void == "frozen":
            answered.append(grab.seat)
        if void is None:
            measured[number] = contender = _contender(state, grab, grips)
            if contender.adjusted_ms < state.rules.min_reaction_ms:
                void = "too_fast"
        if void is not None:
            outcomes[number] = void
    waited_for = [s for s in judging.silent if s.seat not in answered and (s.seat in playing or s.seat in gone)]
    others = [silent(s, quota_ms(state, s.seat)) for s in waited_for]
    contenders = {contender.seat: number for number, contender in measured.items() if number not in outcomes}
    decided = decision([measured[number] for number in contenders.values()], others)
    for contender in decided.in_time:
        outcomes[contenders[contender.seat]] = "left" if contender.seat in gone else "beaten"
    for contender in decided.late:
        outcomes[contenders[contender.seat]] = "late"
    in_time = tuple(contender for contender in decided.in_time if contender.seat not in gone)
    return Sifted(grabs, measured, outcomes, in_time, decided.due_ms)


def _void(state: State, grab: MeasuredGrab, answered: Container[int], gone: Container[int]) -> Outcome | None:
    """Why a grab cannot count, whatever its time; None if it can."""
    board = state.board
    if grab.seat not in board.playing and grab.seat not in gone:
        return "left"
    if grab.reveal < board.reveal:
        return "old_reveal"
    if isinstance(board.phase, Choosing):
        return "choice_open"
    if isinstance(board.phase, Refereeing):
        return "late"
    if board.resolved_at is not None and _is_settling(state, board.resolved_at, grab.arrived):
        return "settling"
    if grab.seat not in gone and _is_left_alone(state, grab):
        return "settling"
    if grab.seat in answered:
        return "repeated"
    return "frozen" if state.rules.frozen_grab == "void" and _is_frozen(state, grab.seat) else None


def _is_settling(state: State, since: str, arrived: str) -> bool:
    """T-25, T-54: the grab came before, or shortly after."""
    return arrived < since or milliseconds_between(since, arrived) < state.rules.settle_ms


def _is_left_alone(state: State, grab: MeasuredGrab) -> bool:
    """T-44: somebody has just left, and there is nothing to grab for now that may have been there before."""
    board = state.board
    if board.left_at is None or not _is_settling(state, board.left_at, grab.arrived):
        return False
    return not board.inward and all(grab.seat not in group for group in live_matches(board).values())


def _is_frozen(state: State, seat: int) -> bool:
    """T-24: the only match of `seat` is a frozen one."""
    board = state.board
    if board.inward or not board.frozen:
        return False
    return any(seat in group and key in board.frozen for key, group in matches(board.tops).items())


def _contender(state: State, grab: MeasuredGrab, grips: Mapping[int, Grip]) -> Contender:
    contender = grabbed(grab, quota_ms(state, grab.seat))
    if not state.rules.refereed:
        return contender
    grip = grips.get(grab.seat, NO_FIGURES)
    return replace(contender, fingers=grip.fingers, grip_height=grip.grip_height)


def judged_grab(state: State, grab: MeasuredGrab, measured: Contender | None, outcome: Outcome) -> JudgedGrab:
    """The grab as the judging line tells it; a late one was measured for nothing, and costs nothing."""
    quota = quota_ms(state, grab.seat)
    figures = measured or grab
    adjusted = measured.adjusted_ms if measured is not None and outcome != "late" else None
    return JudgedGrab(
        grab.seat,
        grab.reveal,
        grab.arrival,
        grab.arrived,
        grab.published_ms,
        grab.elapsed_ms,
        grab.reaction_ms,
        grab.rtt_ms,
        quota,
        allowance(quota, grab.rtt_ms),
        0 if adjusted is None else grab.elapsed_ms - adjusted,
        adjusted,
        figures.fingers,
        figures.grip_height,
        adjusted is not None and is_implausible(adjusted),
        outcome,
    )
