"""How piles change hands: a duel lost, a foul, inward arrows won, a pile shared out among several losers."""

from __future__ import annotations

from collections.abc import Sequence

from domain.fair import Dice
from domain.game import Event
from domain.times import later
from domain.totem.board import Choosing, clockwise
from domain.totem.events import (
    CardsPotted,
    CardsShared,
    CardsTaken,
    ChoiceOpened,
    Share,
    TakenFor,
    TakenShuffled,
    TakerChosen,
)
from domain.totem.public import board_after
from domain.totem.state import State
from domain.totem.turns import after_resolution, turn_of


def duel(state: State, winner: int, loser: int, at: str, dice: Dice) -> list[Event]:
    """T-21: the loser takes his own pile, the winner's and the pot, and the turn is his."""
    return _resolve(state, _take(state, loser, (winner,), "duel", at, dice), loser, at)


def foul(state: State, offender: int, why: TakenFor, at: str, dice: Dice) -> list[Event]:
    """The offender takes every face-up pile and the pot (T-22, T-49); T-26: the turn is his, or stays."""
    board = state.board
    others = tuple(seat for seat in clockwise(board, offender) if seat != offender and board.ups[seat])
    turn = turn_of(board) if state.rules.after_foul == "unchanged" else offender
    return _resolve(state, _take(state, offender, others, why, at, dice), turn, at)


def inward(state: State, winner: int, at: str) -> list[Event]:
    """The winner's pile goes under the totem and he plays next (T-19, T-26)."""
    return _resolve(state, [CardsPotted((winner,), state.board.ups[winner], at)], winner, at)


def totem_fell(state: State, at: str) -> list[Event]:
    """T-48: all face-up piles go under the totem, and the turn stays."""
    board = state.board
    seats = tuple(seat for seat in board.playing if board.ups[seat])
    return _resolve(state, [CardsPotted(seats, sum(board.ups), at)], turn_of(board), at)


def duel_of_many(state: State, winner: int, group: Sequence[int], at: str, dice: Dice) -> list[Event]:
    """T-23: the winner chooses who takes the cards, or they are shared evenly at once."""
    losers = tuple(seat for seat in clockwise(state.board, winner) if seat in group and seat != winner)
    if state.rules.multi_duel == "even":
        return _resolve(state, _share(state, winner, _even(state, winner, losers), at, dice), losers[0], at)
    timeout = state.rules.choice_timeout_ms
    return [ChoiceOpened(winner, losers, later(at, milliseconds=timeout) if timeout else None)]


def chosen(state: State, choosing: Choosing, taker: int, shares: dict[int, int], at: str, dice: Dice) -> list[Event]:
    """The winner's choice: the taker takes all (and the turn), or each loser his share, the taker the rest of it."""
    named = TakerChosen(choosing.seat, taker)
    if state.rules.multi_duel == "choose_one":
        moved = _take(state, taker, (choosing.seat,), "multi_duel", at, dice)
        return [named, *_resolve(state, moved, taker, at)]
    rest = _spoils(state, choosing.seat) - sum(shares.values())
    pieces = [Share(s, shares.get(s, 0) + (rest if s == taker else 0)) for s in choosing.losers]
    moved = _share(state, choosing.seat, pieces, at, dice)
    return [named, *_resolve(state, moved, choosing.losers[0], at)]


def chosen_by_default(state: State, choosing: Choosing, at: str, dice: Dice) -> list[Event]:
    """T-27: without a choice the next loser clockwise from the winner takes the cards."""
    return chosen(state, choosing, choosing.losers[0], {}, at, dice)


def _resolve(state: State, moved: list[Event], turn: int, at: str) -> list[Event]:
    return moved + after_resolution(state.rules, board_after(state.board, moved[0]), turn, at)


def _take(state: State, taker: int, others: tuple[int, ...], why: TakenFor, at: str, dice: Dice) -> list[Event]:
    """T-22: own pile first, then the others', then the pot."""
    piles = (taker, *others)
    cards = tuple(card for seat in piles for card in state.ups[seat]) + state.pot
    taken = CardsTaken(taker, piles, len(state.pot), len(cards), why, at)
    return [taken, *_shuffled(state, ((taker, cards),), dice)]


def _spoils(state: State, winner: int) -> int:
    return len(state.ups[winner]) + len(state.pot)


def _even(state: State, winner: int, losers: tuple[int, ...]) -> list[Share]:
    each, over = divmod(_spoils(state, winner), len(losers))
    return [Share(seat, each + (over if seat == losers[0] else 0)) for seat in losers]


def _share(state: State, winner: int, shares: Sequence[Share], at: str, dice: Dice) -> list[Event]:
    """T-23: the winner's pile, then the pot, in pieces clockwise; each loser takes his own pile too."""
    cards = state.ups[winner] + state.pot
    taken = []
    for share in shares:
        taken.append((share.seat, state.ups[share.seat] + cards[: share.cards]))
        cards = cards[share.cards :]
    return [CardsShared(winner, tuple(shares), len(state.pot), at), *_shuffled(state, taken, dice)]


def _shuffled(state: State, taken: Sequence[tuple[int, tuple[str, ...]]], dice: Dice) -> list[Event]:
    """T-22: under `shuffle_taken` the order of what was taken is nobody's to remember."""
    if not state.rules.shuffle_taken:
        return []
    return [
        TakenShuffled(taker, dice.shuffle(f"taken:{state.takings + number}", cards))
        for number, (taker, cards) in enumerate(taken)
    ]
