"""Fouls that only a referee can see, and taking them back (T-46 to T-50)."""

from typing import Any

import pytest

from domain.game import Refused
from domain.totem import GAME, referee
from domain.totem.board import Choosing, Counting, Turning
from domain.totem.events import CardsPotted, CardsTaken, FoulReported
from domain.totem.moves import EnterGrip, ReportFoul, ReverseFoul
from tests.domain.totem.written import DICE, NOON, A, B, C, D, Written, said

FACE_UP = ("10/3 S1p", "10/2 S2p", "10/4 S3p", "10/1 S4p")


def test_ts_56_a_reported_foul_costs_all_face_up_cards_and_the_pot():
    table = Written(*FACE_UP, pot=2)
    told = table.referee(ReportFoul("totem_thrown", D))
    assert told[:2] == [
        FoulReported("totem_thrown", D),
        CardsTaken(D, (D, A, B, C), 2, 12, "totem_thrown", table.at()),
    ]
    assert table.counts() == "10/0 10/0 10/0 22/0 | 0"
    assert table.turn == D


def test_ts_58_a_totem_that_fell_by_itself_takes_all_piles_under_it():
    table = Written(*FACE_UP, turn=C)
    told = table.referee(ReportFoul("totem_fell_unknown"))
    assert told[1] == CardsPotted((A, B, C, D), 10, table.at())
    assert table.counts() == "10/0 10/0 10/0 10/0 | 10"
    assert table.state.pot[:3] == ("a1", "a2", "s01-purple")
    assert table.turn == C


def test_when_the_totem_falls_a_player_without_a_draw_card_has_won():
    table = Written("10/1 S1p", "0/3 S2p", "10/1 S3p")
    table.referee(ReportFoul("totem_fell_unknown"))
    assert table.result.winners == (B,)


def test_ts_59_who_showed_the_card_to_himself_takes_everything_and_the_duel_is_void():
    table = Written("10/1 S5g", "10/0", "10/0", turn=B, nexts={B: "S5o"})
    table.turn_up(B)
    table.referee(ReportFoul("card_shown_to_self", B))
    assert table.counts() == "10/0 11/0 10/0 | 0"
    assert table.grab(A, 200)[0].grabs[0].outcome == "settling"
    assert table.grab(A, 2_000)[0].grabs[0].outcome == "foul"


@pytest.mark.parametrize(
    "kind", ["totem_struck", "totem_upside_down", "violence", "blocking", "totem_danced", "totem_broken"]
)
def test_every_kind_of_foul_costs_the_same(kind):
    table = Written(*FACE_UP)
    table.referee(ReportFoul(kind, A))
    assert table.counts() == "20/0 10/0 10/0 10/0 | 0"


def test_an_offender_plays_in_this_round():
    table = Written(*FACE_UP)
    assert table.referee_refusal(ReportFoul("violence")) == "T-46"
    assert table.referee_refusal(ReportFoul("violence", 7)) == "T-46"
    assert table.referee_refusal(ReportFoul("totem_fell_unknown", A)) == "T-48"


def test_by_table_rule_no_foul_is_reported():
    table = Written(*FACE_UP, fouls_enabled=False)
    assert table.referee_refusal(ReportFoul("violence", A)) == "T-46"
    assert table.grab(A)[0].verdict == "foul"  # a needless grab is nobody's report


def test_by_table_rule_a_totem_that_fell_by_itself_is_not_reported():
    table = Written(*FACE_UP, totem_fell_unknown=False)
    assert table.referee_refusal(ReportFoul("totem_fell_unknown")) == "T-48"


def test_nothing_is_reported_before_a_deal():
    state = GAME.initial(Written("1/0", "1/0").rules, 2)
    for move in (ReportFoul("violence", A), ReverseFoul(), EnterGrip(A, 1, 1)):
        with pytest.raises(Refused) as no:
            referee(state, move, NOON, DICE)
        assert no.value.ruling == "T-38"


def test_by_table_rule_a_reported_foul_leaves_the_turn_where_it_is():
    table = Written(*FACE_UP, turn=B, after_foul="unchanged")
    table.referee(ReportFoul("violence", A))
    assert table.turn == B


def chosen_from_three(**rules: Any) -> Written:
    table = Written("10/1 S5g", "10/2 S5o", "10/3 S5y", "10/0", turn=D, **rules)
    table.grab(B)
    return table


def test_a_foul_reported_during_a_choice_voids_it():
    table = chosen_from_three()
    told = table.referee(ReportFoul("violence", D))
    assert said(told) == ["foul_reported", "cards_taken", "turn_started"]
    assert table.counts() == "10/0 10/0 10/0 16/0 | 0"


def test_a_running_count_goes_on_after_a_reported_foul():
    table = Written("20/0", "20/1 S3g", "20/0", nexts={A: "OUT"})
    table.turn_up(A)
    assert said(table.referee(ReportFoul("violence", B))) == ["foul_reported", "cards_taken"]
    assert isinstance(table.board.phase, Counting)
    table.let_due()
    assert table.turn == B


def test_a_reversed_foul_puts_all_piles_and_the_turn_back():
    table = Written(*FACE_UP, pot=2, turn=B)
    before = table.state
    table.referee(ReportFoul("totem_thrown", D))
    table.ms = 4_000
    told = table.referee(ReverseFoul())
    assert said(told) == ["foul_reversed"]
    assert (table.state.draws, table.state.ups, table.state.pot) == (before.draws, before.ups, before.pot)
    assert table.board.phase == Turning(B, table.at(34_000))


def test_a_match_that_the_foul_ended_is_live_again_when_the_dust_has_settled():
    table = Written("10/1 S5g", "10/1 S5o", "10/0", turn=C)
    table.referee(ReportFoul("blocking", C))
    table.ms = 1_000
    table.referee(ReverseFoul())
    assert table.grab(A, 1_500)[0].grabs[0].outcome == "settling"
    assert table.grab(A, 1_700)[0].verdict == "duel"


def test_a_choice_that_the_foul_voided_is_open_again():
    table = chosen_from_three()
    table.referee(ReportFoul("violence", D))
    table.ms = 5_000
    table.referee(ReverseFoul())
    phase = table.board.phase
    assert isinstance(phase, Choosing)
    assert (phase.seat, phase.due) == (B, table.at(15_000))
    assert said(table.choose(B, A)) == ["taker_chosen", "cards_taken", "turn_started"]


def test_a_choice_without_a_clock_is_open_again_without_one():
    table = chosen_from_three(choice_timeout_ms=0)
    table.referee(ReportFoul("violence", D))
    table.referee(ReverseFoul())
    assert table.due.at is None


def test_a_count_goes_on_through_foul_and_reversal():
    table = Written("20/0", "20/1 S3g", "20/0", nexts={A: "OUT"})
    table.turn_up(A)
    table.referee(ReportFoul("violence", B))
    table.ms = 1_000
    table.referee(ReverseFoul())
    assert table.due.at == table.at(3_000)


def test_a_turn_that_had_not_begun_begins_after_the_reversal_when_it_would_have():
    table = Written("20/0", "20/0", "20/0", min_flip_interval_ms=1_500)
    table.turn_up(A)
    table.referee(ReportFoul("violence", C))
    table.ms = 200
    table.referee(ReverseFoul())
    assert (table.due.what, table.due.at) == ("turn", table.at(1_500))


def test_a_foul_while_nobody_can_turn_a_card_up_leaves_one_player_with_cards():
    table = Written("1/0", "0/2 S5o", "0/2 S4g", nexts={A: "S5g"}, play_on=True)
    table.turn_up(A)
    assert table.due.what == "stalemate"
    table.referee(ReportFoul("violence", A))
    assert table.result.winners == (B, C)


def test_no_foul_is_reversed_after_a_reveal_a_resolution_or_a_reversal():
    table = Written(*FACE_UP)
    assert table.referee_refusal(ReverseFoul()) == "T-50"
    table.referee(ReportFoul("violence", D))
    table.turn_up(D)
    assert table.referee_refusal(ReverseFoul()) == "T-50"
    table.referee(ReportFoul("violence", D))
    table.grab(A, 5_000)
    assert table.referee_refusal(ReverseFoul()) == "T-50"
    table.referee(ReportFoul("violence", D))
    table.referee(ReverseFoul())
    assert table.referee_refusal(ReverseFoul()) == "T-50"


def test_a_void_grab_does_not_keep_a_foul_from_being_reversed():
    table = Written(*FACE_UP)
    table.referee(ReportFoul("violence", D))
    assert table.grab(A, 300)[0].verdict == "void"
    assert said(table.referee(ReverseFoul())) == ["foul_reversed"]


def test_a_foul_after_a_dead_heat_is_reversed_to_the_turn_and_the_grabs_stay_void():
    from domain.totem.moves import MeasuredGrab

    table = Written("10/1 S5g", "10/1 S5o", "10/0", turn=C, refereed=True)
    table.judge(*(MeasuredGrab(seat, 10, seat, table.at(), 300) for seat in (A, B)))
    table.referee(ReportFoul("violence", C))
    table.referee(ReverseFoul())
    assert table.turn == C
