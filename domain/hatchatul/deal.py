"""How a round is set up: the deal and the first flip as events, and what those do to the state."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from domain.game import Deal, Event
from domain.hatchatul import opening_events as e
from domain.hatchatul.ending_events import TimeExpired
from domain.hatchatul.events import TurnStarted
from domain.hatchatul.pack import Card, is_action
from domain.hatchatul.rules import HatchatulRules
from domain.hatchatul.state import (
    Cards,
    Course,
    Peeking,
    Row,
    Setup,
    Sitting,
    State,
    Undealt,
    clockwise,
    in_game,
    leaders,
)
from domain.times import deadline, later


def deal(state: State, deal: Deal) -> list[Event]:
    """The events that set up a round; if the time of the mode is up, that it is (H-22)."""
    sitting = state.sitting
    if sitting.ends_at is not None and deal.at >= sitting.ends_at:
        return [TimeExpired(leaders(sitting.totals, in_game(sitting)))]
    seats = tuple(seat for seat in deal.seats if seat not in sitting.out)
    dealer = next_dealer(sitting, seats, deal)
    order = clockwise(seats, dealer)
    dealt = 4 * len(seats)
    rows = {seat: deal.deck[i : dealt : len(seats)] for i, seat in enumerate(order)}
    stock = deal.deck[dealt:]
    return [
        e.CardsDealt(dealer, seats, sitting.ends_at or time_up(sitting.rules, deal.at)),
        e.RowsLaid(tuple(rows[seat] for seat in seats), stock),
        *flips(stock),
        *opening(sitting.rules, rows, order, deal.at),
    ]


def next_dealer(sitting: Sitting, seats: tuple[int, ...], deal: Deal) -> int:
    """The next seat in play on the left of the last dealer; at first seat 0, or a seat by the dice (H-02)."""
    if sitting.dealer is not None:
        return clockwise(seats, sitting.dealer)[0]
    if sitting.rules.first_dealer == "random":
        return seats[deal.dice.below("first-dealer", len(seats))]
    return seats[0]


def time_up(rules: HatchatulRules, at: str) -> str | None:
    """When the time of the mode is up, if play begins at `at`."""
    return None if rules.mode.time is None else later(at, seconds=rules.mode.time)


def flips(stock: tuple[Card, ...]) -> Iterator[Event]:
    """Turn up the first discard; an action card goes back into the middle, and the next is flipped (H-04)."""
    while isinstance(card := stock[0], str):
        above = (len(stock) - 1) // 2
        yield e.UpcardReturned(card, above)
        stock = put_back(stock, above)
    yield e.UpcardTurned(card)


def put_back(stock: tuple[Card, ...], above: int) -> tuple[Card, ...]:
    """`stock` with its next card moved under `above` others."""
    return (*stock[1 : above + 1], stock[0], *stock[above + 1 :])


def opening(rules: HatchatulRules, rows: dict[int, Row], order: tuple[int, ...], at: str) -> list[Event]:
    """The opening look begins; with `open_outer` the outer cards are turned up instead, and play begins (H-29)."""
    if not rules.open_outer:
        return [e.PeekingStarted(deadline(at, rules.peek_timeout_s))]
    turned = tuple(e.OuterCards(seat, rows[seat][0], rows[seat][3]) for seat in sorted(order))
    return [e.OuterCardsTurned(turned), turn(rules, order[0], at)]


def turn(rules: HatchatulRules, seat: int, at: str, owed: int = 1, *, extra: bool = False) -> TurnStarted:
    """The start of a turn, with its clock."""
    return TurnStarted(seat, owed, extra, deadline(at, rules.turn_timeout_s))


# What these events do


def _cards_dealt(state: State, event: e.CardsDealt) -> State:
    sitting = replace(state.sitting, dealer=event.dealer, ends_at=event.ends_at)
    return State(sitting, Cards(((),) * sitting.seats), Course(event.seats), Undealt())


def _rows_laid(state: State, event: e.RowsLaid) -> State:
    laid = dict(zip(state.course.seats, event.rows, strict=True))
    rows = tuple(laid.get(seat, ()) for seat in range(state.sitting.seats))
    return State(state.sitting, Cards(rows, event.stock), state.course, Setup())


def _upcard_returned(state: State, event: e.UpcardReturned) -> State:
    assert state.cards.stock[0] == event.card, "another card lies on the stock"
    return State(
        state.sitting, replace(state.cards, stock=put_back(state.cards.stock, event.above)), state.course, Setup()
    )


def _upcard_turned(state: State, event: e.UpcardTurned) -> State:
    stock = state.cards.stock
    assert stock[0] == event.card, "another card lies on the stock"
    assert not is_action(event.card), "play never starts on an action card"
    return State(state.sitting, Cards(state.cards.rows, stock[1:], (event.card,)), state.course, Setup())


def _unchanged(state: State, _: Event) -> State:
    return state


def _peeking_started(state: State, event: e.PeekingStarted) -> State:
    return State(state.sitting, state.cards, state.course, Peeking(state.course.seats, event.due))


def _looked(state: State, event: e.OuterCardsPeeked | e.PeekSkipped) -> State:
    phase = state.phase
    assert isinstance(phase, Peeking)
    assert event.seat in phase.waiting, "he has had his look"
    waiting = tuple(seat for seat in phase.waiting if seat != event.seat)
    return State(state.sitting, state.cards, state.course, Peeking(waiting, phase.due))


def _peeking_ended(state: State, _: e.PeekingEnded) -> State:
    return State(state.sitting, state.cards, state.course, Setup())


OPENING: dict[type[Event], Callable[[State, Any], State]] = {
    e.CardsDealt: _cards_dealt,
    e.RowsLaid: _rows_laid,
    e.UpcardReturned: _upcard_returned,
    e.UpcardTurned: _upcard_turned,
    e.OuterCardsTurned: _unchanged,
    e.PeekingStarted: _peeking_started,
    e.OuterCardsPeeked: _looked,
    e.OuterCardsShown: _unchanged,
    e.PeekSkipped: _looked,
    e.PeekingEnded: _peeking_ended,
}
