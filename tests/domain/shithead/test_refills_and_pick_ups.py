"""S-16 to S-21: open cards that go along, the refill, and taking the pile."""

from typing import Any

import pytest

from domain.shithead.events import CardsDrawn, CardsPlayed, PileBurnt, PilePickedUp
from domain.shithead.moves import PickUp, Play
from tests.domain.shithead.scenes import given, playing, told, turn

B = "4C 4D 4H"
C = "KC KD KH"


def played(hand, lying, *named: str, others=(B, C), **rules: Any):
    return given(playing(hand, *others, lying=lying, **rules)).when(0, Play(named))


# S-16: the last hand cards and open ones


def combining(hand="6C 6D | 6H 6S KC", **more: Any):
    return given(playing(hand, B, lying="5S", **({"combine_last_hand": True} | more)))


def test_ss_37_open_cards_wait_for_the_hand_to_go():
    given(playing("3C | 9C", B, lying="5S")).when(0, Play(("9C",))).then_refused("S-41")


def test_equal_open_cards_wait_too():
    combining(combine_last_hand=False).when(0, Play(("6C", "6D"), ("6H",))).then_refused("S-16")
    combining().when(0, Play(("6C", "6D", "6H"))).then_refused("S-41")


def test_with_combine_last_hand_they_go_along_with_the_whole_hand():
    scene = combining().when(0, Play(("6C", "6D"), ("6S",)))
    scene.then(CardsPlayed(0, "hand", ("6C", "6D"), ("6S",)), turn(1)).then_holds(0, "| 6H KC").then_pile("5S 6C 6D 6S")


def test_open_cards_that_go_along_count_for_a_burn():
    scene = combining().when(0, Play(("6C", "6D"), ("6S", "6H")))
    assert told(scene, PileBurnt) == [PileBurnt(0, "four", 5)]
    scene.then_holds(0, "| KC").then_turn(0)


@pytest.mark.parametrize(
    ("scene", "move", "ruling"),
    [
        (combining(stock="AS"), Play(("6C", "6D"), ("6H",)), "S-16"),
        (combining(), Play(("6C",), ("6H",)), "S-16"),
        (combining(), Play(("6C", "6D"), ("6H", "6H")), "S-16"),
        (combining(), Play(("6C", "6D"), ("KC",)), "S-15"),
        (combining("6C 7D | 6H"), Play(("6C",), ("6H",)), "S-16"),
        (combining("| 6H 6S"), Play(("6H",), ("6S",)), "S-16"),
    ],
    ids=["stock", "part of the hand", "not open", "other rank", "mixed hand", "no hand"],
)
def test_open_cards_go_along_in_no_other_case(scene, move, ruling):
    scene.when(0, move).then_refused(ruling)


def test_the_list_leaves_the_open_cards_out():
    combining().offers(0, Play(("6C",)), Play(("6C", "6D")), PickUp())


# S-18: the refill


def test_ss_34_a_refill_takes_what_the_stock_has():
    scene = played("4C 4D 9C", "3C", "4C", "4D", stock="QS").then_holds(0, "9C QS")
    assert scene.state.stock == ()


def test_ss_35_no_card_is_drawn_by_a_hand_above_three():
    scene = played("4C 4D 9C JC QC KC AC", "3C", "9C", stock="5C 5D 5H 5S 6C")
    scene.then(CardsPlayed(0, "hand", ("9C",)), turn(1))
    assert len(scene.state.stock) == 5


def test_a_hand_of_four_that_plays_one_draws_none_and_of_three_one():
    assert told(played("4C 9D 9C JC", "3C", "9C", stock="5C"), CardsDrawn) == []
    assert told(played("4C 9D 9C", "3C", "9C", stock="5C"), CardsDrawn) == [CardsDrawn(0, 1)]


def test_after_a_2_and_after_a_burn_the_hand_is_refilled_and_after_a_pick_up_not():
    assert told(played("2C 9D 9C", "KC", "2C", stock="5C"), CardsDrawn) == [CardsDrawn(0, 1)]
    scene = given(playing("9D 9C", B, lying="KC", stock="5C")).when(0, PickUp())
    scene.then(PilePickedUp(0, ("KC",)), turn(1))


def test_a_drawn_card_does_not_join_the_play():
    scene = played("9D 3C 4C", "8C", "9D", stock="9H").then_turn(1)
    scene.when(0, Play(("9H",))).then_refused("S-39")


# S-19 to S-21: picking up


def test_ss_16_who_has_no_card_that_fits_takes_the_pile():
    scene = given(playing("4S 9H 7C", B, lying="KD")).offers(0, PickUp()).when(0, PickUp())
    scene.then(PilePickedUp(0, ("KD",)), turn(1)).then_holds(0, "4S 9H 7C KD").then_pile("")
    scene.offers(1, Play(("4C",)), Play(("4C", "4D")), Play(("4C", "4D", "4H")))


def test_ss_17_the_pile_may_be_taken_although_a_card_fits():
    given(playing("4S 9H KC", B, lying="3D")).when(0, PickUp()).then_holds(0, "4S 9H KC 3D").then_turn(1)


def test_there_must_be_a_pile():
    given(playing("4S", B)).when(0, PickUp()).then_refused("S-19")


def test_without_voluntary_pickup_the_pile_stays_while_a_card_fits():
    scene = given(playing("4S 9H KC", B, lying="3D", voluntary_pickup=False))
    scene.offers(0, Play(("4S",)), Play(("9H",)), Play(("KC",)))
    scene.when(0, PickUp()).then_refused("S-19", "fits")
    given(playing("4S 9H", B, lying="KD", voluntary_pickup=False)).offers(0, PickUp()).when(0, PickUp()).then_turn(1)


def test_without_voluntary_pickup_a_card_that_may_not_be_the_last_does_not_fit():
    scene = given(playing("2C", B, lying="KD", voluntary_pickup=False, no_special_finish=True))
    scene.offers(0, PickUp()).when(0, PickUp()).then_holds(0, "2C KD")


def test_without_voluntary_pickup_the_stock_keeps_a_2_from_being_the_last_card():
    scene = given(playing("2C", B, lying="KD", stock="3C", voluntary_pickup=False, no_special_finish=True))
    scene.when(0, PickUp()).then_refused("S-19")


def test_a_pick_up_leaves_the_open_cards_where_they_are():
    given(playing("| 4S 5S", B, lying="KD")).when(0, PickUp(("4S",))).then_refused("S-21")
    given(playing("| 4S 5S", B, lying="KD")).when(0, PickUp()).then_holds(0, "KD | 4S 5S")


def adding(holds="| 4S 4H 5S", lying="KD", **more: Any):
    return given(playing(holds, B, lying=lying, pickup_adds_open_card=True, **more))


def test_with_pickup_adds_open_card_open_cards_of_one_rank_go_along():
    scene = adding().offers(0, PickUp(("4H",)), PickUp(("4H", "4S")), PickUp(("5S",)))
    given(scene.state).when(0, PickUp(("4S",))).then(PilePickedUp(0, ("KD",), ("4S",)), turn(1)).then_holds(
        0, "KD 4S | 4H 5S"
    )
    given(scene.state).when(0, PickUp(("4S", "4H"))).then_holds(0, "KD 4S 4H | 5S")


@pytest.mark.parametrize("named", [(), ("4S", "5S"), ("9C",), ("4S", "4S")])
def test_they_must_be_named_and_be_one_rank_of_ones_own(named):
    adding().when(0, PickUp(named)).then_refused("S-21")


def test_by_choice_too():
    adding(lying="3D").when(0, PickUp()).then_refused("S-21")
    adding(lying="3D").when(0, PickUp(("5S",))).then_holds(0, "3D 5S | 4S 4H")


def test_not_from_the_hand_and_not_from_blind_cards():
    adding("9C | 4S").when(0, PickUp(("4S",))).then_refused("S-21")
    adding("9C | 4S").offers(0, PickUp()).when(0, PickUp()).then_holds(0, "9C KD | 4S")
    adding("| | 4S", voluntary_pickup_blind=True).when(0, PickUp(("4S",))).then_refused("S-21")
