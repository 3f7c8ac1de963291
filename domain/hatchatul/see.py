"""How a view follows what its seat hears: one step for each event, and the three moments that end a look."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.game import Event
from domain.hatchatul import events as e
from domain.hatchatul import opening_events as opening
from domain.hatchatul.deed import Deed
from domain.hatchatul.pack import OUTER, PACK, Card
from domain.hatchatul.see_ending import SEE_ENDING
from domain.hatchatul.view import Faces, Look, View, nothing_known


def see(view: View, event: Event) -> View:
    """The view after `event`, which its seat heard. Events of the table itself change nothing here."""
    step = STEPS.get(type(event))
    if step is not None:
        view = step(view, event)
    return cover(view) if ends_looks(event, view.seat) else view


def cover(view: View) -> View:
    """Nothing is shown any more (G-06)."""
    return replace(view, shown=()) if view.shown else view


def ends_looks(event: Event, seat: int | None) -> bool:
    """G-06: the seat's own next command, the table's move for it, or the end of the phase."""
    return event.ends_showing or (isinstance(event, Deed | e.SeatTimedOut) and event.seat == seat)


def learned(known: Faces | None, slot: int, card: Card | None) -> Faces | None:
    """The memory aid with one slot known (H-07), or forgotten."""
    return known if known is None else (*known[: slot - 1], card, *known[slot:])


def thrown(view: View, card: Card, **changes: Any) -> View:
    """One more card on the pile, and the turn played."""
    history = view.discard_history
    return replace(
        view,
        phase="turn_end",
        held=None,
        discard_top=card,
        discard_count=view.discard_count + 1,
        discard_history=None if history is None else (*history, card),
        **changes,
    )


def spent(view: View, card: Card, **changes: Any) -> View:
    """A card placed or used: thrown, and under `pick_one` it forfeits the second (H-14)."""
    owed = 1 if view.rules.draw_two == "pick_one" else view.owed
    return thrown(view, card, owed=owed, **changes)


def faced(rows: tuple[Faces, ...], seat: int, slot: int, face: Card | None) -> tuple[Faces, ...]:
    """`rows` with another face in one slot."""
    row = rows[seat]
    return (*rows[:seat], (*row[: slot - 1], face, *row[slot:]), *rows[seat + 1 :])


def _cards_dealt(view: View, event: opening.CardsDealt) -> View:
    return replace(
        view,
        phase="setup",
        seats=event.seats,
        dealer=event.dealer,
        ends_at=event.ends_at,
        knocker=None,
        lap=(),
        stock=len(PACK) - 4 * len(event.seats),
        discard_top=None,
        discard_count=0,
        discard_history=None if view.discard_history is None else (),
        rows=tuple((None,) * 4 if seat in event.seats else () for seat in range(len(view.rows))),
        known=nothing_known(view.rules, view.seat),
        result=None,
    )


def _upcard_turned(view: View, event: opening.UpcardTurned) -> View:
    history = None if view.discard_history is None else (event.card,)
    return replace(view, stock=view.stock - 1, discard_top=event.card, discard_count=1, discard_history=history)


def _outer_cards_turned(view: View, event: opening.OuterCardsTurned) -> View:
    rows = view.rows
    for row in event.rows:
        rows = faced(faced(rows, row.seat, 1, row.left), row.seat, 4, row.right)
    return replace(view, rows=rows)


def _peeking_started(view: View, event: opening.PeekingStarted) -> View:
    return replace(view, phase="peeking", peeking=view.seats, due=event.due)


def _looked(view: View, event: opening.OuterCardsPeeked | opening.PeekSkipped) -> View:
    return replace(view, peeking=tuple(seat for seat in view.peeking if seat != event.seat))


def _outer_cards_shown(view: View, event: opening.OuterCardsShown) -> View:
    known = learned(learned(view.known, 1, event.left), 4, event.right)
    return replace(view, shown=(Look(1, event.left), Look(4, event.right)), known=known)


def _peeking_ended(view: View, _: opening.PeekingEnded) -> View:
    return replace(view, phase="setup", due=None)


def _turn_started(view: View, event: e.TurnStarted) -> View:
    lap = view.lap
    if event.seat in lap:
        lap = tuple(seat for seat in lap if seat != event.seat)
    return replace(
        view, phase="turn_start", turn=event.seat, owed=event.owed, extra=event.extra, due=event.due, lap=lap
    )


def _card_drawn(view: View, event: e.CardDrawn) -> View:
    return replace(view, phase="holding", held=event.card, stock=view.stock - 1)


def _drawn_card_shown(view: View, event: e.DrawnCardShown) -> View:
    return replace(view, shown=(*view.shown, Look(None, event.card)))


def _discard_taken(view: View, event: e.DiscardTaken) -> View:
    taken, history = view.discard_top, view.discard_history
    own = event.seat == view.seat
    return replace(
        view,
        phase="turn_end",
        discard_top=event.discarded,
        discard_history=None if history is None else (*history[:-1], event.discarded),
        rows=faced(view.rows, event.seat, event.slot, taken) if lies_open(view, event.slot) else view.rows,
        known=learned(view.known, event.slot, taken) if own else view.known,
    )


def lies_open(view: View, slot: int) -> bool:
    """Whether a card in this slot lies face up (H-29)."""
    return view.rules.open_outer and slot in OUTER


def _card_placed(view: View, event: e.CardPlaced) -> View:
    rows, known = view.rows, view.known
    if event.face is not None:
        rows = faced(rows, event.seat, event.slot, event.face)
    if known is not None and event.seat == view.seat:
        in_hand = next((look.card for look in view.shown if look.slot is None), view.held)
        known = learned(known, event.slot, in_hand)
    return spent(view, event.discarded, rows=rows, known=known)


def _card_thrown(view: View, event: e.CardThrown) -> View:
    return thrown(view, event.card)


def _peek_used(view: View, _: e.PeekUsed) -> View:
    return spent(view, "peek")


def _cards_swapped(view: View, event: e.CardsSwapped) -> View:
    after = spent(view, "swap")
    if view.seat not in (event.seat, event.other):
        return after
    slot = event.mine if view.seat == event.seat else event.theirs
    shown = tuple(look for look in view.shown if look.slot != slot)  # that card lies there no more
    return replace(after, shown=shown, known=learned(view.known, slot, None))


def _slot_shown(view: View, event: e.SlotShown) -> View:
    shown = (*view.shown, Look(event.slot, event.card))
    return replace(view, shown=shown, known=learned(view.known, event.slot, event.card))


def _draw_two_used(view: View, _: e.DrawTwoUsed) -> View:
    return thrown(view, "draw2")


def _turns_waived(view: View, _: e.TurnsWaived) -> View:
    return replace(view, phase="turn_end", owed=1)


def _knocked(view: View, event: e.Knocked) -> View:
    return replace(view, knocker=event.seat, lap=event.lap)


def _stock_reshuffled(view: View, event: e.StockReshuffled) -> View:
    history = view.discard_history
    return replace(view, stock=event.cards, discard_count=1, discard_history=None if history is None else history[-1:])


STEPS: dict[type[Event], Callable[[View, Any], View]] = {
    opening.CardsDealt: _cards_dealt,
    opening.UpcardTurned: _upcard_turned,
    opening.OuterCardsTurned: _outer_cards_turned,
    opening.PeekingStarted: _peeking_started,
    opening.OuterCardsPeeked: _looked,
    opening.OuterCardsShown: _outer_cards_shown,
    opening.PeekSkipped: _looked,
    opening.PeekingEnded: _peeking_ended,
    e.TurnStarted: _turn_started,
    e.CardDrawn: _card_drawn,
    e.DrawnCardShown: _drawn_card_shown,
    e.DiscardTaken: _discard_taken,
    e.CardPlaced: _card_placed,
    e.CardThrown: _card_thrown,
    e.PeekUsed: _peek_used,
    e.CardsSwapped: _cards_swapped,
    e.SlotShown: _slot_shown,
    e.DrawTwoUsed: _draw_two_used,
    e.TurnsWaived: _turns_waived,
    e.Knocked: _knocked,
    e.StockReshuffled: _stock_reshuffled,
    **SEE_ENDING,
}
