"""Inward, outward and coloured arrows, and how they meet (T-15 to T-20, T-24, T-29 to T-37)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.totem import GAME
from domain.totem.board import Counting, matches
from domain.totem.events import AllTurnedUp, CardsPotted, CountStarted, TurnedUp, TurnStarted
from domain.totem.moves import TurnUp
from domain.totem.pack import ARROWS, pack
from domain.totem.rules import TotemRules
from tests.domain.totem.written import A, B, C, D, E, Written, said


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


def test_ts_35_with_coloured_arrows_an_equal_colour_is_a_match_at_once():
    table = Written("20/0", "20/1 S2g", "20/0", "20/1 S9g", nexts={A: "COL"})
    table.turn_up(A)
    assert table.grab(D)[0].losers == (B,)
    assert table.turn == B


def test_ts_37_then_an_equal_symbol_is_no_match():
    table = Written("20/0", "20/1 S5g", "20/1 S5o", nexts={A: "COL"})
    table.turn_up(A)
    assert table.grab(C)[0].verdict == "foul"


def test_ts_38_when_they_are_covered_symbols_count_again_at_once():
    table = Written("20/0", "20/1 S5g", "20/1 S5o", nexts={A: "COL S1p", B: "S5g", C: "S5o"})
    table.turn_up(A)
    table.turn_up(B)
    table.turn_up(C)
    table.turn_up(A)
    assert table.grab(C)[0].losers == (B,)


def test_ts_40_when_a_foul_takes_them_away_symbols_count_again():
    table = Written("20/1 COL", "20/1 S5g", "20/1 S7o", "20/0", turn=D, nexts={D: "S1p"})
    table.turn_up(D)
    table.grab(C)
    assert table.board.tops == (None,) * 4
    assert table.state.draws[C][-1] == "s05-green"


def test_a_match_that_only_the_end_of_colour_mode_makes_is_live_at_once():
    table = Written("20/1 COL", "20/1 S5g", "20/1 S5o", "20/1 S9y", "20/0", turn=E, nexts={E: "IN"})
    table.turn_up(E)
    table.grab(A)  # the inward winner's pile goes under the totem, and the coloured arrows with it
    assert table.board.frozen == ()
    assert table.grab(B, 2_000)[0].losers == (C,)


def test_ts_41_a_second_match_in_colours_is_frozen_too():
    table = Written("20/0", "20/1 S1g", "20/1 S2g", "20/1 S3o", "20/1 S4o", nexts={A: "COL", D: "S9y"})
    table.turn_up(A)
    assert table.grab(E)[0].losers == (D,)
    assert table.board.frozen == ("green",)
    assert table.grab(B, 2_000)[0].grabs[0].outcome == "foul"


def test_colour_mode_lasts_until_both_coloured_arrows_are_gone():
    table = Written("20/1 COL", "20/1 COL", "20/1 S5g", "20/1 S9g", turn=A, nexts={A: "S1p", B: "S2p"})
    table.turn_up(A)
    assert table.board.tops[B] == "coloured"
    assert matches(table.board.tops) == {"green": (C, D)}
    table.turn_up(B)
    assert matches(table.board.tops) == {}


SYMBOLS = [card for card in pack(TotemRules(), 3) if card not in ARROWS]


@given(st.lists(st.sampled_from(SYMBOLS), min_size=5, max_size=9, unique=True))
def test_ts_43_five_ordinary_tops_in_colour_mode_always_hold_a_match(tops):
    assert matches(("coloured", *tops))


@given(st.lists(st.sampled_from(SYMBOLS), min_size=2, max_size=9, unique=True))
def test_in_colour_mode_an_equal_symbol_is_always_a_trap(tops):
    for group in matches(("coloured", *tops)).values():
        names = [("coloured", *tops)[seat][:3] for seat in group]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("word", ["IN", "OUT", "COL"])
def test_the_owner_of_arrows_has_no_match_of_his_own(word):
    table = Written(f"20/1 {word}", "20/1 S5g", "20/1 S5o", "20/0", turn=D)
    table.turn_up(D)
    assert table.grab(A)[0].verdict == "foul"
