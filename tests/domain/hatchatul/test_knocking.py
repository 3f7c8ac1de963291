"""The knock, the last lap, the cap and the empty stock: how a round comes to its reveal (H-16, H-17, H-24, H-25)."""

import pytest

from domain.game import RulesInvalid
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.ending_events import RowsRevealed
from domain.hatchatul.events import Knocked, StockExhausted, StockLaid, StockReshuffled, TurnEnded, TurnStarted
from domain.hatchatul.rules import HatchatulRules
from domain.hatchatul.state import HoldingNumber, Over, TurnEnd, TurnStart
from tests.domain.hatchatul.scenario import DUE, ROW_A, ROW_B, ROW_C, A, B, C, Position, given


def turn(position: Position, seat: int) -> Position:
    """One whole turn: draw, throw, end."""
    return position.when(seat, m.DrawStock()).when(seat, m.Throw()).when(seat, m.EndTurn())


def test_hs_38_after_a_knock_each_of_the_others_has_exactly_one_turn():
    position = given(ended=True).when(B, m.Knock())
    position.then(Knocked(B, (C, A)), TurnStarted(C, 1, extra=False, due=DUE))
    position = turn(position, C).then_at(TurnStart, A)
    position = turn(position, A).then_at(Over)
    assert position.told(RowsRevealed)[0].cause == "lap_done"


def test_the_first_turn_of_a_round_may_end_with_a_knock():
    given(ended=True, turns=0).when(B, m.Knock()).then_at(TurnStart, C)


def test_hs_40_nobody_knocks_at_the_start_of_his_turn():
    given().refuses(B, m.Knock(), ruling="H-16")


def test_hs_41_nobody_knocks_again_in_the_last_lap():
    position = given(turn=C, ended=True, knocker=B, lap=(A,))
    position.refuses(C, m.Knock(), ruling="H-17").when(C, m.EndTurn()).then_at(TurnStart, A)


def test_hs_44_with_two_players_the_other_has_one_turn():
    position = given([ROW_A, ROW_B], turn=A, ended=True).when(A, m.Knock()).then_at(TurnStart, B)
    turn(position, B).then_at(Over)


def test_hs_37_an_empty_stock_does_not_matter_to_who_takes_from_the_pile():
    for stock_out in ("reshuffle_keep_top", "end_round"):
        position = given(stock=[], stock_out=stock_out).when(B, m.TakeDiscard(1)).then_at(TurnEnd, B)
        assert position.told(StockReshuffled) == []
        assert position.row(B)[0] == 3


def test_h_24_a_card_asked_of_an_empty_stock_is_drawn_from_the_reshuffled_pile_without_its_top():
    position = given(stock=[], discard=[1, "peek", 2, 9]).when(B, m.DrawStock())
    assert position.told(StockReshuffled) == [StockReshuffled(1, 3)]
    assert position.state.cards.discard == (9,)
    laid = position.told(StockLaid)[0].stock
    assert sorted(map(str, laid)) == ["1", "2", "peek"]
    assert position.state.cards.stock == laid[1:]


def test_each_reshuffle_of_a_round_has_dice_of_its_own():
    first = given(stock=[], discard=range(9)).when(B, m.DrawStock()).told(StockLaid)[0]
    again = given(stock=[], discard=range(9)).when(B, m.DrawStock()).told(StockLaid)[0]
    assert first == again, "the same round decides the same order"
    position = given(stock=[], discard=range(9))
    course = type(position.state.course)(position.state.course.seats, reshuffles=1, begun=True)
    position = Position(type(position.state)(position.state.sitting, position.state.cards, course, position.phase))
    second = position.when(B, m.DrawStock())
    assert second.told(StockReshuffled)[0].count == 2
    assert second.told(StockLaid)[0] != first


def test_with_end_round_a_draw_from_an_empty_stock_begins_the_reveal():
    position = given(stock=[], discard=[3, 4], stock_out="end_round").when(B, m.DrawStock()).then_at(Over)
    assert position.events[0] == StockExhausted(B)
    assert position.told(RowsRevealed)[0].cause == "stock_out"


def test_h_25_at_the_cap_the_reveal_begins_at_once():
    position = given(ended=True, turns=5, max_turns_per_round=6).when(B, m.EndTurn()).then_at(Over)
    assert position.events[0] == TurnEnded(B)
    assert position.told(RowsRevealed)[0].cause == "turn_cap"
    given(ended=True, turns=4, max_turns_per_round=6).when(B, m.EndTurn()).then_at(TurnStart, C)


def test_at_the_cap_a_knock_still_makes_its_player_the_knocker_and_a_last_lap_is_cut_short():
    knock = given(ended=True, turns=5, max_turns_per_round=6, knock_penalty=10).when(B, m.Knock()).then_at(Over)
    assert knock.phase.result.knocker == B
    assert knock.phase.result.scores[B].points == sum(ROW_B) + 10
    lap = given(turn=C, ended=True, knocker=B, lap=(A,), turns=5, max_turns_per_round=6).when(C, m.EndTurn())
    assert lap.told(RowsRevealed)[0].cause == "turn_cap"


def test_the_turns_of_a_draw_two_count_as_one():
    position = given(stock=["draw2", 5, 6], turns=1).when(B, m.DrawStock()).when(B, m.UseDrawTwo())
    position = turn(position.when(B, m.DrawStock()).when(B, m.Throw()), B)
    assert position.state.course.turns == 2


def test_the_cap_lets_every_player_have_a_turn():
    with pytest.raises(RulesInvalid) as no:
        GAME.check(HatchatulRules(max_turns_per_round=3), 4)
    assert no.value.field == "max_turns_per_round"
    GAME.check(HatchatulRules(max_turns_per_round=4), 4)


def test_the_round_goes_on_while_nobody_knocks():
    position = given([ROW_A, ROW_B, ROW_C], stock=[5] * 30)
    for seat in (B, C, A) * 8:
        position = turn(position, seat).then_at(TurnStart)
    position.when(B, m.DrawStock()).then_at(HoldingNumber, B)
