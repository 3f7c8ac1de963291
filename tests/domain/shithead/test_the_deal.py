"""S-01, S-29: packs, the order of dealing, and who deals."""

from collections import Counter
from typing import Any

import pytest

from domain.fair import Dice
from domain.game import Deal, RulesInvalid, Secret, Whisper
from domain.shithead import GAME
from domain.shithead.events import Dealt, DeckLaid, HandDealt
from domain.shithead.rules import ShitheadRules
from domain.shithead.state import Over, ShitheadResult, Swapping
from domain.times import deadline
from tests.domain.shithead.scenes import AT, DICE, due_of, playing


def dealt(seats, *, rules=None, before=None, present=None, dice=DICE, deck=None):
    rules = rules or ShitheadRules()
    state = before or GAME.initial(rules, seats)
    deck = deck or GAME.pack(rules, seats)
    events = GAME.deal(state, Deal(1, present or tuple(range(seats)), deck, dice, AT, 0))
    for event in events:
        state = GAME.evolve(state, event)
    return state, events


def test_ss_01_five_players_leave_seven_cards_of_one_pack():
    state, events = dealt(5)
    assert isinstance(state, Swapping)
    assert sum(len(h.hand + h.open + h.blind) for h in state.holdings) == 45
    assert len(state.stock) == events[0].stock == 7
    assert events[0].decks == 1


@pytest.mark.parametrize(("seats", "stock"), [(6, 50), (9, 23), (10, 14), (11, 5)])
def test_ss_02_six_and_more_play_with_two_packs(seats, stock):
    state, events = dealt(seats)
    assert len(state.stock) == events[0].stock == stock
    assert events[0].decks == 2
    lying = Counter(card for zone in GAME.zones(state).values() for card in zone)
    assert lying == Counter(GAME.pack(ShitheadRules(), seats))
    assert set(lying.values()) == {2}


def test_ss_02_twelve_players_are_too_many():
    assert GAME.seats(ShitheadRules())[1] == 11
    with pytest.raises(RulesInvalid):
        GAME.check(ShitheadRules(), 12)


def test_the_pack_is_in_published_order():
    pack = GAME.pack(ShitheadRules(decks=2), 3)
    assert pack[:3] == ("2C", "3C", "4C")
    assert pack[12:15] == ("AC", "2D", "3D")
    assert pack[:52] == pack[52:]


def test_cards_go_round_from_the_dealers_left_blind_then_open_then_hand():
    state, _ = dealt(3)
    pack = GAME.pack(ShitheadRules(), 3)
    # dealer 0, so seat 1 gets card 0, seat 2 card 1, seat 0 card 2, seat 1 card 3 …
    for place, seat in enumerate((1, 2, 0)):
        own = pack[place:27:3]
        held = state.holdings[seat]
        assert held.blind == own[:3]
        assert sorted(held.open) == sorted(own[3:6])
        assert sorted(held.hand) == sorted(own[6:])
    assert state.stock == pack[27:]


def test_a_deal_is_one_public_line_one_whisper_a_seat_and_one_secret():
    _, events = dealt(4)
    assert [type(event) for event in events] == [Dealt, *[HandDealt] * 4, DeckLaid]
    assert [event.to for event in events if isinstance(event, Whisper)] == [0, 1, 2, 3]
    assert [isinstance(event, Secret) for event in events] == [False] * 5 + [True]


def test_the_public_line_of_a_deal_names_open_cards_only():
    state, events = dealt(3)
    told = {card for cards in events[0].open for card in cards}
    assert told == {card for held in state.holdings for card in held.open}
    assert events[0].due == deadline(AT, 60)


def test_without_a_swap_clock_nothing_is_due_at_a_time():
    state, _ = dealt(2, rules=ShitheadRules(swap_timeout_s=0))
    due = due_of(state)
    assert (due.at, due.seats) == (None, (0, 1))


def test_no_card_lies_anywhere_until_the_deal_is_complete():
    state = GAME.initial(ShitheadRules(), 2)
    assert GAME.zones(state) == {}
    *_, deck_laid = events = GAME.deal(state, Deal(1, (0, 1), GAME.pack(ShitheadRules(), 2), DICE, AT, 0))
    for event in events[:-1]:
        state = GAME.evolve(state, event)
        assert GAME.zones(state) == {}
    assert sum(map(len, GAME.zones(GAME.evolve(state, deck_laid)).values())) == 52


def test_seat_0_deals_first():
    assert dealt(4)[1][0].dealer == 0
    assert dealt(4, present=(2, 3))[1][0].dealer == 2


def test_a_random_first_dealer_comes_from_the_rounds_seed():
    rules = ShitheadRules(first_dealer="random")
    dealers = Counter(dealt(4, rules=rules, dice=Dice(n.to_bytes(32, "big")))[1][0].dealer for n in range(200))
    assert sorted(dealers) == [0, 1, 2, 3]
    assert min(dealers.values()) > 25
    assert dealt(4, rules=rules)[1][0].dealer == DICE.below("first-dealer", 4)


def over(shithead, *, dealer=0, **rules: Any):
    """A round of four that is over, with this shithead."""
    state = playing(*["2C"] * 4, dealer=dealer, **rules)
    return Over(state.sitting, ShitheadResult(shithead, (), "played", dealer), state)


@pytest.mark.parametrize(
    ("before", "present", "dealer"),
    [
        (over(2), (0, 1, 2, 3), 2),
        (over(2, next_dealer="rotate"), (0, 1, 2, 3), 1),
        (over(2, dealer=3, next_dealer="rotate"), (0, 1, 2, 3), 0),
        (over(None, dealer=1), (0, 1, 2, 3), 2),
        (over(None, dealer=1), (0, 1, 3), 3),
        (over(2), (0, 1, 3), 3),
        (over(3), (0, 1, 2), 0),
    ],
    ids=["loser", "rotate", "rotate round", "nobody", "nobody, next left", "loser left", "last seat left"],
)
def test_the_next_dealer_is_the_loser_or_whoever_s_29_names(before, present, dealer):
    state, events = dealt(4, before=before, present=present)
    assert events[0].dealer == dealer
    assert state.in_play == present
    assert events[0].seats == present


def test_a_deal_in_the_middle_of_a_round_is_a_wrong_program():
    with pytest.raises(AssertionError, match="Playing"):
        dealt(2, before=playing("3C", "4C"))


def test_a_history_that_cannot_be_raises():
    with pytest.raises(KeyError):
        GAME.evolve(GAME.initial(ShitheadRules(), 2), HandDealt(0, ("3C",)))
