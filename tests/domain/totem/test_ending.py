"""How a round ends: cards shed, co-winners, playing on, nobody able to turn a card up (T-38 to T-43)."""

from typing import Any

from domain.totem import GAME
from domain.totem.board import Turning, Waiting
from domain.totem.events import CardsShed, PilesRecycled, PlayEnded, TurnStarted, WaitStarted
from domain.totem.moves import ReportFoul, TurnUp
from domain.totem.scoring import Standing, TotemResult
from tests.domain.totem.written import A, B, C, D, Written, said


def test_ts_44_who_has_neither_draw_pile_nor_face_up_pile_has_won():
    table = Written("0/5 S4g", "20/1 S9p", "11/2", pot=2, turn=C, nexts={C: "S4o"})
    table.turn_up(C)
    table.grab(A)
    assert table.counts() == "0/0 20/1 20/0 | 0"
    assert table.told[-2:] == [CardsShed((A,)), PlayEnded("shed")]
    assert table.result == TotemResult("shed", (A,), (Standing(A, 1, 0), Standing(C, 2, 20), Standing(B, 3, 21)))


def test_ts_46_those_whom_a_foul_rids_of_their_last_cards_win_together():
    table = Written("0/2 S1p", "0/4 S2p", "30/6 S3p", "35/3 S4p", turn=C)
    table.grab(D)
    assert table.counts() == "0/0 0/0 30/0 50/0 | 0"
    assert table.result.winners == (A, B)
    assert [(s.seat, s.place) for s in table.result.standings] == [(A, 1), (B, 1), (C, 3), (D, 4)]


def test_after_the_end_nothing_is_played_and_nothing_is_due():
    table = Written("0/2 S1p", "0/4 S2p", "30/6 S3p", turn=C)
    table.grab(C)
    assert table.refusal(C, TurnUp()) == "T-38"
    assert table.referee_refusal(ReportFoul("violence", C)) == "T-38"
    assert GAME.options(table.views[C]) == []
    assert table.due is None
    assert GAME.leave(table.state, C, table.at(), None) == []  # type: ignore[arg-type]


def stalemate(**rules: Any) -> Written:
    table = Written("0/20 S1p", "0/25 S2p", "1/14", "0/20 S4p", turn=C, nexts={C: "S3p"}, **rules)
    table.turn_up(C)
    return table


def test_ts_47_when_nobody_can_turn_a_card_up_and_nothing_is_live_places_go_by_fewest_cards():
    table = stalemate()
    assert said(table.told) == ["card_turned_up", "play_ended"]
    assert table.result == TotemResult(
        "stalemate", (), (Standing(C, 1, 15), Standing(A, 2, 20), Standing(D, 2, 20), Standing(B, 4, 25))
    )


def test_by_table_rule_all_face_up_piles_are_turned_over_instead_once():
    table = stalemate(stalemate="recycle")
    assert table.told[-2:] == [PilesRecycled(table.at()), TurnStarted(C, table.at(30_000))]
    assert table.counts() == "20/0 25/0 15/0 20/0 | 0"
    assert table.state.draws[C][-1] == "s03-purple"
    for _ in range(80):
        table.let_due()
    assert table.result.by == "stalemate"


def last_card_makes_a_match(**rules: Any) -> Written:
    table = Written("1/2", "0/2 S5o", "0/3 S9p", nexts={A: "S5g"}, **rules)
    table.turn_up(A, 500)
    return table


def test_while_something_is_live_the_table_waits_for_a_grab():
    table = last_card_makes_a_match()
    assert table.told[-1] == WaitStarted(A, table.at(30_500))
    assert (table.due.what, table.due.seats) == ("stalemate", ())
    assert GAME.to_act(table.views[A]) == ()
    assert table.grab(B, 900)[0].verdict == "duel"
    assert table.result.winners == (B,)


def test_and_ends_when_nobody_grabs():
    table = last_card_makes_a_match()
    assert table.let_due() == [PlayEnded("stalemate")]


def test_and_turns_the_piles_over_then_by_that_table_rule():
    table = last_card_makes_a_match(stalemate="recycle")
    assert said(table.let_due()) == ["piles_recycled", "turn_started"]
    assert table.turn == A


def test_a_table_without_a_turn_clock_waits_half_a_minute():
    table = last_card_makes_a_match(turn_timeout_ms=0)
    assert table.told[-1] == WaitStarted(A, table.at(30_500))


def test_after_a_grab_in_that_wait_the_loser_plays_on():
    table = Written("1/2", "1/2 S5o", "0/3 S9p", nexts={A: "S5g"}, turn=A, play_on=True)
    table.turn_up(A)
    assert table.turn == B
    table.grab(A)
    assert table.board.playing == (B, C)
    assert table.turn == B


def test_outward_arrows_as_the_last_card_of_all_start_no_count():
    table = Written("1/2", "0/2 S5o", "0/3 S9p", nexts={A: "OUT"})
    assert said(table.turn_up(A)) == ["card_turned_up", "play_ended"]


def test_frozen_matches_do_not_delay_the_end():
    table = Written("1/0", "0/2 S5g", "0/2 S5o", "0/3 S7g", nexts={A: "IN"})
    table.turn_up(A)
    assert isinstance(table.board.phase, Waiting)
    told = table.grab(D)
    assert said(told) == ["grabs_judged", "cards_potted", "cards_shed", "play_ended"]
    again = Written("1/0", "0/2 S5g", "0/2 S5o", "0/3 S7g", nexts={A: "IN"}, play_on=True)
    again.turn_up(A)
    assert said(again.grab(D))[2:] == ["cards_shed", "play_ended"]
    assert again.result.by == "stalemate"


def test_by_table_rule_play_goes_on_until_one_is_left():
    table = Written("0/2 S5g", "3/0", "0/1 S9p", turn=B, nexts={B: "S5o S9g"}, play_on=True)
    table.turn_up(B)
    assert said(table.grab(A)) == ["grabs_judged", "cards_taken", "cards_shed", "turn_started"]
    assert table.refusal(A, TurnUp()) == "T-44"
    assert GAME.options(table.views[A]) == []
    assert table.turn == B
    table.turn_up(B)
    assert said(table.grab(C, 2_000)) == ["grabs_judged", "cards_taken", "cards_shed", "play_ended"]
    assert table.result == TotemResult("shed", (A,), (Standing(A, 1, 0), Standing(C, 2, 0), Standing(B, 3, 6)))


def test_the_last_two_end_the_play_when_one_of_them_has_shed_his_cards():
    table = Written("0/2 S5g", "3/1 S5o", play_on=True, turn=B)
    assert said(table.grab(A))[-2:] == ["cards_shed", "play_ended"]
    assert [(s.seat, s.place) for s in table.result.standings] == [(A, 1), (B, 2)]


def test_the_last_card_may_be_inward_or_outward_or_coloured_like_any_other():
    for word in ("OUT", "COL"):
        table = Written("1/3", "20/1 S5o", "20/1 S9p", nexts={A: word})
        table.turn_up(A)
        assert table.result is None
        assert table.board.draws[A] == 0


def test_every_finished_round_could_be_followed_by_another():
    table = stalemate()
    assert GAME.finished(table.state) is False
    assert not isinstance(table.board.phase, Turning)
