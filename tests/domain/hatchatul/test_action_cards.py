"""Peek and Swap: whose cards, who sees what, and what stays inert (H-11 to H-13, H-15, H-18, H-29)."""

from typing import Any

import msgspec
import pytest

from domain.hatchatul import moves as m
from domain.hatchatul.events import CardDrawn, CardsSwapped, CardThrown, PeekUsed, SlotShown
from domain.hatchatul.state import HoldingAction, TurnEnd
from tests.domain.hatchatul.scenario import ROW_A, ROW_B, ROW_C, A, B, C, given


def test_hs_17_a_peek_shows_one_own_card_to_its_owner_alone():
    position = given(stock=["peek", 1]).when(B, m.DrawStock()).then(CardDrawn(B, "peek"))
    used = position.when(B, m.UsePeek(3)).then(PeekUsed(B, 3), SlotShown(B, 3, 7)).then_at(TurnEnd, B)
    assert used.top == "peek"
    assert used.row(B) == ROW_B


def test_h_11_any_of_the_four_may_be_looked_at():
    for slot, card in enumerate(ROW_B, start=1):
        assert given(holds="peek").when(B, m.UsePeek(slot)).told(SlotShown) == [SlotShown(B, slot, card)]


def test_hs_19_a_peek_names_no_other_players_slot():
    with pytest.raises(msgspec.ValidationError, match="seat"):
        msgspec.convert({"type": "hatchatul.use_peek", "slot": 3, "seat": 0}, type=m.Moves)


def test_hs_21_a_swap_changes_two_cards_and_each_owner_sees_the_one_he_got():
    position = given([(5, 0, 6, 6), (9, 8, 7, 1), ROW_C], holds="swap").when(B, m.UseSwap(1, A, 2))
    position.then(CardsSwapped(B, 1, A, 2), SlotShown(B, 1, 0), SlotShown(A, 2, 9)).then_at(TurnEnd, B)
    assert position.row(B) == (0, 8, 7, 1)
    assert position.row(A) == (5, 9, 6, 6)
    assert position.top == "swap"


def test_hs_22_with_swap_look_none_nobody_is_shown_a_card():
    position = given([(5, 0, 6, 6), (9, 8, 7, 1), ROW_C], stock=["swap"], swap_look="none").when(B, m.DrawStock())
    swapped = position.when(B, m.UseSwap(1, A, 2)).then(CardsSwapped(B, 1, A, 2))
    assert (swapped.row(B)[0], swapped.row(A)[1], swapped.top) == (0, 9, "swap")


def test_hs_23_a_swap_needs_another_player_in_the_round_and_leaves_the_card_in_hand():
    position = given([ROW_A, ROW_B, (), ROW_C], holds="swap")
    position.refuses(B, m.UseSwap(1, B, 2), m.UseSwap(1, C, 2), m.UseSwap(1, 5, 2), ruling="H-12")
    for body in ({"mine": 5, "theirs": 1}, {"mine": 1, "theirs": 5}, {"mine": 0, "theirs": 1}):
        with pytest.raises(msgspec.ValidationError, match=r"(<=|>=)"):
            msgspec.convert({"type": "hatchatul.use_swap", "seat": 0, **body}, type=m.Moves)
    position.then_at(HoldingAction, B)
    assert position.phase.card == "swap"


def test_hs_25_a_declined_swap_is_thrown_and_the_rows_stay():
    position = given(holds="swap").when(B, m.Throw()).then(CardThrown(B, "swap")).then_at(TurnEnd, B)
    assert position.state.cards.rows == (ROW_A, ROW_B, ROW_C)


def test_an_action_card_seen_in_a_swap_stays_inert():
    position = given([("peek", 1, 1, 1), ROW_B, ROW_C], holds="swap").when(B, m.UseSwap(1, A, 1))
    assert position.told(SlotShown) == [SlotShown(B, 1, "peek"), SlotShown(A, 1, 9)]
    position.refuses(B, m.UsePeek(2), ruling="H-32")


def test_h_15_every_used_card_is_thrown():
    for holds, move in (("peek", m.UsePeek(1)), ("swap", m.UseSwap(1, A, 1)), ("draw2", m.UseDrawTwo())):
        assert given(holds=holds).when(B, move).top == holds


def test_a_power_needs_its_card():
    for holds in ("swap", "draw2"):
        given(holds=holds).refuses(B, m.UsePeek(1), ruling="H-11")
    for holds in ("peek", "draw2"):
        given(holds=holds).refuses(B, m.UseSwap(1, A, 1), ruling="H-12")
    for holds in ("peek", "swap"):
        given(holds=holds).refuses(B, m.UseDrawTwo(), ruling="H-14")


def test_h_18_the_knockers_row_may_be_swapped_with_unless_the_table_protects_it():
    lap: dict[str, Any] = {"knocker": A, "lap": (C,), "holds": "swap"}
    assert given(**lap).when(B, m.UseSwap(1, A, 1)).row(A)[0] == 9
    protected = given(**lap, knocker_protected=True)
    protected.refuses(B, m.UseSwap(1, A, 1), ruling="H-18")
    assert protected.when(B, m.UseSwap(1, C, 1)).row(C)[0] == 9


def test_h_29_with_open_outer_only_hidden_cards_are_swapped_and_any_own_card_may_be_peeked_at():
    position = given(holds="swap", open_outer=True)
    for mine, theirs in ((1, 2), (4, 3), (2, 1), (3, 4), (1, 4)):
        position.refuses(B, m.UseSwap(mine, A, theirs), ruling="H-29")
    assert position.when(B, m.UseSwap(2, A, 3)).row(A) == (0, 1, 8, 3)
    assert given(holds="peek", open_outer=True).when(B, m.UsePeek(1)).told(SlotShown) == [SlotShown(B, 1, 9)]
