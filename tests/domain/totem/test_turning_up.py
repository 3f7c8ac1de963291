"""Turning cards up: turns, the interval, clocks, empty draw piles (T-07 to T-12)."""

import pytest

from domain.game import Due
from domain.totem import GAME
from domain.totem.board import Showing, Turning
from domain.totem.events import CardTurnedUp, MatchAnnounced, TotemTimedOut, TurnPassed, TurnStarted
from domain.totem.moves import ChooseTaker, Grab, TurnUp
from domain.totem.verdicts import GripEntered
from tests.domain.totem.written import DICE, NOON, A, B, C, Written, said


def test_ts_05_who_is_not_on_turn_turns_nothing_up():
    table = Written("20/1 S1p", "20/1 S2p", "20/1 S3p")
    assert table.refusal(B, TurnUp()) == "T-10"


def test_a_reveal_is_one_event_for_all_with_its_number_and_the_turn_passes_clockwise():
    table = Written("20/0", "20/1 S2p", "20/1 S3p", nexts={A: "S9y"})
    assert table.turn_up(A, 100) == [
        CardTurnedUp(A, "s09-yellow", 11, table.at(100)),
        TurnStarted(B, table.at(30_100)),
    ]
    assert table.board.tops == ("s09-yellow", "s02-purple", "s03-purple")


def test_ts_07_a_card_may_be_turned_up_only_when_the_last_one_was_looked_at():
    table = Written("20/0", "20/0", "20/0", min_flip_interval_ms=1_500)
    assert table.turn_up(A, 0)[1] == TurnPassed(B, table.at(1_500), table.at(30_000))
    assert table.refusal(B, TurnUp(), 400) == "T-08"
    assert table.refusal(B, TurnUp(), 1_499) == "T-08"
    assert table.refusal(C, TurnUp(), 1_500) == "T-10"
    assert said(table.turn_up(B, 1_500)) == ["card_turned_up", "turn_passed"]


def test_the_clock_opens_the_turn_when_the_interval_is_over():
    table = Written("20/0", "20/0", "20/0", min_flip_interval_ms=1_500)
    table.turn_up(A)
    found = table.due
    assert (found.at, found.what, found.seats) == (table.at(1_500), "turn", ())
    assert table.let_due() == [TurnStarted(B, table.at(30_000))]
    assert TurnUp() in GAME.options(table.views[B])


def test_until_then_no_card_is_listed_to_be_turned_up():
    table = Written("20/0", "20/0", "20/0", min_flip_interval_ms=1_500)
    table.turn_up(A)
    assert isinstance(table.board.phase, Showing)
    assert GAME.options(table.views[B]) == [Grab(11)]
    assert GAME.to_act(table.views[B]) == ()


def test_a_turn_that_begins_after_the_interval_begins_at_once():
    table = Written("20/1 S5g", "20/1 S5o", "20/0", min_flip_interval_ms=1_500, turn=C)
    table.turn_up(C)
    assert table.grab(A, 2_000)[-1] == TurnStarted(B, table.at(32_000))


def test_a_match_does_not_keep_the_next_card_back():
    table = Written("20/1 S5g", "20/1 S5o", "20/0", turn=C)
    assert said(table.turn_up(C)) == ["card_turned_up", "turn_started"]


def test_by_table_rule_no_card_is_turned_up_while_there_is_something_to_grab_for():
    table = Written("20/1 S5g", "20/1 S5o", "20/0", turn=C, block_flip_on_match=True)
    assert table.refusal(C, TurnUp()) == "T-08"
    assert GAME.options(table.views[C]) == [Grab(10)]


def test_the_timeout_card_goes_through_under_that_rule_too():
    table = Written("20/1 S5g", "20/1 S5o", "20/0", turn=C, block_flip_on_match=True)
    assert said(table.let_due()) == ["timed_out", "card_turned_up", "turn_started"]


def test_nothing_announces_a_match():
    table = Written("20/1 S5g", "20/0", "20/0", turn=B, nexts={B: "S5o"})
    assert said(table.turn_up(B)) == ["card_turned_up", "turn_started"]
    assert [GAME.options(view) for view in table.views] == [[Grab(11)], [Grab(11)], [TurnUp(), Grab(11)], []]


def test_by_table_rule_matches_and_inward_contests_are_announced():
    table = Written("20/1 S5g", "20/0", "20/0", turn=B, nexts={B: "S5o", C: "IN"}, announce_matches=True)
    assert table.turn_up(B)[-1] == MatchAnnounced(inward=False, duels=((A, B),))
    assert table.turn_up(C)[-1] == MatchAnnounced(inward=True, duels=())
    assert said(table.turn_up(A)) == ["card_turned_up", "turn_started"]


def test_when_a_turn_runs_out_the_table_turns_the_card_up():
    table = Written("20/0", "20/0", "20/0", nexts={A: "S9y"})
    found = table.due
    assert (found.at, found.seats) == (table.at(30_000), (A,))
    assert table.let_due()[:2] == [TotemTimedOut(A), CardTurnedUp(A, "s09-yellow", 11, table.at())]


def test_without_a_turn_clock_nothing_is_due_by_itself():
    table = Written("20/0", "20/0", "20/0", turn_timeout_ms=0)
    table.turn_up(A)
    found = table.due
    assert (found.at, found.seats) == (None, (B,))


def test_a_player_without_a_draw_card_is_skipped_and_his_top_stays_live():
    table = Written("20/0", "0/4 S7p", "20/0", nexts={A: "S7g"})
    table.turn_up(A)
    assert table.turn == C
    assert said(table.grab(B)) == ["grabs_judged", "cards_taken", "cards_shed", "play_ended"]


def test_by_table_rule_a_player_without_a_draw_card_turns_his_pile_over_and_plays_on():
    table = Written("20/0", "0/3 S7p", "20/0", empty_draw="recycle")
    table.turn_up(A)
    assert table.turn == B
    assert table.turn_up(B)[0] == CardTurnedUp(B, "b1", 12, table.at(), recycled=True)
    assert table.state.draws[B] == ("b2", "s07-purple")
    assert table.state.ups[B] == ("b1",)


def test_a_pile_is_turned_over_once_only_while_no_card_changes_hands():
    table = Written("20/0", "0/1 S7p", "20/0", empty_draw="recycle")
    for seat in (A, B, C, A):
        table.turn_up(seat)
    assert table.turn == C
    table.grab(C)  # a foul: cards change hands
    assert table.board.recycled == ()


def test_sleepers_come_to_an_end_under_every_rule_of_empty_piles():
    for empty_draw in ("skip", "recycle"):
        for stalemate in ("rank", "recycle"):
            table = Written("3/0", "2/1 S2p", "2/0", empty_draw=empty_draw, stalemate=stalemate)
            for _ in range(60):
                if table.result:
                    break
                table.let_due()
            assert table.result.by == "stalemate"


def test_only_the_seats_own_moves_are_taken():
    table = Written("20/0", "20/0", "20/0")
    assert table.refusal(A, ChooseTaker(B)) == "T-27"
    assert table.refusal(7, TurnUp()) == "T-44"


def test_a_clock_without_a_phase_is_a_broken_history():
    state = GAME.initial(Written("1/0", "1/0").rules, 2)
    with pytest.raises(AssertionError):
        GAME.when_due(state, Due(NOON, "turn_up", (0,)), NOON, DICE)


def test_an_event_that_cannot_follow_is_a_broken_history():
    table = Written("20/0", "20/0")
    for event in (GripEntered(A, 1, 1), CardTurnedUp(A, "s01-green", 11, NOON)):
        with pytest.raises(AssertionError):
            GAME.evolve(table.state, event)


def test_turning_is_a_phase_with_its_deadline():
    table = Written("20/0", "20/0")
    assert table.board.phase == Turning(A, table.at(30_000))
