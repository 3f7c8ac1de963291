from typing import Any

import msgspec
import pytest

from domain.game import Due
from domain.kishpa import GAME
from domain.kishpa.events import (
    ClockRanOut,
    RoundExhausted,
    StockLaid,
    StockReshuffled,
    TileDiscarded,
    TileDrawn,
    TileShown,
    TurnStarted,
)
from domain.kishpa.moves import Discard, Draw, Pass, Take
from domain.kishpa.state import Over
from tests.domain.kishpa.scenes import PLAIN_WIN, A, B, C, D, Sitting, later


def started(**rules: Any) -> Sitting:
    """A has thrown; it is B's turn. C holds a joker, so that no window opens."""
    sitting = Sitting(**rules).deal({A: "B12", C: "*"}, stock="K13 K12 K11 K9")
    return sitting.play(A, Discard("B12"))


def test_a_turn_is_a_draw_and_a_discard_and_passes_clockwise():
    sitting = started()
    assert [type(event) for event in sitting.last] == [TileDiscarded, TurnStarted]
    sitting.play(B, Draw())
    assert [type(event) for event in sitting.last] == [TileDrawn, TileShown]
    assert sitting.last[1] == TileShown(B, "K13")
    sitting.play(B, Discard("K13")).turn(C).turn(D)
    assert sitting.state.seat == A


def test_k_26_only_the_newest_discard_can_be_taken():
    sitting = started().turn(B)
    sitting.play(C, Take())
    assert sitting.views[B].taken == "K13"
    assert "K13" in sitting.hand(C)
    assert sitting.state.round.discards == ("B12",)


def test_the_tile_that_lies_there_is_the_one_that_was_held_and_not_the_name_in_the_request():
    sitting = started().play(B, Draw())
    held = next(tile for tile in sitting.hand(B) if tile == "K13")
    sitting.play(B, msgspec.json.decode(b'{"type":"kishpa.discard","tile":"K13"}', type=Discard))
    assert sitting.state.round.discards[-1] is held


def test_nobody_moves_out_of_turn_or_twice():
    sitting = started()
    for seat in (A, C, D):
        for move in (Draw(), Take(), Discard("R1"), Pass()):
            sitting.refuse(seat, move, "K-03")
    sitting.refuse(B, Pass(), "K-03").play(B, Draw()).refuse(B, Draw(), "K-03").refuse(B, Take(), "K-03")


def test_ks_79_a_second_draw_of_the_same_turn_is_refused():
    sitting = started().play(B, Draw())
    before = sitting.state
    sitting.refuse(B, Draw(), "K-03")
    assert sitting.state is before


def test_a_seat_that_is_not_in_the_round_cannot_move():
    sitting = Sitting().won_round(A).leave(D).deal({C: "*"})
    sitting.refuse(D, Draw(), "K-03").refuse(D, Discard("R1"), "K-03")


def test_k_27_the_tile_just_taken_may_be_thrown_back():
    sitting = started().play(B, Take(), Discard("B12"))
    assert sitting.state.seat == C


def test_k_27_by_table_rule_no_tile_of_the_face_just_taken_may_be_thrown():
    sitting = Sitting(ban_rediscard=True).deal({A: "B12", B: "B12", C: "*"})
    sitting.play(A, Discard("B12")).play(B, Take())
    sitting.refuse(B, Discard("B12"), "K-27").refuse(B, Discard("B12", declare=True), "K-27")
    assert Discard("B12") not in GAME.options(sitting.views[B])
    assert Discard(sitting.hand(B)[0]) in GAME.options(sitting.views[B])


def test_k_27_the_ban_does_not_reach_a_tile_drawn_from_the_stock():
    sitting = started(ban_rediscard=True).play(B, Draw()).play(B, Discard("K13"))
    assert sitting.state.seat == C


def test_k_28_a_joker_may_be_thrown_and_the_next_player_may_take_it():
    sitting = Sitting().deal({A: "*"}).play(A, Discard("Y5")).play(B, Take())
    assert "Y5" in sitting.hand(B)


def test_k_27_after_the_most_turns_the_round_ends_like_an_exhausted_one():
    sitting = started(max_turns_per_round=3).turn(B)
    assert sitting.state.round.turns == 2
    sitting.turn(C)
    assert sitting.heard_last(RoundExhausted) == [RoundExhausted("turns")]
    assert sitting.result.cause == "turns"


def test_k_27_a_win_with_the_last_turn_counts():
    sitting = Sitting(max_turns_per_round=2).deal({B: PLAIN_WIN, C: "*"}, stock="K13")
    sitting.play(A, Discard(sitting.hand(A)[0])).turn(B, win=True)
    assert sitting.result.winners == (B,)


def test_ks_71_the_drawer_of_the_last_tile_finishes_his_turn_and_the_round_is_exhausted():
    sitting = started().turn(B, take=True).turn(C, take=True)
    while sitting.state.round.stock:
        sitting.play(sitting.state.seat, Draw())
        if sitting.state.round.stock:
            sitting.play(sitting.state.seat, Discard(sitting.state.tile))
    assert sitting.state.seat == C
    sitting.play(C, Discard(sitting.state.tile))
    assert sitting.heard_last(RoundExhausted) == [RoundExhausted("stock")]
    assert sitting.balances == (1998, 1998, 2002, 1998, 4)


def to_the_end_of_the_stock(**rules: Any) -> Sitting:
    sitting = Sitting(2, **rules).deal({A: "*", B: "R3-6 B9-11 R7 B7 4x10 B12"})
    sitting.play(A, Discard(next(tile for tile in sitting.hand(A) if tile not in {"Y5", "K7", "Y7"})))
    while sitting.state.round.stock:
        sitting.play(sitting.state.seat, Draw())
        if sitting.state.round.stock:
            sitting.play(sitting.state.seat, Discard(sitting.state.tile))
    return sitting


def test_k_29_last_chance_the_next_player_may_take_the_discard_and_win():
    sitting = to_the_end_of_the_stock(stock_empty="last_chance")
    assert sitting.state.seat == A
    sitting.play(A, Discard("Y5"))
    assert sitting.state.last_chance
    assert GAME.options(sitting.views[B]) == [Take(), Pass()]
    sitting.refuse(B, Draw(), "K-29").play(B, Take(), Discard("B12", declare=True))
    assert sitting.result.winners == (B,)


def test_k_29_last_chance_taken_without_a_win_exhausts_the_round():
    sitting = to_the_end_of_the_stock(stock_empty="last_chance").play(A, Discard("Y5"))
    sitting.play(B, Take(), Discard("B12"))
    assert sitting.result.cause == "chance"


def test_k_29_last_chance_let_go_exhausts_the_round():
    sitting = to_the_end_of_the_stock(stock_empty="last_chance").play(A, Discard("Y5")).play(B, Pass())
    assert sitting.result.cause == "chance"


def test_k_29_the_clock_lets_a_last_chance_go():
    sitting = to_the_end_of_the_stock(stock_empty="last_chance").play(A, Discard("Y5")).clock()
    assert [type(event) for event in sitting.last[:2]] == [ClockRanOut, RoundExhausted]


def test_k_29_reshuffle_makes_a_stock_of_all_discards_but_the_newest():
    sitting = to_the_end_of_the_stock(stock_empty="reshuffle").play(A, Discard("Y5"))
    older = sitting.state.round.discards[:-1]
    sitting.play(B, Draw())
    assert [type(event) for event in sitting.last] == [StockReshuffled, StockLaid, TileDrawn, TileShown]
    assert sitting.last[0] == StockReshuffled(len(older))
    assert sitting.last[1] == StockLaid(sitting.dice.shuffle("reshuffle:1", older))
    assert sitting.state.round.discards == ("Y5",)


def test_k_29_reshuffle_the_newest_discard_may_still_be_taken():
    sitting = to_the_end_of_the_stock(stock_empty="reshuffle").play(A, Discard("Y5")).play(B, Take())
    assert sitting.state.tile == "Y5"
    assert not sitting.heard_last(StockReshuffled)


def test_k_29_reshuffled_rounds_end_by_the_most_turns():
    sitting = to_the_end_of_the_stock(stock_empty="reshuffle", max_turns_per_round=200)
    while not isinstance(sitting.state, Over):
        sitting.clock()
    assert sitting.result.cause == "turns"
    assert sitting.state.round.reshuffles >= 1


def test_ks_77_the_clock_draws_and_throws_that_tile_and_never_wins():
    sitting = Sitting().deal({B: PLAIN_WIN, C: "*"}, stock="K13")
    sitting.play(A, Discard(sitting.hand(A)[0])).clock()
    assert [type(event) for event in sitting.last] == [ClockRanOut, TileDrawn, TileShown, TileDiscarded, TurnStarted]
    assert sitting.last[3] == TileDiscarded(B, "K13")
    assert sitting.state.seat == C


def test_k_30_who_has_drawn_throws_what_he_drew():
    sitting = started().play(B, Draw()).clock()
    assert sitting.last[:2] == [ClockRanOut(B), TileDiscarded(B, "K13")]


def test_k_30_who_has_taken_throws_it_back_or_under_the_ban_his_highest_other_tile():
    assert started().play(B, Take()).clock().last[1] == TileDiscarded(B, "B12")
    sitting = started(ban_rediscard=True).play(B, Take())
    highest = sitting.hand(B)[-1]
    assert sitting.clock().last[1] == TileDiscarded(B, highest)


@pytest.mark.parametrize(
    ("three", "thrown"), [("R13 B2 K3", "K3"), ("R12 R13 B12", "Y8"), ("K13 DR R9", "DR"), ("DR DK K13", "DK")]
)
def test_k_30_the_starter_throws_his_highest_tile(three, thrown):
    hand = f"R2 R3 R7 R8 B2 B3 B6 B7 Y2 Y7 Y8 R9 {three}"
    sitting = Sitting(replace_when="exposed").deal({A: hand}).all_pass().clock()
    assert sitting.last[:2] == [ClockRanOut(A), TileDiscarded(A, thrown)]


def test_k_30_a_turn_has_one_clock_for_draw_and_discard():
    sitting = started()
    due = GAME.due(sitting.state)
    assert due == Due(later(sitting.at, 120), "turn", (B,))
    sitting.at = later(sitting.at, 60)
    sitting.play(B, Draw())
    assert GAME.due(sitting.state) == due


def test_k_30_without_a_clock_nobody_is_played_for():
    assert GAME.due(started(turn_timeout_s=0).state) == Due(None, "turn", (B,))


def test_a_clock_that_is_late_or_meant_for_another_finds_nothing_to_do():
    sitting = started()
    assert GAME.when_due(sitting.state, Due(sitting.at, "turn", (C,)), sitting.at, sitting.dice) == []
    over = Sitting().won_round(A)
    assert GAME.due(over.state) is None
    assert GAME.when_due(over.state, Due(over.at, "turn", (A,)), over.at, over.dice) == []
