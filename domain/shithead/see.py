"""`see`: how each event that a seat hears changes its view; events without a row here change nothing in it."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.game import Event
from domain.playing_cards import in_order
from domain.shithead import events as e
from domain.shithead.holding import without
from domain.shithead.pack import BLIND_POSITIONS
from domain.shithead.pile import EMPTY, laid
from domain.shithead.rules import CARDS_A_SEAT
from domain.shithead.view import SeatSeen, ShitheadView, in_play
from domain.table.events import SeatLeft

Seats = tuple[SeatSeen, ...]


def see(view: ShitheadView, event: Event) -> ShitheadView:
    """The view after hearing `event`."""
    row = ROWS.get(type(event))
    return view if row is None else row(view, event)


def _with(seats: Seats, seen: SeatSeen) -> Seats:
    return (*seats[: seen.seat], seen, *seats[seen.seat + 1 :])


def _less(zone: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    rest = without(zone, cards)
    assert rest is not None, f"{cards} not in {zone}"
    return rest


def _dealt(view: ShitheadView, event: e.Dealt) -> ShitheadView:
    opens = dict(zip(event.seats, event.open, strict=True))
    seats = tuple(
        SeatSeen(
            seen.seat,
            status="in",
            hand=CARDS_A_SEAT // 3,
            open=in_order(opens[seen.seat]),
            blind=BLIND_POSITIONS,
            sips_owed=seen.sips_owed,
        )
        if seen.seat in opens
        else SeatSeen(seen.seat, status="left")
        for seen in view.seats
    )
    pile = () if view.rules.show_full_pile else None
    return ShitheadView(
        view.seat,
        view.rules,
        seats,
        phase="swapping",
        dealer=event.dealer,
        due=event.due,
        stock=event.stock,
        pile=pile,
    )


def _hand_dealt(view: ShitheadView, event: e.HandDealt) -> ShitheadView:
    return replace(view, hand=in_order(event.cards))


def _cards_swapped(view: ShitheadView, event: e.CardsSwapped) -> ShitheadView:
    old = view.seats[event.seat]
    open_ = in_order((*_less(old.open, (event.open,)), event.hand))
    seats = _with(view.seats, replace(old, open=open_))
    if event.seat != view.seat:
        return replace(view, seats=seats)
    return replace(view, seats=seats, hand=in_order((*_less(view.hand, (event.hand,)), event.open)))


def _seat_readied(view: ShitheadView, event: e.SeatReadied) -> ShitheadView:
    return replace(view, seats=_with(view.seats, replace(view.seats[event.seat], ready=True)))


def _play_started(view: ShitheadView, event: e.PlayStarted) -> ShitheadView:
    lead = event.rank if view.rules.open_with_lowest else None
    return replace(view, phase="playing", turn=event.starter, due=None, lead=lead)


def _turn_started(view: ShitheadView, event: e.TurnStarted) -> ShitheadView:
    return replace(view, turn=event.seat, due=event.due)


def _cards_played(view: ShitheadView, event: e.CardsPlayed) -> ShitheadView:
    old, cards = view.seats[event.seat], event.cards + event.open
    hand = view.hand
    if event.zone == "hand":
        open_ = _less(old.open, event.open) if event.open else old.open
        seen = replace(old, hand=old.hand - len(event.cards), open=open_)
        if event.seat == view.seat:
            hand = _less(hand, event.cards)
    else:
        seen = replace(old, open=_less(old.open, event.cards))
    return replace(
        view,
        seats=_with(view.seats, seen),
        hand=hand,
        top=laid(view.rules, view.top, cards),
        pile=None if view.pile is None else view.pile + cards,
        pile_count=view.pile_count + len(cards),
        lead=None,
    )


def _blind_turned(view: ShitheadView, event: e.BlindTurned) -> ShitheadView:
    old = view.seats[event.seat]
    blind = tuple(position for position in old.blind if position != event.position)
    if not event.fits:
        return _taken(view, replace(old, blind=blind), (*event.taken, event.card))
    return replace(
        view,
        seats=_with(view.seats, replace(old, blind=blind)),
        top=laid(view.rules, view.top, (event.card,)),
        pile=None if view.pile is None else (*view.pile, event.card),
        pile_count=view.pile_count + 1,
    )


def _taken(view: ShitheadView, seen: SeatSeen, cards: tuple[str, ...]) -> ShitheadView:
    """The pile is gone, and `cards` went to the hand of `seen`."""
    return replace(
        view,
        seats=_with(view.seats, replace(seen, hand=seen.hand + len(cards))),
        hand=in_order(view.hand + cards) if seen.seat == view.seat else view.hand,
        top=EMPTY,
        pile=None if view.pile is None else (),
        pile_count=0,
    )


def _pile_picked_up(view: ShitheadView, event: e.PilePickedUp) -> ShitheadView:
    old = view.seats[event.seat]
    seen = replace(old, open=_less(old.open, event.open)) if event.open else old
    return _taken(view, seen, event.cards + event.open)


def _pile_burnt(view: ShitheadView, event: e.PileBurnt) -> ShitheadView:
    pile = None if view.pile is None else ()
    return replace(view, burnt=view.burnt + event.count, top=EMPTY, pile=pile, pile_count=0)


def _cards_drawn(view: ShitheadView, event: e.CardsDrawn) -> ShitheadView:
    old = view.seats[event.seat]
    seats = _with(view.seats, replace(old, hand=old.hand + event.count))
    return replace(view, seats=seats, stock=view.stock - event.count)


def _cards_shown(view: ShitheadView, event: e.CardsShown) -> ShitheadView:
    return replace(view, hand=in_order(view.hand + event.cards))


def _seat_finished(view: ShitheadView, event: e.SeatFinished) -> ShitheadView:
    seats = _with(view.seats, replace(view.seats[event.seat], status="finished"))
    after = replace(view, seats=seats, places=(*view.places, event.seat))
    still_in = in_play(after)
    if len(still_in) > 1:
        return after
    return replace(after, phase="over", turn=None, due=None, shithead=still_in[0], cause="played")


def _stalemate_declared(view: ShitheadView, event: e.StalemateDeclared) -> ShitheadView:
    return replace(view, phase="over", turn=None, due=None, cause=event.cause)


def _seat_withdrawn(view: ShitheadView, event: e.SeatWithdrawn) -> ShitheadView:
    old = view.seats[event.seat]
    seats = _with(view.seats, SeatSeen(event.seat, status="left"))
    if old.status != "in" or view.phase == "over":
        return replace(view, seats=seats)
    after = replace(
        view,
        seats=seats,
        hand=() if event.seat == view.seat else view.hand,
        withdrawn=view.withdrawn + old.hand + len(old.open) + len(old.blind),
        lead=None if view.turn == event.seat else view.lead,
    )
    if len(in_play(after)) > 1:
        return after
    shithead = event.seat if view.rules.leaver_loses else None
    return replace(after, phase="over", turn=None, due=None, shithead=shithead, cause="abandoned")


def _seat_left(view: ShitheadView, event: SeatLeft) -> ShitheadView:
    """Between rounds that is all; in a round what becomes of its cards follows. A voided round tells it again."""
    if view.phase in ("swapping", "playing"):
        return view
    return replace(view, seats=_with(view.seats, SeatSeen(event.seat, status="left")))


def _sip_owed(view: ShitheadView, event: e.SipOwed) -> ShitheadView:
    old = view.seats[event.seat]
    return replace(view, seats=_with(view.seats, replace(old, sips_owed=old.sips_owed + 1)))


def _sip_given(view: ShitheadView, event: e.SipGiven) -> ShitheadView:
    old = view.seats[event.seat]
    return replace(view, seats=_with(view.seats, replace(old, sips_owed=old.sips_owed - 1)))


ROWS: dict[type[Event], Callable[[ShitheadView, Any], ShitheadView]] = {
    e.Dealt: _dealt,
    e.HandDealt: _hand_dealt,
    e.CardsSwapped: _cards_swapped,
    e.SeatReadied: _seat_readied,
    e.PlayStarted: _play_started,
    e.TurnStarted: _turn_started,
    e.CardsPlayed: _cards_played,
    e.BlindTurned: _blind_turned,
    e.PileBurnt: _pile_burnt,
    e.CardsDrawn: _cards_drawn,
    e.CardsShown: _cards_shown,
    e.PilePickedUp: _pile_picked_up,
    e.SeatFinished: _seat_finished,
    e.StalemateDeclared: _stalemate_declared,
    e.SeatWithdrawn: _seat_withdrawn,
    SeatLeft: _seat_left,
    e.SipOwed: _sip_owed,
    e.SipGiven: _sip_given,
}
