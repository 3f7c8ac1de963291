"""What one seat knows of its table: a fold of what it heard, with the game's own view inside."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.game import Event, Game, Move, type_of, voids
from domain.lines import Entry
from domain.table import events as told
from domain.table.moves import Ready
from domain.table.voiding import undone


class TableView(Struct, frozen=True, kw_only=True):
    """A table as its seat (None: a spectator) has heard it. `inner` is the game's view."""

    game: Game
    seat: int | None
    status: str = "open"
    between: bool = False
    round: int = 0
    awaited: tuple[int, ...] = ()
    ready: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    called: bool = False
    """The last round was called since the deal."""
    inner: Any
    before: Any = None
    """The game's view as it was before the last deal, for a voided round (G-11); None where the game sees to it."""


def empty_view(game: Game, rules: Any, size: int, seat: int | None) -> TableView:
    """The view before anything was heard."""
    return TableView(game=game, seat=seat, inner=game.empty_view(rules, size, seat))


def hear(view: TableView, entry: Entry) -> TableView:
    """The view after hearing a line: what it tells, and that its seat's own command ends what it was shown (G-06)."""
    after = see(view, entry.event)
    if entry.move is not None and entry.by == f"seat:{view.seat}":
        return replace(after, inner=view.game.cover(after.inner))
    return after


def see(view: TableView, event: Event) -> TableView:
    """The view after hearing what `event` tells; `hear` takes the whole line."""
    if not type_of(event).startswith("table."):
        inner = view.game.see(view.inner, event)
        return view if inner is view.inner else replace(view, inner=inner)
    after = _see_table(view, event)
    if type_of(event) in view.game.hears:
        return replace(after, inner=view.game.see(view.inner, event))
    return after


def _see_table(view: TableView, event: Event) -> TableView:
    match event:
        case told.RoundStarted(round=number, seats=seats):
            dealt = replace(view, status="running", between=False, round=number, awaited=seats, ready=(), called=False)
            return replace(dealt, before=None if voids(view.game) else view.inner)
        case told.RoundEnded(seats=awaited):
            return replace(view, between=True, awaited=awaited, ready=())
        case told.RoundVoided():
            awaited = tuple(n for n in view.awaited if n not in view.left)
            inner = view.inner
            if not voids(view.game):
                inner = undone(view.game, view.game.see, view.before, view.left, called=view.called)
            return replace(view, between=True, awaited=awaited, ready=(), inner=inner)
        case told.LastRoundCalled():
            return replace(view, called=True)
        case told.SeatReadied(seat=n):
            return replace(view, ready=tuple(sorted((*view.ready, n))))
        case told.SeatLeft(seat=n):
            return _left(view, n)
        case told.Ended():
            return replace(view, status="ended", between=False)
        case told.Voided():
            return replace(view, status="voided", between=False)
        case _:
            return view


def _left(view: TableView, n: int) -> TableView:
    others = (tuple(m for m in seats if m != n) for seats in (view.awaited, view.ready))
    awaited, ready = others
    return replace(view, left=(*view.left, n), awaited=awaited, ready=ready)


def to_act(view: TableView) -> tuple[int, ...]:
    """The seats that are waited for, ascending."""
    if view.status != "running":
        return ()
    if view.between:
        return tuple(n for n in view.awaited if n not in view.ready)
    return view.game.to_act(view.inner)


def options(view: TableView) -> list[Move]:
    """The legal moves of the view's seat, `table.ready` among them between rounds; each ready to be sent."""
    if view.status != "running" or view.seat is None or view.seat in view.left:
        return []
    moves = view.game.options(view.inner)
    if view.between and view.seat in to_act(view):
        moves = [*moves, Ready()]
    return moves
