"""`evolve`: one row for each (state, event) that can happen; any other history is impossible and raises."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.game import Event
from domain.playing_cards import in_order
from domain.shithead import events as e
from domain.shithead import pile
from domain.shithead.drinking import sip_given, sip_owed
from domain.shithead.holding import NOTHING, Holding, with_holding, without
from domain.shithead.leaving import withdrawn, withdrawn_between
from domain.shithead.pack import HAND_CARDS
from domain.shithead.stalemate import digest
from domain.shithead.state import (
    Dealing,
    Over,
    Playing,
    ShitheadResult,
    State,
    Swapping,
    Undealt,
)
from domain.table.events import SeatLeft


def evolve(state: State, event: Event) -> State:
    """The state after `event`; KeyError or AssertionError on a history that cannot be."""
    return ROWS[type(state), type(event)](state, event)


def _less(zone: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    rest = without(zone, cards)
    assert rest is not None, f"{cards} not in {zone}"
    return rest


# The deal


def _dealt(state: Undealt | Over, event: e.Dealt) -> Dealing:
    before = state.sitting
    left = tuple(seat for seat in range(before.seats) if seat not in event.seats)
    owed = tuple(0 if seat in left else sips for seat, sips in enumerate(before.owed))
    return Dealing(replace(before, left=left, owed=owed), event, ((),) * before.seats)


def _hand_dealt(state: Dealing, event: e.HandDealt) -> Dealing:
    hands = (*state.hands[: event.to], event.cards, *state.hands[event.to + 1 :])
    return replace(state, hands=hands)


def _deck_laid(state: Dealing, event: e.DeckLaid) -> Swapping:
    dealt, holdings = state.dealt, [NOTHING] * state.sitting.seats
    for seat, open_, blind in zip(dealt.seats, dealt.open, event.blind, strict=True):
        holdings[seat] = Holding(in_order(state.hands[seat]), in_order(open_), blind)
    return Swapping(state.sitting, dealt.dealer, tuple(holdings), event.stock, dealt.seats, (), dealt.due)


# Before play


def _cards_swapped(state: Swapping, event: e.CardsSwapped) -> Swapping:
    old = state.holdings[event.seat]
    hand = in_order((*_less(old.hand, (event.hand,)), event.open))
    open_ = in_order((*_less(old.open, (event.open,)), event.hand))
    holding = Holding(hand, open_, old.blind)
    return replace(state, holdings=with_holding(state.holdings, event.seat, holding))


def _seat_readied(state: Swapping, event: e.SeatReadied) -> Swapping:
    return replace(state, ready=(*state.ready, event.seat))


def _play_started(state: Swapping, event: e.PlayStarted) -> Playing:
    lead = event.rank if state.sitting.rules.open_with_lowest else None
    return Playing(
        state.sitting,
        state.dealer,
        state.holdings,
        state.stock,
        state.in_play,
        turn=event.starter,
        lead=lead,
        withdrawn=state.withdrawn,
    )


# Play


def _turn_started(state: Playing, event: e.TurnStarted) -> Playing:
    after = replace(state, turn=event.seat, due=event.due)
    return replace(after, seen=state.seen + digest(after)) if state.seen else after


def _undoable(state: Playing) -> bytes:
    """The positions seen, as a play begins that later plays may undo (S-34)."""
    if state.seen or not state.sitting.rules.stalemate_repeat:
        return state.seen
    return digest(state)


def _cards_played(state: Playing, event: e.CardsPlayed) -> Playing:
    old, cards = state.holdings[event.seat], event.cards + event.open
    if event.zone == "hand":
        hand = _less(old.hand, event.cards)
        open_ = _less(old.open, event.open) if event.open else old.open
        seen = b"" if event.open or (state.stock and len(hand) < HAND_CARDS) else _undoable(state)
    else:
        hand, open_, seen = old.hand, _less(old.open, event.cards), b""
    return replace(
        state,
        holdings=with_holding(state.holdings, event.seat, Holding(hand, open_, old.blind)),
        pile=state.pile + cards,
        top=pile.laid(state.sitting.rules, state.top, cards),
        lead=None,
        plays=state.plays + 1,
        seen=seen,
    )


def _blind_turned(state: Playing, event: e.BlindTurned) -> Playing:
    old, at = state.holdings[event.seat], event.position - 1
    assert old.blind[at] == event.card, f"not the blind card at {event.position}: {event.card}"
    blind = (*old.blind[:at], None, *old.blind[at + 1 :])
    if event.fits:
        holding, lying = Holding(old.hand, old.open, blind), (*state.pile, event.card)
        top = pile.laid(state.sitting.rules, state.top, (event.card,))
    else:
        holding = Holding(in_order((*old.hand, *state.pile, event.card)), old.open, blind)
        lying, top = (), pile.EMPTY
    return replace(
        state,
        holdings=with_holding(state.holdings, event.seat, holding),
        pile=lying,
        top=top,
        plays=state.plays + 1,
        seen=b"",
    )


def _pile_burnt(state: Playing, _event: e.PileBurnt) -> Playing:
    return replace(state, burnt=state.burnt + state.pile, pile=(), top=pile.EMPTY, seen=b"")


def _cards_drawn(state: Playing, event: e.CardsDrawn) -> Playing:
    old, drawn = state.holdings[event.seat], state.stock[: event.count]
    holding = Holding(in_order(old.hand + drawn), old.open, old.blind)
    return replace(
        state,
        holdings=with_holding(state.holdings, event.seat, holding),
        stock=state.stock[event.count :],
        seen=b"",
    )


def _pile_picked_up(state: Playing, event: e.PilePickedUp) -> Playing:
    old = state.holdings[event.seat]
    open_ = _less(old.open, event.open) if event.open else old.open
    holding = Holding(in_order(old.hand + state.pile + event.open), open_, old.blind)
    return replace(
        state,
        holdings=with_holding(state.holdings, event.seat, holding),
        pile=(),
        top=pile.EMPTY,
        plays=state.plays + 1,
        seen=b"" if event.open else _undoable(state),
    )


# The end


def _seat_finished(state: Playing, event: e.SeatFinished) -> Playing | Over:
    in_play = tuple(seat for seat in state.in_play if seat != event.seat)
    after = replace(state, in_play=in_play, places=(*state.places, event.seat), seen=b"")
    if len(in_play) > 1:
        return after
    return Over(state.sitting, ShitheadResult(in_play[0], after.places, "played", state.dealer), after)


def _stalemate_declared(state: Playing, event: e.StalemateDeclared) -> Over:
    return Over(state.sitting, ShitheadResult(None, state.places, event.cause, state.dealer), state)


def _unchanged(state: State, _event: Event) -> State:
    return state


ROWS: dict[tuple[type[Any], type[Event]], Callable[[Any, Any], State]] = {
    (Undealt, e.Dealt): _dealt,
    (Over, e.Dealt): _dealt,
    (Dealing, e.HandDealt): _hand_dealt,
    (Dealing, e.DeckLaid): _deck_laid,
    (Swapping, e.CardsSwapped): _cards_swapped,
    (Swapping, e.SeatReadied): _seat_readied,
    (Swapping, e.PlayStarted): _play_started,
    (Swapping, e.SeatWithdrawn): withdrawn,
    (Swapping, e.SipGiven): sip_given,
    (Playing, e.TurnStarted): _turn_started,
    (Playing, e.CardsPlayed): _cards_played,
    (Playing, e.BlindTurned): _blind_turned,
    (Playing, e.PileBurnt): _pile_burnt,
    (Playing, e.CardsDrawn): _cards_drawn,
    (Playing, e.CardsShown): _unchanged,  # the cards came with CardsDrawn: this line is for their holder
    (Playing, e.PilePickedUp): _pile_picked_up,
    (Playing, e.SeatFinished): _seat_finished,
    (Playing, e.StalemateDeclared): _stalemate_declared,
    (Playing, e.ClockPlayed): _unchanged,
    (Playing, e.SeatWithdrawn): withdrawn,
    (Over, e.SeatWithdrawn): withdrawn_between,
    (Undealt, e.SeatWithdrawn): withdrawn_between,  # round 1 was voided
    (Swapping, SeatLeft): _unchanged,  # what becomes of its cards comes with SeatWithdrawn
    (Playing, SeatLeft): _unchanged,
    (Over, SeatLeft): withdrawn_between,
    (Undealt, SeatLeft): withdrawn_between,
    (Playing, e.SipsTaken): _unchanged,
    (Playing, e.SipOwed): sip_owed,
    (Playing, e.SipGiven): sip_given,
    (Over, e.SipGiven): sip_given,
    (Over, e.GlassEmptied): _unchanged,
}
