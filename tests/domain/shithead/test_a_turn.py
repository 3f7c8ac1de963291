"""S-07 to S-22, S-39, S-40: what fits, sets, burns, refills and pick-ups."""

from typing import Any

import pytest

from domain.shithead.events import CardsDrawn, CardsPlayed, CardsShown, PileBurnt, PilePickedUp
from domain.shithead.moves import Flip, JumpIn, PickUp, Play
from tests.domain.shithead.scenes import cards, given, playing, told, turn

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
