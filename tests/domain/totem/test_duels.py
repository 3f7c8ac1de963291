"""Duels, traps, needless grabs, duels of many (T-13 to T-28, T-49)."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.totem import GAME
from domain.totem.board import Choosing, Turning
from domain.totem.events import CardsShared, CardsTaken, ChoiceOpened, Share, TakerChosen
from domain.totem.moves import ChooseTaker, Grab, TurnUp
from tests.domain.totem.written import A, B, C, D, Written, said

DUEL = ("23/3 S5g", "24/2 S5o", "24/2 S9p")


def test_ts_08_the_loser_takes_both_piles_and_the_pot_and_the_turn():
    table = Written(*DUEL, pot=2)
    assert said(table.grab(A)) == ["grabs_judged", "cards_taken", "turn_started"]
    assert table.told[1] == CardsTaken(B, (B, A), 2, 7, "duel", table.at())
    assert table.counts() == "23/0 31/0 24/2 | 0"
    assert table.turn == B


def test_ts_08_seen_from_the_other_side():
    table = Written(*DUEL, pot=2)
    table.grab(B)
    assert table.counts() == "30/0 24/0 24/2 | 0"
    assert table.turn == A


def test_ts_10_an_outsider_who_grabs_takes_everything_and_the_duel_is_gone():
    table = Written(*DUEL, pot=2)
    table.grab(C)
    assert table.counts() == "23/0 24/0 33/0 | 0"
    assert table.turn == C
    assert table.grab(A, 5_000)[0].verdict == "foul"


def test_ts_11_an_equal_colour_is_no_match_in_normal_mode():
    table = Written("23/3 S5g", "24/2 S6g", "24/2 S9p", pot=2)
    assert table.grab(A)[0].verdict == "foul"
    assert table.counts() == "32/0 24/0 24/0 | 0"


def test_ts_13_who_grabs_for_the_only_card_takes_it_back():
    table = Written("20/0", "20/0", "20/0", "20/0")
    table.turn_up(A)
    table.grab(A)
    assert table.counts() == "20/0 20/0 20/0 20/0 | 0"
    assert table.turn == A
    assert table.state.draws[A][-1] == "xa0"


def test_ts_14_a_match_stays_live_while_others_turn_cards_up():
    table = Written("20/1 S5g", "20/0", "20/0", turn=B, nexts={B: "S5o", C: "S1y"})
    table.turn_up(B)
    table.turn_up(C)
    assert table.grab(A)[0].verdict == "duel"


def test_ts_16_a_third_card_makes_a_match_of_three_and_the_winner_chooses():
    table = Written("20/1 S5g", "20/1 S5o", "20/0", turn=C, nexts={C: "S5y"})
    table.turn_up(C)
    told = table.grab(C, 100)
    assert (told[0].verdict, told[0].seat, told[0].losers) == ("multi_duel", C, (A, B))
    assert told[1] == ChoiceOpened(C, (A, B), table.at(10_100))
    assert GAME.options(table.views[C]) == [ChooseTaker(A), ChooseTaker(B), Grab(11)]
    assert GAME.to_act(table.views[A]) == (C,)


def test_ts_17_taken_cards_lie_own_pile_first_then_the_others_then_the_pot():
    table = Written("3/3 S5g", "2/2 S5o", "2/1 S9p", pot=2)
    table.grab(A)
    assert table.state.draws[B] == ("xb0", "xb1", "b1", "s05-orange", "a1", "a2", "s05-green", "p1", "p2")


def test_a_foul_takes_the_others_piles_clockwise_from_the_offender():
    table = Written("3/1 S1p", "2/1 S2p", "2/1 S3p", "2/0", pot=1)
    table.grab(B)
    assert table.told[1] == CardsTaken(B, (B, C, A), 1, 4, "needless_grab", table.at())
    assert table.state.draws[B] == ("xb0", "xb1", "s02-purple", "s03-purple", "s01-purple", "p1")


def test_by_table_rule_taken_cards_are_shuffled_and_nobody_hears_how():
    table = Written("3/5 S5g", "2/5 S5o", "2/1 S9p", pot=2, shuffle_taken=True)
    told = table.grab(A)
    assert said(told) == ["grabs_judged", "cards_taken", "taken_shuffled", "turn_started"]
    taken = ("b1", "b2", "b3", "b4", "s05-orange", "a1", "a2", "a3", "a4", "s05-green", "p1", "p2")
    assert told[2].taker == B
    assert sorted(told[2].cards) == sorted(taken)
    assert told[2].cards != taken
    assert table.state.draws[B] == ("xb0", "xb1", *told[2].cards)


def test_each_taking_is_shuffled_by_dice_of_its_own():
    orders = []
    for takings in (0, 1, 0):
        table = Written("9/9", "9/0", "9/0", shuffle_taken=True)
        table.state = replace(table.state, takings=takings)
        orders.append(table.grab(A)[2].cards)
        assert table.state.takings == takings + 1
    assert orders[0] == orders[2]
    assert orders[0] != orders[1]


def test_by_table_rule_a_foul_leaves_the_turn_where_it_is():
    table = Written(*DUEL, pot=2, turn=B, after_foul="unchanged")
    table.grab(C, 100)
    assert table.board.phase == Turning(B, table.at(30_100))


def test_ts_49_a_foul_with_nothing_face_up_still_takes_the_pot():
    table = Written("5/0", "5/0", "5/0", pot=3)
    table.grab(C)
    assert table.told[1] == CardsTaken(C, (C,), 3, 3, "needless_grab", table.at())
    assert table.turn == C


def test_a_foul_with_nothing_to_take_is_told_all_the_same():
    table = Written("5/0", "5/0", "5/0")
    table.grab(C)
    assert table.told[1].cards == 0
    assert table.turn == C


def many(**rules: Any):
    """B has won a duel of three against C and A."""
    table = Written("5/2 S7g", "5/3 S7o", "5/4 S7p", "5/0", pot=2, turn=D, **rules)
    table.grab(B, 100)
    return table


def test_the_named_loser_takes_the_winners_pile_his_own_and_the_pot():
    table = many()
    told = table.choose(B, A)
    assert told[:2] == [TakerChosen(B, A), CardsTaken(A, (A, B), 2, 7, "multi_duel", table.at())]
    assert table.counts() == "12/0 5/0 5/4 5/0 | 0"
    assert table.turn == A


def test_only_the_winner_chooses_and_only_a_loser():
    table = many()
    assert table.refusal(A, ChooseTaker(A)) == "T-27"
    assert table.refusal(B, ChooseTaker(B)) == "T-23"
    assert table.refusal(B, ChooseTaker(D)) == "T-23"
    assert table.refusal(B, ChooseTaker(A, {"0": 1})) == "T-23"


def test_while_he_chooses_no_card_is_turned_up_and_grabs_are_void():
    table = many()
    assert table.refusal(D, TurnUp()) == "T-27"
    told = table.grab(D, 5_000)
    assert [grab.outcome for grab in told[0].grabs] == ["choice_open"]
    assert said(told) == ["grabs_judged"]
    assert isinstance(table.board.phase, Choosing)


def test_when_he_does_not_choose_it_is_the_next_loser_clockwise():
    table = many()
    found = table.due
    assert (found.at, found.what, found.seats) == (table.at(10_100), "choose_taker", (B,))
    told = table.let_due()
    assert said(told) == ["timed_out", "taker_chosen", "cards_taken", "turn_started"]
    assert told[1] == TakerChosen(B, C)


def test_without_a_clock_he_takes_his_time():
    table = many(choice_timeout_ms=0)
    found = table.due
    assert (found.at, found.seats) == (None, (B,))


def test_the_match_left_between_the_losers_is_frozen_until_the_next_card():
    table = Written("5/2 S7g", "5/3 S7o", "5/4 S7p", "5/1 S7y", turn=D, nexts={A: "S1y"})
    table.grab(B)
    table.choose(B, A)
    assert table.board.frozen == ("s07",)
    assert table.turn == A
    table.turn_up(A, 1_000)
    assert table.grab(D, 1_500)[0].verdict == "duel"


def test_ts_34_the_winner_of_a_duel_of_three_has_won_only_after_his_choice():
    table = Written("5/1 S7g", "0/3 S7o", "5/1 S7p", turn=A)
    table.grab(B)
    assert isinstance(table.board.phase, Choosing)
    told = table.choose(B, C)
    assert said(told) == ["taker_chosen", "cards_taken", "cards_shed", "play_ended"]
    assert table.result.winners == (B,)


def test_by_table_rule_the_pile_is_shared_evenly_clockwise_the_remainder_to_the_first():
    table = Written("5/2 S7g", "5/3 S7o", "5/4 S7p", "5/0", pot=2, turn=D, multi_duel="even")
    told = table.grab(B)
    assert said(told) == ["grabs_judged", "cards_shared", "turn_started"]
    assert told[1] == CardsShared(B, (Share(C, 3), Share(A, 2)), 2, table.at())
    assert table.state.draws[C][5:] == ("c1", "c2", "c3", "s07-purple", "b1", "b2", "s07-orange")
    assert table.state.draws[A][5:] == ("a1", "s07-green", "p1", "p2")
    assert table.counts() == "9/0 5/0 12/0 5/0 | 0"
    assert table.turn == C


def test_by_table_rule_the_winner_deals_out_shares_and_the_taker_gets_the_rest():
    table = many(multi_duel="split")
    assert GAME.options(table.views[B])[:2] == [ChooseTaker(A), ChooseTaker(C)]
    told = table.choose(B, A, {"2": 4})
    assert told[1] == CardsShared(B, (Share(C, 4), Share(A, 1)), 2, table.at())
    assert table.turn == C


def test_shares_go_to_losers_and_are_not_more_than_there_is():
    table = many(multi_duel="split")
    for shares in ({"3": 1}, {"1": 1}, {"x": 1}, {"2": 4, "0": 2}):
        assert table.refusal(B, ChooseTaker(A, shares)) == "T-23"
    table.choose(B, A, {"2": 0, "0": 5})
    assert table.counts() == "12/0 5/0 9/0 5/0 | 0"


def test_shared_cards_are_shuffled_by_that_table_rule_too():
    table = Written("5/2 S7g", "5/3 S7o", "5/4 S7p", pot=2, turn=A, multi_duel="even", shuffle_taken=True)
    told = table.grab(B)
    assert said(told) == ["grabs_judged", "cards_shared", "taken_shuffled", "taken_shuffled", "turn_started"]
    assert [event.taker for event in told[2:4]] == [C, A]


def test_a_share_of_nothing_is_told_too():
    table = Written("5/1 S7g", "5/1 S7o", "5/1 S7p", "5/1 S7y", turn=A, multi_duel="even")
    assert table.grab(A)[1].shares == (Share(B, 1), Share(C, 0), Share(D, 0))


@pytest.mark.parametrize("tops", [("IN", "IN"), ("OUT", "OUT")])
def test_equal_arrows_do_not_match(tops):
    table = Written(f"5/1 {tops[0]}", f"5/1 {tops[1]}", "5/0", turn=C)
    table.turn_up(C)
    assert table.grab(A)[0].verdict == "foul"
