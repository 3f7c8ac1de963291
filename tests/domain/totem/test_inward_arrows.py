"""Inward arrows: everybody grabs (T-17 to T-20)."""

from typing import Any

from domain.totem.board import matches
from domain.totem.events import CardsPotted, TurnStarted
from tests.domain.totem.written import A, B, C, D, Written, said


def inward_contest(**rules: Any):
    """A has just turned inward arrows up: 17/3, 18/2, 16/4, 20/0."""
    table = Written(
        "18/2 S4p", "18/2 S6p", "16/4 S9o", "20/0", nexts={A: "IN S8g", B: "S3g", C: "S1y", D: "S3p"}, **rules
    )
    table.turn_up(A)
    return table


def test_ts_18_the_inward_winner_puts_his_pile_under_the_totem_and_plays_next():
    table = inward_contest()
    told = table.grab(C, 300)
    assert told[1:] == [CardsPotted((C,), 4, table.at()), TurnStarted(C, table.at(30_300))]
    assert table.counts() == "17/3 18/2 16/0 20/0 | 4"


def test_ts_19_the_loser_of_a_later_duel_takes_that_pot():
    table = inward_contest()
    table.grab(C)
    for seat in (C, D, A, B):
        table.turn_up(seat)
    assert table.counts() == "16/4 17/3 15/1 19/1 | 4"
    table.grab(B)
    assert table.counts() == "16/4 17/0 15/1 27/0 | 0"
    assert table.turn == D


def test_ts_20_a_player_with_nothing_face_up_may_win_the_inward_contest():
    table = inward_contest()
    table.grab(D)
    assert table.told[-2:] == [CardsPotted((D,), 0, table.at()), TurnStarted(D, table.at(30_000))]
    assert table.counts() == "17/3 18/2 16/4 20/0 | 0"


def test_ts_22_a_spent_inward_card_is_not_grabbed_for():
    table = inward_contest()
    table.grab(C)
    assert table.grab(B, 5_000)[0].verdict == "foul"


def test_an_inward_contest_that_nobody_grabs_for_lapses_at_the_next_card():
    table = inward_contest()
    table.turn_up(B)
    assert table.grab(C)[0].verdict == "foul"


def test_ts_23_who_gets_rid_of_his_last_cards_by_inward_arrows_has_won():
    table = Written("1/4", "20/1 S3g", "20/1 S4g", nexts={A: "IN"})
    table.turn_up(A)
    assert said(table.grab(A)) == ["grabs_judged", "cards_potted", "cards_shed", "play_ended"]
    assert table.result.winners == (A,)


def test_ts_25_an_inward_contest_comes_before_an_ordinary_match():
    table = Written("20/0", "20/1 S3g", "20/1 S3p", nexts={A: "IN", B: "S9y"})
    table.turn_up(A)
    assert table.grab(B)[0].verdict == "inward"
    assert table.counts() == "19/1 20/0 20/1 | 1"
    table.turn_up(B)
    assert matches(table.board.tops) == {}


def test_the_ordinary_match_is_frozen_by_the_inward_grab_and_live_after_the_next_card():
    table = Written("20/0", "20/1 S3g", "20/1 S3p", "20/0", nexts={A: "IN", D: "S9y"})
    table.turn_up(A)
    table.grab(D)
    assert table.board.frozen == ("s03",)
    table.turn_up(D, 1_000)
    assert table.grab(B)[0].verdict == "duel"


def test_an_inward_winner_without_a_draw_card_passes_the_turn_to_the_next_who_can():
    table = Written("20/0", "20/0", "0/5 S1p", "20/0", nexts={A: "IN"}, play_on=True)
    table.turn_up(A)
    table.grab(C)
    assert table.board.playing == (A, B, D)
    assert table.turn == D
