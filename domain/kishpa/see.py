"""How each event that a seat hears changes its view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.game import Event, type_of
from domain.kishpa import evening as evenings
from domain.kishpa import events as told
from domain.kishpa.evening import Evening
from domain.kishpa.pack import PACK, in_order, without
from domain.kishpa.view import Paid, View, Won
from domain.table.events import SeatFreed
from domain.tokens import Transfer

HAND_TILES = 14


def see(view: View, event: Event) -> View:
    """The view after hearing `event`."""
    change = CHANGES.get(type(event)) or TABLE_CHANGES[type_of(event)]
    return change(view, event)


def _standing(view: View, change: Callable[[Evening], Evening]) -> View:
    return replace(view, evening=change(view.evening))


def _pays(view: View, transfers: tuple[Transfer, ...]) -> View:
    return _standing(view, lambda evening: evenings.paid(evening, transfers))


def _transferred(view: View, event: Event) -> View:
    return _pays(view, getattr(event, "transfers", ()))


def _accounts_opened(view: View, event: told.AccountsOpened) -> View:
    return _standing(view, lambda evening: replace(evenings.paid(evening, event.transfers), opened=True))


def _tokens_loaded(view: View, event: told.TokensLoaded) -> View:
    return _standing(view, lambda evening: evenings.loaded(evening, event.seat, event.transfers))


def _player_left(view: View, event: told.PlayerLeft) -> View:
    return _standing(view, lambda evening: replace(evening, left=(*evening.left, event.seat)))


def _hands_dealt(view: View, event: told.HandsDealt) -> View:
    tiles = [HAND_TILES if seat in event.seats else 0 for seat in range(len(view.evening.loads))]
    tiles[event.starter] += 1
    return View(
        seat=view.seat,
        rules=view.rules,
        evening=replace(view.evening, starter=event.starter),
        before=evenings.course(view.evening),
        phase="setting",
        round=event.round,
        seats=event.seats,
        starter=event.starter,
        last=event.last,
        stock=len(PACK) - sum(tiles),
        tiles=tuple(tiles),
    )


def _hand_shown(view: View, event: told.HandShown) -> View:
    if event.to == view.seat:
        return replace(view, hand=event.tiles)
    return replace(view, hands={**view.hands, str(event.to): event.tiles})


def _kishpa_flipped(view: View, event: told.KishpaFlipped) -> View:
    return replace(view, kishpa=event.tile, joker=event.joker, spent=view.kishpa, stock=view.stock - 1)


def _bonus_paid(view: View, event: told.BonusPaid) -> View:
    bonuses = (*view.bonuses, Paid(event.seat, event.row, event.copies))
    return replace(view, evening=evenings.paid(view.evening, event.transfers), bonuses=bonuses)


def _exposure_opened(view: View, event: told.ExposureOpened) -> View:
    return replace(view, phase="exposing", due=event.due, awaited=view.seats)


def _exposure_declined(view: View, event: told.ExposureDeclined) -> View:
    awaited = tuple(seat for seat in view.awaited if seat != event.seat)
    if awaited:
        return replace(view, awaited=awaited)
    return replace(view, phase="setting", due=None, awaited=())


def _kishpa_exposed(view: View, event: told.KishpaExposed) -> View:
    view = replace(view, phase="setting", due=None, awaited=(), exposer=event.seat)
    return _pays(view, event.transfers)


def _turn_started(view: View, event: told.TurnStarted) -> View:
    phase, last_chance = "holding" if view.phase == "setting" else "drawing", event.last_chance
    return replace(view, phase=phase, turn=event.seat, due=event.due, drawn=None, taken=None, last_chance=last_chance)


def _tile_drawn(view: View, event: told.TileDrawn) -> View:
    return replace(view, phase="holding", stock=view.stock - 1, tiles=_counted(view, event.seat, 1))


def _tile_shown(view: View, event: told.TileShown) -> View:
    return replace(_added(view, event.to, event.tile), drawn=event.tile)


def _discard_taken(view: View, event: told.DiscardTaken) -> View:
    seat, tile = event.seat, event.tile
    drawn = tile if seat == view.seat else view.drawn
    tiles = _counted(view, seat, 1)
    view = replace(view, phase="holding", discards=view.discards[:-1], tiles=tiles, taken=tile, drawn=drawn)
    return _added(view, seat, tile)


def _stock_reshuffled(view: View, event: told.StockReshuffled) -> View:
    return replace(view, stock=event.tiles, discards=view.discards[-1:])


def _tile_discarded(view: View, event: told.TileDiscarded) -> View:
    seat, tile = event.seat, event.tile
    hand, hands = view.hand, view.hands
    if seat == view.seat:
        hand = without(hand, tile)
    elif str(seat) in hands:
        hands = {**hands, str(seat): without(hands[str(seat)], tile)}
    return replace(
        view,
        phase="thrown",
        turn=None,
        due=None,
        drawn=None,
        taken=None,
        hand=hand,
        hands=hands,
        tiles=_counted(view, seat, -1),
        discards=(*view.discards, tile),
        turns=view.turns + 1,
    )


def _hand_won(view: View, event: told.HandWon) -> View:
    won = Won(event.seat, event.melds, event.payment)
    return replace(view, phase="over", won=won, evening=evenings.won(view.evening, event.seat, event.transfers))


def _round_exhausted(view: View, event: told.RoundExhausted) -> View:
    evening = evenings.drawn(view.evening, breaks_streak=view.rules.draw_breaks_streak)
    return replace(view, phase="over", turn=None, due=None, exhausted=event.cause, evening=evening)


def _bowl_paid(view: View, event: told.BowlPaid) -> View:
    return replace(view, evening=evenings.bowl_paid(view.evening, event.transfers, reset=view.rules.streak == "reset"))


def _last_round_called(view: View, _: Event) -> View:
    view = _standing(view, lambda evening: replace(evening, called=True))
    this = view.rules.last_round_applies == "this" and view.phase not in {"undealt", "over"}
    return replace(view, last=True) if this else view


def _round_voided(view: View, event: Event) -> View:
    evening = evenings.restored(_transferred(view, event).evening, view.before)
    return View(seat=view.seat, rules=view.rules, evening=evening, before=view.before, round=view.round)


def _seat_freed(view: View, event: SeatFreed) -> View:
    return _standing(view, lambda evening: evenings.freed(evening, event.seat, event.transfers))


def _counted(view: View, seat: int, more: int) -> tuple[int, ...]:
    tiles = view.tiles
    return (*tiles[:seat], tiles[seat] + more, *tiles[seat + 1 :])


def _added(view: View, seat: int, tile: str) -> View:
    """A tile comes to a hand that this view knows."""
    if seat == view.seat:
        return replace(view, hand=in_order((*view.hand, tile)))
    hand = view.hands.get(str(seat))
    return view if hand is None else replace(view, hands={**view.hands, str(seat): in_order((*hand, tile))})


def _as_it_was(view: View, _: Event) -> View:
    """Nothing new for a view; the hidden ones are heard by an open view only."""
    return view


CHANGES: Mapping[type[Event], Callable[[Any, Any], View]] = {
    told.AccountsOpened: _accounts_opened,
    told.HandsDealt: _hands_dealt,
    told.HandShown: _hand_shown,
    told.StockLaid: _as_it_was,
    told.DollFlipped: _as_it_was,
    told.DollReturned: _as_it_was,
    told.KishpaFlipped: _kishpa_flipped,
    told.ContributionsPaid: lambda view, event: _pays(view, event.transfers),
    told.BonusPaid: _bonus_paid,
    told.ExposureOpened: _exposure_opened,
    told.ExposureDeclined: _exposure_declined,
    told.KishpaExposed: _kishpa_exposed,
    told.TurnStarted: _turn_started,
    told.TileDrawn: _tile_drawn,
    told.TileShown: _tile_shown,
    told.DiscardTaken: _discard_taken,
    told.StockReshuffled: _stock_reshuffled,
    told.TileDiscarded: _tile_discarded,
    told.WinDenied: lambda view, event: _pays(view, event.transfers),
    told.HandWon: _hand_won,
    told.RoundExhausted: _round_exhausted,
    told.BowlPaid: _bowl_paid,
    told.TokensLoaded: _tokens_loaded,
    told.ClockRanOut: _as_it_was,
    told.PlayerLeft: _player_left,
}
TABLE_CHANGES: Mapping[str, Callable[[Any, Any], View]] = {
    "table.last_round_called": _last_round_called,
    "table.seat_freed": _seat_freed,
    "table.transfers_reversed": _transferred,
    "table.round_voided": _round_voided,
    "table.dispute_ruled": _transferred,
    "table.corrected": _transferred,
}
