"""A voided round: its game is what it was before that deal, and hears again what stands all the same (G-11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from domain.game import Event, Game, type_of
from domain.table import events as told

S = TypeVar("S")


def undone(game: Game, fold: Callable[[S, Event], S], before: S, left: Iterable[int], *, called: bool) -> S:
    """`before`, the game's state or view as it was, once it has heard who has `left` and a `called` last round.

    A game hears only what it asks for (`Game.hears`), and who left before that deal a second time.
    """
    standing: list[Event] = [told.SeatLeft(seat) for seat in left]
    if called:
        standing.append(told.LastRoundCalled())
    for event in standing:
        if type_of(event) in game.hears:
            before = fold(before, event)
    return before
