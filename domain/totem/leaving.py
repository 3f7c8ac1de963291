"""What follows when a player leaves: his cards go under the totem, and nothing may wait for him (T-44)."""

from __future__ import annotations

from domain.fair import Dice
from domain.game import Event
from domain.totem.board import Choosing, Over, Refereeing, Showing, Turning, Undealt
from domain.totem.events import CardsWithdrawn
from domain.totem.judging import rejudge
from domain.totem.resolution import chosen_by_default
from domain.totem.state import State, evolve
from domain.totem.turns import after_resolution, announced, turn_of


def leave(state: State, seat: int, at: str, dice: Dice) -> list[Event]:
    """The events after `seat` has left; none if he had nothing left to play. His open choice is made for him."""
    board = state.board
    if isinstance(board.phase, Undealt | Over) or seat not in board.playing:
        return []
    told: list[Event] = []
    if isinstance(board.phase, Choosing) and board.phase.seat == seat:
        told = chosen_by_default(state, board.phase, at, dice)
        state = _fold(state, told)
        if isinstance(state.board.phase, Over) or seat not in state.board.playing:
            return told
    withdrawn = CardsWithdrawn(seat, len(state.draws[seat]), len(state.ups[seat]), at)
    return [*told, withdrawn, *_afterwards(evolve(state, withdrawn), at, dice)]


def _fold(state: State, told: list[Event]) -> State:
    for event in told:
        state = evolve(state, event)
    return state


def _afterwards(state: State, at: str, dice: Dice) -> list[Event]:
    match state.board.phase:
        case Choosing(losers=(_,)) as choosing:  # one loser is left: there is nothing to choose
            return chosen_by_default(state, choosing, at, dice)
        case Choosing():
            return []
        case Refereeing() as heat:
            told = rejudge(state, heat, at, dice)
            state = _fold(state, told)
            void = not isinstance(state.board.phase, Refereeing | Choosing | Over)
            return told + (_go_on(state, at) if void else [])
        case _:
            return _go_on(state, at)


def _go_on(state: State, at: str) -> list[Event]:
    """The leaver's turn passes clockwise; everybody else's goes on with the clock it has."""
    board = state.board
    match board.phase:
        case Turning(seat=seat) | Showing(seat=seat) if seat in board.playing and len(board.playing) > 1:
            return announced(state.rules, board)
        case _:
            return after_resolution(state.rules, board, turn_of(board), at)
