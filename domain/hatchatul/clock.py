"""What becomes due at a table of Hatchatul, and what is played for a seat whose clock ran out."""

from domain.fair import Dice
from domain.game import Due, Event, Move
from domain.hatchatul import moves as m
from domain.hatchatul.decide import answer
from domain.hatchatul.ending_events import TimeExpired
from domain.hatchatul.events import SeatTimedOut
from domain.hatchatul.evolve import evolve
from domain.hatchatul.state import (
    HoldingAction,
    HoldingNumber,
    Over,
    Peeking,
    State,
    TurnEnd,
    TurnStart,
    in_game,
    leaders,
)
from domain.hatchatul.turns import is_dropped


def due(state: State) -> Due | None:
    """The clock of those who are to act, or the end of the mode's time where that comes first (H-22, H-28)."""
    sitting = state.sitting
    match state.phase:
        case Peeking(waiting, at):
            return sooner(Due(at, "peek", waiting), state)
        case TurnStart(turn) | HoldingNumber(turn) | HoldingAction(turn) | TurnEnd(turn):
            return sooner(Due(turn.due, "turn", (turn.seat,)), state)
        case Over() if sitting.ends_at is not None and not sitting.finished:
            return Due(sitting.ends_at, "time_up")
    return None


def sooner(clock: Due, state: State) -> Due:
    """`clock`, or the end of the mode's time if it drops the round before; the same seats are awaited till then."""
    ends_at = state.sitting.ends_at
    if ends_at is None or state.sitting.rules.time_policy == "finish_round":
        return clock
    if clock.at is not None and clock.at < ends_at:
        return clock
    return Due(ends_at, "time_up", clock.seats)


def when_due(state: State, due: Due, at: str, dice: Dice) -> list[Event]:
    """The time of the mode is up; or the opening look is skipped, or the whole turn played, for `due.seats`."""
    sitting = state.sitting
    if isinstance(state.phase, Over) or is_dropped(state, at):
        return [TimeExpired(leaders(sitting.totals, in_game(sitting)))]
    events: list[Event] = []
    for seat in due.seats:
        timed_out = SeatTimedOut(seat)
        state, played = play_out(evolve(state, timed_out), seat, at, dice)
        events += [timed_out, *played]
    return events


def play_out(state: State, seat: int, at: str, dice: Dice) -> tuple[State, list[Event]]:
    """All that is left of a seat's look or turn, played as H-28 says, and the state after it."""
    events: list[Event] = []
    while (move := next_move(state, seat)) is not None:
        done = answer(state, seat, move, at, dice)
        for event in done:
            state = evolve(state, event)
        events += done
    return state, events


def next_move(state: State, seat: int) -> Move | None:
    """The clock's move for `seat`: no look, no power, no knock; None once it is not to act any more."""
    match state.phase:
        case Peeking(waiting) if seat in waiting:
            return m.Skip()
        case TurnStart(turn) if turn.seat == seat:
            return m.Waive() if turn.extra and state.sitting.rules.draw_two == "two_turns" else m.DrawStock()
        case HoldingNumber(turn) | HoldingAction(turn) if turn.seat == seat:
            return m.Throw()
        case TurnEnd(turn) if turn.seat == seat:
            return m.EndTurn()
    return None
