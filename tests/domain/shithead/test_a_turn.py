"""S-07, S-08, S-15, S-22, S-39, S-40: what fits, sets, and whose turn it is."""

from typing import Any

import pytest

from domain.shithead.events import CardsDrawn, CardsPlayed, CardsShown, PileBurnt
from domain.shithead.moves import Flip, PickUp, Play
from tests.domain.shithead.scenes import cards, given, playing, turn

B = "4C 4D 4H"
C = "KC KD KH"


def played(hand, lying, *named: str, others=(B, C), **rules: Any):
    return given(playing(hand, *others, lying=lying, **rules)).when(0, Play(named))


# S-40: what fits


@pytest.mark.parametrize("card", ["8S", "9S", "QD", "10D", "2C", "AS", "JC", "KS"])
def test_ss_11_an_equal_or_higher_card_fits(card):
    played(f"{card} 3C", "8H", card).then_turn(0 if card == "10D" else 1)


@pytest.mark.parametrize("card", ["3S", "4S", "5S", "7D"])
def test_ss_11_a_lower_card_does_not(card):
    played(f"{card} 3C", "8H", card).then_refused("S-40")


def test_ranks_rise_from_3_to_the_ace():
    order = ["3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A"]
    for low, lower in enumerate(order):
        for high, higher in enumerate(order):
            scene = played(f"{higher}S 3C", f"{lower}H", f"{higher}S")
            assert (scene.refusal is None) == (high >= low), (higher, lower)


def test_ss_19_a_2_goes_on_an_ace_and_a_3_on_the_2():
    scene = played("2C 3C", "AS", "2C").then_pile("AS 2C").then_turn(1)
    scene.when(1, Play(("4C",))).then_turn(2)


@pytest.mark.parametrize("card", ["3S", "10D", "2D", "AS", "4S"])
def test_ss_20_anything_goes_on_a_2(card):
    assert played(f"{card} 3C", "2C", card).refusal is None


def test_ss_22_a_10_on_an_empty_pile_burns_itself_and_plays_again():
    scene = played("10C 4S", "", "10C")
    scene.then(CardsPlayed(0, "hand", ("10C",)), PileBurnt(0, "ten", 1), turn(0)).then_pile("")
    assert scene.state.burnt == ("10C",)


def test_a_2_on_an_empty_pile_is_a_play_like_any_other():
    played("2C 4S", "", "2C").then_pile("2C").then_turn(1)


def test_a_2_stays_on_the_pile_and_is_taken_with_it():
    scene = played("2C 5S", "KS", "2C").then_pile("KS 2C")
    scene.when(1, PickUp()).then_holds(1, "4C 4D 4H KS 2C")


# S-15: sets


def test_ss_13_two_nines_at_once_and_two_cards_drawn():
    scene = played("9D 9H QS", "9C", "9D", "9H", stock="3C 4S 5S")
    scene.then(CardsPlayed(0, "hand", ("9D", "9H")), CardsDrawn(0, 2), CardsShown(0, ("3C", "4S")), turn(1)).then_pile(
        "9C 9D 9H"
    ).then_holds(0, "QS 3C 4S")


def test_ss_14_cards_of_two_ranks_are_no_set():
    played("6C 7C", "", "6C", "7C").then_refused("S-15")


def test_any_number_of_equal_cards_is_a_set():
    hand = "6C 6D 6H 6S 6C"
    for count in range(1, 6):
        named = cards(hand)[:count]
        assert played(f"{hand} 9C", "", *named).refusal is None


def test_cards_are_laid_in_the_order_of_their_suits_however_named():
    played("9D 9H 9C QS", "3C", "9H", "9C", "9D").then_pile("3C 9C 9D 9H")


@pytest.mark.parametrize("named", [("4C",), ("9C",), ("ZZ",), ("QS", "QS"), ("QS", "4D")])
def test_cards_not_in_the_hand_are_refused_in_the_same_words_wherever_they_lie(named):
    scene = given(playing("QS 6D", B, lying="9C 3C", burnt=("AS",)))
    words = str(given(scene.state).when(0, Play(("AS",))).refusal)
    scene.when(0, Play(named)).then_refused("S-41")
    assert str(scene.refusal) == words


def test_a_card_is_played_as_often_as_it_is_held_and_not_more():
    two = playing("QS QS 6D", B, lying="9C", decks=2)
    given(two).when(0, Play(("QS", "QS"))).then_holds(0, "6D")
    given(two).when(0, Play(("QS", "QS", "QS"))).then_refused("S-41")
    given(two).when(0, Play(("QS",))).then_holds(0, "QS 6D")


# S-39: turns


@pytest.mark.parametrize("move", [Play(("4C",)), PickUp(), Flip(1)])
def test_ss_71_only_the_player_to_move_acts(move):
    given(playing("3C", "4C", C, lying="3D")).when(1, move).then_refused("S-39", "turn")


def test_the_turn_goes_left_and_round():
    scene = given(playing("3C 8C", "4C 9C", "5C JC")).when(0, Play(("3C",))).then_turn(1)
    scene.when(1, Play(("4C",))).then_turn(2).when(2, Play(("5C",))).then_turn(0)


def test_a_refused_play_changes_nothing():
    state = playing("4S 9H", B, lying="KD")
    scene = given(state).when(0, Play(("4S",)))
    scene.then_refused("S-40")
    assert scene.state is state


def test_a_play_cannot_be_given_twice():
    given(playing("3C 8C", B)).when(0, Play(("3C",))).when(0, Play(("3C",))).then_refused("S-39")


def test_the_list_names_each_rank_and_count_once_with_the_lowest_suits():
    given(playing("9S 9C 9H KD 3C", B, lying="5C")).offers(
        0, Play(("9C",)), Play(("9C", "9H")), Play(("9C", "9H", "9S")), Play(("KD",)), PickUp()
    )


def test_who_is_not_to_move_has_no_options():
    given(playing("3C", B, C)).offers(1).offers(2)
