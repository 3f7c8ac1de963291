"""The reveal, the score, ties, the knocker's price (H-19 to H-21)."""

from typing import Any

import pytest

from domain.hatchatul import moves as m
from domain.hatchatul.ending_events import (
    ActionCardThrown,
    ReplacementDrawn,
    Row,
    RowsRevealed,
    Score,
)
from domain.hatchatul.events import StockReshuffled
from domain.hatchatul.state import Over
from tests.domain.hatchatul.scenario import (
    ROW_A,
    ROW_B,
    ROW_C,
    SEVEN,
    SEVEN_TOO,
    TWELVE,
    A,
    B,
    C,
    given,
    last_turn_ended,
    score,
)

LATER = "2026-11-30T12:30:00.000000Z"


def test_all_rows_are_turned_up_from_the_dealers_left():
    position = last_turn_ended([SEVEN, SEVEN_TOO, TWELVE], dealer=B)
    rows = (Row(C, TWELVE), Row(A, SEVEN), Row(B, SEVEN_TOO))
    assert position.told(RowsRevealed) == [RowsRevealed(rows, "lap_done")]


def test_hs_46_action_cards_are_replaced_from_the_dealers_left_and_the_empty_stock_is_made_anew():
    position = last_turn_ended(
        [("peek", 1, 1, 1), ROW_B, (2, "swap", 2, "draw2")], stock=[], discard=[5, 6, 7, 8], dealer=A
    )
    thrown = position.told(ActionCardThrown)
    assert thrown == [ActionCardThrown(C, 2, "swap"), ActionCardThrown(C, 4, "draw2"), ActionCardThrown(A, 1, "peek")]
    assert position.told(StockReshuffled) == [StockReshuffled(1, 4)]
    assert position.state.cards.discard[0] == "swap", "the top, just thrown, stays"
    assert all(isinstance(card, int) for row in position.state.cards.rows for card in row)


def test_h_20_a_replacement_that_is_an_action_card_is_replaced_too():
    position = last_turn_ended([ROW_A, ("peek", 1, 1, 1), ROW_C], stock=["swap", "draw2", 4, 5])
    assert position.events[2:8] == [
        ActionCardThrown(B, 1, "peek"),
        ReplacementDrawn(B, 1, "swap"),
        ActionCardThrown(B, 1, "swap"),
        ReplacementDrawn(B, 1, "draw2"),
        ActionCardThrown(B, 1, "draw2"),
        ReplacementDrawn(B, 1, 4),
    ]
    assert position.row(B) == (4, 1, 1, 1)
    assert position.state.cards.discard[-3:] == ("peek", "swap", "draw2")


def test_cards_thrown_before_a_reshuffle_in_the_reveal_come_into_it():
    position = last_turn_ended([ROW_A, ("peek", "swap", 1, 1), ROW_C], stock=[5], discard=[6])
    assert position.told(StockReshuffled) == [StockReshuffled(1, 2)], "the 6 and the Peek, not the Swap on top"
    assert position.row(B)[0] == 5


def test_the_reveal_reshuffles_under_end_round_too():
    position = given([ROW_A, ("peek", 1, 1, 1), ROW_C], stock=[], discard=[4, 5], stock_out="end_round").when(
        B, m.DrawStock()
    )
    assert position.told(StockReshuffled) == [StockReshuffled(1, 2)]
    position.then_at(Over)


def test_hs_47_equal_lowest_sums_share_the_round_and_all_add_their_own():
    scored = score(last_turn_ended([SEVEN, SEVEN_TOO, TWELVE], totals=(10, 20, 30)))
    assert scored.winners == (A, B)
    assert scored.scores == (Score(A, 7, 7, 17), Score(B, 7, 7, 27), Score(C, 12, 12, 42))


@pytest.mark.parametrize(
    ("tie_break", "knocker", "winners"),
    [
        ("shared", B, (A, B)),
        ("knocker_loses", B, (A,)),
        ("knocker_wins", B, (B,)),
        ("knocker_loses", C, (A, B)),
        ("knocker_wins", C, (A, B)),
    ],
)
def test_h_21_a_tie_may_turn_on_the_knocker_if_he_is_among_the_lowest(tie_break, knocker, winners):
    position = given([SEVEN, SEVEN_TOO, TWELVE], turn=A, ended=True, knocker=knocker, tie_break=tie_break)
    assert score(position.when(A, m.EndTurn())).winners == winners


def test_a_knocker_who_alone_is_lowest_wins_under_every_tie_break():
    for tie_break in ("shared", "knocker_loses", "knocker_wins"):
        assert score(last_turn_ended([ROW_C, ROW_C, SEVEN], tie_break=tie_break)).winners == (C,)


def points(rows: Any, **rules: Any) -> list[int]:
    return [entry.points for entry in score(last_turn_ended(rows, **rules)).scores]


def test_h_19_by_default_a_knock_costs_nothing():
    assert points([SEVEN, SEVEN_TOO, TWELVE]) == [7, 7, 12]


def test_h_19_a_knocker_who_does_not_win_may_pay_and_one_who_does_may_score_nothing():
    assert points([SEVEN, SEVEN_TOO, TWELVE], knock_penalty=10) == [7, 7, 22]
    assert points([SEVEN, TWELVE, SEVEN], knock_penalty=10, knock_bonus_zero=True) == [7, 12, 0]
    assert points([SEVEN, TWELVE, SEVEN], tie_break="knocker_loses", knock_penalty=10) == [7, 12, 17]
    assert points([SEVEN, SEVEN_TOO, TWELVE], knock_bonus_zero=True) == [7, 7, 12]
