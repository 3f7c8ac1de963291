"""Which moves the rules allow, and what each makes happen: a table of (state, move)."""

from __future__ import annotations

from domain.fair import Dice
from domain.game import Event, Refused
from domain.kishpa import events as told
from domain.kishpa.clock import finished
from domain.kishpa.deal import close_window, decline
from domain.kishpa.evolve import evening_of, rules_of
from domain.kishpa.moves import Discard, Draw, Expose, Load, Moves, Pass, Take
from domain.kishpa.payments import exposure, false_win, one_load, pay
from domain.kishpa.state import Drawing, Exposing, Holding, State
from domain.kishpa.telling import Telling
from domain.kishpa.turns import draw, exhaust, is_banned, melds_after, throw, win


def decide(state: State, seat: int, move: Moves, at: str, dice: Dice) -> list[Event]:
    """The events of a seat's move, or Refused with the clause."""
    telling = Telling(state, at, dice)
    match state, move:
        case _, Load():
            _load(telling, seat)
        case Exposing(awaited=awaited), Pass() if seat in awaited:
            decline(telling, seat)
        case Exposing(awaited=awaited), Expose() if seat in awaited:
            _expose(telling, state, seat)
        case Drawing(seat=turn, last_chance=False), Draw() if seat == turn:
            draw(telling)
        case Drawing(seat=turn), Take() if seat == turn:
            telling.tell(told.DiscardTaken(seat, state.round.discards[-1]))
        case Drawing(seat=turn, last_chance=True), Pass() if seat == turn:
            exhaust(telling, "chance")
        case Holding(seat=turn), Discard() if seat == turn:
            _discard(telling, state, move)
        case _:
            raise _refusal(state, seat)
    return telling.events


def _load(telling: Telling, seat: int) -> None:
    """One load, at any time while the seat may still play (K-80)."""
    state = telling.state
    if finished(state):
        raise Refused("K-77", "the last round is over")
    if seat in evening_of(state).left:
        raise Refused("K-83", "you have left this table")
    telling.tell(told.TokensLoaded(seat, (one_load(rules_of(state), seat, "K-80"),)))


def _expose(telling: Telling, state: Exposing, seat: int) -> None:
    if state.round.kishpa not in state.round.hands[seat]:
        raise Refused("K-51", "you do not hold the kishpa's twin")
    pay(telling, state.round.rules, exposure(state.round, seat))
    close_window(telling)


def _discard(telling: Telling, state: Holding, move: Discard) -> None:
    round_, seat = state.round, state.seat
    hand = round_.hands[seat]
    if move.tile not in hand:
        raise Refused("K-25", "you do not hold that tile")
    tile = hand[hand.index(move.tile)]  # the one that lies there: a name that came with a request is not kept
    if is_banned(state, tile):
        raise Refused("K-27", "at this table the tile just taken may not be thrown in the same turn")
    if not move.declare:
        throw(telling, tile)
        return
    melds = melds_after(state, tile)
    if melds is not None:
        win(telling, tile, melds)
    elif round_.rules.false_win_penalty:
        pay(telling, round_.rules, false_win(round_.rules, seat))
    else:
        raise Refused("K-22", "the other fourteen tiles are not all in runs and sets with a run of four")


def _refusal(state: State, seat: int) -> Refused:
    """Why no row of the table fits; all of it is known to everybody."""
    match state:
        case Exposing(awaited=awaited):
            if seat in awaited:
                return Refused("K-51", "first say whether you expose the kishpa")
            return Refused("K-51", "wait until everybody has said whether he exposes the kishpa")
        case Drawing(seat=turn, last_chance=True) if seat == turn:
            return Refused("K-29", "the stock is empty: take the newest discard, or pass")
        case Drawing(seat=turn) if seat == turn:
            return Refused("K-03", "first draw a tile or take the newest discard")
        case Holding(seat=turn) if seat == turn:
            return Refused("K-03", "you have fifteen tiles: throw one")
        case Drawing(seat=turn) | Holding(seat=turn):
            return Refused("K-03", f"it is seat {turn}'s turn")
        case _:
            return Refused("K-03", "no round is being played")
