from typing import Any

import pytest

from domain.kishpa import GAME
from domain.kishpa.events import BowlPaid, ExposureDeclined, PlayerLeft, TileDiscarded, TokensLoaded, TurnStarted
from domain.kishpa.moves import Discard, Load
from domain.kishpa.state import Over
from tests.domain.kishpa.scenes import PLAIN_WIN, A, B, C, D, Sitting

SIX_WIN = "R3-6 B9 * B11 Y2 Y3 Y4 4x10 *"


def six_win(**rules: Any) -> Sitting:
    """Two players; A wins for six with a joker row and the kishpa row."""
    sitting = Sitting(2, **rules).deal({A: SIX_WIN})
    return sitting.play(A, Discard("Y5", declare=True))


def test_ks_73_a_load_in_mid_round():
    sitting = Sitting().deal({A: PLAIN_WIN}, flips="K2").all_pass().play(B, Load())
    (loaded,) = sitting.last
    assert isinstance(loaded, TokensLoaded)
    assert [(each.payer, each.payee, each.amount, each.code, each.clause) for each in loaded.transfers] == [
        ("bank", "seat:1", 50, "load", "K-80")
    ]
    sitting.play(A, Discard(sitting.spare(A), declare=True))
    assert sitting.balances == (2005, 2047, 1997, 1997, 4)
    assert sum(sitting.balances) - 50 == 8000
    ils = [statement.net_ils for statement in sitting.result.statements]
    assert ils[:2] == [10, -6]


def test_k_80_loads_are_open_before_the_first_deal_in_the_window_between_rounds_and_to_anybody_at_any_turn():
    sitting = Sitting(load_size=7).play(D, Load()).play(D, Load())
    assert sitting.balances == (0, 0, 0, 14, 0)
    sitting.deal().play(A, Load()).all_pass().play(C, Load()).clock().play(B, Load())
    assert sitting.evening.loads == (7, 7, 7, 14)
    sitting = Sitting().won_round(A).play(B, Load()).play(B, Load())
    assert sitting.balances == (2005, 2097, 1997, 1997, 4)


def test_k_80_a_load_changes_nothing_of_the_turn():
    sitting = Sitting().deal({C: "*"})
    due, to_act = GAME.due(sitting.state), GAME.to_act(sitting.views[B])
    sitting.play(B, Load())
    assert (GAME.due(sitting.state), GAME.to_act(sitting.views[B])) == (due, to_act)
    assert Load() not in GAME.options(sitting.views[A])


def test_ks_74_a_settlement_may_drive_a_balance_below_zero_and_the_next_round_waits_for_a_load():
    sitting = six_win(starting_tokens=3)
    assert sitting.balances == (10, -6, 2)
    assert GAME.blocked(sitting.state) == (B,)
    sitting.play(B, Load())
    assert sitting.balances == (10, 44, 2)
    assert GAME.blocked(sitting.state) == ()


@pytest.mark.parametrize(("tokens", "blocked"), [(2000, ()), (2, ()), (1, (0, 1, 2, 3)), (0, (0, 1, 2, 3))])
def test_k_81_the_first_round_waits_for_loads_too(tokens, blocked):
    sitting = Sitting(starting_tokens=tokens)
    assert GAME.blocked(sitting.state) == blocked
    for seat in blocked:
        sitting.play(seat, Load())
    assert GAME.blocked(sitting.state) == ()
    sitting.deal()
    assert GAME.blocked(sitting.state) == ()


def test_k_81_by_table_rule_what_is_short_is_loaded_by_itself():
    sitting = six_win(starting_tokens=3, shortfall="auto_load")
    assert sitting.balances == (10, 44, 2)
    assert sitting.evening.loads == (0, 50)
    (loaded,) = sitting.heard_last(TokensLoaded)
    assert [transfer.clause for transfer in loaded.transfers] == ["K-81"]
    assert GAME.blocked(sitting.state) == ()


def test_k_81_auto_load_takes_as_many_whole_loads_as_are_needed():
    sitting = six_win(starting_tokens=3, shortfall="auto_load", load_size=2)
    assert sitting.balances[1] >= 0
    assert all(
        transfer.amount == 2
        for event in sitting.told
        if isinstance(event, TokensLoaded)
        for transfer in event.transfers
    )
    assert sitting.evening.loads == (0, 6)


def test_k_81_auto_load_lets_every_round_start_with_the_dearest_contribution():
    sitting = Sitting(starting_tokens=0, shortfall="auto_load").deal(kishpa="Y1")
    assert sitting.balances == (48, 48, 48, 48, 8)
    assert min(sitting.balances) >= 0


def test_k_83_a_leaver_is_played_for_at_once_and_gone_after_the_round():
    sitting = Sitting().deal({C: "*", A: "B12"}, stock="K13 K12 K11").play(A, Discard("B12"))
    sitting.leave(B)
    assert isinstance(sitting.last[0], PlayerLeft)
    assert sitting.heard_last(TileDiscarded) == [TileDiscarded(B, "K13")]
    assert sitting.state.seat == C
    sitting.turn(C).turn(D)
    assert sitting.state.seat == A
    sitting.turn(A)
    assert sitting.state.seat == C
    started = [event for event in sitting.last if isinstance(event, TurnStarted)]
    assert [(event.seat, event.due is None) for event in started] == [(B, True), (C, False)]
    assert B in sitting.state.round.seats


def test_k_83_who_leaves_out_of_turn_waits_for_his_turn_to_be_played():
    sitting = Sitting().deal({C: "*"}).leave(D)
    assert sitting.last == [PlayerLeft(D)]
    assert sitting.state.seat == A


def test_k_83_a_leaver_passes_in_the_exposure_window():
    sitting = Sitting().deal(flips="K2").leave(B)
    assert sitting.last == [PlayerLeft(B), ExposureDeclined(B)]
    sitting.leave(A)
    assert sitting.state.awaited == (C, D)
    sitting.all_pass()
    assert sitting.state.seat == C
    assert sitting.heard_last(TileDiscarded)[0].seat == A


def test_k_83_a_leaver_who_has_answered_leaves_the_window_open():
    sitting = Sitting().deal().clock(B).leave(B)
    assert sitting.last == [PlayerLeft(B)]


def test_k_83_a_leaver_still_pays_and_has_no_share_in_the_split():
    sitting = Sitting().call_last_round().deal({C: PLAIN_WIN}, flips="K2").leave(D).all_pass()
    sitting.play(A, Discard(sitting.hand(A)[0])).turn(B).turn(C, win=True)
    assert sitting.balances == (1998, 1998, 2007, 1997, 0)


def test_k_83_a_leaver_between_rounds_is_gone_at_once():
    sitting = Sitting().won_round(A).leave(B)
    assert sitting.last == [PlayerLeft(B)]
    assert sitting.deal().state.round.seats == (A, C, D)
    sitting.refuse(B, Load(), "K-83")


def test_k_83_the_last_player_takes_the_bowl():
    sitting = Sitting(3).won_round(A).leave(B)
    assert not GAME.finished(sitting.state)
    sitting.leave(A)
    (paid,) = sitting.heard_last(BowlPaid)
    assert [(transfer.payee, transfer.amount, transfer.clause) for transfer in paid.transfers] == [
        ("seat:2", 3, "K-83")
    ]
    assert GAME.finished(sitting.state)


def test_k_83_left_alone_in_mid_round_he_takes_the_bowl_after_it():
    sitting = Sitting(2).won_round(A).deal({A: PLAIN_WIN, B: "*"}, flips="", stock="K13 K12")
    sitting.leave(B)
    assert not GAME.finished(sitting.state)
    while not isinstance(sitting.state, Over):
        sitting.clock()
    assert sitting.balances[-1] == 0
    assert GAME.finished(sitting.state)


def test_k_83_when_all_have_left_the_round_is_played_out():
    sitting = Sitting(2).won_round(A).deal({A: "*"}).leave(A).leave(B)
    assert isinstance(sitting.state, Over)
    assert sitting.result.cause == "stock"
    assert GAME.finished(sitting.state)
    assert sitting.balances[-1] > 0


def test_k_83_when_all_have_left_the_longest_round_still_ends():
    sitting = Sitting(2, stock_empty="reshuffle", max_turns_per_round=2000).deal({A: "*"}).leave(A).leave(B)
    assert sitting.result.cause == "turns"
    sitting = Sitting(2, stock_empty="last_chance").deal({A: "*"}).leave(A).leave(B)
    assert sitting.result.cause == "chance"


def test_k_83_after_a_voided_round_a_leaver_may_leave_one_player_who_takes_the_bowl():
    sitting = Sitting(2).won_round(A).deal().void().leave(A)
    assert sitting.balances == (2001, 1999, 0)
    assert GAME.finished(sitting.state)


def test_k_83_when_all_have_left_the_last_round_nobody_shares_the_bowl():
    sitting = Sitting(2).call_last_round().deal({A: "*"}).leave(A).leave(B)
    assert isinstance(sitting.state, Over)
    assert sitting.heard_last(BowlPaid) == []
    assert sitting.balances[-1] == 2
