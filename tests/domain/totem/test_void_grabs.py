"""Grabs that are refused or void: old, early, late, repeated, left alone (T-44, T-54 to T-57)."""

import pytest
from msgspec.structs import replace

from domain.game import Refused
from domain.totem import GAME, grab_error
from domain.totem.judging import void
from domain.totem.moves import Grab, TurnUp, VoidGrabs
from tests.domain.totem.grabbing import PAIR, SLOW, after_reveal, measured, outcomes
from tests.domain.totem.written import DICE, A, B, C, Written, said


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


def test_grabs_that_nobody_judges_any_more_are_void_and_cost_nothing():
    table = after_reveal()
    before = table.state
    told = table.void(measured(table, A, 231, reaction_ms=100, rtt_ms=90), measured(table, C, 150, reveal=10))
    assert (said(told), told[0].verdict, told[0].seat, told[0].due_ms) == (["grabs_judged"], "void", None, None)
    assert [(grab.seat, grab.outcome, grab.compensation_ms) for grab in told[0].grabs] == [
        (C, "voided", 0),
        (A, "voided", 0),
    ]
    assert table.state == before
    assert outcomes(table.grab(A, 300)) == {A: "won"}


def test_where_no_grab_can_lie_undecided_none_is_voided():
    with pytest.raises(Refused) as no:
        void(GAME.initial(Written(*PAIR).rules, 4), VoidGrabs(()), Written(*PAIR).at(), DICE)
    assert no.value.ruling == "T-38"
