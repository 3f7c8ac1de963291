"""S-30 to S-33: seven lowers, eight skips, three is transparent, and how they meet."""

from typing import Any

import pytest

from domain.shithead import GAME
from domain.shithead.events import BlindTurned, PileBurnt
from domain.shithead.moves import Flip, PickUp, Play
from tests.domain.shithead.scenes import cards, given, playing, told, turn

B, C, D = "KC KD KH", "QC QD QH", "JC JD JH"


def played(hand, lying, *named: str, others=(B, C), **rules: Any):
    return given(playing(hand, *others, lying=lying, **rules)).when(0, Play(named))


# Seven lowers


@pytest.mark.parametrize("card", ["7S", "6S", "3S", "2S"])
def test_ss_52_on_a_7_comes_7_or_less(card):
    played(f"{card} 4C", "7C", card, seven_lower=True).then_turn(1)


@pytest.mark.parametrize("card", ["8S", "KS", "10S", "AS"])
def test_ss_52_and_nothing_higher(card):
    played(f"{card} 4C", "7C", card, seven_lower=True).then_refused("S-30")


def test_ss_52_a_10_with_ten_on_seven():
    scene = played("10S 4C", "7C", "10S", seven_lower=True, ten_on_seven=True)
    assert told(scene, PileBurnt) == [PileBurnt(0, "ten", 2)]


def test_ss_53_the_7_binds_one_play():
    played("9S 5C", "7C 4C", "9S", seven_lower=True).then_turn(1)
    played("3S 5C", "7C 4C", "3S", seven_lower=True).then_refused("S-40")


def test_a_7_is_no_wild_card():
    played("7S 5C", "8C", "7S", seven_lower=True).then_refused("S-40")


def test_a_2_on_a_7_resets():
    played("2S 5C", "7C", "2S", seven_lower=True).when(1, Play(("KC",))).then_turn(2)


def test_four_7s_burn_under_seven_lower():
    assert told(played("7S 5C", "7C 7D 7H", "7S", seven_lower=True), PileBurnt) == [PileBurnt(0, "four", 4)]


def test_a_blind_card_above_7_fails_on_a_7():
    scene = given(playing("| | KS 4C", B, lying="7C", seven_lower=True)).when(0, Flip(1))
    scene.then(BlindTurned(0, 1, "KS", fits=False, taken=("7C",)), turn(1))


# Eight skips


def test_ss_55_an_8_skips_the_next_player():
    played("8S 5C", "7C", "8S", eight_skips=True).then_turn(2)


@pytest.mark.parametrize(
    ("skip", "named", "mover"),
    [
        ("per_card", "8S", 0),
        ("per_card", "8S 8D", 1),
        ("once", "8S", 0),
        ("once", "8S 8D", 0),
        ("per_card", "8S 8D 8C", 0),
    ],
)
def test_ss_56_with_two_players_the_same_one_moves_again_or_not(skip, named, mover):
    scene = played("8S 8D 8C 5C", "7C", *cards(named), others=(B,), eight_skips=True, eight_skip=skip)
    scene.then_turn(mover)


@pytest.mark.parametrize(("count", "mover"), [(1, 2), (2, 3), (3, 0)])
def test_each_8_skips_one_the_player_himself_counted_in_the_circle(count, mover):
    named = cards("8S 8D 8C")[:count]
    played("8S 8D 8C 5C", "7C", *named, others=(B, C, D), eight_skips=True).then_turn(mover)


def test_only_players_still_in_are_skipped():
    state = playing("8S 5C", "", C, D, lying="7C", eight_skips=True, places=(1,))
    given(state).when(0, Play(("8S",))).then_turn(3)


def test_four_8s_burn_and_skip_nobody():
    scene = played("8S 5C", "8C 8D 8H", "8S", eight_skips=True)
    assert told(scene, PileBurnt) == [PileBurnt(0, "four", 4)]
    scene.then_turn(0)


def test_a_blind_8_that_fails_skips_nobody_and_one_that_fits_does():
    given(playing("| | 8S 4C", B, C, lying="9C", eight_skips=True)).when(0, Flip(1)).then_turn(1)
    given(playing("| | 8S 4C", B, C, lying="7C", eight_skips=True)).when(0, Flip(1)).then_turn(2)


def test_going_out_on_an_8_skips_as_usual():
    played("8S", "7C", "8S", eight_skips=True).then_turn(2)
    scene = played("8S 8D", "7C", "8S", "8D", eight_skips=True).then_turn(1)  # 1, 2, and 1 again: he is not in it
    assert scene.state.places == (0,)


def test_an_8_skips_nobody_where_the_table_does_not_say_so():
    played("8S 5C", "7C", "8S").then_turn(1)


# Three is transparent


def test_ss_59_the_next_player_faces_what_lies_below_the_3():
    played("8S 4C", "9C 3C", "8S", three_transparent=True).then_refused("S-40", "9")
    played("9S 4C", "9C 3C", "9S", three_transparent=True).then_turn(1)


@pytest.mark.parametrize("lying", ["AC", "10", "7C", "2C", "9C 3C"])
def test_a_transparent_3_goes_on_everything(lying):
    lying = lying.replace("10", "KC")
    played("3S 4C", lying, "3S", three_transparent=True, seven_lower=True).then_turn(1)


def test_ss_61_a_7_is_seen_through_the_3():
    rules: dict[str, Any] = {"three_transparent": True, "seven_lower": True}
    played("8S 4C", "7C 3C", "8S", **rules).then_refused("S-30")
    played("6S 4C", "7C 3C", "6S", **rules).then_turn(1)
    played("10S 4C", "7C 3C", "10S", **rules).then_refused("S-30")
    played("10S 4C", "7C 3C", "10S", ten_on_seven=True, **rules).then_turn(0)


def test_ss_62_a_2_is_seen_through_the_3():
    played("4S 5C", "2C 3C", "4S", three_transparent=True).then_turn(1)


@pytest.mark.parametrize("lying", ["", "3C", "3C 3D"])
def test_on_an_empty_or_all_3_pile_anything_goes(lying):
    played("4S 5C", lying, "4S", three_transparent=True).then_turn(1)


def test_ss_64_a_3_between_breaks_a_row():
    scene = played("7S 5C", "7C 7D 3C 7H", "7S", three_transparent=True)
    assert told(scene, PileBurnt) == []
    assert scene.state.top.run == 2


def test_ss_65_four_3s_burn():
    scene = played("3S 5C", "KC 3C 3D 3H", "3S", three_transparent=True)
    assert told(scene, PileBurnt) == [PileBurnt(0, "four", 5)]


def test_ss_67_a_3_joins_no_other_rank():
    played("3S 9C", "8C", "3S", "9C", three_transparent=True).then_refused("S-15")
    played("3S 9C", "8C", "9C", "3S", three_transparent=True).then_refused("S-15")


def test_ss_68_a_blind_3_lies_on_an_ace_and_the_next_faces_the_ace():
    scene = given(playing("| | 3S 4C", B, C, lying="AC", three_transparent=True)).when(0, Flip(1))
    scene.then(BlindTurned(0, 1, "3S", fits=True), turn(1)).when(1, Play(("KC",))).then_refused("S-40", "A")


def test_without_the_rule_a_3_is_the_lowest_card():
    played("3S 5C", "4C", "3S").then_refused("S-40")
    played("8S 5C", "7C 3C", "8S").then_turn(1)


def test_a_3_on_an_8_skips_nobody_again():
    played("3S 5C", "8C", "3S", three_transparent=True, eight_skips=True).then_turn(1)


MIRROR: dict[str, Any] = {"three_transparent": True, "eight_skips": True, "three_mode": "mirror"}


@pytest.mark.parametrize(
    ("lying", "named", "skip", "mover"),
    [
        ("8C", "3S", "per_card", 2),
        ("8C", "3S 3D", "per_card", 3),
        ("8C", "3S 3D", "once", 2),
        ("8C 3C", "3S", "per_card", 2),
        ("9C", "3S", "per_card", 1),
        ("8C 9C", "3S", "per_card", 1),
        ("", "3S", "per_card", 1),
    ],
)
def test_with_mirror_3s_that_meet_an_8_skip_like_so_many_8s(lying, named, skip, mover):
    hand = "3S 3D 5C"
    played(hand, lying, *cards(named), others=(B, C, D), eight_skip=skip, **MIRROR).then_turn(mover)


def test_with_mirror_a_burn_cancels_the_skip():
    played("3S 5C", "8C 3C 3D 3H", "3S", others=(B, C), **MIRROR).then_turn(0)
    played("3S 5C", "8C 3C 3D 3H", "3S", others=(B, C), four_plays_again=False, **MIRROR).then_turn(1)


SEEN_THROUGH: dict[str, Any] = {"three_transparent": True, "four_sees_through_threes": True}


@pytest.mark.parametrize(
    ("lying", "card", "burns"),
    [
        ("7C 7D 3C 7H", "7S", True),
        ("7C 3C 7D 3D 7H", "7S", True),
        ("7C 7D 7H", "3S", False),
        ("7C 7D 7H 3C", "7S", True),
        ("7C 7D 3C 3D", "7S", False),
        ("3C 3D 3H 7C", "7S", False),
        ("3C 3D 7C 3H", "3S", False),
        ("7C 3C 3D 3H", "3S", True),
        ("7C 7D 8C 7H", "8S", False),
    ],
)
def test_with_four_sees_through_threes_3s_add_nothing_and_break_nothing(lying, card, burns):
    scene = played(f"{card} 5C", lying, card, **SEEN_THROUGH)
    assert scene.refusal is None
    assert bool(told(scene, PileBurnt)) == burns


def test_ss_58_every_move_is_forced_and_the_play_goes_round():
    state = playing(
        "7C 3C | KC QC | 4C 4D AC", "QD | 4H | 7D KD 2D", turn=1, seven_lower=True, three_transparent=True,
        voluntary_pickup=False, stalemate_repeat=0,
    )  # fmt: skip
    scene = given(state)
    forced = [
        (1, Play(("QD",))),
        (0, Play(("3C",))),
        (1, PickUp()),
        (0, Play(("7C",))),
        (1, Play(("3C",))),
        (0, PickUp()),
    ]
    for seat, move in forced:
        scene.offers(seat, move).when(seat, move)
    assert scene.state.holdings == state.holdings
    assert scene.state.turn == 1
    assert GAME.over(scene.state) is None


def test_ss_58_with_voluntary_pickup_the_loop_opens():
    state = playing(
        "7C 3C | KC QC | 4C 4D AC", "QD | 4H | 7D KD 2D", turn=1, seven_lower=True, three_transparent=True,
    )  # fmt: skip
    given(state).when(1, Play(("QD",))).offers(0, Play(("3C",)), PickUp()).when(0, PickUp()).then_holds(
        0, "7C 3C QD | KC QC | 4C 4D AC"
    )
