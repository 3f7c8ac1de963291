"""The three ways to end a game: elimination, rounds, time (H-22)."""

from typing import Any

import pytest

from domain.game import Due, Refused, RulesInvalid
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.ending_events import (
    RoundScored,
    Score,
    TimeExpired,
)
from domain.hatchatul.opening_events import CardsDealt
from domain.hatchatul.rules import HatchatulRules
from domain.hatchatul.state import State, TurnEnd
from domain.table.events import LastRoundCalled
from tests.domain.hatchatul.scenario import (
    AT,
    DICE,
    ROW_A,
    ROW_B,
    SEVEN,
    SEVEN_TOO,
    TWELVE,
    A,
    B,
    C,
    Mode,
    Position,
    between,
    dealt,
    given,
    last_turn_ended,
    score,
    stacked,
)

LATER = "2026-11-30T12:30:00.000000Z"


def test_hs_49_exactly_the_limit_is_out():
    position = last_turn_ended([SEVEN, (0, 0, 0, 6), TWELVE], totals=(0, 94, 0))
    assert score(position).out == (B,)
    assert GAME.out(position.state) == (B,)
    assert not GAME.finished(position.state)


def test_hs_50_one_point_less_is_still_in():
    position = last_turn_ended([SEVEN, (0, 0, 0, 5), TWELVE], totals=(0, 94, 0))
    assert score(position).out == ()
    assert position.state.sitting.totals[B] == 99


def test_hs_52_of_two_the_one_who_stays_in_has_won():
    position = last_turn_ended([SEVEN, TWELVE], totals=(90, 90), knocker=A)
    result = GAME.over(position.state)
    assert result is not None
    assert (result.out, result.leaders, result.final) == ((B,), (A,), True)
    assert GAME.finished(position.state)


def test_the_survivor_has_won_even_if_he_did_not_win_the_round():
    position = last_turn_ended([TWELVE, SEVEN], totals=(0, 95), knocker=A)
    assert score(position) == RoundScored(
        (Score(A, 12, 12, 12), Score(B, 7, 7, 102)), winners=(B,), out=(B,), leaders=(A,), final=True
    )


def test_if_all_reach_the_limit_together_the_lowest_total_wins_and_equal_ones_share():
    scored = score(last_turn_ended([SEVEN, SEVEN_TOO, TWELVE], totals=(93, 98, 99)))
    assert (scored.out, scored.leaders, scored.final) == ((A, B, C), (A,), True)
    scored = score(last_turn_ended([SEVEN, SEVEN_TOO, TWELVE], totals=(98, 98, 99)))
    assert scored.leaders == (A, B)


def test_the_limit_is_a_table_rule():
    position = last_turn_ended([SEVEN, SEVEN_TOO, TWELVE], mode=Mode(elimination=10))
    assert score(position).out == (C,)


def test_who_was_out_before_cannot_win_with_a_lower_total():
    position = given([(), TWELVE, TWELVE], ended=True, knocker=C, totals=(100, 95, 95), turn=B)
    scored = score(position.when(B, m.EndTurn()))
    assert scored.leaders == (B, C)


def test_a_game_of_rounds_ends_with_the_last_and_the_lowest_total_wins():
    rows, mode = [SEVEN, SEVEN_TOO, TWELVE], Mode(rounds=2)
    assert not score(last_turn_ended(rows, mode=mode, rounds=0)).final
    scored = score(last_turn_ended(rows, mode=mode, rounds=1, totals=(20, 20, 10)))
    assert (scored.leaders, scored.final, scored.out) == ((C,), True, ())


def test_points_never_put_anybody_out_of_a_game_of_rounds():
    assert score(last_turn_ended([SEVEN, SEVEN_TOO, TWELVE], mode=Mode(rounds=9), totals=(99, 99, 99))).out == ()


def test_the_last_round_may_be_called_in_a_game_without_a_number_of_rounds():
    called = Position(GAME.evolve(given([ROW_A, ROW_B], ended=True, knocker=A).state, LastRoundCalled()))
    running = called.when(B, m.EndTurn())
    assert not score(running).final, "the next dealt round is the last"
    sitting = running.state.sitting
    assert (sitting.rounds, sitting.last) == (1, 2)
    second = State(sitting, called.state.cards, called.state.course, called.state.phase)
    assert score(Position(second).when(B, m.EndTurn())).final


def test_a_last_round_called_between_rounds_is_the_next_one():
    assert GAME.evolve(between(2), LastRoundCalled()).sitting.last == 2
    assert GAME.evolve(GAME.initial(HatchatulRules(), 2), LastRoundCalled()).sitting.last == 1


def test_hs_55_when_time_is_up_the_round_is_completed_and_the_game_ends():
    position = given([SEVEN, TWELVE], holds=5, knocker=A, mode=Mode(time=60), ends_at=AT)
    assert GAME.due(position.state) == Due("2026-11-30T12:02:00.000000Z", "turn", (B,))
    position = position.when(B, m.Throw(), LATER).then_at(TurnEnd, B).when(B, m.EndTurn(), LATER)
    assert score(position).final
    assert score(position).leaders == (A,)


def test_the_time_runs_from_the_first_deal():
    position = dealt(stacked([3]), mode=Mode(time=60))
    assert position.told(CardsDealt)[0].ends_at == "2026-11-30T12:01:00.000000Z"
    again = dealt(stacked([3]), 2, between(2, rules=HatchatulRules(mode=Mode(time=60)), ends_at=LATER))
    assert again.told(CardsDealt)[0].ends_at == LATER


def test_a_round_that_ends_in_time_is_not_the_last():
    assert not score(last_turn_ended([SEVEN, TWELVE], knocker=A, mode=Mode(time=60), ends_at=LATER)).final


def test_between_rounds_the_end_of_the_time_ends_the_game_at_once():
    state = between(3, rules=HatchatulRules(mode=Mode(time=60)), ends_at=AT)
    due = GAME.due(state)
    assert due == Due(AT, "time_up")
    position = Position(state).hearing(GAME.when_due(state, due, AT, DICE)).then(TimeExpired((A, B, C)))
    assert GAME.finished(position.state)
    assert GAME.due(position.state) is None


def test_a_deal_that_comes_too_late_deals_nothing():
    state = between(3, rules=HatchatulRules(mode=Mode(time=60)), ends_at=AT)
    position = dealt(stacked([3], 3), 3, state)
    position.then(TimeExpired((A, B, C)))
    result = GAME.over(position.state)
    assert result is not None
    assert (result.scored, result.final) == (False, True)
    assert GAME.zones(position.state) == {}


def test_drop_round_ends_the_round_unscored_when_the_time_is_up():
    rules: dict[str, Any] = {"mode": Mode(time=60), "time_policy": "drop_round", "ends_at": AT}
    position = given(holds=5, totals=(5, 3, 3), **rules)
    due = GAME.due(position.state)
    assert due == Due(AT, "time_up", (B,))
    with pytest.raises(Refused, match="H-22"):
        GAME.decide(position.state, B, m.Throw(), AT, DICE)
    dropped = position.hearing(GAME.when_due(position.state, due, AT, DICE)).then(TimeExpired((B, C)))
    result = GAME.over(dropped.state)
    assert result is not None
    assert (result.scored, result.scores, result.leaders, result.final) == (False, (), (B, C), True)


def test_before_the_time_is_up_drop_round_changes_nothing():
    position = given(holds=5, mode=Mode(time=60), time_policy="drop_round", ends_at=LATER)
    due = GAME.due(position.state)
    assert due == Due("2026-11-30T12:02:00.000000Z", "turn", (B,))
    position.when(B, m.Throw())
    assert GAME.when_due(position.state, due, "2026-11-30T12:02:00.000000Z", DICE)[0] != TimeExpired((A, B, C))


def test_with_no_round_completed_all_share_a_dropped_game():
    position = given(mode=Mode(time=60), time_policy="drop_round", ends_at=AT)
    events = GAME.when_due(position.state, Due(AT, "time_up", (B,)), AT, DICE)
    assert events == [TimeExpired((A, B, C))]


@pytest.mark.parametrize("mode", [Mode(), Mode(rounds=1, time=1), Mode(1, 1, 1)])
def test_h_22_exactly_one_way_to_end_is_chosen(mode):
    with pytest.raises(RulesInvalid) as no:
        GAME.check(HatchatulRules(mode=mode), 2)
    assert no.value.field == "mode"


def test_the_table_knows_the_number_of_rounds_from_the_mode_and_rounds_beside_it_must_agree():
    assert HatchatulRules(mode=Mode(rounds=7)).rounds == 7
    assert HatchatulRules().rounds is None
    GAME.check(HatchatulRules(mode=Mode(rounds=7), rounds=7), 2)
    with pytest.raises(RulesInvalid) as no:
        GAME.check(HatchatulRules(mode=Mode(rounds=7), rounds=8), 2)
    assert no.value.field == "rounds"


def test_rounds_beside_another_mode_are_the_most_that_are_played():
    GAME.check(HatchatulRules(rounds=1), 2)
    assert score(_one_round()).final


def _one_round() -> Position:
    position = given([SEVEN, TWELVE], ended=True, knocker=A)
    sitting = position.state.sitting
    limited = type(sitting)(HatchatulRules(rounds=1), 2, (0, 0), A)
    state = type(position.state)(limited, position.state.cards, position.state.course, position.phase)
    return Position(state).when(B, m.EndTurn())
