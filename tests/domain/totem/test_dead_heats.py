"""A dead heat before the referee (T-45)."""

from typing import Any

from msgspec.structs import replace

from domain.totem import judging
from domain.totem.board import Refereeing
from domain.totem.moves import EnterGrip, MeasuredGrab, ReportFoul, TurnUp
from tests.domain.totem.grabbing import after_reveal, measured, outcomes
from tests.domain.totem.written import DICE, A, B, C, D, Written, said


def dead_heat(*more: MeasuredGrab, **rules: Any) -> Written:
    table = after_reveal(refereed=True, **rules)
    table.judge(measured(table, A, 231, fingers=5), measured(table, B, 233), measured(table, C, 400), *more, ms=450)
    return table


def test_ts_53_on_a_refereed_table_a_dead_heat_waits_for_the_referee():
    table = dead_heat()
    assert said(table.told[2:]) == ["dead_heat_found"]
    assert (table.told[2].seats, table.told[2].due) == ((A, B), table.at(10_450))
    assert table.told[2].grabs[0].fingers == 5  # shown, and worth nothing
    assert table.due.what == "judge_grabs"
    assert table.refusal(A, TurnUp()) == "T-45"


def test_ts_53_the_referees_fingers_decide_and_close_the_window():
    table = dead_heat()
    assert said(table.referee(EnterGrip(A, 3, 50))) == ["grip_entered"]
    told = table.referee(EnterGrip(B, 4, 50))
    assert said(told) == ["grip_entered", "grabs_judged", "cards_taken", "turn_started"]
    assert [(grab.seat, grab.fingers, grab.outcome) for grab in told[1].grabs] == [
        (A, 3, "beaten"),
        (B, 4, "won"),
        (C, 1, "late"),
    ]


def test_ts_53_with_equal_fingers_the_referees_lower_grip_decides():
    table = dead_heat()
    table.referee(EnterGrip(A, 4, 10))
    assert table.referee(EnterGrip(B, 4, 11))[1].seat == A


def test_a_referee_may_correct_a_grip_while_the_window_is_open():
    table = dead_heat()
    table.referee(EnterGrip(A, 5, 0))
    table.referee(EnterGrip(A, 1, 0))
    assert table.referee(EnterGrip(B, 2, 0))[1].seat == B


def test_when_the_window_closes_a_seat_without_figures_has_one_finger_at_the_top():
    table = dead_heat()
    table.referee(EnterGrip(B, 1, 99))
    told = table.let_due()
    assert (told[0].seat, told[0].refereed) == (B, True)
    assert dead_heat().let_due()[0].seat == A  # nobody has figures: the lower arrival sequence


def test_a_clear_decision_needs_no_referee():
    table = after_reveal(refereed=True)
    assert table.judge(measured(table, A, 231), measured(table, B, 300, fingers=5))[0].verdict == "duel"


def test_a_grab_during_the_dead_heat_is_late_and_ends_nothing():
    table = dead_heat()
    assert outcomes(table.grab(D, 2_000)) == {D: "late"}
    assert isinstance(table.board.phase, Refereeing)


def test_only_seats_of_a_dead_heat_have_their_grip_entered():
    assert dead_heat().referee_refusal(EnterGrip(C, 5, 0)) == "T-45"
    assert after_reveal().referee_refusal(EnterGrip(A, 5, 0)) == "T-45"


def test_a_foul_reported_during_a_dead_heat_voids_it_in_a_line():
    table = dead_heat()
    told = table.referee(ReportFoul("violence", D))
    assert said(told) == ["foul_reported", "grabs_judged", "cards_taken", "turn_started"]
    assert (told[1].verdict, told[1].refereed) == ("void", True)
    assert outcomes(told[1:]) == {A: "voided", B: "voided", C: "voided"}
    assert table.turn == D


def test_when_a_seat_of_the_dead_heat_leaves_the_rest_is_judged():
    table = dead_heat()
    told = table.leave(A)
    assert said(told) == ["cards_withdrawn", "grabs_judged", "turn_started"]
    assert outcomes(told[1:]) == {A: "left", B: "settling", C: "settling"}  # nobody has a match without A
    assert table.turn == B


def test_when_another_seat_leaves_the_dead_heat_goes_on():
    table = dead_heat()
    assert said(table.leave(D)) == ["cards_withdrawn"]
    table.referee(EnterGrip(A, 1, 0))
    assert table.referee(EnterGrip(B, 1, 1))[1].seat == A


def test_when_the_best_leaves_another_dead_heat_may_come_up():
    table = after_reveal("20/1 S5g", "20/1 S5o", "20/1 S5y", "20/0", refereed=True)
    grabs = [measured(table, seat, elapsed) for seat, elapsed in ((A, 231), (B, 240), (C, 250))]
    table.judge(*grabs, ms=450)
    assert table.told[-1].seats == (A, B)
    told = table.leave(A)
    assert (said(told), told[-1].seats) == (["cards_withdrawn", "dead_heat_found"], (B, C))
    assert told[-1].due == table.at(10_450)


def test_a_clear_winner_left_by_his_rival_in_the_dead_heat_has_won():
    table = Written("20/1 S5g", "20/1 S5o", "20/1 S5y", "20/1 S8y", turn=D, refereed=True)
    grabs = [measured(table, seat, elapsed, reveal=10) for seat, elapsed in ((A, 231), (B, 240), (C, 900))]
    table.judge(*grabs, ms=950)
    told = table.leave(A)
    assert outcomes(told[1:]) == {A: "left", B: "won", C: "late"}
    assert table.turn == C


def test_a_late_grab_stays_late_when_the_better_ones_leave():
    table = after_reveal(refereed=True)
    table.judge(measured(table, A, 231), measured(table, B, 240), measured(table, C, 900), ms=950)
    heat = table.board.phase
    assert isinstance(heat, Refereeing)
    told = judging.rejudge(
        replace(table.state, board=replace(table.board, playing=(C, D))), replace(heat, gone=(A, B)), table.at(), DICE
    )
    assert outcomes(told) == {A: "left", B: "left", C: "late"}
    assert said(told) == ["grabs_judged"]


def test_when_the_table_ends_a_dead_heat_is_voided_with_all_its_grabs():
    table = dead_heat()
    heat = table.board.phase
    assert isinstance(heat, Refereeing)
    late = measured(table, D, 500)
    told = table.void(late)
    assert (told[0].refereed, outcomes(told)) == (False, {D: "voided"})
    assert isinstance(table.board.phase, Refereeing)
    told = table.void(*heat.grabs, late)
    assert told[0].refereed
    assert outcomes(told) == {A: "voided", B: "voided", C: "voided", D: "voided"}
    assert table.turn == A
