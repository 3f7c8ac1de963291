"""How a view follows the end of a round: rows turned up, cards replaced, the score; and a seat that left."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.game import Event
from domain.hatchatul import ending_events as e
from domain.hatchatul.events import SeatWithdrawn
from domain.hatchatul.state import RoundResult
from domain.hatchatul.view import Faces, View, nothing_known
from domain.table.events import SeatLeft


def stopped(view: View, **changes: Any) -> View:
    """Nobody is to act any more."""
    return replace(
        view,
        turn=None,
        owed=0,
        extra=False,
        held=None,
        peeking=(),
        due=None,
        known=nothing_known(view.rules, view.seat),
        **changes,
    )


def _seat_left(view: View, event: SeatLeft) -> View:
    """Between rounds that is all; in a round what becomes of its row follows. A voided round tells it again (G-11)."""
    return replace(view, left=_left(view, event.seat)) if view.phase in ("undealt", "over") else view


def _left(view: View, seat: int) -> tuple[int, ...]:
    return view.left if seat in view.left else (*view.left, seat)


def _seat_withdrawn(view: View, event: SeatWithdrawn) -> View:
    left = _left(view, event.seat)
    if event.seat not in view.seats or view.phase == "over":
        return replace(view, left=left)
    own_turn = view.turn == event.seat
    return replace(
        view,
        left=left,
        seats=tuple(seat for seat in view.seats if seat != event.seat),
        peeking=tuple(seat for seat in view.peeking if seat != event.seat),
        lap=tuple(seat for seat in view.lap if seat != event.seat),
        rows=(*view.rows[: event.seat], (), *view.rows[event.seat + 1 :]),
        phase="turn_end" if own_turn else view.phase,
        held=None if own_turn else view.held,
        known=nothing_known(view.rules, view.seat) if event.seat == view.seat else view.known,
    )


def _rows_revealed(view: View, event: e.RowsRevealed) -> View:
    rows: list[Faces] = [() for _ in view.rows]
    for row in event.rows:
        rows[row.seat] = row.cards
    return stopped(view, phase="revealing", rows=tuple(rows))


def _action_card_thrown(view: View, event: e.ActionCardThrown) -> View:
    row = view.rows[event.seat]
    history = view.discard_history
    return replace(
        view,
        rows=(
            *view.rows[: event.seat],
            (*row[: event.slot - 1], None, *row[event.slot :]),
            *view.rows[event.seat + 1 :],
        ),
        discard_top=event.card,
        discard_count=view.discard_count + 1,
        discard_history=None if history is None else (*history, event.card),
    )


def _replacement_drawn(view: View, event: e.ReplacementDrawn) -> View:
    row = view.rows[event.seat]
    full = (*row[: event.slot - 1], event.card, *row[event.slot :])
    rows = (*view.rows[: event.seat], full, *view.rows[event.seat + 1 :])
    return replace(view, rows=rows, stock=view.stock - 1)


def _round_scored(view: View, event: e.RoundScored) -> View:
    totals = list(view.totals)
    for score in event.scores:
        totals[score.seat] = score.total
    out = (*view.out, *event.out)
    result = RoundResult(
        scored=True,
        scores=event.scores,
        winners=event.winners,
        knocker=view.knocker,
        out=out,
        leaders=event.leaders,
        final=event.final,
    )
    return replace(view, phase="over", totals=tuple(totals), out=out, result=result)


def _time_expired(view: View, event: e.TimeExpired) -> View:
    return _cut_short(view, event.leaders)


def _game_forfeited(view: View, event: e.GameForfeited) -> View:
    return _cut_short(view, (event.winner,))


def _cut_short(view: View, leaders: tuple[int, ...]) -> View:
    result = RoundResult(
        scored=False, scores=(), winners=(), knocker=view.knocker, out=view.out, leaders=leaders, final=True
    )
    return stopped(view, phase="over", result=result)


SEE_ENDING: dict[type[Event], Callable[[View, Any], View]] = {
    SeatLeft: _seat_left,
    SeatWithdrawn: _seat_withdrawn,
    e.RowsRevealed: _rows_revealed,
    e.ActionCardThrown: _action_card_thrown,
    e.ReplacementDrawn: _replacement_drawn,
    e.RoundScored: _round_scored,
    e.TimeExpired: _time_expired,
    e.GameForfeited: _game_forfeited,
}
