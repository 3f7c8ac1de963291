"""S-23, S-24, S-41: the order of zones, and cards that nobody knows."""

from typing import Any

import msgspec
import pytest

from domain.shithead.events import BlindTurned, PileBurnt
from domain.shithead.moves import MOVES, Flip, PickUp, Play
from tests.domain.shithead.scenes import given, playing, told, turn

B = "KC KD KH"


def flipped(blind, lying, position=1, *, others=(B, "QC"), **rules: Any):
    return given(playing(f"| | {blind}", *others, lying=lying, **rules)).when(0, Flip(position))


def test_ss_38_open_cards_are_played_when_hand_and_stock_are_gone():
    scene = given(playing("| 6C 6D KS", B, lying="5C")).when(0, Play(("6C", "6D")))
    scene.then_holds(0, "| KS").then_pile("5C 6C 6D").then_turn(1)


def test_ss_40_who_cannot_play_an_open_card_picks_up_and_plays_from_the_hand_again():
    scene = (
        given(playing("| 4S 5S 6S", B, lying="KS")).offers(0, PickUp()).when(0, PickUp()).then_holds(0, "KS | 4S 5S 6S")
    )
    scene.when(1, Play(("KC",))).when(0, Play(("6S",))).then_refused("S-41")


def test_ss_41_a_blind_card_that_does_not_fit_goes_to_the_hand_with_the_pile():
    scene = flipped("9C 5C 8C", "JD", 2)
    scene.then(BlindTurned(0, 2, "5C", fits=False, taken=("JD",)), turn(1)).then_pile("")
    scene.then_holds(0, "JD 5C | | 9C - 8C")


def test_a_blind_card_that_fits_lies_on_the_pile():
    flipped("9C QC 8C", "JD", 2).then(BlindTurned(0, 2, "QC", fits=True), turn(1)).then_pile("JD QC").then_holds(
        0, "| | 9C - 8C"
    )


def test_ss_43_on_an_empty_pile_any_blind_card_fits():
    flipped("3C 4C 5C", "").then_pile("3C").then_turn(1)


@pytest.mark.parametrize(
    "body",
    [
        {"type": "shithead.flip", "position": [1, 2]},
        {"type": "shithead.flip", "positions": [1, 2]},
        {"type": "shithead.flip", "position": "3C"},
        {"type": "shithead.flip", "card": "3C"},
        {"type": "shithead.flip", "position": 0},
        {"type": "shithead.flip", "position": 4},
        {"type": "shithead.flip"},
        {"type": "shithead.play", "cards": []},
        {"type": "shithead.play", "cards": ["3C"] * 105},
        {"type": "shithead.play", "cards": ["3C"], "seat": 1},
    ],
)
def test_ss_44_two_blind_cards_or_one_by_its_name_fit_no_move(body):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body, MOVES[0] | MOVES[1] | MOVES[2] | MOVES[3] | MOVES[4] | MOVES[5] | MOVES[6])


def test_ss_44_a_blind_card_is_not_played_by_its_name():
    given(playing("| | 9C 5C 8C", B, lying="3C")).when(0, Play(("9C",))).then_refused("S-23")


def test_a_place_is_turned_once():
    given(playing("| | - 5C 8C", B, lying="3C")).offers(0, Flip(2), Flip(3)).when(0, Flip(1)).then_refused("S-23")


@pytest.mark.parametrize("holds", ["3C | | 4C", "| 3C | 4C", "3C | 5C | 4C"])
def test_blind_cards_come_last(holds):
    given(playing(holds, B)).when(0, Flip(1)).then_refused("S-41")


def test_a_blind_10_burns_and_flips_again():
    scene = flipped("10C 5C 8C", "JD")
    scene.then(BlindTurned(0, 1, "10C", fits=True), PileBurnt(0, "ten", 2), turn(0)).offers(0, Flip(2), Flip(3))


def test_a_blind_fourth_card_burns_and_flips_again():
    scene = flipped("JC 5C 8C", "JD JH JS")
    assert told(scene, PileBurnt) == [PileBurnt(0, "four", 4)]
    scene.then_turn(0)


def test_a_blind_2_resets():
    flipped("2C 5C", "AD").then_pile("AD 2C").then_turn(1)


def test_ss_20_the_pile_is_not_taken_with_blind_cards_alone():
    given(playing("| | 9C", B, lying="JD")).offers(0, Flip(1)).when(0, PickUp()).then_refused("S-20")


def test_with_voluntary_pickup_blind_it_may_be_whatever_voluntary_pickup_says():
    for voluntary in (True, False):
        scene = given(playing("| | 9C", B, lying="JD", voluntary_pickup=voluntary, voluntary_pickup_blind=True))
        scene.offers(0, Flip(1), PickUp()).when(0, PickUp()).then_holds(0, "JD | | 9C").then_turn(1)
    given(playing("| | 9C", B, voluntary_pickup_blind=True)).offers(0, Flip(1)).when(0, PickUp()).then_refused("S-19")


def test_after_a_failed_flip_the_hand_comes_first_again():
    scene = flipped("5C 9C", "JD").when(1, Play(("KC",))).when(2, PickUp())
    scene.when(0, Flip(2)).then_refused("S-41")


def test_a_failed_flip_cannot_be_tried_again_with_the_next_card():
    flipped("5C 9C", "JD").when(0, Flip(2)).then_refused("S-39")


def test_a_last_blind_card_that_does_not_fit_keeps_its_player_in():
    scene = flipped("5S", "JD").then_holds(0, "JD 5S").then_turn(1)
    assert scene.state.in_play == (0, 1, 2)
