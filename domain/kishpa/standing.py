"""How the table's own events change an evening: what is reversed, what stands, the last round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.game import Event
from domain.kishpa import evening as evenings
from domain.kishpa.evening import Evening
from domain.kishpa.state import Over, State, Undealt
from domain.table.events import SeatFreed
from domain.tokens import Transfer


def standing(state: State, change: Callable[[Evening], Evening]) -> State:
    """The state after a change of the evening."""
    if isinstance(state, Undealt):
        return Undealt(state.rules, change(state.evening))
    round_ = state.round
    return replace(state, round=replace(round_, evening=change(round_.evening)))


def pays(state: State, transfers: tuple[Transfer, ...]) -> State:
    """The state after `transfers`; the table itself gives back those of a voided round (G-11)."""
    return standing(state, lambda evening: evenings.paid(evening, transfers))


def _last_round_called(state: State, _: Event) -> State:
    state = standing(state, lambda evening: replace(evening, called=True))
    if isinstance(state, Undealt | Over) or state.round.rules.last_round_applies == "next":
        return state
    return replace(state, round=replace(state.round, last=True))


def _transferred(state: State, event: Event) -> State:
    """Tokens of a voided round go back; a referee reverses and corrects older transfers (G-11)."""
    return pays(state, getattr(event, "transfers", ()))


def _voided(state: State, event: Event) -> State:
    """The table as the round found it; what stands all the same is kept (G-11)."""
    state = _transferred(state, event)
    if isinstance(state, Undealt):
        return state
    round_ = state.round
    return Undealt(round_.rules, evenings.restored(round_.evening, round_.before))


def _seat_freed(state: State, event: SeatFreed) -> State:
    """Who gets up before the start leaves no loads behind."""
    return standing(state, lambda evening: evenings.freed(evening, event.seat, event.transfers))


TABLE_CHANGES: Mapping[str, Callable[[Any, Any], State]] = {
    "table.last_round_called": _last_round_called,
    "table.seat_freed": _seat_freed,
    "table.transfers_reversed": _transferred,
    "table.round_voided": _voided,
    "table.dispute_ruled": _transferred,
    "table.corrected": _transferred,
}
