"""S-09 to S-14: burns, who goes on after them, and completing four out of turn."""

from typing import Any

import pytest

from domain.shithead.events import CardsDrawn, CardsPlayed, CardsShown, PileBurnt
from domain.shithead.moves import JumpIn, PickUp, Play
from tests.domain.shithead.scenes import given, playing, told, turn

B = "4C 4D 4H"
C = "KC KD KH"


def played(hand, lying, *named: str, others=(B, C), **rules: Any):
    return given(playing(hand, *others, lying=lying, **rules)).when(0, Play(named))


# S-09 to S-12: burns


def test_ss_23_several_10s_are_one_burn_and_one_further_turn():
    scene = played("10C 10D 4S", "QS 7H", "10C", "10D", stock="5C 5D 5H")
    scene.then(
        CardsPlayed(0, "hand", ("10C", "10D")),
        PileBurnt(0, "ten", 4),
        CardsDrawn(0, 2),
        CardsShown(0, ("5C", "5D")),
        turn(0),
    )


def test_ss_25_tom_burns_with_a_10_and_leads_a_4():
    scene = played("10C 4S", "QH", "10C", stock="5C").when(0, Play(("4S",)))
    scene.then_pile("4S").then_turn(1)


def test_the_further_turn_cannot_be_passed():
    scene = played("10C 4S", "QH", "10C")
    scene.offers(0, Play(("4S",))).when(0, PickUp()).then_refused("S-19")


def test_ss_26_the_fourth_equal_card_burns_whoever_laid_the_others():
    scene = played("7S 9S", "7C 7D 7H", "7S")
    scene.then(CardsPlayed(0, "hand", ("7S",)), PileBurnt(0, "four", 4), turn(0))


def test_ss_28_buried_sevens_do_not_count_later():
    scene = played("9C 9D 7S", "7C 7D 7H 9H", "9C").then_pile("7C 7D 7H 9H 9C").then_turn(1)
    assert scene.state.top.run == 2
    assert told(played("7S 3C", "7C 7D 2C 7H", "7S"), PileBurnt) == []


def test_ss_29_a_pick_up_begins_a_new_run():
    scene = given(playing("5S 6C", "3C 3D", "5H 9C", lying="5C 5D 5H", turn=1, decks=2))
    scene.when(1, PickUp()).then_turn(2).when(2, Play(("5H",))).then_pile("5H").then_turn(0)
    assert scene.state.top.run == 1
    scene.when(0, Play(("5S",))).then_turn(1)
    assert told(scene, PileBurnt) == []


def test_a_burn_begins_a_new_run():
    scene = played("10C 5S 9C", "5C 5D 5H", "10C").when(0, Play(("5S",))).then_pile("5S").then_turn(1)
    assert scene.state.top.run == 1


def test_ss_31_four_at_once_must_still_fit():
    played("5C 5D 5H 5S", "KC", "5C", "5D", "5H", "5S").then_refused("S-40")


def test_four_at_once_that_fit_burn():
    scene = played("5C 5D 5H 5S 9C", "4S", "5C", "5D", "5H", "5S")
    assert told(scene, PileBurnt) == [PileBurnt(0, "four", 5)]


def test_ss_32_with_two_packs_five_in_a_row_burn_too():
    scene = played("6C 6S 9C", "6C 6D 6H", "6C", "6S", decks=2)
    assert told(scene, PileBurnt) == [PileBurnt(0, "four", 5)]


def test_four_2s_burn_too():
    scene = played("2S 9C", "KC 2C 2D 2H", "2S")
    assert told(scene, PileBurnt) == [PileBurnt(0, "four", 5)]
    scene.then_turn(0)


def test_three_in_a_row_do_not_burn():
    assert told(played("7S 9S", "7C 7D", "7S"), PileBurnt) == []


@pytest.mark.parametrize("eights", [{}, {"eight_skips": True}])
def test_with_four_plays_again_off_a_four_burns_and_the_turn_moves_on_by_one(eights):
    scene = played("8S 9S", "8C 8D 8H", "8S", four_plays_again=False, **eights)
    scene.then(CardsPlayed(0, "hand", ("8S",)), PileBurnt(0, "four", 4), turn(1))


def test_with_four_plays_again_off_a_10_still_plays_again_and_so_do_four_of_them():
    played("10C 9S", "8C", "10C", four_plays_again=False).then_turn(0)
    hand = "10C 10D 10H 10S 9C"
    scene = played(hand, "8C", "10C", "10D", "10H", "10S", four_plays_again=False).then_turn(0)
    assert told(scene, PileBurnt) == [PileBurnt(0, "ten", 5)]


# S-13: jumping in


def jumping(zero=C, one="7S 9S", two="7C 9C", lying="7C 7D 7H", **more: Any):
    return given(playing(zero, one, two, lying=lying, decks=2, **({"jump_in": True} | more)))


def test_nobody_jumps_in_where_the_table_does_not_know_it():
    scene = jumping(jump_in=False)
    scene.offers(1)
    scene.when(1, JumpIn(("7S",))).then_refused("S-13")


def test_a_jump_in_completes_four_burns_and_moves():
    scene = jumping().offers(1, JumpIn(("7S",))).when(1, JumpIn(("7S",)))
    scene.then(CardsPlayed(1, "hand", ("7S",)), PileBurnt(1, "four", 4), turn(1)).then_pile("")


def test_without_four_plays_again_the_player_after_the_jumper_moves():
    jumping(four_plays_again=False).when(1, JumpIn(("7S",))).then_turn(2)


def test_a_jump_in_has_exactly_the_missing_cards():
    scene = jumping(one="7S 7D 9S", lying="3C 7C 7D")
    scene.offers(1, JumpIn(("7D", "7S")))
    given(scene.state).when(1, JumpIn(("7S",))).then_refused("S-13")
    given(jumping(one="7S 7D 9S").state).when(1, JumpIn(("7S", "7D"))).then_refused("S-13")
    scene.when(1, JumpIn(("7S", "7D"))).then_turn(1)


@pytest.mark.parametrize(
    ("seat", "move", "ruling"),
    [
        (0, JumpIn(("KC",)), "S-13"),
        (1, JumpIn(("9S",)), "S-13"),
        (1, JumpIn(("7C",)), "S-41"),
        (2, JumpIn(("7S",)), "S-41"),
    ],
    ids=["the mover", "another rank", "not held", "another's card"],
)
def test_a_jump_in_of_anything_else_is_refused(seat, move, ruling):
    jumping().when(seat, move).then_refused(ruling)


def test_nobody_jumps_in_on_an_empty_pile():
    jumping(lying="").offers(1).when(1, JumpIn(("7S",))).then_refused("S-13")


def test_who_is_out_does_not_jump_in():
    scene = given(playing(C, "", B, lying="7C 7D 7H", jump_in=True, places=(1,)))
    scene.offers(1).when(1, JumpIn(("7S",))).then_refused("S-13")


def test_a_jump_in_comes_from_open_cards_once_the_hand_is_gone_but_never_from_blind_ones():
    jumping(one="| 7S 9S").offers(1, JumpIn(("7S",))).when(1, JumpIn(("7S",))).then_holds(1, "| 9S").then_turn(1)
    jumping(one="3C | 7S 9S").offers(1).when(1, JumpIn(("7S",))).then_refused("S-41")
    jumping(one="| | 7S").offers(1).when(1, JumpIn(("7S",))).then_refused("S-23")


def test_a_jump_in_draws_and_may_take_its_player_out():
    scene = jumping(stock="AC AD AH").when(1, JumpIn(("7S",)))
    assert told(scene, CardsDrawn) == [CardsDrawn(1, 2)]
    scene = jumping(one="7S").when(1, JumpIn(("7S",))).then_turn(2)
    assert scene.state.places == (1,)


def test_a_jump_in_may_not_end_a_players_round_where_a_special_card_may_not():
    scene = jumping(one="2S", lying="2C 2D 2H", no_special_finish=True)
    scene.offers(1).when(1, JumpIn(("2S",))).then_refused("S-25")
