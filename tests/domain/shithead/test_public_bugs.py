"""Bugs seen in public versions of this game, each as a test.

Some stand with their clauses: 4 in test_open_and_blind_cards, 6 in test_what_is_seen, 9 in test_house_rules, 10 in
test_a_turn, 17 in test_before_play.
"""

from collections import Counter
from typing import Any

import msgspec
import pytest

from domain.game import Deal
from domain.shithead import GAME
from domain.shithead.events import CardsDrawn, ClockPlayed, PileBurnt, SeatFinished, TurnStarted
from domain.shithead.moves import MOVES, Flip, PickUp, Play, Ready, Swap
from domain.shithead.rules import ShitheadRules
from tests.domain.shithead.scenes import AT, DICE, given, playing, result_of, swapping, told

B, C, D = "KC KD 3H", "QC QD 3S", "JC JD 4S"


@pytest.mark.parametrize("finisher", [0, 1, 2, 3])
def test_bug_1_a_finisher_never_keeps_the_turn_after_a_burn_nor_is_the_next_one_passed_over(finisher):
    holdings = ["4C 5C", "4D 5D", "4H 5H", "4S 5S"]
    holdings[finisher] = "10C"
    scene = given(playing(*holdings, lying="9C", turn=finisher)).when(finisher, Play(("10C",)))
    scene.then_turn((finisher + 1) % 4)
    assert scene.options(scene.state.turn)


@pytest.mark.parametrize("finisher", [0, 1, 2, 3])
def test_bug_2_the_seat_after_a_finisher_is_his_neighbour_not_the_first_of_those_left(finisher):
    holdings = ["4C 5C", "4D 5D", "4H 5H", "4S 5S"]
    holdings[finisher] = "KC"
    scene = given(playing(*holdings, lying="9C", turn=finisher)).when(finisher, Play(("KC",)))
    scene.then_turn((finisher + 1) % 4).when((finisher + 1) % 4, PickUp()).then_turn((finisher + 2) % 4)


def test_bug_2_finished_seats_are_passed_over_to_the_end_of_the_round():
    state = playing("3C 4C", "", "", "", "3D 4D", places=(1, 2, 3))
    scene = given(state)
    for seat, card in [(0, "3C"), (4, "3D"), (0, "4C")]:
        scene.when(seat, Play((card,)))
    scene.then_over(4, (1, 2, 3, 0), "played")


def test_bug_3_the_round_does_not_end_at_the_first_finisher():
    scene = given(playing("KC", B, C, D)).when(0, Play(("KC",))).then_turn(1)
    assert GAME.over(scene.state) is None
    assert told(scene, SeatFinished) == [SeatFinished(0, 1)]


def test_bug_3_the_loser_is_the_one_with_cards():
    assert result_of(given(playing("KC", B)).when(0, Play(("KC",))).state).shithead == 1


@pytest.mark.parametrize("position", [1, 2, 3])
def test_bug_4_a_blind_card_that_fails_is_the_turn_whichever_it_is(position):
    scene = given(playing("| | 4C 5C 6C", B, lying="JD")).when(0, Flip(position)).then_turn(1)
    for other in (1, 2, 3):
        given(scene.state).when(0, Flip(other)).then_refused("S-39")


def test_bug_5_a_play_that_failed_has_no_effect():
    rules: dict[str, Any] = {"eight_skips": True, "seven_lower": True}
    scene = given(playing("| | 8C 4C", B, C, lying="9C 9D 9H", **rules)).when(0, Flip(1)).then_turn(1)
    assert told(scene, PileBurnt) == []
    scene = given(playing("| | 10C 4C", B, C, lying="7C", **rules)).when(0, Flip(1)).then_turn(1)
    assert told(scene, PileBurnt) == []
    scene.then_holds(0, "7C 10C | | - 4C")


def test_bug_7_equal_cards_of_two_packs_do_not_melt_into_one():
    scene = given(playing("9C 9C 9C KD", B, lying="9C", decks=2)).when(0, Play(("9C", "9C"))).then_pile("9C 9C 9C")
    scene.then_holds(0, "9C KD")
    scene.when(1, PickUp()).then_holds(1, "KC KD 3H 9C 9C 9C")


def test_bug_7_the_same_card_three_times_in_swaps_is_no_trouble():
    scene = given(swapping("9C 9C 9C | 9C KD KD", B, decks=2))
    for _ in range(3):
        scene.when(0, Swap("9C", "9C"))
    scene.when(0, Swap("9C", "KD")).then_holds(0, "9C 9C KD | 9C 9C KD")


def test_bug_8_four_cards_out_of_turn_or_too_low_or_not_held_are_refused():
    state = playing("9C 3C", "4C 4D 4H 4S 5C", C, lying="8C")
    given(state).when(1, Play(("4C", "4D", "4H", "4S"))).then_refused("S-39")
    mine = playing("4C 4D 4H 4S 5C", B, lying="8C")
    given(mine).when(0, Play(("4C", "4D", "4H", "4S"))).then_refused("S-40")
    given(mine).when(0, Play(("KC", "KD"))).then_refused("S-41")


def test_bug_8_a_rising_run_is_no_set():
    given(playing("4C 5C 6C 9C", B, lying="3C")).when(0, Play(("4C", "5C", "6C"))).then_refused("S-15")


@pytest.mark.parametrize("field", ["seat", "player", "rank", "zone", "by"])
def test_bug_8_no_move_takes_a_seat_or_anything_else_from_the_body(field):
    for kind in MOVES:
        required = {"hand": "3C", "open": "4C", "cards": ["3C"], "position": 1, "drinker": 0}
        body = {name: value for name, value in required.items() if name in kind.__struct_fields__}
        if kind is Play or kind is PickUp:
            body.pop("open")
        msgspec.convert({"type": kind.__struct_config__.tag, **body}, kind)
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"type": kind.__struct_config__.tag, **body, field: 1}, kind)


def test_bug_11_a_hand_of_three_draws_nothing_more():
    scene = given(playing("4C 5C 6C 9C", B, lying="3C", stock="JC JD")).when(0, Play(("9C",)))
    assert told(scene, CardsDrawn) == []


def test_bug_11_a_stock_smaller_than_the_need_is_drawn_to_its_end():
    scene = given(playing("4C 4D 4H", B, lying="3C", stock="JC JD")).when(0, Play(("4C", "4D", "4H")))
    assert told(scene, CardsDrawn) == [CardsDrawn(0, 2)]


def test_bug_11_several_cards_are_drawn_after_a_burn():
    scene = given(playing("4C 4D 4H", B, lying="4S", stock="JC JD JH QS")).when(0, Play(("4C", "4D", "4H")))
    assert told(scene, CardsDrawn) == [CardsDrawn(0, 3)]
    scene.then_holds(0, "JC JD JH").then_turn(0)


def test_bug_12_the_ace_is_high_a_10_goes_on_a_jack_and_a_2_is_not_the_lowest_start():
    given(playing("AC 4C", B, lying="KD")).when(0, Play(("AC",))).then_turn(1)
    given(playing("3C 4C", B, lying="AD")).when(0, Play(("3C",))).then_refused("S-40")
    given(playing("10C 4C", B, lying="JD")).when(0, Play(("10C",))).then_turn(0)
    scene = given(swapping("2C 5C 6C", "4C 5D 6D", ready=(1,))).when(0, Ready()).then_turn(1)
    assert scene.state.turn == 1


def test_bug_13_tables_share_nothing():
    rules = ShitheadRules()
    first, second = (GAME.initial(rules, 3) for _ in range(2))
    untouched = GAME.zones(second)
    deck = DICE.shuffle("deck", GAME.pack(rules, 3))
    for event in GAME.deal(first, Deal(1, (0, 1, 2), deck, DICE, AT, 0)):
        first = GAME.evolve(first, event)
    assert GAME.zones(second) == untouched == {}
    assert Counter(GAME.pack(rules, 3)) == Counter(deck)


def test_bug_14_quitting_earns_no_place_and_one_leaver_does_not_end_the_round_for_all():
    scene = given(playing("KC 3C", B, C)).when_leaves(1)
    assert GAME.over(scene.state) is None
    assert scene.state.places == ()


def test_bug_15_nobody_picks_up_his_own_play_in_the_same_turn():
    given(playing("KC 3C", B, C)).when(0, Play(("KC",))).when(0, PickUp()).then_refused("S-39")


def test_bug_15_picking_up_with_a_card_that_fits_is_allowed():
    given(playing("KC 3C", B, lying="4C")).when(0, PickUp()).then_turn(1)


def test_bug_16_after_a_failed_flip_by_the_clock_one_turn_passes_and_not_two():
    scene = given(playing("| | 4C 5C", B, C, lying="JD")).when_due().then_turn(1)
    assert told(scene, ClockPlayed) == [ClockPlayed(0)]
    assert len(told(scene, TurnStarted)) == 1


def test_bug_16_no_number_of_refused_moves_costs_the_turn():
    state = playing("4C 5C", B, lying="JD")
    for _ in range(200):
        given(state).when(0, Play(("4C",))).then_refused("S-40")
    given(state).when(0, PickUp()).then_turn(1)


def test_bug_18_something_may_follow_every_card():
    for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A"]:
        variants: tuple[dict[str, Any], ...] = (
            {},
            {"seven_lower": True, "eight_skips": True, "three_transparent": True},
        )
        for rules in variants:
            scene = given(playing("2D 4C", B, lying=f"{rank}C", **rules)).when(0, Play(("2D",)))
            assert scene.refusal is None, rank
