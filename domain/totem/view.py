"""What one seat sees, and what it may do. Nobody holds hidden cards, so all see the same."""

from __future__ import annotations

from msgspec import Struct

from domain.game import Event, Move
from domain.totem.board import Board, Choosing, Over, Turning, Undealt, empty_board, is_contested
from domain.totem.moves import ChooseTaker, Grab, TurnUp
from domain.totem.public import board_after
from domain.totem.rules import TotemRules


class View(Struct, frozen=True):
    """The board as `seat` (None: a spectator) sees it; `blocks_on_match` is the table rule of T-08."""

    seat: int | None
    board: Board
    blocks_on_match: bool = False


def empty_view(rules: TotemRules, seats: int, seat: int | None) -> View:
    """The view before the first deal."""
    return View(seat, empty_board(seats), rules.block_flip_on_match)


def see(view: View, event: Event) -> View:
    """The view after an event that its seat heard."""
    return View(view.seat, board_after(view.board, event), view.blocks_on_match)


def to_act(view: View) -> tuple[int, ...]:
    """Who is waited for: whose turn it is, or who must choose. Grabs are nobody's duty, and would tell of a match."""
    match view.board.phase:
        case Turning(seat=seat) | Choosing(seat=seat):
            return (seat,)
        case _:
            return ()


def options(view: View) -> list[Move]:
    """The legal moves of the view's seat; a grab from the first reveal on, match or no match (T-09)."""
    seat, board = view.seat, view.board
    if seat is None or seat not in board.playing or isinstance(board.phase, Undealt | Over):
        return []
    moves: list[Move] = []
    match board.phase:
        case Turning(seat=turn) if turn == seat and not (view.blocks_on_match and is_contested(board)):
            moves.append(TurnUp())
        case Choosing(seat=winner, losers=losers) if winner == seat:
            moves.extend(ChooseTaker(loser) for loser in sorted(losers))
        case _:
            pass
    if board.reveal:
        moves.append(Grab(board.reveal))
    return moves
