"""One card a turn: from the pile or the stock, into the row or away (H-08 to H-10, H-16, H-27, H-31, H-32)."""

import msgspec
import pytest

from domain.game import Move, type_of
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.events import (
    CardDrawn,
    CardPlaced,
    CardThrown,
    DiscardTaken,
    DrawnCardShown,
    TurnEnded,
    TurnStarted,
)
from domain.hatchatul.state import HoldingAction, HoldingNumber, TurnEnd, TurnStart
from tests.domain.hatchatul.scenario import DUE, ROW_A, ROW_B, A, B, C, given

ALL = [
    m.PeekStart(),
    m.Skip(),
    m.DrawStock(),
    m.TakeDiscard(1),
    m.Place(1),
    m.Throw(),
    m.UsePeek(1),
    m.UseSwap(1, A, 1),
    m.UseDrawTwo(),
    m.Waive(),
    m.EndTurn(),
    m.Knock(),
]


def decoded(body: dict) -> Move:
    return msgspec.convert(body, type=m.Moves)


def test_hs_10_the_last_thrown_card_goes_into_a_slot_and_the_old_one_is_thrown():
    position = given(discard=[3]).when(B, m.TakeDiscard(1))
    position.then(DiscardTaken(B, 1, 9)).then_at(TurnEnd, B)
    assert position.row(B) == (3, 8, 7, 1)
    assert position.state.cards.discard == (9,)


def test_hs_11_a_card_taken_from_the_pile_cannot_be_thrown_again():
    given().when(B, m.TakeDiscard(1)).refuses(B, m.Throw(), m.Place(2), ruling="H-32")


def test_taking_from_the_pile_without_a_slot_is_malformed():
    with pytest.raises(msgspec.ValidationError, match="slot"):
        decoded({"type": "hatchatul.take_discard"})


def test_hs_13_only_the_top_of_the_pile_can_be_taken():
    given(discard=[4, "peek"]).refuses(B, m.TakeDiscard(1), ruling="H-09")
    with pytest.raises(msgspec.ValidationError):
        decoded({"type": "hatchatul.take_discard", "slot": 1, "card": 4})


def test_h_09_a_dead_action_card_can_be_taken_by_table_rule_and_does_nothing():
    position = given(discard=[4, "peek"], take_dead_action=True).when(B, m.TakeDiscard(1))
    assert position.row(B) == ("peek", 8, 7, 1)
    position.then_at(TurnEnd, B).refuses(B, m.UsePeek(1), ruling="H-32")


def test_hs_14_a_drawn_number_may_be_thrown():
    position = given(stock=[8, 2]).when(B, m.DrawStock())
    position.then(CardDrawn(B, None), DrawnCardShown(B, 8)).then_at(HoldingNumber, B)
    after = position.when(B, m.Throw()).then(CardThrown(B, 8)).then_at(TurnEnd, B)
    assert after.top == 8
    assert after.row(B) == ROW_B


def test_a_drawn_number_may_be_placed_and_what_lay_there_is_thrown():
    position = given(holds=2).when(B, m.Place(3)).then(CardPlaced(B, 3, 7, None)).then_at(TurnEnd, B)
    assert position.row(B) == (9, 8, 2, 1)
    assert position.top == 7


def test_hs_16_whoever_holds_a_card_can_only_play_it():
    for holds in (5, "peek", "swap", "draw2"):
        position = given(holds=holds)
        position.refuses(B, m.DrawStock(), m.TakeDiscard(1), ruling="H-32")
        position.refuses(B, m.EndTurn(), m.Knock(), ruling="H-16")
        position.refuses(B, m.Waive(), ruling="H-14")


def test_a_turn_begins_with_a_card():
    position = given()
    position.refuses(B, m.Place(1), m.Throw(), m.UsePeek(1), m.UseSwap(1, A, 1), m.UseDrawTwo(), ruling="H-32")
    position.refuses(B, m.EndTurn(), ruling="H-32")
    position.refuses(B, m.Waive(), ruling="H-14")


def test_after_the_card_only_the_end_of_the_turn_is_left():
    position = given(ended=True)
    position.refuses(B, m.DrawStock(), m.TakeDiscard(1), m.Place(1), m.Throw(), m.UsePeek(1), ruling="H-32")
    position.refuses(B, m.Waive(), ruling="H-14")


def test_the_next_player_follows_clockwise():
    given(ended=True).when(B, m.EndTurn()).then(TurnEnded(B), TurnStarted(C, 1, extra=False, due=DUE))
    given(ended=True, turn=C).when(C, m.EndTurn()).then_at(TurnStart, A)


def test_h_31_nobody_acts_out_of_turn():
    others = [move for move in ALL if not isinstance(move, m.PeekStart | m.Skip)]
    for position in (given(), given(holds=5), given(holds="swap"), given(ended=True)):
        position.refuses(A, *others, ruling="H-31").refuses(C, *others, ruling="H-31")


def test_a_held_number_has_no_power():
    position = given(holds=5)
    position.refuses(B, m.UsePeek(1), ruling="H-11").refuses(B, m.UseSwap(1, A, 1), ruling="H-12")
    position.refuses(B, m.UseDrawTwo(), ruling="H-14")


def test_hs_20_a_drawn_action_card_may_be_kept_in_the_row_and_does_nothing():
    position = given(stock=["peek", 1]).when(B, m.DrawStock()).then(CardDrawn(B, "peek")).then_at(HoldingAction, B)
    kept = position.when(B, m.Place(1)).then(CardPlaced(B, 1, 9, None)).then_at(TurnEnd, B)
    assert kept.row(B) == ("peek", 8, 7, 1)
    kept.refuses(B, m.UsePeek(1), ruling="H-32")


def test_h_10_a_table_may_forbid_action_cards_in_the_row():
    for holds in ("peek", "swap", "draw2"):
        given(holds=holds, keep_action_in_row=False).refuses(B, m.Place(1), ruling="H-10")
    assert given(holds=2, keep_action_in_row=False).when(B, m.Place(1)).row(B) == (2, 8, 7, 1)


def test_h_27_there_is_no_move_that_rearranges_a_row():
    assert {type_of(move).split(".")[1] for move in GAME.moves} == {
        "peek_start", "skip", "draw_stock", "take_discard", "place", "throw", "use_peek", "use_swap", "use_draw_two",
        "waive", "end_turn", "knock",
    }  # fmt: skip


def test_h_29_what_goes_into_an_open_slot_lies_open():
    position = given(holds=2, open_outer=True)
    position.when(B, m.Place(1)).then(CardPlaced(B, 1, 9, 2))
    position.when(B, m.Place(2)).then(CardPlaced(B, 2, 8, None))


def test_before_the_first_deal_and_after_the_round_nobody_acts():
    start = given().state
    start = type(start)(start.sitting, start.cards, start.course, GAME.initial(start.sitting.rules, 3).phase)
    from tests.domain.hatchatul.scenario import Position, between

    playing = [move for move in ALL if not isinstance(move, m.PeekStart | m.Skip)]
    Position(start).refuses(B, *playing, ruling="H-31")
    Position(between(3)).refuses(B, *playing, ruling="H-31").refuses(B, m.Skip(), ruling="H-06")


def test_a_row_that_is_not_in_the_round_cannot_be_played():
    given([ROW_A, ROW_B, ()]).refuses(C, m.DrawStock(), m.EndTurn(), ruling="H-31")
