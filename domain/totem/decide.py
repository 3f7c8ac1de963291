"""What a Totem table answers: to a seat's move, to a clock that ran out, and to a deal."""

from __future__ import annotations

from domain.fair import Dice
from domain.game import Deal, Due, Event, Move, Refused
from domain.totem.board import (
    Choosing,
    Counting,
    Over,
    Refereeing,
    Showing,
    Turning,
    Undealt,
    Waiting,
    clockwise,
    is_contested,
)
from domain.totem.events import (
    AllTurnedUp,
    CardsDealt,
    CardTurnedUp,
    DrawPilesStacked,
    TotemTimedOut,
    TurnedUp,
    TurnStarted,
)
from domain.totem.judging import judge_heat, judge_one
from domain.totem.moves import ChooseTaker, Grab, TurnUp
from domain.totem.public import board_after
from domain.totem.resolution import chosen, chosen_by_default
from domain.totem.state import State
from domain.totem.turns import after_reveal, can_turn_up, turn_due, when_stuck


def deal(state: State, deal: Deal) -> list[Event]:
    """An equal share for every player, one card at a time from the first player on; the rest goes under the totem."""
    first = _first_player(state, deal)
    order = tuple(s for s in deal.seats if s >= first) + tuple(s for s in deal.seats if s < first)
    each = len(deal.deck) // len(order)
    dealt = each * len(order)
    piles: list[tuple[str, ...]] = [()] * len(state.draws)
    for place, seat in enumerate(order):
        piles[seat] = deal.deck[place : dealt : len(order)]
    pot = deal.deck[dealt:]
    return [
        DrawPilesStacked(tuple(piles), pot),
        CardsDealt(deal.seats, each, len(pot), first),
        TurnStarted(first, turn_due(state.rules, deal.at)),
    ]


def _first_player(state: State, deal: Deal) -> int:
    """T-05: named by the table rules, seat 0 of a sandbox table, or drawn; who does not play passes it on clockwise."""
    named = 0 if state.rules.first_player is None and deal.sandbox else state.rules.first_player
    if named is None:
        return deal.seats[deal.dice.below("first-player", len(deal.seats))]
    return next((seat for seat in deal.seats if seat >= named), deal.seats[0])


def decide(state: State, seat: int, move: Move, at: str, dice: Dice) -> list[Event]:
    """The events that `move` of `seat` leads to, or Refused.

    A grab is judged alone and at once (`judge_one`): so plays a table within one process. A server gathers the grabs
    of all seats, and asks `grab_error` and then `judge`.
    """
    match state.board.phase, move:
        case Turning(seat=turn), TurnUp() if turn == seat:
            return _turn_up(state, seat, at)
        case Showing(seat=turn, opens=opens), TurnUp() if turn == seat:
            if at < opens:
                raise Refused("T-08", f"too early: the next card may be turned up at {opens}")
            return _turn_up(state, seat, at)
        case _, Grab():
            return judge_one(state, seat, move, at, dice)
        case Choosing(seat=winner) as choosing, ChooseTaker() if winner == seat:
            return chosen(state, choosing, move.taker, _shares(state, choosing, move), at, dice)
        case _:
            raise _out_of_turn(state, seat, move)


def _out_of_turn(state: State, seat: int, move: Move) -> Refused:
    board = state.board
    if isinstance(board.phase, Undealt | Over):
        return Refused("T-38", "no cards are in play")
    if seat not in board.playing:
        return Refused("T-44", "you are not in this round any more")
    match board.phase, move:
        case _, ChooseTaker():
            return Refused("T-27", "you have no taker to choose")
        case Choosing(), _:
            return Refused("T-27", "a taker is being chosen")
        case Refereeing(), _:
            return Refused("T-45", "a dead heat is before the referee")
        case Counting(), _:
            return Refused("T-30", "everybody turns a card up when the count ends")
        case _:
            return Refused("T-10", "it is not your turn to turn a card up")


def _turn_up(state: State, seat: int, at: str) -> list[Event]:
    rules, board = state.rules, state.board
    if rules.block_flip_on_match and is_contested(board):
        raise Refused("T-08", "no card is turned up while there is something to grab for")
    return _turned_up(state, seat, at)


def _turned_up(state: State, seat: int, at: str) -> list[Event]:
    card = _next_card(state, seat)
    told = CardTurnedUp(seat, card.card, state.board.reveal + 1, at, card.recycled)
    return [told, *after_reveal(state.rules, board_after(state.board, told), seat, (seat,), at)]


def _next_card(state: State, seat: int) -> TurnedUp:
    pile = state.draws[seat]
    return TurnedUp(seat, pile[0]) if pile else TurnedUp(seat, state.ups[seat][0], recycled=True)


def _all_turned_up(state: State, counting: Counting, at: str) -> list[Event]:
    """T-29, T-32: whoever can turns a card up; all of them are one reveal."""
    board = state.board
    order = tuple(s for s in clockwise(board, counting.revealer) if can_turn_up(state.rules, board, s))
    told = AllTurnedUp(tuple(_next_card(state, s) for s in order), board.reveal + 1, at)
    return [told, *after_reveal(state.rules, board_after(board, told), counting.revealer, order, at)]


def _shares(state: State, choosing: Choosing, move: ChooseTaker) -> dict[int, int]:
    """The shares that the winner deals out, by seat; refused unless they fit the duel (T-23)."""
    if move.taker not in choosing.losers:
        raise Refused("T-23", "the taker must be one of the losers of this duel")
    if move.shares is None:
        return {}
    if state.rules.multi_duel != "split":
        raise Refused("T-23", "at this table one loser takes all the cards")
    losers = {str(seat): seat for seat in choosing.losers}
    if not losers.keys() >= move.shares.keys():
        raise Refused("T-23", "shares go to the losers of this duel only")
    if sum(move.shares.values()) > len(state.ups[choosing.seat]) + len(state.pot):
        raise Refused("T-23", "there are not so many cards to share")
    return {losers[key]: cards for key, cards in move.shares.items()}


def due(state: State) -> Due | None:
    """What the table does next without anybody's move, and when."""
    match state.board.phase:
        case Turning(seat=seat, due=at):
            return Due(at, "turn_up", (seat,))
        case Showing(opens=at):
            return Due(at, "turn")
        case Counting(due=at):
            return Due(at, "all_turn_up")
        case Choosing(seat=seat, due=at):
            return Due(at, "choose_taker", (seat,))
        case Refereeing(due=at):
            return Due(at, "judge_grabs")
        case Waiting(due=at):
            return Due(at, "stalemate")
        case _:
            return None


def when_due(state: State, due: Due, at: str, dice: Dice) -> list[Event]:
    """The table's own events for what is due."""
    match state.board.phase:
        case Showing(seat=seat, due=until):
            return [TurnStarted(seat, until)]
        case Turning(seat=seat):  # T-11; T-08: a match does not hold it up
            return [TotemTimedOut(seat), *_turned_up(state, seat, at)]
        case Counting() as counting:
            return _all_turned_up(state, counting, at)
        case Choosing(seat=seat) as choosing:
            return [TotemTimedOut(seat), *chosen_by_default(state, choosing, at, dice)]
        case Refereeing() as heat:
            return judge_heat(state, heat, at, dice)
        case Waiting(seat=seat):
            return when_stuck(state.rules, state.board, seat, at)
        case _:
            raise AssertionError(f"nothing is due: {due}")
