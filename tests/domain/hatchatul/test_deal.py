"""The pack, the deal, the dealer and the first card of the pile (H-01 to H-05)."""

from collections import Counter

import pytest

from domain.fair import Dice
from domain.game import Deal
from domain.hatchatul import GAME
from domain.hatchatul.opening_events import (
    CardsDealt,
    OuterCards,
    OuterCardsTurned,
    PeekingStarted,
    RowsLaid,
    UpcardReturned,
    UpcardTurned,
)
from domain.hatchatul.pack import PACK
from domain.hatchatul.rules import HatchatulRules
from domain.hatchatul.state import Peeking, TurnStart
from tests.domain.hatchatul.scenario import AT, between, dealt, stacked


def test_hs_01_the_pack_has_28_cats_17_rats_and_9_action_cards():
    counts = Counter(PACK)
    assert len(PACK) == 54
    assert all(counts[number] == 4 for number in range(9))
    assert counts[9] == 9
    assert [counts[card] for card in ("peek", "swap", "draw2")] == [3, 3, 3]
    assert sum(card for card in PACK if isinstance(card, int)) == 225


def test_the_published_order_is_ascending_numbers_then_peek_swap_draw_two():
    assert PACK[:5] == (0, 0, 0, 0, 1)
    assert PACK[36:] == (9,) * 9 + ("peek",) * 3 + ("swap",) * 3 + ("draw2",) * 3


@pytest.mark.parametrize(("seats", "stock"), [(2, 45), (3, 41), (6, 29)])
def test_hs_02_the_deal_leaves_54_less_4_each_less_1_in_the_stock(seats, stock):
    position = dealt(stacked([3], seats), seats)
    assert [len(row) for row in position.state.cards.rows] == [4] * seats
    assert len(position.state.cards.stock) == stock
    assert position.state.cards.discard == (3,)


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left_into_slots_1_to_4():
    deck = (*[1, 2, 3] * 4, 0, *([5] * 41))
    position = dealt(deck, 3)
    assert position.state.cards.rows == ((3, 3, 3, 3), (1, 1, 1, 1), (2, 2, 2, 2))


def test_hs_04_an_action_card_turned_up_goes_back_into_the_middle():
    position = dealt(stacked(["swap", 5]))
    returned, turned = position.told(UpcardReturned)[0], position.told(UpcardTurned)[0]
    assert (returned.card, returned.above) == ("swap", 22), "45 are left, so 22 lie on it"
    assert turned.card == 5
    assert position.state.cards.stock[21] == "swap", "one of the 22 above it was turned up"
    assert position.state.cards.discard == (5,)
    assert Counter(c for zone in GAME.zones(position.state).values() for c in zone) == Counter(PACK)


def test_hs_05_several_action_cards_go_back_one_after_the_other():
    position = dealt(stacked(["swap", "draw2", "peek", 3]))
    assert [event.card for event in position.told(UpcardReturned)] == ["swap", "draw2", "peek"]
    assert position.told(UpcardTurned) == [UpcardTurned(3)]
    stock = position.state.cards.stock
    assert [stock.index(card) for card in ("swap", "draw2", "peek")] == [19, 20, 21]


def test_h_05_the_first_card_of_the_pile_is_turned_up_before_the_look_begins():
    kinds = [type(event) for event in dealt(stacked([3])).events]
    assert kinds == [CardsDealt, RowsLaid, UpcardTurned, PeekingStarted]


def test_the_look_has_its_own_clock_or_none():
    assert dealt(stacked([3])).told(PeekingStarted)[0].due == "2026-11-30T12:00:30.000000Z"
    assert dealt(stacked([3]), peek_timeout_s=0).told(PeekingStarted)[0].due is None


def test_h_02_seat_0_deals_first_and_then_the_next_seat_clockwise():
    assert dealt(stacked([3])).state.sitting.dealer == 0
    assert dealt(stacked([3], 3), 3, between(3, dealer=0)).state.sitting.dealer == 1
    assert dealt(stacked([3], 3), 3, between(3, dealer=2)).state.sitting.dealer == 0


def test_h_02_the_dice_may_name_the_first_dealer():
    state, dealers = GAME.initial(HatchatulRules(first_dealer="random"), 4), set()
    for n in range(30):
        events = GAME.deal(state, Deal(1, (0, 1, 2, 3), stacked([3], 4), Dice(bytes([n]) * 32), AT, 0))
        dealers |= {event.dealer for event in events if isinstance(event, CardsDealt)}
    assert dealers == {0, 1, 2, 3}


def test_hs_53_the_deal_passes_over_those_who_are_out():
    position = dealt(stacked([3], 2), 3, between(3, dealer=0, out=(1,)))
    assert position.state.sitting.dealer == 2
    assert position.state.cards.rows[1] == ()
    assert position.state.course.seats == (0, 2)


def test_h_29_with_open_outer_the_outer_cards_are_turned_up_and_play_begins_at_once():
    position = dealt(stacked([3], rows=[1, 2, 3, 4, 5, 6, 7, 8]), open_outer=True)
    assert position.told(OuterCardsTurned) == [OuterCardsTurned((OuterCards(0, 2, 8), OuterCards(1, 1, 7)))]
    position.then_at(TurnStart, 1)
    dealt(stacked([3])).then_at(Peeking)
