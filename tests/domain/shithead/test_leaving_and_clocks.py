"""S-35, S-38: seats that leave, and seats whose time is up."""

import pytest
from msgspec.structs import replace

from domain.game import Due
from domain.shithead import GAME
from domain.shithead.events import (
    BlindTurned,
    CardsDrawn,
    CardsPlayed,
    CardsShown,
    ClockPlayed,
    PilePickedUp,
    PlayStarted,
    SeatWithdrawn,
)
from domain.shithead.moves import Play, Ready
from domain.shithead.rules import ShitheadRules
from domain.shithead.state import Over, Playing, Swapping
from tests.domain.shithead.scenes import AT, DICE, DUE, due_of, given, playing, result_of, swapping, turn

A, B, C = "4C 5C 6C | 7C | 8C", "4D 5D 6D | 7D | 8D", "4H 5H 6H | 7H | 8H"


def test_a_leavers_cards_are_withdrawn_and_none_is_named():
    scene = given(playing(A, B, C, lying="9C")).when_leaves(1).then(SeatWithdrawn(1))
    assert scene.state.in_play == (0, 2)
    assert sorted(scene.state.withdrawn) == sorted(["4D", "5D", "6D", "7D", "8D"])
    scene.then_holds(1, "").then_pile("9C").then_turn(0)


def test_if_it_was_his_turn_it_is_the_next_players():
    given(playing(A, B, C, lying="9C", turn=1)).when_leaves(1).then(SeatWithdrawn(1), turn(2))
    given(playing(A, B, C, lying="9C", turn=2)).when_leaves(2).then(SeatWithdrawn(2), turn(0))


def test_anothers_clock_is_not_touched():
    scene = given(playing(A, B, C, due="2026-11-30T12:01:00.000000Z")).when_leaves(1)
    assert scene.state.due == "2026-11-30T12:01:00.000000Z"


def test_the_turn_passes_over_who_left():
    given(playing(A, B, C)).when_leaves(1).when(0, Play(("4C",))).then_turn(2)


@pytest.mark.parametrize(("leaver_loses", "shithead"), [(True, 1), (False, None)])
def test_when_one_is_left_the_round_is_abandoned(leaver_loses, shithead):
    scene = given(playing(A, B, "", places=(2,), leaver_loses=leaver_loses)).when_leaves(1).then(SeatWithdrawn(1))
    scene.then_over(shithead, (2,), "abandoned")


def test_the_last_leaver_is_the_shithead():
    scene = given(playing(A, B, C)).when_leaves(0).then_turn(1).when_leaves(2)
    scene.then_over(2, (), "abandoned")


def test_who_finished_and_leaves_keeps_his_place():
    scene = given(playing(A, "", C, places=(1,))).when_leaves(1).then(SeatWithdrawn(1)).then_turn(0)
    assert scene.state.places == (1,)
    assert scene.state.withdrawn == ()
    assert scene.state.sitting.left == (1,)


def test_a_leaver_gets_no_place():
    scene = given(playing("4C", B, C)).when_leaves(1).when(0, Play(("4C",))).then_over(2, (0,), "played")
    assert 1 not in result_of(scene.state).places


def test_who_left_plays_no_more():
    given(playing(A, B, C)).when_leaves(1).when(1, Play(("4D",))).then_refused("S-39")


def test_a_leaving_forgets_the_positions_seen():
    scene = given(playing(A, B, C, seen=b"12345678")).when_leaves(1)
    assert scene.state.seen == b""


def test_before_play_the_others_start_once_all_of_them_are_ready():
    scene = given(swapping(A, B, C, ready=(0, 2))).when_leaves(1)
    scene.then(SeatWithdrawn(1), PlayStarted(2, "4"), turn(2))
    assert isinstance(scene.state, Playing)
    assert scene.state.in_play == (0, 2)
    assert sorted(scene.state.withdrawn) == sorted(["4D", "5D", "6D", "7D", "8D"])


def test_before_play_the_others_go_on_swapping_if_not():
    scene = given(swapping(A, B, C, ready=(0,))).when_leaves(1).then(SeatWithdrawn(1))
    assert isinstance(scene.state, Swapping)
    scene.when(2, Ready())
    assert isinstance(scene.state, Playing)


def test_a_ready_leaver_is_not_awaited_either():
    scene = given(swapping(A, B, C, ready=(1,))).when_leaves(1).when(0, Ready()).when(2, Ready())
    assert isinstance(scene.state, Playing)


@pytest.mark.parametrize(("leaver_loses", "shithead"), [(True, 0), (False, None)])
def test_before_play_too_the_round_is_abandoned_when_one_is_left(leaver_loses, shithead):
    scene = given(swapping(A, B, leaver_loses=leaver_loses)).when_leaves(0)
    scene.then_over(shithead, (), "abandoned")
    assert sum(map(len, GAME.zones(scene.state).values())) == 10


def test_between_rounds_a_leaver_changes_nothing_but_that_he_left():
    ended = given(playing("4C", B, C, places=())).when_leaves(2).when_leaves(1).state
    assert isinstance(ended, Over)
    scene = given(ended).when_leaves(0).then(SeatWithdrawn(0))
    assert scene.state.result == ended.result
    assert scene.state.stood == ended.stood
    before_any_round = given(GAME.initial(ShitheadRules(), 3)).when_leaves(1)
    assert before_any_round.state.sitting.left == (1,)


# Clocks


def test_the_clock_of_a_turn_is_the_movers():
    assert GAME.due(playing(A, B)) == Due(DUE, "turn", (0,))


def test_without_a_clock_the_turn_is_due_at_no_time():
    scene = given(playing(A, B, turn_timeout_s=0)).when(0, Play(("4C",)))
    assert scene.events[-1].due is None
    assert GAME.due(scene.state) == Due(None, "turn", (1,))


def test_nothing_is_due_when_the_round_is_over():
    assert GAME.due(given(playing("4C", "5C")).when(0, Play(("4C",))).state) is None
    assert GAME.due(GAME.initial(ShitheadRules(), 2)) is None


def test_a_timeout_plays_the_lowest_legal_single_card():
    scene = given(playing("9S 9C KD 4C", B, lying="8C")).when_due()
    scene.then(ClockPlayed(0), CardsPlayed(0, "hand", ("9C",)), turn(1))


@pytest.mark.parametrize(
    ("holds", "lying", "card"),
    [
        ("2C 10C AD", "8C", "AD"),
        ("2C 10C 5D", "8C", "2C"),
        ("10D 10C 5D", "8C", "10C"),
        ("JC QC 10C", "8C", "JC"),
        ("4S 4H 4D", "3C", "4D"),
        ("| 9S 9H | 4C", "8C", "9H"),
    ],
)
def test_2_and_then_10_come_last_and_suits_from_clubs_to_spades(holds, lying, card):
    scene = given(playing(holds, B, lying=lying)).when_due()
    assert scene.events[1].cards == (card,)


def test_a_timeout_with_nothing_that_fits_picks_up():
    given(playing("4C 5C", B, lying="8C")).when_due().then(ClockPlayed(0), PilePickedUp(0, ("8C",)), turn(1))


def test_a_timeout_adds_the_lowest_open_card_where_one_must_be_named():
    scene = given(playing("| 2C 5C 5D", B, lying="8C 7D", seven_lower=False, pickup_adds_open_card=True)).when_due()
    assert scene.events[1] == CardsPlayed(0, "open", ("2C",))
    scene = given(playing("| 6C 5D 5C", B, lying="8C", pickup_adds_open_card=True)).when_due()
    scene.then(ClockPlayed(0), PilePickedUp(0, ("8C",), ("5C",)), turn(1)).then_holds(0, "8C 5C | 6C 5D")


def test_a_timeout_with_blind_cards_flips_the_lowest_place():
    scene = given(playing("| | - 9C 4C", B, lying="8C")).when_due()
    scene.then(ClockPlayed(0), BlindTurned(0, 2, "9C", fits=True), turn(1))


def test_a_timeout_keeps_to_the_duty_of_the_first_play():
    scene = given(playing("4C 5C 6C", B, lead="5", open_with_lowest=True)).when_due()
    assert scene.events[1].cards == ("5C",)


def test_a_timeout_does_not_go_out_where_it_may_not():
    scene = given(playing("2C", B, lying="8C", no_special_finish=True)).when_due()
    scene.then(ClockPlayed(0), PilePickedUp(0, ("8C",)), turn(1))
    scene = given(playing("2C", B, lying="8C", stock="3C", no_special_finish=True)).when_due()
    scene.then(ClockPlayed(0), CardsPlayed(0, "hand", ("2C",)), CardsDrawn(0, 1), CardsShown(0, ("3C",)), turn(1))


def test_a_timeout_burns_like_any_play_and_then_has_a_new_clock():
    scene = given(playing("10C 3C", B, lying="8C")).when_due().then_turn(0)
    assert scene.events[-1] == turn(0)


def test_a_clock_that_rings_for_another_seat_finds_nothing_to_do():
    assert GAME.when_due(playing(A, B), Due(DUE, "turn", (1,)), AT, DICE) == []
    over = given(playing("4C", "5C")).when(0, Play(("4C",))).state
    assert GAME.when_due(over, Due(DUE, "turn", (1,)), AT, DICE) == []


def test_a_clock_does_not_ring_before_play_for_those_who_left():
    state = given(swapping(A, B, C)).when_leaves(2).state
    assert GAME.when_due(state, Due(DUE, "swap", (2,)), AT, DICE) == []
    assert due_of(state).seats == (0, 1)


def test_the_deadline_lies_in_the_state():
    state = playing(A, B)
    assert due_of(replace(state, due="2026-11-30T12:00:07.000000Z")).at == "2026-11-30T12:00:07.000000Z"
