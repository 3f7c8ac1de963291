"""Whose turn comes next: after a look, a turn, a knock, or when somebody leaves."""

from domain.fair import Dice
from domain.game import Event
from domain.hatchatul import events as e
from domain.hatchatul.deal import turn
from domain.hatchatul.ending_events import GameForfeited
from domain.hatchatul.evolve import evolve
from domain.hatchatul.opening_events import PeekingEnded
from domain.hatchatul.reveal import reveal
from domain.hatchatul.state import (
    HoldingAction,
    HoldingNumber,
    Over,
    Peeking,
    State,
    TurnEnd,
    TurnStart,
    Undealt,
    clockwise,
    in_game,
)

IDLE_LAPS_MAX = 3
"""So many laps, all played by the clock, and the table is taken for abandoned (H-33)."""


def after_look(state: State, seat: int, at: str) -> list[Event]:
    """Once the last has looked or skipped, play begins on the dealer's left (H-03)."""
    assert isinstance(state.phase, Peeking)
    return first_turn(state, at) if state.phase.waiting == (seat,) else []


def first_turn(state: State, at: str) -> list[Event]:
    """The setup is over."""
    first = clockwise(state.course.seats, state.sitting.dealer or 0)[0]
    return [PeekingEnded(), turn(state.sitting.rules, first, at)]


def after_turn(state: State, event: e.TurnEnded | e.Knocked, at: str, dice: Dice) -> list[Event]:
    """A turn has ended with `event`: the reveal at the cap (H-25) or when nobody plays (H-33), else the next turn."""
    after, cap = evolve(state, event), state.sitting.rules.max_turns_per_round
    if cap is not None and after.course.turns >= cap:
        return [event, *reveal(after, "turn_cap", at, dice)]
    if after.course.idle >= IDLE_LAPS_MAX * len(after.course.seats):
        return [event, *reveal(after, "abandoned", at, dice)]
    return [event, *next_turn(after, event.seat, at, dice)]


def knock(state: State, seat: int, at: str, dice: Dice) -> list[Event]:
    """The turn ends, and each of the others has one more, in order (H-17)."""
    return after_turn(state, e.Knocked(seat, clockwise(state.course.seats, seat)[:-1]), at, dice)


def next_turn(state: State, seat: int, at: str, dice: Dice) -> list[Event]:
    """The next player clockwise; in the last lap the next who waits for it, and then the reveal (H-17)."""
    course, rules = state.course, state.sitting.rules
    if course.knocker is None:
        return [turn(rules, clockwise(course.seats, seat)[0], at)]
    if course.waiting:
        return [turn(rules, course.waiting[0], at)]
    return reveal(state, "lap_done", at, dice)


def leave(state: State, seat: int, at: str, dice: Dice) -> list[Event]:
    """A seat has left (H-23): its cards are set aside, and play goes on without it, or one remains and has won."""
    event = e.SeatWithdrawn(seat)
    after = evolve(state, event)
    remaining = in_game(after.sitting)
    if len(remaining) == 1 and not state.sitting.finished:
        return [event, GameForfeited(remaining[0])]
    match state.phase, after.phase:
        case Peeking(), Peeking(waiting=()):
            return [event, *first_turn(after, at)]
        case ((TurnStart(now) | HoldingNumber(now) | HoldingAction(now) | TurnEnd(now)), _) if now.seat == seat:
            return [event, *next_turn(after, seat, at, dice)]
    return [event]


def is_dropped(state: State, at: str) -> bool:
    """Whether the time of the mode has run out on a round that is to be dropped then (H-22)."""
    ends_at = state.sitting.ends_at
    if ends_at is None or at < ends_at or state.sitting.rules.time_policy == "finish_round":
        return False
    return not isinstance(state.phase, Undealt | Over)
