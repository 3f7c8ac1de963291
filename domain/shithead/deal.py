"""Dealing a round: who deals, and the nine cards of each seat in the order that every deck follows (S-01, S-29)."""

from domain import times
from domain.game import Deal, Event
from domain.shithead.events import Dealt, DeckLaid, HandDealt
from domain.shithead.rules import CARDS_A_SEAT, PACK_CARDS, ShitheadRules
from domain.shithead.seating import clockwise, from_left_of
from domain.shithead.state import Over, State, Undealt


def deal(state: State, deal: Deal) -> list[Event]:
    """The deal's events: one public, one whisper a seat, one secret. One card at a time from the dealer's left."""
    assert isinstance(state, Undealt | Over), f"no deal while {type(state).__name__}"
    rules = state.sitting.rules
    dealer = _first_dealer(rules, deal) if isinstance(state, Undealt) else _next_dealer(state, deal.seats)
    order, count = from_left_of(deal.seats, dealer), len(deal.seats)
    dealt_cards = {seat: deal.deck[i : CARDS_A_SEAT * count : count] for i, seat in enumerate(order)}
    stock = deal.deck[CARDS_A_SEAT * count :]
    return [
        Dealt(
            dealer=dealer,
            decks=len(deal.deck) // PACK_CARDS,
            seats=deal.seats,
            open=tuple(dealt_cards[seat][3:6] for seat in deal.seats),
            stock=len(stock),
            due=times.deadline(deal.at, rules.swap_timeout_s),
        ),
        *(HandDealt(to=seat, cards=dealt_cards[seat][6:]) for seat in deal.seats),
        DeckLaid(stock=stock, blind=tuple(dealt_cards[seat][:3] for seat in deal.seats)),
    ]


def _first_dealer(rules: ShitheadRules, deal: Deal) -> int:
    if rules.first_dealer == "random":
        return deal.seats[deal.dice.below("first-dealer", len(deal.seats))]
    return deal.seats[0]


def _next_dealer(state: Over, seats: tuple[int, ...]) -> int:
    """S-29: the shithead, or the next seat after one who left; if nobody is it, the next after the dealer."""
    result = state.result
    if state.sitting.rules.next_dealer == "rotate" or result.shithead is None:
        return clockwise(seats, result.dealer)
    return result.shithead if result.shithead in seats else clockwise(seats, result.shithead)
