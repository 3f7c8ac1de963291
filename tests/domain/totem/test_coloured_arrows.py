"""Coloured arrows: colour instead of symbol (T-15, T-16, T-34 to T-37)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.totem.board import matches
from domain.totem.pack import ARROWS, pack
from domain.totem.rules import TotemRules
from tests.domain.totem.written import A, B, C, D, E, Written


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
