"""What each event does to the state. It has no opinion, and raises on an impossible history."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.game import Event
from domain.hatchatul import events as e
from domain.hatchatul.deal import OPENING
from domain.hatchatul.pack import Card
from domain.hatchatul.reveal import ENDING
from domain.hatchatul.state import (
    Cards,
    Course,
    HoldingAction,
    HoldingNumber,
    Over,
    Peeking,
    Row,
    State,
    Turn,
    TurnEnd,
    TurnStart,
    Undealt,
    with_card,
    without,
)
from domain.table.events import LastRoundCalled, SeatLeft


def evolve(state: State, event: Event) -> State:
    """The state after `event`."""
    return STEPS[type(event)](state, event)


def turn_of(state: State, seat: int) -> Turn:
    """The running turn, which is that of `seat`."""
    phase = state.phase
    assert isinstance(phase, TurnStart | HoldingNumber | HoldingAction | TurnEnd)
    assert phase.turn.seat == seat, "not his turn"
    return phase.turn


def held(state: State) -> Card:
    """The card in hand."""
    assert isinstance(state.phase, HoldingNumber | HoldingAction)
    return state.phase.card


def played(state: State, seat: int, rows: tuple[Row, ...], thrown: Card, *, spent: bool = False) -> State:
    """After a card was played: new rows, one more card on the pile; a `spent` one may forfeit the next (H-14)."""
    cards, turn = state.cards, turn_of(state, seat)
    after = Cards(rows, cards.stock, (*cards.discard, thrown), cards.aside)
    if spent and state.sitting.rules.draw_two == "pick_one":
        turn = replace(turn, owed=1)
    return State(state.sitting, after, state.course, TurnEnd(turn))


def _turn_started(state: State, event: e.TurnStarted) -> State:
    course = state.course
    if event.seat in course.waiting:
        course = replace(course, waiting=tuple(seat for seat in course.waiting if seat != event.seat))
    turn = Turn(event.seat, event.owed, event.extra, event.due)
    return State(state.sitting, state.cards, course, TurnStart(turn))


def _play_begun(state: State, _: e.PlayBegun) -> State:
    return State(state.sitting, state.cards, replace(state.course, begun=True), state.phase)


def _card_drawn(state: State, event: e.CardDrawn) -> State:
    cards, turn = state.cards, turn_of(state, event.seat)
    card = cards.stock[0]
    assert event.card == (card if isinstance(card, str) else None), "another card lies on the stock"
    after = Cards(cards.rows, cards.stock[1:], cards.discard, cards.aside)
    phase = HoldingAction(turn, card) if isinstance(card, str) else HoldingNumber(turn, card)
    return State(state.sitting, after, state.course, phase)


def _discard_taken(state: State, event: e.DiscardTaken) -> State:
    cards, turn = state.cards, turn_of(state, event.seat)
    assert cards.rows[event.seat][event.slot - 1] == event.discarded, "another card lay there"
    rows = with_card(cards.rows, event.seat, event.slot, cards.discard[-1])
    after = Cards(rows, cards.stock, (*cards.discard[:-1], event.discarded), cards.aside)
    return State(state.sitting, after, state.course, TurnEnd(turn))


def _card_placed(state: State, event: e.CardPlaced) -> State:
    assert state.cards.rows[event.seat][event.slot - 1] == event.discarded, "another card lay there"
    rows = with_card(state.cards.rows, event.seat, event.slot, held(state))
    return played(state, event.seat, rows, event.discarded, spent=True)


def _card_thrown(state: State, event: e.CardThrown) -> State:
    assert held(state) == event.card, "he holds another card"
    return played(state, event.seat, state.cards.rows, event.card)


def _peek_used(state: State, event: e.PeekUsed) -> State:
    assert held(state) == "peek", "he holds no Peek"
    return played(state, event.seat, state.cards.rows, "peek", spent=True)


def _cards_swapped(state: State, event: e.CardsSwapped) -> State:
    assert held(state) == "swap", "he holds no Swap"
    rows = state.cards.rows
    mine, theirs = rows[event.seat][event.mine - 1], rows[event.other][event.theirs - 1]
    rows = with_card(with_card(rows, event.seat, event.mine, theirs), event.other, event.theirs, mine)
    return played(state, event.seat, rows, "swap", spent=True)


def _draw_two_used(state: State, event: e.DrawTwoUsed) -> State:
    assert held(state) == "draw2", "he holds no Draw Two"
    return played(state, event.seat, state.cards.rows, "draw2")


def _turns_waived(state: State, event: e.TurnsWaived) -> State:
    return State(state.sitting, state.cards, state.course, TurnEnd(replace(turn_of(state, event.seat), owed=1)))


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    course, turn = state.course, turn_of(state, event.seat)
    idle = course.idle + 1 if course.late else 0
    after = Course(
        course.seats, course.turns + 1, course.reshuffles, course.knocker, course.waiting, course.begun, idle=idle
    )
    return State(state.sitting, state.cards, after, TurnEnd(turn))


def _knocked(state: State, event: e.Knocked) -> State:
    assert state.course.knocker is None, "a second knock"
    after = replace(state.course, turns=state.course.turns + 1, knocker=event.seat, waiting=event.lap)
    return State(state.sitting, state.cards, after, TurnEnd(turn_of(state, event.seat)))


def _stock_reshuffled(state: State, event: e.StockReshuffled) -> State:
    assert event.count == state.course.reshuffles + 1, "a reshuffle is missing"
    return State(state.sitting, state.cards, replace(state.course, reshuffles=event.count), state.phase)


def _stock_laid(state: State, event: e.StockLaid) -> State:
    cards = state.cards
    assert sorted(map(str, event.stock)) == sorted(map(str, cards.stock + cards.discard[:-1])), "other cards"
    after = Cards(cards.rows, event.stock, cards.discard[-1:], cards.aside)
    return State(state.sitting, after, state.course, state.phase)


def _unchanged(state: State, _: Event) -> State:
    return state


def _seat_timed_out(state: State, _: e.SeatTimedOut) -> State:
    if isinstance(state.phase, Peeking):
        return state
    return State(state.sitting, state.cards, replace(state.course, late=True), state.phase)


def _seat_withdrawn(state: State, event: e.SeatWithdrawn) -> State:
    seat, cards, phase, sitting = event.seat, state.cards, state.phase, without(state.sitting, event.seat)
    if seat not in state.course.seats or isinstance(phase, Over):
        return State(sitting, cards, state.course, phase)
    aside = cards.aside + cards.rows[seat]
    if isinstance(phase, Peeking):
        phase = Peeking(tuple(other for other in phase.waiting if other != seat), phase.due)
    elif isinstance(phase, HoldingNumber | HoldingAction) and phase.turn.seat == seat:
        aside, phase = (*aside, phase.card), TurnEnd(phase.turn)
    course = replace(
        state.course,
        seats=tuple(other for other in state.course.seats if other != seat),
        waiting=tuple(other for other in state.course.waiting if other != seat),
    )
    rows = (*cards.rows[:seat], (), *cards.rows[seat + 1 :])
    return State(sitting, Cards(rows, cards.stock, cards.discard, aside), course, phase)


def _seat_left(state: State, event: SeatLeft) -> State:
    """Between rounds that is all; in a round what becomes of its row follows. A voided round tells it again (G-11)."""
    if isinstance(state.phase, Undealt | Over):
        return State(without(state.sitting, event.seat), state.cards, state.course, state.phase)
    return state


def _last_round_called(state: State, _: LastRoundCalled) -> State:
    running = not isinstance(state.phase, Undealt | Over)
    last = state.sitting.last or state.sitting.rounds + (2 if running else 1)  # a second call puts nothing off
    return State(replace(state.sitting, last=last), state.cards, state.course, state.phase)


STEPS: dict[type[Event], Callable[[State, Any], State]] = {
    **OPENING,
    e.TurnStarted: _turn_started,
    e.PlayBegun: _play_begun,
    e.CardDrawn: _card_drawn,
    e.DrawnCardShown: _unchanged,
    e.DiscardTaken: _discard_taken,
    e.CardPlaced: _card_placed,
    e.CardThrown: _card_thrown,
    e.PeekUsed: _peek_used,
    e.CardsSwapped: _cards_swapped,
    e.SlotShown: _unchanged,
    e.DrawTwoUsed: _draw_two_used,
    e.TurnsWaived: _turns_waived,
    e.TurnEnded: _turn_ended,
    e.Knocked: _knocked,
    e.StockReshuffled: _stock_reshuffled,
    e.StockLaid: _stock_laid,
    e.StockExhausted: _unchanged,
    e.SeatTimedOut: _seat_timed_out,
    e.SeatWithdrawn: _seat_withdrawn,
    **ENDING,
    SeatLeft: _seat_left,
    LastRoundCalled: _last_round_called,
}
