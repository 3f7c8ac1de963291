"""A player leaves (T-44)."""

from typing import Any

from domain.totem import GAME
from domain.totem.board import Choosing, Counting, Turning
from domain.totem.events import CardsWithdrawn, PlayEnded, TakerChosen
from domain.totem.moves import Grab
from tests.domain.totem.written import DICE, A, B, C, D, Written, said

THREE = ("3/2 S1p", "3/1 S2p", "3/1 S3p")


def test_his_draw_pile_and_then_his_face_up_pile_go_under_the_totem():
    table = Written(*THREE, pot=1, turn=B)
    assert table.leave(A) == [CardsWithdrawn(A, 3, 2, table.at())]
    assert table.state.pot == ("p1", "xa0", "xa1", "xa2", "a1", "s01-purple")
    assert table.board.playing == (B, C)
    assert table.turn == B
    assert GAME.options(table.views[A]) == []


def test_his_turn_passes_clockwise():
    table = Written(*THREE, turn=B)
    table.ms = 700
    assert said(table.leave(B)) == ["cards_withdrawn", "turn_started"]
    assert table.board.phase == Turning(C, table.at(30_700))


def test_a_turn_that_had_not_begun_passes_too():
    table = Written(*THREE, turn=C, min_flip_interval_ms=1_500)
    table.turn_up(C)
    assert said(table.leave(A)) == ["cards_withdrawn", "turn_passed"]


def test_the_turn_of_another_goes_on_with_the_clock_it_has():
    table = Written(*THREE, turn=B)
    before = table.board.phase
    table.ms = 700
    table.leave(C)
    assert table.board.phase == before


def test_the_last_one_left_has_won():
    table = Written(*THREE)
    table.leave(A)
    assert table.leave(C)[-1] == PlayEnded("forfeit")
    assert table.result.winners == (B,)


def test_who_leaves_twice_or_has_shed_his_cards_leaves_nothing_behind():
    table = Written(*THREE)
    table.leave(A)
    assert GAME.leave(table.state, A, table.at(), DICE) == []


def choosing(losers: tuple[str, str], **rules: Any) -> Written:
    table = Written("3/1 S5g", "3/2 S5o", *losers, turn=A, **rules)
    table.grab(B)
    return table


def test_the_open_choice_of_a_leaver_is_made_for_him():
    table = choosing(("3/1 S5y", "3/0"))
    told = table.leave(B)
    assert said(told) == ["taker_chosen", "cards_taken", "turn_started", "cards_withdrawn"]
    assert told[0] == TakerChosen(B, C)
    assert table.turn == C


def test_if_that_rids_him_of_his_last_cards_he_has_won():
    table = Written("3/1 S5g", "0/2 S5o", "3/1 S5y", turn=A)
    table.grab(B)
    assert said(table.leave(B))[-2:] == ["cards_shed", "play_ended"]
    assert table.result.winners == (B,)


def test_if_he_has_shed_them_and_others_play_on_he_is_out():
    table = Written("3/1 S5g", "0/2 S5o", "3/1 S5y", "3/0", turn=A, play_on=True)
    table.grab(B)
    assert said(table.leave(B)) == ["taker_chosen", "cards_taken", "cards_shed", "turn_started"]


def test_when_a_loser_leaves_the_choice_is_among_the_others():
    table = choosing(("3/1 S5y", "3/1 S5p"))
    assert said(table.leave(C)) == ["cards_withdrawn"]
    assert isinstance(table.board.phase, Choosing)
    assert table.board.phase.losers == (D, A)
    assert said(table.choose(B, D)) == ["taker_chosen", "cards_taken", "turn_started"]


def test_when_one_loser_is_left_there_is_nothing_to_choose():
    table = choosing(("3/1 S5y", "3/0"))
    told = table.leave(C)
    assert said(told) == ["cards_withdrawn", "taker_chosen", "cards_taken", "turn_started"]
    assert told[1] == TakerChosen(B, A)


def test_a_turn_that_a_choice_interrupted_passes_when_its_owner_leaves():
    table = Written("3/1 S5g", "3/2 S5o", "3/1 S5y", "3/1 S5p", turn=D)
    table.grab(B)
    table.leave(D)
    table.choose(B, A)
    assert table.turn == A


def test_a_count_goes_on_without_him():
    table = Written("3/0", "3/0", "3/0", "3/0", nexts={A: "OUT"})
    table.turn_up(A)
    assert said(table.leave(A)) == ["cards_withdrawn"]
    assert isinstance(table.board.phase, Counting)
    assert [card.seat for card in table.let_due()[0].cards] == [B, C, D]
    assert table.turn == B


def test_a_count_for_nobody_ends():
    table = Written("1/0", "3/0", "0/2 S5g", "0/2 S4g", nexts={A: "OUT"})
    table.turn_up(A)
    assert said(table.leave(B)) == ["cards_withdrawn", "play_ended"]
    assert table.result.by == "stalemate"


def test_a_wait_for_a_match_that_has_left_ends():
    table = Written("1/0", "0/2 S5g", "0/2 S4g", "0/2 S3g", nexts={A: "S5o"})
    table.turn_up(A)
    assert table.due.what == "stalemate"
    assert said(table.leave(B)) == ["cards_withdrawn", "play_ended"]


def test_an_inward_contest_goes_with_its_card():
    table = Written("3/0", "3/1 S2p", "3/1 S3p", nexts={A: "IN"})
    table.turn_up(A)
    table.leave(A)
    assert table.board.inward == ()
    assert table.move(B, Grab(11), 2_000)[0].verdict == "foul"


def test_coloured_arrows_that_leave_end_colour_mode():
    table = Written("3/1 COL", "3/1 S5g", "3/1 S5o", "3/0", turn=B, announce_matches=True)
    assert said(table.leave(A)) == ["cards_withdrawn", "match_announced"]
    assert table.grab(C)[0].losers == (B,)
