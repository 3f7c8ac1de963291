"""Whom the game waits for, and a seat's legal moves, read from its view alone."""

from __future__ import annotations

from domain.game import Move
from domain.kishpa.melds import winning_discards
from domain.kishpa.moves import Discard, Draw, Expose, Pass, Take
from domain.kishpa.view import View


def to_act(view: View) -> tuple[int, ...]:
    """The seats that the game waits for, ascending."""
    if view.phase == "exposing":
        return view.awaited
    return () if view.turn is None else (view.turn,)


def options(view: View) -> list[Move]:
    """The seat's legal moves: equal tiles once, each winning discard a second time as a declared win."""
    if view.seat is None or view.seat not in to_act(view):
        return []
    match view.phase:
        case "exposing":
            return [Expose(), Pass()] if view.kishpa in view.hand else [Pass()]
        case "drawing" if view.last_chance:
            return [Take(), Pass()]
        case "drawing":
            return [Draw(), Take()]
        case _:
            return _discards(view)


def _discards(view: View) -> list[Move]:
    banned = view.taken if view.rules.ban_rediscard else None  # K-27
    throws: list[Move] = [Discard(tile) for tile in dict.fromkeys(view.hand) if tile != banned]
    return throws + [Discard(tile, declare=True) for tile in wins(view) if tile != banned]


def wins(view: View) -> tuple[str, ...]:
    """The tiles that the seat may throw and win."""
    assert view.joker is not None
    wrap = view.rules.run_wrap == "high_one"
    return winning_discards(view.hand, view.joker, wrap=wrap, seven_pairs=view.rules.seven_pairs)
