from typing import Any

import pytest

from domain.game import Event
from domain.kishpa import GAME
from domain.kishpa.events import BowlPaid
from domain.kishpa.moves import Discard, Load
from domain.tokens import Reversed, Transfer
from tests.domain.kishpa.scenes import PLAIN_WIN, A, B, C, D, Sitting


def played(*winners: int | None, **rules: Any) -> Sitting:
    """Rounds without bonuses, won plainly by these seats; None is an exhausted round."""
    sitting = Sitting(**rules)
    for winner in winners:
        sitting = sitting.exhausted_round() if winner is None else sitting.won_round(winner)
    return sitting


def clauses(sitting: Sitting) -> list[str]:
    return [transfer.clause for event in sitting.heard_last(BowlPaid) for transfer in event.transfers]


def test_k_66_two_wins_in_a_row_take_the_whole_bowl_with_this_rounds_contributions():
    sitting = played(A, A)
    assert sitting.balances == (2018, 1994, 1994, 1994, 0)
    assert clauses(sitting) == ["K-67"]


def test_ks_58_a_third_and_a_fourth_win_take_the_bowl_again():
    assert played(A, A, A).balances == (2027, 1991, 1991, 1991, 0)
    assert played(A, A, A, A).balances == (2036, 1988, 1988, 1988, 0)


def test_ks_58_by_table_rule_a_paid_streak_begins_again():
    assert played(A, A, A, streak="reset").balances == (2023, 1991, 1991, 1991, 4)
    assert played(A, A, A, A, streak="reset").balances == (2036, 1988, 1988, 1988, 0)


def test_ks_59_two_wins_in_a_row_take_what_three_rounds_put_in():
    assert played(A, B, B).balances == (1999, 2019, 1991, 1991, 0)


def test_ks_61_an_exhausted_round_breaks_the_streak():
    assert played(A, None, A).balances[-1] == 12


def test_ks_61_by_table_rule_it_does_not():
    sitting = played(A, None, A, draw_breaks_streak=False)
    assert sitting.balances[-1] == 0
    assert clauses(sitting) == ["K-67"]


def test_ks_62_wins_in_turn_never_collect():
    assert played(A, B, A, B).balances[-1] == 16


def test_k_70_the_previous_winner_who_wins_the_last_round_takes_the_bowl():
    sitting = played(A).call_last_round().won_round(A)
    assert sitting.balances == (2018, 1994, 1994, 1994, 0)
    assert clauses(sitting) == ["K-70"]


def test_ks_64_another_winner_of_the_last_round_means_an_even_split():
    sitting = played(A).call_last_round().won_round(B)
    assert sitting.balances == (2004, 2004, 1996, 1996, 0)
    assert set(clauses(sitting)) == {"K-70"}


def test_k_70_by_table_rule_the_winner_of_the_last_round_takes_the_bowl_outright():
    assert played(A, last_bowl="winner_takes").call_last_round().won_round(B).balances == (2002, 2010, 1994, 1994, 0)


def test_ks_65_without_a_previous_winner_the_last_bowl_is_split():
    sitting = Sitting().call_last_round().won_round(C)
    assert sitting.balances == (1998, 1998, 2006, 1998, 0)
    assert set(clauses(sitting)) == {"K-71"}


def test_k_71_after_an_exhausted_round_there_is_no_previous_winner_unless_draws_do_not_count():
    assert set(clauses(played(A, None).call_last_round().won_round(A))) == {"K-71"}
    assert clauses(played(A, None, draw_breaks_streak=False).call_last_round().won_round(A)) == ["K-70"]


def test_k_71_a_paid_streak_that_begins_again_still_leaves_a_previous_winner():
    assert clauses(played(A, A, streak="reset").call_last_round().won_round(A)) == ["K-70"]


def test_k_73_an_exhausted_last_round_splits_the_bowl():
    sitting = played(A).call_last_round().exhausted_round()
    assert sitting.balances == (2006, 1998, 1998, 1998, 0)
    assert set(clauses(sitting)) == {"K-73"}


def test_k_72_ks_67_pressed_in_mid_round_the_next_round_is_the_last():
    sitting = played(A, B).deal({C: PLAIN_WIN}, flips="K2").call_last_round().all_pass()
    assert not sitting.state.round.last
    sitting.play(C, Discard(sitting.spare(C), declare=True))
    assert sitting.balances[-1] == 12
    assert not GAME.finished(sitting.state)
    sitting.won_round(C)
    assert sitting.state.round.last
    assert sitting.balances[-1] == 0
    assert GAME.finished(sitting.state)


def test_k_72_by_table_rule_the_running_round_becomes_the_last():
    sitting = played(A, last_round_applies="this").deal({B: PLAIN_WIN}, flips="K2").call_last_round()
    assert sitting.state.round.last
    assert sitting.views[C].last
    sitting.all_pass().play(B, Discard(sitting.spare(B), declare=True))
    assert GAME.finished(sitting.state)
    assert sitting.balances == (2004, 2004, 1996, 1996, 0)


def test_k_72_between_rounds_it_is_the_next_one_in_either_case():
    for rule in ("next", "this"):
        sitting = played(A, last_round_applies=rule).call_last_round()
        assert not GAME.finished(sitting.state)
        assert sitting.deal().state.round.last


def test_ks_68_a_second_press_changes_nothing():
    once = played(A).call_last_round()
    before = once.state
    assert once.call_last_round().state == before


def test_ks_70_after_somebody_left_the_remainder_goes_to_the_winner():
    sitting = played(A).leave(D).call_last_round().won_round(B)
    (paid,) = sitting.heard_last(BowlPaid)
    assert [(transfer.payee, transfer.amount) for transfer in paid.transfers] == [
        ("seat:1", 3),
        ("seat:2", 2),
        ("seat:0", 2),
    ]
    assert sitting.balances[-1] == 0


def test_k_74_the_remainder_of_a_drawn_last_round_begins_with_the_starter():
    sitting = played(A).leave(D).call_last_round().exhausted_round()
    (paid,) = sitting.heard_last(BowlPaid)
    assert sitting.state.round.starter == B
    assert (paid.transfers[0].payee, paid.transfers[0].amount) == ("seat:1", 3)


def test_k_76_a_last_round_with_kishpa_one_takes_the_doubled_contribution():
    sitting = played(A).call_last_round().deal(kishpa="Y1")
    assert sitting.balances[-1] == 12


def test_g_08_the_table_rule_calls_the_last_round_before_the_nth():
    sitting = played(A, rounds=2)
    assert not GAME.finished(sitting.state)
    sitting.won_round(B)
    assert GAME.finished(sitting.state)
    assert set(clauses(sitting)) == {"K-70"}


def test_k_77_after_the_last_round_the_statement_is_made_and_no_load_is_taken():
    sitting = played(A).play(B, Load()).call_last_round().won_round(A)
    result = sitting.result
    assert result.last
    assert [(each.balance, each.loads, each.net, each.net_ils) for each in result.statements] == [
        (2018, 0, 18, 36),
        (2044, 50, -6, -12),
        (1994, 0, -6, -12),
        (1994, 0, -6, -12),
    ]
    assert result.leaders == (A,)
    sitting.refuse(B, Load(), "K-77")


def test_k_82_the_evening_is_won_by_the_highest_net_and_equal_nets_share():
    sitting = played(A).play(C, Load()).call_last_round().won_round(B)
    assert sitting.result.leaders == (A, B)
    assert sitting.evening.accounts["seat:2"] > sitting.evening.accounts["seat:0"]


def test_g_11_a_voided_round_gives_everything_back_but_loads():
    sitting = played(A)
    before = sitting.evening
    sitting.won_round(A).play(C, Load())
    assert sitting.balances[-1] == 0
    sitting.void()
    assert sitting.balances == (2005, 1997, 2047, 1997, 4)
    assert (sitting.evening.starter, sitting.evening.previous, sitting.evening.streak) == (A, A, 1)
    assert sitting.evening.rounds == before.rounds
    sitting.deal()
    assert sitting.state.round.starter == B


def test_g_11_a_running_round_may_be_voided_and_what_stands_is_kept():
    sitting = played(A).deal({C: "*"}).play(B, Load()).call_last_round().leave(D).void()
    assert sitting.balances == (2005, 2047, 1997, 1997, 4)
    assert sitting.evening.left == (D,)
    assert GAME.zones(sitting.state) == {}
    assert sitting.deal().state.round.last


def test_g_11_a_voided_first_round_leaves_the_opened_accounts():
    sitting = Sitting().deal({C: "*"}).void()
    assert sitting.balances == (2000, 2000, 2000, 2000, 0)
    assert sitting.void().balances == (2000, 2000, 2000, 2000, 0)
    assert sitting.won_round(A).balances == (2005, 1997, 1997, 1997, 4)


class Ruled(Event, frozen=True, tag="table.dispute_ruled"):
    """A ruling that reverses a transfer, as a table tells it."""

    transfers: tuple[Transfer, ...]


@pytest.mark.parametrize("between", [True, False])
def test_g_11_a_referees_reversal_stands_even_if_the_round_is_voided(between):
    sitting = played(A)
    if not between:
        sitting.deal()
    back = Transfer("seat:0", "seat:1", 2, "reversal", "G-11", Reversed(40, 0))
    sitting.hear([Ruled((back,))])
    sitting.void() if not between else sitting.deal().void()
    assert sitting.balances == (2003, 1999, 1997, 1997, 4)
