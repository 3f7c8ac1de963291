"""Who was first: the pure function, its numbers on paper and its laws."""

from hypothesis import given
from hypothesis import strategies as st

from domain.totem.arbitration import (
    ALLOWANCE_MAX_MS,
    QUOTA_MAX_MS,
    QUOTA_START_MS,
    Contender,
    Rival,
    allowance,
    compensation,
    dead_heat,
    decision,
    decision_due,
    first,
    grabbed,
    is_implausible,
    lower_quartile,
    refilled,
    silent,
)
from domain.totem.moves import MeasuredGrab, SilentSeat

A, B, C, D = range(4)
NOON = "2026-11-29T12:00:00.000000Z"


def contender(seat, adjusted, arrived=None, *, fingers=1, grip_height=100, arrival=None, published=0):
    arrived = adjusted if arrived is None else arrived
    return Contender(seat, published, 0, seat if arrival is None else arrival, arrived, adjusted, fingers, grip_height)


def still(seat, cap, published=0):
    return Rival(seat, published, cap)


def test_ts_49_a_late_arrival_is_given_no_more_than_its_cap_and_loses():
    c = 400 - compensation(400, 120, 100)
    assert c == 300
    assert first((contender(C, c, 400), contender(B, 245)), 15).seat == B


def test_ts_50_the_decision_is_due_when_no_silent_seat_could_still_be_first():
    assert decision_due([contender(B, 245)], [still(C, 40), still(D, 60)]) == 305


def test_a_silent_seat_is_waited_for_from_the_moment_the_reveal_was_published_to_it():
    assert decision_due([contender(B, 245)], [still(C, 40, published=30), still(D, 60)]) == 315


def test_the_decision_is_due_at_once_when_everybody_has_grabbed():
    assert decision_due([contender(B, 245, 270), contender(C, 300, 310)], []) == 310


def test_ts_52_the_earliest_adjusted_grab_alone_counts():
    assert first((contender(D, 260), contender(B, 200)), 15).seat == B


def test_ts_53_in_a_dead_heat_more_fingers_win():
    assert first((contender(A, 231, fingers=3), contender(B, 233, fingers=4)), 5).seat == B


def test_ts_53_with_equal_fingers_the_lower_grip_wins():
    grabs = (contender(A, 233, fingers=4, grip_height=10), contender(B, 231, fingers=4, grip_height=11))
    assert first(grabs, 5).seat == A


def test_ts_53_without_figures_the_lower_arrival_sequence_wins():
    assert first((contender(A, 233, arrival=7), contender(B, 231, arrival=8)), 5).seat == A


def test_a_dead_heat_is_counted_from_the_best_and_not_in_chains():
    grabs = (contender(A, 200), contender(B, 214), contender(C, 215), contender(D, 228))
    assert [grab.seat for grab in dead_heat(grabs, 15)] == [A, B]


def test_equal_times_are_a_dead_heat_even_without_a_window():
    grabs = (contender(A, 200), contender(B, 200, fingers=2), contender(C, 201, fingers=5))
    assert first(grabs, 0).seat == B


def test_an_outsider_takes_part_in_the_tie_break():
    assert first((contender(A, 231), contender(D, 240, fingers=5)), 15).seat == D


def test_a_grab_at_the_due_moment_is_late():
    verdict = decision([contender(A, 245), contender(C, 300, 305)], [still(D, 60)])
    assert ([g.seat for g in verdict.in_time], [g.seat for g in verdict.late], verdict.due_ms) == ([A], [C], 305)


def test_a_grab_just_before_the_due_moment_is_in_time_and_may_win():
    early = contender(C, 240, 304)
    verdict = decision([early, contender(A, 245)], [still(D, 60)])
    assert first(verdict.in_time, 0) == early
    assert verdict.due_ms == 304  # moved forward by the better time, but never before the arrival


def test_a_seat_whose_grab_comes_later_is_waited_for_like_a_silent_one():
    slow = grabbed(MeasuredGrab(C, 1, 2, NOON, elapsed_ms=390, reaction_ms=200, rtt_ms=250), 140)
    quick = grabbed(MeasuredGrab(A, 1, 1, NOON, elapsed_ms=255), 140)
    verdict = decision([quick, slow], [])
    assert slow.adjusted_ms == 250
    assert first(verdict.in_time, 1) == slow


def test_no_grab_makes_no_decision():
    assert decision([], [still(A, 20)]).due_ms is None


def test_an_allowance_is_the_least_of_quota_latency_and_cap():
    assert allowance(60, 0) == 20
    assert allowance(60, 10) == 32
    assert allowance(60, 14) == 36  # 16.8 rounded down
    assert allowance(60, 500) == 60
    assert allowance(1_000, 5_000) == ALLOWANCE_MAX_MS


def test_a_quota_grows_with_each_reveal_up_to_its_limit():
    assert (QUOTA_START_MS, refilled(QUOTA_START_MS, 1), refilled(0, 2)) == (60, 80, 40)
    assert refilled(130, 5) == QUOTA_MAX_MS == 140


def test_a_claim_is_clamped_between_nothing_and_what_the_server_measured():
    assert compensation(300, None, 100) == 0
    assert compensation(300, 10_000, 100) == 0
    assert compensation(300, -5, 100) == 100
    assert compensation(60, 0, 100) == 60


def test_a_latency_figure_is_the_lower_quartile_of_the_last_twenty_pings():
    assert lower_quartile([]) == 0
    assert lower_quartile([80]) == 80
    assert lower_quartile([40, 10, 30, 20]) == 10
    assert lower_quartile([50, 10, 40, 20, 30]) == 20
    assert lower_quartile([1] * 30 + [90] * 20) == 90


def test_a_time_below_a_tenth_of_a_second_is_implausible():
    assert is_implausible(99)
    assert not is_implausible(100)


milliseconds = st.integers(0, 2_000)
figures = st.tuples(
    milliseconds,  # elapsed
    st.none() | milliseconds,  # claimed
    st.integers(0, 300),  # latency figure
    st.integers(0, 140),  # quota
    st.integers(0, 200),  # published
    st.integers(1, 5),
    st.integers(0, 100),
)


@st.composite
def grabs(draw):
    seats = draw(st.lists(figures, min_size=1, max_size=8))
    made = [
        grabbed(MeasuredGrab(seat, 1, 0, NOON, elapsed, published, claimed, rtt, fingers, height), quota)
        for seat, (elapsed, claimed, rtt, quota, published, fingers, height) in enumerate(seats)
    ]
    order = sorted(range(len(made)), key=lambda n: made[n].arrived_ms)
    numbers = {seat: number for number, seat in enumerate(order)}
    return [
        Contender(g.seat, g.published_ms, g.allowance_ms, numbers[g.seat], g.arrived_ms, g.adjusted_ms, g.fingers,
                  g.grip_height)
        for g in made
    ]  # fmt: skip


quiet = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 300)), max_size=3).map(
    lambda rows: [silent(SilentSeat(9, published, rtt), 140) for published, rtt in rows[:1]]
)


@given(figures)
def test_a_lie_gains_at_most_the_allowance(figure):
    elapsed, claimed, rtt, quota, *_ = figure
    told = grabbed(MeasuredGrab(A, 1, 1, NOON, elapsed, reaction_ms=claimed, rtt_ms=rtt), quota)
    honest = grabbed(MeasuredGrab(A, 1, 1, NOON, elapsed, rtt_ms=rtt), quota)
    assert honest.adjusted_ms == elapsed
    assert 0 <= honest.adjusted_ms - told.adjusted_ms <= allowance(quota, rtt) <= ALLOWANCE_MAX_MS


@given(grabs(), quiet, st.randoms(use_true_random=False), st.integers(0, 50))
def test_the_order_of_the_input_never_matters(made, others, random, window):
    shuffled = random.sample(made, len(made))
    one, other = decision(made, others), decision(shuffled, others)
    assert one == other
    assert first(one.in_time, window) == first(random.sample(one.in_time, len(one.in_time)), window)


@given(grabs(), quiet)
def test_every_grab_is_either_in_time_or_late(made, others):
    verdict = decision(made, others)
    assert sorted(g.seat for g in verdict.in_time + verdict.late) == [g.seat for g in made]
    assert verdict.in_time
    due = verdict.due_ms
    assert due is not None
    assert all(g.arrived_ms >= due for g in verdict.late)


@given(grabs(), quiet)
def test_no_late_grab_could_have_been_first(made, others):
    verdict = decision(made, others)
    best = min(g.adjusted_ms for g in verdict.in_time)
    assert all(g.adjusted_ms >= best for g in verdict.late)
