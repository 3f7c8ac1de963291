"""How each event changes the table. It refuses nothing and raises on an impossible history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.game import Event, type_of
from domain.kishpa import evening as evenings
from domain.kishpa import events as told
from domain.kishpa.evening import Evening
from domain.kishpa.pack import in_order, without
from domain.kishpa.rules import KishpaRules
from domain.kishpa.standing import TABLE_CHANGES, pays, standing
from domain.kishpa.state import Drawing, Exposing, Holding, Over, Round, Setting, State, Thrown, Undealt


def evolve(state: State, event: Event) -> State:
    """The state after `event`; also hears the table's own events that change a game (K-72, K-83, G-11)."""
    change = CHANGES.get(type(event)) or TABLE_CHANGES[type_of(event)]
    return change(state, event)


def evening_of(state: State) -> Evening:
    """The evening as it stands."""
    return state.evening if isinstance(state, Undealt) else state.round.evening


def rules_of(state: State) -> KishpaRules:
    """The table rules."""
    return state.rules if isinstance(state, Undealt) else state.round.rules


def _accounts_opened(state: State, event: told.AccountsOpened) -> State:
    return standing(state, lambda evening: replace(evenings.paid(evening, event.transfers), opened=True))


def _tokens_loaded(state: State, event: told.TokensLoaded) -> State:
    return standing(state, lambda evening: evenings.loaded(evening, event.seat, event.transfers))


def _player_left(state: State, event: told.PlayerLeft) -> State:
    return standing(state, lambda evening: replace(evening, left=(*evening.left, event.seat)))


def _hands_dealt(state: State, event: told.HandsDealt) -> Setting:
    assert isinstance(state, Undealt | Over)
    before = evening_of(state)
    return Setting(
        Round(
            rules=rules_of(state),
            evening=replace(before, starter=event.starter),
            before=evenings.course(before),
            number=event.round,
            seats=event.seats,
            starter=event.starter,
            last=event.last,
            hands=((),) * len(before.loads),
        )
    )


def _hand_shown(state: Setting, event: told.HandShown) -> Setting:
    round_ = state.round
    return Setting(replace(round_, hands=_with(round_.hands, event.to, event.tiles)))


def _stock_laid(state: Setting | Drawing, event: told.StockLaid) -> State:
    round_ = state.round
    return replace(state, round=replace(round_, stock=event.tiles, discards=round_.discards[-1:]))


def _doll_flipped(state: Setting, event: told.DollFlipped) -> Setting:
    round_ = state.round
    assert round_.stock[0] == event.tile
    return Setting(replace(round_, stock=round_.stock[1:], turned=event.tile, returns=round_.returns + 1))


def _doll_returned(state: Setting, event: told.DollReturned) -> Setting:
    round_, place = state.round, event.place
    return Setting(replace(round_, stock=(*round_.stock[:place], round_.turned, *round_.stock[place:]), turned=""))


def _kishpa_flipped(state: Setting, event: told.KishpaFlipped) -> Setting:
    round_ = state.round
    assert round_.stock[0] == event.tile
    replaced = (round_.kishpa,) if round_.kishpa else ()
    paid = () if round_.rules.bonus_per_copy else round_.paid  # K-33, K-47
    return Setting(
        replace(round_, stock=round_.stock[1:], kishpa=event.tile, joker=event.joker, spent=replaced, paid=paid)
    )


def _bonus_paid(state: Setting | Over, event: told.BonusPaid) -> State:
    round_ = state.round
    paid = (*round_.paid, *(((event.seat, event.row),) * event.copies))
    return replace(state, round=replace(round_, evening=evenings.paid(round_.evening, event.transfers), paid=paid))


def _exposure_opened(state: Setting, event: told.ExposureOpened) -> Exposing:
    return Exposing(state.round, event.due, state.round.seats)


def _exposure_declined(state: Exposing, event: told.ExposureDeclined) -> State:
    assert event.seat in state.awaited
    awaited = tuple(seat for seat in state.awaited if seat != event.seat)
    return Exposing(state.round, state.due, awaited) if awaited else Setting(state.round)


def _kishpa_exposed(state: Exposing, event: told.KishpaExposed) -> Setting:
    round_ = state.round
    evening, paid = evenings.paid(round_.evening, event.transfers), (*round_.paid, (event.seat, "kishpa"))
    return Setting(replace(round_, evening=evening, paid=paid, exposer=event.seat))


def _turn_started(state: State, event: told.TurnStarted) -> State:
    assert isinstance(state, Setting | Thrown)
    if isinstance(state, Setting):
        return Holding(state.round, event.seat, event.due)
    return Drawing(state.round, event.seat, event.due, event.last_chance)


def _tile_drawn(state: Drawing, event: told.TileDrawn) -> Holding:
    round_, seat, tile = state.round, event.seat, state.round.stock[0]
    assert seat == state.seat
    hands = _with(round_.hands, seat, in_order((*round_.hands[seat], tile)))
    return Holding(replace(round_, stock=round_.stock[1:], hands=hands), seat, state.due, tile)


def _tile_shown(state: Holding, event: told.TileShown) -> Holding:
    assert (state.seat, state.tile) == (event.to, event.tile)
    return state


def _discard_taken(state: Drawing, event: told.DiscardTaken) -> Holding:
    round_, seat = state.round, event.seat
    assert (seat, round_.discards[-1]) == (state.seat, event.tile)
    hands = _with(round_.hands, seat, in_order((*round_.hands[seat], event.tile)))
    round_ = replace(round_, discards=round_.discards[:-1], hands=hands)
    return Holding(round_, seat, state.due, event.tile, taken=True, last_chance=state.last_chance)


def _stock_reshuffled(state: Drawing, event: told.StockReshuffled) -> Drawing:
    round_ = state.round
    assert (len(round_.stock), event.tiles) == (0, len(round_.discards) - 1)
    return replace(state, round=replace(round_, reshuffles=round_.reshuffles + 1))


def _tile_discarded(state: Holding, event: told.TileDiscarded) -> Thrown:
    round_, seat = state.round, event.seat
    assert seat == state.seat
    hands = _with(round_.hands, seat, without(round_.hands[seat], event.tile))
    round_ = replace(round_, hands=hands, discards=(*round_.discards, event.tile), turns=round_.turns + 1)
    return Thrown(round_, seat, state.last_chance)


def _hand_won(state: Thrown, event: told.HandWon) -> Over:
    round_ = state.round
    assert event.seat == state.seat
    evening = evenings.won(round_.evening, event.seat, event.transfers)
    return Over(replace(round_, evening=evening), event.seat, "won", event.payment)


def _round_exhausted(state: Thrown | Drawing, event: told.RoundExhausted) -> Over:
    round_ = state.round
    evening = evenings.drawn(round_.evening, breaks_streak=round_.rules.draw_breaks_streak)
    return Over(replace(round_, evening=evening), None, event.cause)


def _bowl_paid(state: Undealt | Over, event: told.BowlPaid) -> State:
    if isinstance(state, Undealt):
        return Undealt(state.rules, evenings.paid(state.evening, event.transfers))
    round_ = state.round
    evening = evenings.bowl_paid(round_.evening, event.transfers, reset=round_.rules.streak == "reset")
    return replace(state, round=replace(round_, evening=evening))


def _with(hands: tuple[tuple[str, ...], ...], seat: int, hand: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


CHANGES: Mapping[type[Event], Callable[[Any, Any], State]] = {
    told.AccountsOpened: _accounts_opened,
    told.HandsDealt: _hands_dealt,
    told.HandShown: _hand_shown,
    told.StockLaid: _stock_laid,
    told.DollFlipped: _doll_flipped,
    told.DollReturned: _doll_returned,
    told.KishpaFlipped: _kishpa_flipped,
    told.ContributionsPaid: lambda state, event: pays(state, event.transfers),
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
    told.WinDenied: lambda state, event: pays(state, event.transfers),
    told.HandWon: _hand_won,
    told.RoundExhausted: _round_exhausted,
    told.BowlPaid: _bowl_paid,
    told.TokensLoaded: _tokens_loaded,
    told.ClockRanOut: lambda state, _: state,
    told.PlayerLeft: _player_left,
}
