"""What the clock plays for a player whose time is up (H-28, H-33)."""

from domain.game import Due
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.ending_events import RowsRevealed
from domain.hatchatul.events import (
    CardDrawn,
    CardThrown,
    DrawnCardShown,
    Knocked,
    SeatTimedOut,
    TurnEnded,
    TurnStarted,
    TurnsWaived,
)
from domain.hatchatul.state import Over, TurnStart
from tests.domain.hatchatul.scenario import AT, DICE, DUE, ROW_A, ROW_B, A, B, C, Position, given

NEXT = TurnStarted(C, 1, extra=False, due=DUE)


def timed_out(position: Position) -> Position:
    due = GAME.due(position.state)
    assert due is not None
    return position.hearing(GAME.when_due(position.state, due, AT, DICE))


def test_the_player_to_move_has_the_clock():
    for position in (given(), given(holds=5), given(holds="peek"), given(ended=True)):
        assert GAME.due(position.state) == Due(DUE, "turn", (B,))


def test_without_a_clock_he_is_awaited_all_the_same():
    state = given(ended=True, turn_timeout_s=0).when(B, m.EndTurn()).state
    assert GAME.due(state) == Due(None, "turn", (C,))


def test_h_28_a_card_is_drawn_and_thrown_and_the_turn_ends_without_a_knock():
    timed_out(given(stock=[8, 1])).then(
        SeatTimedOut(B), CardDrawn(B, None), DrawnCardShown(B, 8), CardThrown(B, 8), TurnEnded(B), NEXT
    )


def test_no_power_is_used():
    timed_out(given(stock=["peek", 1])).then(
        SeatTimedOut(B), CardDrawn(B, "peek"), CardThrown(B, "peek"), TurnEnded(B), NEXT
    )


def test_a_held_card_is_thrown():
    timed_out(given(holds="swap")).then(SeatTimedOut(B), CardThrown(B, "swap"), TurnEnded(B), NEXT)


def test_a_played_turn_is_ended():
    timed_out(given(ended=True)).then(SeatTimedOut(B), TurnEnded(B), NEXT)


def test_owed_turns_are_waived():
    timed_out(given(owed=2, extra=True)).then(SeatTimedOut(B), TurnsWaived(B), TurnEnded(B), NEXT)
    assert timed_out(given(owed=3, extra=True, holds=5)).told(TurnsWaived) == [TurnsWaived(B)]


def test_under_pick_one_owed_cards_are_drawn_and_thrown():
    position = timed_out(given(owed=2, extra=True, stock=[5, "draw2", 6], draw_two="pick_one"))
    assert position.told(CardThrown) == [CardThrown(B, 5), CardThrown(B, "draw2")]
    assert position.told(TurnEnded) == [TurnEnded(B)]
    assert position.told(TurnStarted)[-1] == NEXT


def test_in_the_last_lap_the_clock_brings_the_round_to_its_end():
    assert timed_out(given(knocker=C)).then_at(Over).told(RowsRevealed)[0].cause == "lap_done"


def test_a_clock_turn_may_meet_an_empty_stock():
    timed_out(given(stock=[], discard=[3, 4], stock_out="end_round")).then_at(Over)
    timed_out(given(stock=[], discard=[3, 4])).then_at(TurnStart, C)


def test_only_clocks_never_knock_and_an_abandoned_round_is_revealed_after_three_laps():
    position, turns = given([ROW_A, ROW_B], stock=[5] * 20), 0
    while not isinstance(position.phase, Over):
        position, turns = timed_out(position), turns + 1
        assert not position.told(Knocked)
    assert turns == 6
    assert position.told(RowsRevealed)[0].cause == "abandoned"


def test_one_player_who_plays_keeps_the_round_alive():
    position = given([ROW_A, ROW_B], stock=[5] * 40)
    for _ in range(10):
        position = timed_out(position).then_at(TurnStart, A)
        position = position.when(A, m.DrawStock()).when(A, m.Throw()).when(A, m.EndTurn()).then_at(TurnStart, B)
    assert position.state.course.idle == 0


def test_nothing_is_due_before_the_first_deal():
    assert GAME.due(GAME.initial(given().state.sitting.rules, 2)) is None
