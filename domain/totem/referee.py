"""What a referee may do: report a foul, take the report back, say how the seats of a dead heat hold the totem."""

from __future__ import annotations

from msgspec.structs import replace

from domain.fair import Dice
from domain.game import Event, Move, Refused
from domain.times import later
from domain.totem.board import Board, Choosing, Going, Over, Refereeing, Showing, Turning, Undealt, going
from domain.totem.events import FoulReported, FoulReversed
from domain.totem.judging import judge_heat, voided
from domain.totem.moves import EnterGrip, ReportFoul, ReverseFoul
from domain.totem.public import board_after
from domain.totem.resolution import foul, totem_fell
from domain.totem.rules import TotemRules
from domain.totem.state import State, evolve
from domain.totem.turns import turn_due
from domain.totem.verdicts import GripEntered


def referee(state: State, move: Move, at: str, dice: Dice) -> list[Event]:
    """The events that a referee's move leads to, or Refused."""
    match state.board.phase, move:
        case ((Undealt() | Over()), _):
            raise Refused("T-38", "no cards are in play")
        case _, ReportFoul():
            return _report(state, move, at, dice)
        case _, ReverseFoul():
            return _reverse(state, at)
        case Refereeing() as heat, EnterGrip(seat=seat) if seat in heat.seats:
            return _enter_grip(state, move, at, dice)
        case Refereeing(), _:
            raise Refused("T-45", "that seat is not in the dead heat")
        case _:
            raise Refused("T-45", "there is no dead heat")


def _report(state: State, move: ReportFoul, at: str, dice: Dice) -> list[Event]:
    _check_report(state, move)
    told: list[Event] = [FoulReported(move.kind, move.offender)]
    if isinstance(state.board.phase, Refereeing):
        told.append(voided(state, state.board.phase.grabs, refereed=True))
    after = state
    for event in told:
        after = evolve(after, event)
    if move.offender is None:
        return [*told, *totem_fell(after, at)]
    return [*told, *foul(after, move.offender, move.kind, at, dice)]


def _check_report(state: State, move: ReportFoul) -> None:
    if not state.rules.fouls_enabled:
        raise Refused("T-46", "no fouls are reported at this table")
    if move.kind == "totem_fell_unknown":
        if not state.rules.totem_fell_unknown:
            raise Refused("T-48", "a totem that fell by itself is not reported at this table")
        if move.offender is not None:
            raise Refused("T-48", "this report names nobody")
    elif move.offender not in state.board.playing:
        raise Refused("T-46", "the offender must be a player of this round")


def _reverse(state: State, at: str) -> list[Event]:
    """T-50: all piles and the turn as they were; contests that the foul ended are on again, clocks run afresh."""
    before = state.before_foul
    if before is None:
        raise Refused("T-50", "no reported foul can be taken back now")
    board = before.board
    phase = _afresh(state.rules, board, at)
    return [FoulReversed(replace(board, phase=phase, resolved_at=at))]


def _afresh(rules: TotemRules, board: Board, at: str) -> Going | Choosing:
    """The phase before the foul, its clocks beginning now; undecided grabs stay void."""
    phase = board.phase
    if not isinstance(phase, Choosing):
        return _going_afresh(rules, going(board), at)
    timeout = rules.choice_timeout_ms
    due = later(at, milliseconds=timeout) if timeout else None
    return replace(phase, due=due, after=_going_afresh(rules, phase.after, at))


def _going_afresh(rules: TotemRules, phase: Going, at: str) -> Going:
    match phase:
        case Turning(seat=seat):
            return Turning(seat, turn_due(rules, at))
        case Showing(seat=seat, opens=opens):
            return Showing(seat, opens, turn_due(rules, at))
        case _:  # a count goes on, and a wait has ended with the foul: it left one player with cards
            return phase


def _enter_grip(state: State, move: EnterGrip, at: str, dice: Dice) -> list[Event]:
    """T-45: the window closes when every seat of the dead heat has its figures."""
    told = GripEntered(move.seat, move.fingers, move.grip_height)
    board = board_after(state.board, told)
    heat = board.phase
    assert isinstance(heat, Refereeing), "the dead heat is gone"
    if {grip.seat for grip in heat.grips} != set(heat.seats):
        return [told]
    return [told, *judge_heat(evolve(state, told), heat, at, dice)]
