"""Judging grabs at a table: which one counts, what is written down, quotas (T-45, T-51 to T-53)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.game import Refused
from domain.totem import GAME, judge, judging_due
from domain.totem.moves import JudgeGrabs, MeasuredGrab, SilentSeat
from domain.totem.state import quota_ms
from tests.domain.totem.grabbing import SLOW, after_reveal, measured, outcomes
from tests.domain.totem.written import DICE, A, B, C, D, Written, said


def test_ts_50_the_decision_falls_due_by_the_silent_seats_own_allowances():
    table = after_reveal()
    waiting = JudgeGrabs((measured(table, B, 245),), (SilentSeat(A, 0, 17), SilentSeat(C, 0, 40), SilentSeat(D, 0, 0)))
    assert judging_due(table.state, waiting) == table.at(245 + 68)
    later_shown = JudgeGrabs(waiting.grabs, (SilentSeat(A, 120, 17),))
    assert judging_due(table.state, later_shown) == table.at(245 + 120 + 40)


def test_nobody_waits_for_a_seat_that_has_left_or_whose_grab_is_judged():
    table = after_reveal(min_reaction_ms=50)
    table.grab(C, reaction_ms=10)
    table.leave(D)
    waiting = JudgeGrabs((measured(table, B, 245),), (SilentSeat(A), SilentSeat(C, 900), SilentSeat(D, 900)))
    assert judging_due(table.state, waiting) == table.at(245 + 20)


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
