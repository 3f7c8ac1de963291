"""Judging grabs at a table: which count, which are void, quotas, dead heats before a referee (T-45, T-51 to T-57)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.game import Refused
from domain.totem import GAME, grab_error, judge, judging, judging_due
from domain.totem.board import Refereeing
from domain.totem.moves import EnterGrip, Grab, JudgeGrabs, MeasuredGrab, ReportFoul, SilentSeat, TurnUp
from domain.totem.state import quota_ms
from tests.domain.totem.written import DICE, A, B, C, D, Written, said

PAIR = ("20/2 S5g", "20/2 S5o", "20/2 S9p", "20/2 S8y")


def after_reveal(*tops: str, **rules: Any) -> Written:
    """The last seat turned a card up at 0 ms: reveal 11; A and B match unless written otherwise."""
    table = Written(*(tops or PAIR), turn=D, nexts={D: "S1y"}, **rules)
    table.turn_up(D, 0)
    return table


def measured(table: Written, seat: int, elapsed: int, **more: Any) -> MeasuredGrab:
    published = more.get("published_ms", 0)
    more.setdefault("reveal", table.board.reveal)
    more.setdefault("arrival", elapsed)
    return MeasuredGrab(seat=seat, arrived=table.at(published + elapsed), elapsed_ms=elapsed, **more)


SLOW = (SilentSeat(A, 0, 100),)
"""A silent seat with a long way, for which the table waits 140 ms."""


def outcomes(told: list[Any]) -> dict[int, str]:
    return {grab.seat: grab.outcome for grab in told[0].grabs}


def test_ts_50_the_decision_falls_due_by_the_silent_seats_own_allowances():
    table = after_reveal()
    waiting = JudgeGrabs((measured(table, B, 245),), (SilentSeat(A, 0, 17), SilentSeat(C, 0, 40), SilentSeat(D, 0, 0)))
    assert judging_due(table.state, waiting) == table.at(245 + 68)
    later_shown = JudgeGrabs(waiting.grabs, (SilentSeat(A, 120, 17),))
    assert judging_due(table.state, later_shown) == table.at(245 + 120 + 40)


def test_after_a_resolution_moments_are_counted_from_it():
    table = after_reveal()
    table.grab(A, 300)
    early = JudgeGrabs((measured(table, C, 900),), (SilentSeat(B),))
    late = JudgeGrabs((MeasuredGrab(C, 11, 1, table.at(1_400), 1_100),), (SilentSeat(B),))
    assert judging_due(table.state, late) == table.at(300 + 1_100 + 20)
    assert judging_due(table.state, early) is None  # within settle_ms: void, nothing to wait for


def test_ts_52_an_outsider_who_was_slower_than_the_winner_is_not_punished():
    table = after_reveal()
    told = table.judge(measured(table, B, 200), measured(table, D, 260), silent=SLOW, ms=300)
    assert outcomes(told) == {B: "won", D: "beaten"}
    assert said(told) == ["grabs_judged", "cards_taken", "turn_started"]
    assert table.counts() == "24/0 20/0 20/2 19/3 | 0"


def test_an_outsider_who_was_faster_makes_the_duel_void():
    table = after_reveal()
    told = table.judge(measured(table, B, 260), measured(table, C, 200), silent=SLOW, ms=300)
    assert outcomes(told) == {B: "beaten", C: "foul"}
    assert table.counts() == "20/0 20/0 29/0 19/0 | 0"


def test_ts_53_at_a_table_more_fingers_decide_a_dead_heat():
    table = after_reveal()
    told = table.judge(measured(table, A, 231, fingers=3), measured(table, B, 233, fingers=4))
    assert outcomes(told) == {A: "beaten", B: "won"}


def test_ts_53_at_a_table_the_lower_grip_decides_between_equal_fingers():
    table = after_reveal()
    grabs = [measured(table, A, 233, fingers=4, grip_height=3), measured(table, B, 231, fingers=4, grip_height=4)]
    assert outcomes(table.judge(*grabs))[A] == "won"


def test_ts_53_without_figures_the_lower_arrival_sequence_decides():
    table = after_reveal()
    told = table.judge(measured(table, A, 233, arrival=5), measured(table, B, 231, arrival=6))
    assert outcomes(told)[A] == "won"


def test_an_outsider_who_wins_the_tie_break_commits_his_foul():
    table = after_reveal()
    told = table.judge(measured(table, A, 231), measured(table, C, 240, fingers=5))
    assert outcomes(told) == {A: "beaten", C: "foul"}


def test_outside_the_window_fingers_count_for_nothing():
    table = after_reveal()
    assert outcomes(table.judge(measured(table, A, 231), measured(table, B, 246, fingers=5)))[A] == "won"
    table = after_reveal(dead_heat_ms=16)
    assert outcomes(table.judge(measured(table, A, 231), measured(table, B, 246, fingers=5)))[B] == "won"


def test_ts_49_at_a_table_a_grab_that_arrives_after_the_decision_was_due_is_late():
    table = after_reveal()
    told = table.judge(
        measured(table, B, 245), measured(table, C, 400, reaction_ms=120, rtt_ms=200), silent=(SilentSeat(A),)
    )
    assert outcomes(told) == {B: "won", C: "late"}
    assert told[0].due_ms == 245 + 140  # C's own allowance: its quota


def test_the_judging_line_carries_every_input_and_figure():
    table = after_reveal()
    told = table.judge(
        measured(table, B, 300, reaction_ms=250, rtt_ms=20, published_ms=4, fingers=2, grip_height=60, arrival=8),
        silent=(SilentSeat(A, 3, 50),),
    )
    assert told[0].grabs[0] == type(told[0].grabs[0])(
        seat=B,
        reveal=11,
        arrival=8,
        arrived=table.at(304),
        published_ms=4,
        elapsed_ms=300,
        reaction_ms=250,
        rtt_ms=20,
        quota_ms=140,
        allowance_ms=44,
        compensation_ms=44,
        adjusted_ms=256,
        fingers=2,
        grip_height=60,
        implausible=False,
        outcome="won",
    )
    assert told[0].silent == (SilentSeat(A, 3, 50),)
    assert (told[0].reveal, told[0].verdict, told[0].seat, told[0].losers) == (11, "duel", B, (A,))


def test_compensation_comes_off_the_quota_and_reveals_refill_it():
    table = after_reveal()
    assert quota_ms(table.state, B) == 140
    table.judge(
        measured(table, B, 300, reaction_ms=200, rtt_ms=200), measured(table, C, 310, reaction_ms=300, rtt_ms=200)
    )
    assert [quota_ms(table.state, seat) for seat in (A, B, C)] == [140, 40, 130]
    table.turn_up(A)
    assert [quota_ms(table.state, seat) for seat in (A, B, C)] == [140, 60, 140]


def test_a_quota_begins_with_three_refills():
    state = GAME.initial(Written("1/0", "1/0").rules, 2)
    assert quota_ms(state, 0) == 60


def test_void_grabs_take_nothing_off_a_quota():
    table = after_reveal()
    told = table.judge(measured(table, B, 300, reaction_ms=0, rtt_ms=300, reveal=10))
    assert (outcomes(told), told[0].verdict, said(told)) == ({B: "old_reveal"}, "void", ["grabs_judged"])
    assert told[0].grabs[0].adjusted_ms is None
    assert quota_ms(table.state, B) == 140


def test_a_grab_for_a_reveal_that_is_not_published_is_refused_and_no_foul():
    table = after_reveal()
    assert table.refusal(A, Grab(12)) == "T-55"
    with pytest.raises(Refused) as no:
        table.judge(measured(table, A, 100, reveal=12))
    assert no.value.ruling == "T-55"


def test_before_the_first_reveal_a_grab_is_refused():
    table = Written(*PAIR)
    table.state = replace(table.state, board=replace(table.board, reveal=0, revealed_at=None))
    assert table.refusal(A, Grab(1)) == "T-55"
    assert GAME.options(type(table.views[A])(A, table.board)) == [TurnUp()]


def test_what_can_be_judged_is_not_refused():
    table = after_reveal()
    grab_error(table.state, C, Grab(11))
    grab_error(table.state, C, Grab(3))
    with pytest.raises(Refused) as no:
        grab_error(table.state, 9, Grab(11))
    assert no.value.ruling == "T-44"


def test_a_grab_that_names_an_old_reveal_is_void_and_hurts_nobody():
    table = after_reveal()
    told = table.move(C, Grab(10), 200)
    assert (outcomes(told), said(told)) == ({C: "old_reveal"}, ["grabs_judged"])
    assert outcomes(table.grab(A, 300)) == {A: "won"}


def test_the_first_grab_of_a_seat_counts():
    table = after_reveal()
    grabs = (measured(table, C, 320), measured(table, A, 290), measured(table, C, 280))
    told = table.judge(*grabs, silent=SLOW)
    assert [(grab.seat, grab.outcome) for grab in told[0].grabs] == [(C, "foul"), (A, "beaten"), (C, "repeated")]


def test_grabs_within_the_settling_time_are_void_and_later_ones_judged_afresh():
    table = after_reveal()
    table.grab(A, 300)
    assert outcomes(table.grab(B, 999)) == {B: "settling"}
    assert outcomes(table.grab(B, 1_000)) == {B: "foul"}


def test_a_grab_that_arrived_before_the_resolution_is_void_too():
    table = after_reveal()
    table.grab(A, 300)
    assert outcomes(table.judge(measured(table, C, 290), ms=350)) == {C: "settling"}


def test_a_reaction_below_the_floor_is_void_and_used_up():
    table = after_reveal(min_reaction_ms=120)
    told = table.judge(measured(table, A, 119), measured(table, B, 250))
    assert outcomes(told) == {A: "too_fast", B: "won"}
    assert told[0].grabs[0].adjusted_ms == 119
    table = after_reveal(min_reaction_ms=120)
    assert said(table.grab(A, reaction_ms=20)) == ["grabs_judged"]
    assert outcomes(table.grab(A, 300)) == {A: "repeated"}


def test_an_implausible_reaction_counts_and_is_flagged():
    table = after_reveal()
    told = table.judge(measured(table, A, 99), measured(table, B, 100))
    assert [grab.implausible for grab in told[0].grabs] == [True, False]
    assert outcomes(told)[A] == "won"


def test_the_grab_of_a_seat_that_has_left_falls_away():
    table = after_reveal()
    grab = measured(table, C, 200)
    table.leave(C)
    assert outcomes(table.judge(grab, measured(table, A, 300))) == {C: "left", A: "won"}


def test_in_plain_play_a_grab_is_judged_at_once_by_its_claim_or_the_time_of_the_table():
    table = after_reveal()
    assert table.grab(A, 420, reaction_ms=260)[0].grabs[0].adjusted_ms == 260
    table = after_reveal()
    assert table.grab(A, 420)[0].grabs[0].adjusted_ms == 420


def test_nothing_is_judged_when_nothing_is_played():
    state = GAME.initial(Written("1/0", "1/0").rules, 2)
    with pytest.raises(Refused) as no:
        judge(state, JudgeGrabs(()), Written("1/0", "1/0").at(), DICE)
    assert no.value.ruling == "T-38"


def test_ts_55_folding_the_events_again_gives_the_same_winners_whatever_the_clock_says():
    table = after_reveal()
    start = table.state
    table.judge(measured(table, B, 245, reaction_ms=200, rtt_ms=80), measured(table, A, 250), silent=(SilentSeat(C),))
    told = table.told[2:]
    again = start
    for event in told:
        again = GAME.evolve(again, event)
    assert again == table.state
    assert told[0].seat == B


PERMUTED = st.permutations([0, 1, 2, 3, 4])


@given(PERMUTED, st.lists(st.tuples(st.integers(80, 600), st.integers(1, 3)), min_size=4, max_size=4))
def test_the_order_in_which_grabs_are_handed_in_never_matters(order, figures):
    table = after_reveal()
    grabs = [
        measured(table, seat, elapsed, fingers=fingers, arrival=100 * elapsed + seat)
        for seat, (elapsed, fingers) in enumerate(figures)
    ]
    grabs.append(measured(table, A, 700, arrival=99_999))
    one = judge(table.state, JudgeGrabs(tuple(grabs)), table.at(800), DICE)
    other = judge(table.state, JudgeGrabs(tuple(grabs[n] for n in order)), table.at(800), DICE)
    assert one == other


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 900), st.integers(9, 11)), min_size=1, max_size=9))
def test_every_grab_gets_exactly_one_outcome_and_one_at_most_counts(rows):
    table = after_reveal()
    grabs = tuple(
        measured(table, seat, elapsed, reveal=reveal, arrival=number)
        for number, (seat, elapsed, reveal) in enumerate(sorted(rows, key=lambda row: row[1]))
    )
    judged: Any = judge(table.state, JudgeGrabs(grabs), table.at(1_000), DICE)[0]
    assert [grab.arrival for grab in judged.grabs] == [grab.arrival for grab in grabs]
    counting = [grab.seat for grab in judged.grabs if grab.outcome in ("won", "foul")]
    assert counting == [judged.seat] * len(counting)
    assert len(counting) == (0 if judged.verdict == "void" else 1)


# A dead heat before the referee


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


def test_a_foul_reported_during_a_dead_heat_voids_it():
    table = dead_heat()
    told = table.referee(ReportFoul("violence", D))
    assert said(told) == ["foul_reported", "cards_taken", "turn_started"]
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


def test_a_grab_on_its_way_when_its_match_leaves_is_no_foul():
    table = after_reveal()
    table.ms = 300
    table.leave(A)
    assert outcomes(table.grab(B, 999)) == {B: "settling"}
    assert outcomes(table.grab(B, 1_000)) == {B: "foul"}


def test_a_match_that_stays_when_somebody_leaves_is_grabbed_for_as_before():
    table = after_reveal()
    table.leave(C)
    assert outcomes(table.grab(B, 300)) == {B: "won"}


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
