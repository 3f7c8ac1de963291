"""What follows when a seat leaves, in every phase (H-23)."""

import pytest

from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.ending_events import GameForfeited, RowsRevealed
from domain.hatchatul.events import SeatWithdrawn, TurnStarted
from domain.hatchatul.opening_events import PeekingEnded
from domain.hatchatul.state import Over, Peeking, TurnStart
from tests.domain.hatchatul.scenario import (
    AT,
    DICE,
    DUE,
    ROW_A,
    ROW_B,
    ROW_C,
    TWELVE,
    A,
    B,
    C,
    Position,
    between,
    given,
    peeking,
    score,
)


def left(position: Position, seat: int) -> Position:
    return position.hearing(GAME.leave(position.state, seat, AT, DICE))


def test_a_leavers_row_is_set_aside_unseen_and_play_goes_on_without_him():
    position = left(given(), A).then(SeatWithdrawn(A)).then_at(TurnStart, B)
    assert position.state.cards.aside == ROW_A
    assert position.row(A) == ()
    assert position.state.cards.discard == (3,)
    position.when(B, m.TakeDiscard(1)).when(B, m.EndTurn()).then_at(TurnStart, C)


@pytest.mark.parametrize("holds", [5, "swap"])
def test_a_held_card_is_set_aside_with_the_row(holds):
    position = left(given(holds=holds), B)
    position.then(SeatWithdrawn(B), TurnStarted(C, 1, extra=False, due=DUE))
    assert position.state.cards.aside == (*ROW_B, holds)


def test_if_it_was_his_turn_the_next_players_begins():
    left(given(), B).then_at(TurnStart, C)
    left(given(ended=True), B).then_at(TurnStart, C)
    left(given(turn=C), C).then_at(TurnStart, A)


def test_turns_that_draw_two_owed_him_are_not_inherited():
    position = left(given(owed=2, extra=True), B)
    assert position.phase.turn.owed == 1
    assert not position.phase.turn.extra


def test_in_the_setup_his_look_is_not_waited_for():
    position = left(peeking(), C).then(SeatWithdrawn(C)).then_at(Peeking)
    position = position.when(A, m.Skip())
    left(position, B).then(SeatWithdrawn(B), GameForfeited(A))
    waiting = peeking().when(A, m.Skip()).when(C, m.Skip())
    left(waiting, B).then(SeatWithdrawn(B), PeekingEnded(), TurnStarted(C, 1, extra=False, due=DUE))


def test_a_knocker_who_leaves_does_not_stop_the_lap():
    position = left(given(turn=C, ended=True, knocker=B, lap=(A,), knock_penalty=50), B).then(SeatWithdrawn(B))
    position = position.when(C, m.EndTurn()).then_at(TurnStart, A)
    position = position.when(A, m.DrawStock()).when(A, m.Throw()).when(A, m.EndTurn()).then_at(Over)
    assert [entry.seat for entry in score(position).scores] == [A, C]
    assert score(position).winners == (A,)


def test_who_waits_in_the_lap_is_struck_from_it():
    position = left(given(turn=C, ended=True, knocker=B, lap=(A,)), A)
    assert position.when(C, m.EndTurn()).told(RowsRevealed)[0].cause == "lap_done"


def test_the_last_of_the_lap_who_leaves_in_his_turn_ends_the_round():
    rows = [ROW_A, ROW_B, ROW_C, TWELVE]
    position = left(given(rows, turn=A, knocker=B), A).then_at(Over)
    assert [row.seat for row in position.told(RowsRevealed)[0].rows] == [B, C, 3]


@pytest.mark.parametrize(
    "position",
    [given([ROW_A, ROW_B]), given([ROW_A, ROW_B], holds=5), peeking([ROW_A, ROW_B]), given([ROW_A, ROW_B], ended=True)],
)
def test_the_one_who_remains_has_won(position):
    after = left(position, B).then(SeatWithdrawn(B), GameForfeited(A)).then_at(Over)
    result = GAME.over(after.state)
    assert result is not None
    assert (result.scored, result.leaders, result.final) == (False, (A,), True)
    assert GAME.finished(after.state)


def test_a_leavers_total_stays_and_cannot_win():
    position = left(given(totals=(0, 50, 50)), A)
    position = position.when(B, m.DrawStock()).when(B, m.Throw()).when(B, m.Knock())
    position = position.when(C, m.DrawStock()).when(C, m.Throw()).when(C, m.EndTurn())
    assert score(position).leaders == (C,)
    assert position.state.sitting.totals[A] == 0


def test_between_rounds_a_seat_leaves_and_with_one_left_the_game_is_over():
    position = left(Position(between(3)), A).then(SeatWithdrawn(A))
    assert not GAME.finished(position.state)
    assert GAME.finished(left(position, B).then(SeatWithdrawn(B), GameForfeited(C)).state)


def test_one_who_is_out_may_leave_without_a_trace_on_the_round():
    position = left(given([(), ROW_B, ROW_C]), A)
    position.then(SeatWithdrawn(A)).then_at(TurnStart, B)
    assert position.state.course.seats == (B, C)


def test_one_who_is_out_does_not_count_among_those_who_remain():
    state = given([(), ROW_B, ROW_C]).state
    sitting = type(state.sitting)(state.sitting.rules, 3, (100, 0, 0), A, out=(A,))
    position = left(Position(type(state)(sitting, state.cards, state.course, state.phase)), B)
    position.then(SeatWithdrawn(B), GameForfeited(C))


def test_after_the_end_leaving_changes_no_winner():
    state = between(2)
    finished = type(state)(
        type(state.sitting)(state.sitting.rules, 2, (0, 0), A, finished=True), state.cards, state.course, state.phase
    )
    left(Position(finished), A).then(SeatWithdrawn(A))


def test_cards_set_aside_do_not_come_back_with_a_reshuffle():
    position = left(given(stock=[], discard=[8, 8, 3]), A).when(B, m.DrawStock())
    assert position.state.cards.aside == ROW_A
    assert position.state.cards.discard == (3,)
    assert position.phase.card == 8
