"""How a round of Totem ends: who won, and how the others stand."""

from __future__ import annotations

from msgspec import Struct

from domain.totem.board import Board, Over
from domain.totem.state import State


class Standing(Struct, frozen=True):
    """The place of a seat, equal counts sharing one, and the cards it was left with."""

    seat: int
    place: int
    cards: int


class TotemResult(Struct, frozen=True):
    """The end of a round: `by` is how; `winners` shed all cards, or are left alone, or nobody (T-43)."""

    by: str
    winners: tuple[int, ...]
    standings: tuple[Standing, ...]


def over(state: State) -> TotemResult | None:
    """The result once nothing more is played."""
    board = state.board
    if not isinstance(board.phase, Over):
        return None
    winners = board.shed[0] if board.shed else ()
    if not winners and board.phase.by == "forfeit":
        winners = board.playing  # T-44: one is left
    return TotemResult(board.phase.by, winners, _standings(board))


def finished(state: State) -> bool:
    """Never: `rounds` alone says how many games are played (T-06)."""
    del state
    return False


def _standings(board: Board) -> tuple[Standing, ...]:
    """T-42, T-43: in the order in which they shed their cards, then by fewest cards; leavers stand nowhere."""
    by_cards: dict[int, tuple[int, ...]] = {}
    for seat in board.playing:
        cards = board.draws[seat] + board.ups[seat]
        by_cards[cards] = (*by_cards.get(cards, ()), seat)
    standings: list[Standing] = []
    for group in (*board.shed, *(by_cards[cards] for cards in sorted(by_cards))):
        place = len(standings) + 1
        standings.extend(Standing(seat, place, board.draws[seat] + board.ups[seat]) for seat in group)
    return tuple(standings)
