"""S-25 to S-28: going out, also with a burn, and the end of a round."""

import pytest

from domain.shithead.events import BlindTurned, CardsPlayed, PileBurnt, SeatFinished
from domain.shithead.moves import Flip, PickUp, Play
from tests.domain.shithead.scenes import given, playing, turn

B, C = "KC KD 3H", "QC QD 3S"


def test_ss_47_who_goes_out_with_a_10_has_no_further_turn_and_the_next_leads():
    scene = given(playing("10C", B, C, lying="9C")).when(0, Play(("10C",)))
    scene.then(CardsPlayed(0, "hand", ("10C",)), PileBurnt(0, "ten", 2), SeatFinished(0, 1), turn(1)).then_pile("")
    scene.offers(1, Play(("3H",)), Play(("KC",)), Play(("KC", "KD")))


def test_ss_47_so_does_the_last_seat_of_the_circle():
    given(playing(B, C, "10C", lying="9C", turn=2)).when(2, Play(("10C",))).then_turn(0)


def test_ss_49_who_goes_out_by_completing_four_has_no_further_turn():
    scene = given(playing("9C 9D", B, C, lying="9H 9S")).when(0, Play(("9C", "9D")))
    scene.then(CardsPlayed(0, "hand", ("9C", "9D")), PileBurnt(0, "four", 4), SeatFinished(0, 1), turn(1))


def test_a_blind_10_takes_its_player_out():
    scene = given(playing("| | - 10C", B, C, lying="9C")).when(0, Flip(2))
    scene.then(BlindTurned(0, 2, "10C", fits=True), PileBurnt(0, "ten", 2), SeatFinished(0, 1), turn(1))


def test_an_open_10_takes_its_player_out():
    given(playing("| 10C", B, C, lying="9C")).when(0, Play(("10C",))).then_turn(1)


@pytest.mark.parametrize(("card", "pile"), [("2C", "AS 2C"), ("AC", "AS AC")])
def test_who_goes_out_otherwise_leaves_the_pile_for_the_next_to_follow(card, pile):
    scene = given(playing(card, B, C, lying="AS")).when(0, Play((card,))).then_pile(pile).then_turn(1)
    scene.when(1, Play(("3H",)))
    assert (scene.refusal is None) == (card == "2C")


def test_nobody_is_out_while_the_stock_refills_his_hand():
    scene = given(playing("9C", B, C, lying="3C", stock="4C")).when(0, Play(("9C",))).then_holds(0, "4C")
    assert scene.state.in_play == (0, 1, 2)


def test_nobody_is_out_with_open_or_blind_cards():
    assert given(playing("9C | 4C", B)).when(0, Play(("9C",))).state.in_play == (0, 1)
    assert given(playing("9C | | 4C", B)).when(0, Play(("9C",))).state.in_play == (0, 1)


def test_ss_50_the_round_ends_at_once_when_one_player_has_cards():
    state = playing("", "2C", C, lying="AS", turn=1, places=(0,))
    scene = given(state).when(1, Play(("2C",))).then(CardsPlayed(1, "hand", ("2C",)), SeatFinished(1, 2))
    scene.then_over(2, (0, 1), "played").offers(2)
    scene.when(2, PickUp()).then_refused("S-39")


def test_ss_50_also_with_a_burn():
    given(playing("10C", "KC", lying="AS")).when(0, Play(("10C",))).then_over(1, (0,), "played")


def test_the_order_of_going_out_is_recorded():
    scene = given(playing("3C", "4C", "5C", "6C 6D")).when(0, Play(("3C",))).when(1, Play(("4C",)))
    scene.when(2, Play(("5C",))).then_over(3, (0, 1, 2), "played")


def test_finished_seats_are_passed_over():
    state = playing("3C 4C", "", "", "5C 6C", places=(1, 2))
    given(state).when(0, Play(("3C",))).then_turn(3).when(3, Play(("5C",))).then_turn(0)


# no_special_finish


@pytest.mark.parametrize("card", ["2C", "10C"])
def test_with_no_special_finish_nobody_goes_out_with_2_or_10_on_a_pile(card):
    scene = given(playing(card, B, lying="9C", no_special_finish=True)).offers(0, PickUp())
    scene.when(0, Play((card,))).then_refused("S-25")


@pytest.mark.parametrize("card", ["2C", "10C", "8C"])
def test_with_no_special_finish_he_does_on_an_empty_pile(card):
    state = playing(card, B, no_special_finish=True, eight_skips=True)
    given(state).offers(0, Play((card,))).when(0, Play((card,))).then_over(1, (0,), "played")


def test_with_no_special_finish_an_8_counts_if_it_skips():
    for skips in (True, False):
        scene = given(playing("8C", B, lying="7C", no_special_finish=True, eight_skips=skips)).when(0, Play(("8C",)))
        if skips:
            scene.then_refused("S-25")
        else:
            scene.then_over(1, (0,), "played")


def test_with_no_special_finish_all_but_one_of_the_last_10s_may_go():
    scene = given(playing("10C 10D", B, C, lying="9C", no_special_finish=True)).offers(0, Play(("10C",)), PickUp())
    given(scene.state).when(0, Play(("10C", "10D"))).then_refused("S-25")
    scene.when(0, Play(("10C",))).then_turn(0).when(0, Play(("10D",))).then_turn(1)


def test_with_no_special_finish_a_refill_makes_it_no_last_card():
    given(playing("2C", B, lying="9C", stock="3C", no_special_finish=True)).when(0, Play(("2C",))).then_turn(1)


def test_with_no_special_finish_a_transparent_3_may_be_the_last_card():
    state = playing("3C", B, lying="9C", no_special_finish=True, three_transparent=True)
    given(state).when(0, Play(("3C",))).then_over(1, (0,), "played")


@pytest.mark.parametrize(("card", "out"), [("10C", False), ("2C", False), ("AC", True)])
def test_with_no_special_finish_a_last_blind_special_card_fails(card, out):
    scene = given(playing(f"| | {card}", B, C, lying="9C", no_special_finish=True)).when(0, Flip(1)).then_turn(1)
    if out:
        assert scene.state.places == (0,)
    else:
        scene.then(BlindTurned(0, 1, card, fits=False, taken=("9C",)), turn(1)).then_holds(0, f"9C {card}")


def test_with_no_special_finish_a_blind_10_fits_while_others_remain():
    given(playing("| | 10C 5C", B, lying="9C", no_special_finish=True)).when(0, Flip(1)).then_turn(0)


def test_without_it_any_last_card_will_do():
    for card in ("2C", "10C", "8C"):
        given(playing(card, B, lying="7C", eight_skips=True)).when(0, Play((card,))).then_over(1, (0,), "played")


def test_nothing_is_played_after_the_end():
    scene = given(playing("10C", "KC", lying="AS")).when(0, Play(("10C",)))
    for seat in (0, 1):
        given(scene.state).when(seat, Play(("KC",))).then_refused("S-39")
