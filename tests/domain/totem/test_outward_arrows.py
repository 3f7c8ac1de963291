"""Outward arrows: the count of three, the all-flip, and what meets in it (T-24, T-29 to T-33)."""

from typing import Any

from domain.totem import GAME
from domain.totem.board import Counting, matches
from domain.totem.events import AllTurnedUp, CountStarted, TurnedUp
from domain.totem.moves import TurnUp
from tests.domain.totem.written import A, B, C, D, Written, said


def counting(*tops: str, pot: int = 0, **rules: Any):
    """A turns outward arrows up at 0 ms; afterwards each seat's next card is as written."""
    nexts = dict(enumerate(tops))
    nexts[A] = f"OUT {nexts[A]}"
    table = Written(*["20/0"] * len(tops), nexts=nexts, pot=pot, **rules)
    table.turn_up(A)
    return table


def test_ts_26_after_the_count_everybody_turns_a_card_up_in_one_event():
    table = counting("S1g", "S2o", "S3p", "S4y")
    assert table.told[-1] == CountStarted(A, table.at(3_000))
    told = table.let_due()
    assert told[0] == AllTurnedUp(
        (TurnedUp(B, "s02-orange"), TurnedUp(C, "s03-purple"), TurnedUp(D, "s04-yellow"), TurnedUp(A, "s01-green")),
        12,
        table.at(3_000),
    )
    assert table.turn == B


def test_during_the_count_nobody_turns_a_single_card_up():
    table = counting("S1g", "S2o", "S3p")
    assert table.refusal(B, TurnUp()) == "T-30"
    assert GAME.to_act(table.views[B]) == ()


def test_ts_27_the_winner_of_a_match_of_three_names_the_taker():
    table = counting("S7g", "S7o", "S7p", "S1y")
    table.let_due()
    told = table.grab(B)
    assert (told[0].verdict, told[0].losers) == ("multi_duel", (A, C))
    table.choose(B, C)
    assert table.counts() == "18/2 19/0 21/0 19/1 | 0"
    assert table.turn == C


def test_ts_28_of_a_match_of_four_the_rest_is_frozen_and_live_after_the_next_card():
    table = counting("S7g", "S7o", "S7p S9g", "S7y")
    table.let_due()
    table.grab(B)
    table.choose(B, C)
    assert table.board.frozen == ("s07",)
    assert table.grab(A, table.ms + 699)[0].verdict == "void"
    table.turn_up(C)
    assert table.grab(D)[0].losers == (A,)
    assert table.turn == A


def two_pairs(**rules: Any):
    table = counting("S3g", "S3o", "S7p", "S7y S1y", **rules)
    table.let_due()
    table.grab(C)
    return table


def test_ts_29_a_second_match_waits_for_the_next_card():
    table = two_pairs()
    assert table.told[-2].piles == (D, C)
    assert table.board.frozen == ("s03",)
    assert table.grab(A, 3_300)[0].grabs[0].outcome == "settling"
    table.turn_up(D, 3_400)
    assert table.grab(A, 3_900)[0].verdict == "duel"


def test_ts_29_a_grab_for_it_after_the_dust_has_settled_is_a_foul():
    table = two_pairs()
    assert table.grab(A, 5_000)[0].grabs[0].outcome == "foul"


def test_by_table_rule_a_grab_for_a_frozen_match_is_void():
    table = two_pairs(frozen_grab="void")
    told = table.grab(A, 5_000)
    assert (said(told), told[0].grabs[0].outcome) == (["grabs_judged"], "frozen")
    assert table.grab(A, 5_500)[0].grabs[0].outcome == "repeated"
    assert table.grab(D, 5_500)[0].grabs[0].outcome == "foul"  # T-14: he has no match at all


def test_ts_31_inward_arrows_in_an_all_flip_come_before_a_match():
    table = counting("S3g", "IN", "S9p", "S3y")
    table.let_due()
    assert table.grab(A)[0].verdict == "inward"
    assert table.counts() == "18/0 19/1 19/1 19/1 | 2"
    assert table.turn == A
    assert matches(table.board.tops) == {}


def test_ts_32_outward_arrows_in_an_all_flip_lead_to_one_more():
    table = counting("S1g S5g", "OUT S6g", "S2p S7g", "OUT S8g")
    told = table.let_due()
    assert told[1:] == [CountStarted(B, table.at(6_000))]
    told = table.let_due()
    assert [card.seat for card in told[0].cards] == [C, D, A, B]
    assert said(told) == ["all_turned_up", "turn_started"]
    assert table.turn == C


def test_the_next_revealer_is_the_first_clockwise_and_the_last_one_comes_last():
    table = counting("OUT S1g", "S2g", "S3g")
    assert table.let_due()[1] == CountStarted(A, table.at(6_000))
    assert counting("OUT", "S2g", "OUT").let_due()[1].revealer == C


def test_an_inward_contest_may_be_won_during_a_further_count_and_lapses_at_its_end():
    table = counting("S1g S5g", "IN S6g", "OUT S7g")
    table.let_due()
    assert isinstance(table.board.phase, Counting)
    assert table.board.inward == (B,)
    again = counting("S1g S5g", "IN S6g", "OUT S7g")
    again.let_due()
    assert said(again.grab(A)) == ["grabs_judged", "cards_potted"]
    table.let_due()
    assert table.board.inward == ()
    assert table.grab(A)[0].verdict == "foul"


def test_a_duel_of_the_last_table_may_be_fought_during_the_count_which_goes_on():
    table = Written("20/0", "20/1 S3g", "20/1 S3o", nexts={A: "OUT"})
    table.turn_up(A)
    assert said(table.grab(B, 1_000)) == ["grabs_judged", "cards_taken"]
    assert table.due.at == table.at(3_000)
    table.let_due()
    assert table.turn == B


def test_a_foul_during_the_count_takes_the_outward_card_and_the_count_goes_on():
    table = counting("S1g", "S2o", "S3p")
    told = table.grab(B, 1_000)
    assert (told[0].verdict, said(told)) == ("foul", ["grabs_judged", "cards_taken"])
    assert table.board.tops == (None, None, None)
    told = table.let_due()
    assert [card.seat for card in told[0].cards] == [B, C, A]
    assert table.turn == B


def test_the_all_flip_waits_for_an_open_choice():
    table = Written("20/0", "20/1 S3g", "20/1 S3o", "20/1 S3y", nexts={A: "OUT"})
    table.turn_up(A)
    table.grab(B, 2_000)
    assert table.due.what == "choose_taker"
    assert said(table.choose(B, C)) == ["taker_chosen", "cards_taken"]
    assert (table.due.what, table.due.at) == ("all_turn_up", table.at(3_000))


def test_only_players_with_a_draw_card_take_part_in_the_all_flip():
    table = Written("20/0", "0/2 S3g", "20/0", nexts={A: "OUT"})
    table.turn_up(A)
    assert [card.seat for card in table.let_due()[0].cards] == [C, A]
