from typing import Any

import pytest

from domain.game import Due
from domain.kishpa import GAME
from domain.kishpa.events import (
    BonusPaid,
    ClockRanOut,
    ContributionsPaid,
    ExposureDeclined,
    ExposureOpened,
    KishpaExposed,
    KishpaFlipped,
    TurnStarted,
)
from domain.kishpa.moves import Discard, Draw, Expose, Load, Pass
from tests.domain.kishpa.scenes import A, B, C, D, Sitting, later

WIN = "B3-6 R9-11 R7 B7 K7 4x10"
"""Wins plainly under R5, Y4 and K2."""


def exposed(flips: str = "K9", hands: dict[int, str] | None = None, **rules: Any) -> Sitting:
    """C exposes the twin of R5."""
    return Sitting(**rules).deal({C: "R5", **(hands or {})}, kishpa="R5", flips=flips).play(C, Expose())


def test_ks_38_the_exposer_is_paid_and_a_new_kishpa_is_flipped():
    sitting = exposed()
    assert sitting.balances == (1998, 1998, 2002, 1998, 4)
    assert sitting.kishpas() == ["R5", "K9"]
    assert GAME.zones(sitting.state)["spent"] == ("R5",)
    assert "R5" in sitting.hand(C)
    assert isinstance(sitting.last[-1], TurnStarted)


def test_ks_40_on_the_new_kishpa_the_joker_row_is_paid_to_the_others():
    assert exposed("Y4", {A: "Y5"}).balances == (2001, 1997, 2001, 1997, 4)


def test_ks_41_the_exposer_is_paid_nothing_on_the_new_kishpa():
    assert exposed("Y4", {C: "R5 Y1 Y5"}).balances == (1998, 1998, 2002, 1998, 4)


@pytest.mark.parametrize(
    ("rule", "balances"),
    [
        ("all", (1998, 1998, 2002, 1998, 4)),
        ("kishpa", (1996, 1996, 2008, 1996, 4)),
        ("until_end", (1998, 1998, 2002, 1998, 4)),
    ],
)
def test_k_45_a_table_rule_says_what_the_exposer_forfeits_on_the_new_kishpa(rule, balances):
    assert exposed("Y4", {C: "R5 Y1 Y5"}, exposer_block=rule).balances == balances


@pytest.mark.parametrize(("rule", "paid"), [("all", []), ("kishpa", ["joker", "one"]), ("until_end", ["joker", "one"])])
def test_k_45_a_table_rule_says_what_the_exposer_forfeits_at_the_end(rule, paid):
    drawn = "B13 K3 Y13 B12 Y12 K1 R12 B1"
    sitting = exposed("K2 " + drawn, {C: "R5", A: WIN}, exposer_block=rule)
    sitting.play(A, Discard(sitting.spare(A, WIN))).turn(B).turn(C, throw="R5").turn(D).turn(A)
    sitting.turn(B).turn(C, throw=next(tile for tile in sitting.hand(C) if tile != "K3")).turn(D).turn(A, win=True)
    assert {"K1", "K3"} <= set(sitting.hand(C))
    assert [event.row for event in sitting.last if isinstance(event, BonusPaid) and event.seat == C] == paid


def test_ks_43_only_the_holder_may_expose_and_only_once():
    sitting = Sitting().deal({C: "R5"}, kishpa="R5", flips="K9")
    before = sitting.state
    sitting.refuse(B, Expose(), "K-51")
    assert sitting.state is before
    sitting.play(C, Expose()).refuse(C, Expose(), "K-03")


@pytest.mark.parametrize(("rule", "kishpas"), [("no_joker", ["R5", "K9"]), ("exposed", ["R5"])])
def test_ks_44_when_all_pass_a_table_rule_says_whether_a_new_kishpa_is_flipped(rule, kishpas):
    sitting = Sitting(replace_when=rule).deal(kishpa="R5", flips="K9").all_pass()
    assert sitting.kishpas() == kishpas
    assert sitting.balances == (1999, 1999, 1999, 1999, 4)
    assert sitting.state.seat == A


def test_k_42_under_exposed_an_exposure_still_replaces_the_kishpa():
    assert exposed(replace_when="exposed").kishpas() == ["R5", "K9"]


def test_ks_47_payments_on_two_kishpas_and_a_plain_win():
    sitting = _won_after_exposure()
    assert sitting.balances == (2003, 1999, 1999, 1995, 4)


def test_ks_47_with_the_limit_per_player_another_holder_of_the_twin_is_paid_at_the_end():
    sitting = _won_after_exposure(exposure_limit="player")
    assert sitting.balances == (2002, 1998, 1998, 1998, 4)


def _won_after_exposure(**rules: Any) -> Sitting:
    """C exposed; on the new kishpa Y4 B holds a joker, D picks up the twin, A wins plainly."""
    sitting = exposed("Y4 B13 B12 Y4 B1", {B: "Y5", A: WIN}, **rules)
    assert sitting.balances == (1997, 2001, 2001, 1997, 4)
    sitting.play(A, Discard(sitting.spare(A, WIN))).turn(B).turn(C)
    sitting.turn(D, throw=sitting.hand(D)[0])
    assert "Y4" in sitting.hand(D)
    return sitting.turn(A, win=True)


def test_k_48_the_exposer_gets_no_kishpa_payment_at_the_end_either():
    sitting = exposed("K2", {C: "R5 K2", A: WIN}, exposure_limit="player", exposer_block="until_end")
    sitting.play(A, Discard(sitting.spare(A, WIN), declare=True))
    assert [event.seat for event in sitting.last if isinstance(event, BonusPaid)] == []


def test_k_40_under_always_an_exposure_pays_one_more():
    sitting = Sitting(kishpa_start="always").deal({C: "R5"}, kishpa="R5", flips="K9").play(C, Expose())
    assert sitting.balances == (1997, 1997, 2005, 1997, 4)


def test_k_41_dolls_do_not_count_as_jokers_and_the_fifteenth_tile_does():
    assert any(isinstance(event, ExposureOpened) for event in Sitting().deal({A: "DR DK"}, kishpa="B5").told)
    last_tile = "R2 R3 R4 R7 R8 R9 B2 B3 B6 B7 B8 K2 K3 K4 Y5"
    assert not any(isinstance(event, ExposureOpened) for event in Sitting().deal({A: last_tile}, kishpa="Y4").told)


def test_k_47_a_state_paid_on_the_old_kishpa_is_not_paid_again_on_the_new_one():
    sitting = Sitting().deal({B: "R1 K1"}, kishpa="R5", flips="K9")
    assert sitting.balances == (1998, 2002, 1998, 1998, 4)
    assert sitting.all_pass().balances == (1998, 2002, 1998, 1998, 4)


def test_k_33_with_bonus_per_copy_a_copy_on_a_new_kishpa_is_paid_again():
    sitting = Sitting(bonus_per_copy=True).deal({B: "R1 K1"}, kishpa="R5", flips="K9").all_pass()
    assert sitting.balances == (1997, 2005, 1997, 1997, 4)


def test_k_49_the_window_opens_once_even_if_nobody_has_the_new_joker():
    sitting = exposed()
    assert sum(isinstance(event, ExposureOpened) for event in sitting.told) == 1
    assert len(sitting.kishpas()) == 2


@pytest.mark.parametrize(("rule", "bowl"), [(True, 8), (False, 4)])
def test_k_52_a_new_kishpa_of_one_doubles_the_contribution_late(rule, bowl):
    sitting = exposed("K1", recontribute=rule)
    assert sitting.balances[-1] == bowl
    paid = sitting.heard_last(ContributionsPaid)
    assert [transfer.clause for event in paid for transfer in event.transfers] == (["K-52"] * 4 if rule else [])


def test_k_52_there_is_no_refund_and_no_second_doubling():
    doubled = Sitting().deal(kishpa="K1", flips="R9").all_pass()
    assert doubled.balances == (1998, 1998, 1998, 1998, 8)
    again = Sitting().deal(kishpa="K1", flips="R1").all_pass()
    assert again.balances == (1998, 1998, 1998, 1998, 8)


def test_k_37_merged_the_exposure_of_a_one_pays_nothing_and_still_replaces_and_blocks():
    sitting = Sitting(kishpa_one="merged").deal({C: "K1 Y1"}, kishpa="K1", flips="Y4")
    assert sitting.balances == (1996, 1996, 2004, 1996, 8)
    sitting.play(C, Expose())
    assert sitting.balances == (1996, 1996, 2004, 1996, 8)
    assert sitting.kishpas() == ["K1", "Y4"]
    assert sitting.state.round.exposer == C


def test_k_53_after_the_replacement_the_old_joker_is_an_ordinary_tile():
    sitting = exposed("K9")
    assert sitting.state.round.joker == "K10"
    assert sitting.views[A].joker == "K10"
    assert sitting.views[A].spent == "R5"


def test_k_51_every_seat_answers_once_in_any_order_and_nothing_else_is_open():
    sitting = Sitting().deal({C: "R5"}, kishpa="R5", flips="K9")
    sitting.refuse(A, Discard(sitting.hand(A)[0]), "K-51").refuse(B, Draw(), "K-51")
    sitting.play(D, Pass()).play(B, Pass())
    sitting.refuse(D, Pass(), "K-51").refuse(D, Expose(), "K-51").refuse(B, Draw(), "K-51")
    sitting.play(A, Load()).play(C, Pass())
    assert sitting.state.awaited == (A,)
    sitting.play(A, Pass())
    assert sitting.kishpas() == ["R5", "K9"]


def test_k_51_the_window_asks_everybody_whether_or_not_the_twin_is_held():
    with_twin = Sitting().deal({C: "R5"}, kishpa="R5")
    without = Sitting().deal(kishpa="R5")
    assert with_twin.state.awaited == without.state.awaited == (0, 1, 2, 3)
    assert GAME.options(with_twin.views[B]) == GAME.options(without.views[B]) == [Pass()]
    assert GAME.options(with_twin.views[C]) == [Expose(), Pass()]


def test_k_51_the_clock_passes_for_those_who_have_not_answered():
    sitting = Sitting().deal({C: "R5"}, kishpa="R5", flips="K9").play(B, Pass())
    due = GAME.due(sitting.state)
    assert due == Due(later(sitting.at, 10), "exposure", (A, C, D))
    sitting.clock()
    assert [type(event) for event in sitting.last[:6]] == [ClockRanOut, ExposureDeclined] * 3
    assert isinstance(sitting.last[6], KishpaFlipped)
    assert sitting.balances == (1999, 1999, 1999, 1999, 4)


def test_k_51_the_clock_may_pass_for_some_only():
    sitting = Sitting().deal(kishpa="R5").clock(A, C)
    assert sitting.state.awaited == (B, D)
    sitting.clock(A)
    assert sitting.last == []


def test_k_51_without_a_clock_the_window_waits():
    sitting = Sitting(exposure_timeout_s=0).deal(kishpa="R5")
    assert GAME.due(sitting.state) == Due(None, "exposure", (0, 1, 2, 3))


def test_k_54_all_know_who_exposed_and_the_twin_stays_in_his_hand():
    sitting = exposed()
    assert sitting.views[None].exposer == C
    assert "R5" in sitting.hand(C)
    assert len(sitting.heard_last(KishpaExposed)) == 1
