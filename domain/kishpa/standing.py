"""How the table's own events change an evening: what is reversed, what stands, the last round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.game import Event
from domain.kishpa import evening as evenings
from domain.kishpa.evening import Evening
from domain.kishpa.state import Dealt, Over, State, Undealt
from domain.table.events import SeatFreed
from domain.tokens import Transfer


def standing(state: State, change: Callable[[Evening], Evening]) -> State:
    """A change of the evening that stands even if the round is voided."""
    if isinstance(state, Undealt):
        return Undealt(state.rules, change(state.evening))
    round_ = state.round
    return replace(state, round=replace(round_, evening=change(round_.evening), before=change(round_.before)))


def pays(state: Dealt, transfers: tuple[Transfer, ...]) -> Dealt:
    """The state after `transfers`, which voiding the round would undo."""
    round_ = state.round
    return replace(state, round=replace(round_, evening=evenings.paid(round_.evening, transfers)))


def _last_round_called(state: State, _: Event) -> State:
    state = standing(state, lambda evening: replace(evening, called=True))
    if isinstance(state, Undealt | Over) or state.round.rules.last_round_applies == "next":
        return state
    return replace(state, round=replace(state.round, last=True))


def _reversed(state: State, event: Event) -> State:
    """Tokens of a round about to be voided go back (G-11)."""
    transfers: tuple[Transfer, ...] = getattr(event, "transfers", ())
    if isinstance(state, Undealt):
        return Undealt(state.rules, evenings.paid(state.evening, transfers))
    return pays(state, transfers)


def _voided(state: State, event: Event) -> State:
    """The table as the round found it; what stands all the same is kept (G-11)."""
    state = _reversed(state, event)
    if isinstance(state, Undealt):
        return state
    round_ = state.round
    return Undealt(round_.rules, replace(round_.before, accounts=round_.evening.accounts))


def _seat_freed(state: State, event: SeatFreed) -> State:
    """Who gets up before the start leaves no loads behind."""
    return standing(state, lambda evening: evenings.freed(evening, event.seat, event.transfers))


def _corrected(state: State, event: Event) -> State:
    """A referee's reversals and corrections of older transfers stand too (G-11)."""
    transfers: tuple[Transfer, ...] = getattr(event, "transfers", ())
    return standing(state, lambda evening: evenings.paid(evening, transfers))


TABLE_CHANGES: Mapping[str, Callable[[Any, Any], State]] = {
    "table.last_round_called": _last_round_called,
    "table.seat_freed": _seat_freed,
    "table.transfers_reversed": _reversed,
    "table.round_voided": _voided,
    "table.dispute_ruled": _corrected,
    "table.corrected": _corrected,
}
