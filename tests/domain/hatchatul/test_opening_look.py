"""The opening look: once, all at the same time, covered when it is over (H-06)."""

from typing import Any

import pytest

from domain.game import Due
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.events import PlayBegun, SeatTimedOut, TurnStarted
from domain.hatchatul.opening_events import OuterCardsPeeked, OuterCardsShown, PeekingEnded, PeekSkipped
from domain.hatchatul.state import Peeking, TurnStart
from domain.hatchatul.view import Look
from tests.domain.hatchatul.scenario import AT, DICE, DUE, ROW_B, A, B, C, dealt, peeking, stacked, view_of

FIRST = TurnStarted(B, 1, extra=False, due=DUE)


def test_hs_07_the_look_shows_both_outer_cards_and_an_action_card_stays_inert():
    position = peeking([("draw2", 1, 1, 4), ROW_B]).when(A, m.PeekStart())
    position.then(OuterCardsPeeked(A), OuterCardsShown(A, "draw2", 4)).then_at(Peeking)
    assert position.row(A) == ("draw2", 1, 1, 4)
    position.refuses(A, m.UseDrawTwo(), m.Throw(), m.DrawStock(), ruling="H-06")


def test_hs_08_whoever_skipped_may_not_look_once_play_has_begun():
    position = peeking().when(A, m.Skip()).when(B, m.Skip()).when(C, m.Skip()).then_at(TurnStart, B)
    for seat in (A, B, C):
        position.refuses(seat, m.PeekStart(), m.Skip(), ruling="H-06")


def test_a_skip_is_final_within_the_same_setup():
    peeking().when(A, m.Skip()).refuses(A, m.PeekStart(), m.Skip(), ruling="H-06")


def test_nobody_looks_twice():
    peeking().when(A, m.PeekStart()).refuses(A, m.PeekStart(), m.Skip(), ruling="H-06")


def test_all_look_in_any_order_and_the_last_one_opens_play_on_the_dealers_left():
    position = peeking().when(C, m.PeekStart()).when(A, m.Skip()).when(B, m.PeekStart())
    position.then(OuterCardsPeeked(B), PeekingEnded(), FIRST, OuterCardsShown(B, 9, 1)).then_at(TurnStart, B)


def test_nobody_plays_before_the_look_is_over():
    peeking().refuses(B, m.DrawStock(), m.TakeDiscard(1), m.EndTurn(), m.Knock(), m.Waive(), ruling="H-06")


def test_a_seat_that_does_not_play_has_no_look():
    peeking([ROW_B, (), ROW_B]).refuses(B, m.PeekStart(), m.Skip(), ruling="H-06")


def test_when_the_time_is_up_the_rest_skip_and_play_begins():
    position = peeking().when(B, m.PeekStart())
    due = GAME.due(position.state)
    assert due == Due(DUE, "peek", (A, C))
    position.hearing(GAME.when_due(position.state, due, AT, DICE)).then(
        SeatTimedOut(A), PeekSkipped(A), SeatTimedOut(C), PeekSkipped(C), PeekingEnded(), FIRST
    )


def test_only_those_named_are_skipped_if_the_clock_runs_for_some():
    position = peeking()
    events = GAME.when_due(position.state, Due(DUE, "peek", (C,)), AT, DICE)
    position.hearing(events).then(SeatTimedOut(C), PeekSkipped(C)).then_at(Peeking)


def test_play_begins_with_the_first_card_and_says_so_once():
    position = peeking([ROW_B, ROW_B]).when(A, m.Skip()).when(B, m.Skip())
    first = position.when(B, m.DrawStock())
    assert first.events[0] == PlayBegun()
    assert not first.when(B, m.Throw()).when(B, m.EndTurn()).when(A, m.DrawStock()).told(PlayBegun)
    assert position.when(B, m.TakeDiscard(2)).events[0] == PlayBegun()


class Watched:
    """A round from its deal, with every seat's view."""

    def __init__(self, **rules: Any) -> None:
        self.position = dealt(stacked([3, 5, 6], 3, rows=[1, 2, 3, 1, 2, 3, 1, 2, 3, 8, 7, 6]), 3, **rules)
        self.views = {
            seat: view_of(seat, self.position.events, GAME.empty_view(self.position.state.sitting.rules, 3, seat))
            for seat in (A, B, C)
        }

    def give(self, seat, move):
        self.position = self.position.when(seat, move)
        self.views = {n: view_of(n, self.position.events, view) for n, view in self.views.items()}
        return self

    def shown(self, seat):
        return self.views[seat].shown


def test_g_06_a_look_is_shown_until_the_phase_ends():
    table = Watched().give(A, m.PeekStart())
    assert table.shown(A) == (Look(1, 3), Look(4, 6))
    assert table.give(B, m.Skip()).shown(A) == (Look(1, 3), Look(4, 6))
    assert table.give(C, m.Skip()).shown(A) == ()


def test_g_06_who_looks_last_is_shown_his_cards_until_the_first_card_is_taken():
    table = Watched().give(B, m.Skip()).give(C, m.PeekStart()).give(A, m.PeekStart())
    assert table.shown(C) == ()
    assert table.shown(A) == (Look(1, 3), Look(4, 6))
    assert table.give(B, m.DrawStock()).shown(A) == ()


def test_a_look_is_nobody_elses():
    table = Watched().give(A, m.PeekStart())
    assert table.shown(B) == table.shown(C) == ()
    assert table.views[B].rows[A] == (None,) * 4


@pytest.mark.parametrize("last", [m.PeekStart(), m.Skip()])
def test_after_the_looks_every_row_lies_face_down_in_every_view(last):
    table = Watched().give(A, m.PeekStart()).give(B, m.Skip()).give(C, last)
    for seat in (A, B, C):
        assert table.views[seat].rows == ((None,) * 4,) * 3
