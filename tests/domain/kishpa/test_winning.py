from typing import Any

import pytest

from domain.kishpa import GAME
from domain.kishpa.events import BonusPaid, HandWon, TileDiscarded, WinDenied
from domain.kishpa.moves import Discard, Draw, Take
from tests.domain.kishpa.scenes import PLAIN_WIN, A, B, C, D, Sitting

KEPT = "R3-6 B9-11 R7 B7 * 4x10"
"""Wins under Y4 with the joker kept in a set."""


def starter_wins(hand: str, throw: str, kishpa: str = "Y4", seats: int = 4, **rules: Any) -> Sitting:
    """The starter has these fifteen tiles and wins with his first discard."""
    sitting = Sitting(seats, **rules).deal({A: hand}, kishpa=kishpa, flips="K2").all_pass()
    return sitting.play(A, Discard(throw, declare=True))


@pytest.mark.parametrize(
    ("hand", "throw", "jokers", "joker_thrown", "twin_kept", "payment"),
    [
        ("R3-6 B9-11 R7 B7 K7 4x10 B13", "B13", 0, False, False, 2),
        ("R3-6 B9-11 R7 B7 * 4x10 B13", "B13", 1, False, False, 3),
        ("R3-6 B9-11 R7 * * 4x10 B13", "B13", 2, False, False, 4),
        ("R3-6 B9-11 R7 B7 K7 4x10 *", "Y5", 1, True, False, 4),
        ("R3-6 B9-11 R7 B7 * 4x10 *", "Y5", 2, True, False, 5),
        ("R3-6 B9-11 Y2 Y3 Y4 4x10 B13", "B13", 0, False, True, 3),
        ("R3-6 B9 * B11 Y2 Y3 Y4 4x10 B13", "B13", 1, False, True, 4),
        ("R3-6 B9 * B11 Y2 Y3 Y4 R10 B10 Y10 * B13", "B13", 2, False, True, 5),
        ("R3-6 B9-11 Y2 Y3 Y4 4x10 *", "Y5", 1, True, True, 5),
        ("R3-6 B9 * B11 Y2 Y3 Y4 4x10 *", "Y5", 2, True, True, 6),
    ],
)
def test_k_62_each_filled_row_of_the_win_table_pays_by_one_formula(
    hand, throw, jokers, joker_thrown, twin_kept, payment
):
    sitting = starter_wins(hand, throw, replace_when="exposed")
    (won,) = sitting.heard_last(HandWon)
    assert (won.jokers, won.joker_thrown, won.twin_kept, won.payment) == (jokers, joker_thrown, twin_kept, payment)
    assert sitting.payment() == payment


def test_ks_19_a_joker_at_its_own_face_and_the_twin_pay_four():
    hand = "R3 R4 R5 R6 B9-11 R7 B7 K7 4x10 B13"
    sitting = starter_wins(hand, "B13", kishpa="R4")
    assert sitting.payment() == 4


def test_ks_49_a_joker_thrown_from_a_hand_complete_without_it_pays_four():
    assert starter_wins(PLAIN_WIN + " *", "Y5").payment() == 4


def test_ks_50_one_joker_thrown_and_one_kept_pay_five():
    assert starter_wins(KEPT + " *", "Y5").payment() == 5


def test_k_65_the_joker_may_be_thrown_although_the_hand_works_with_it_kept():
    kept, thrown = starter_wins(KEPT + " K7", "K7"), starter_wins(KEPT + " K7", "Y5")
    assert (kept.payment(), thrown.payment()) == (3, 4)


def test_k_63_a_twin_thrown_last_does_not_count():
    sitting = starter_wins(PLAIN_WIN + " Y4", "Y4", replace_when="exposed")
    assert sitting.payment() == 2
    assert sitting.balances == (2005, 1997, 1997, 1997, 4)


def test_k_64_a_kishpa_of_one_does_not_change_the_win_payment():
    assert starter_wins(PLAIN_WIN + " B13", "B13", kishpa="Y1").payment() == 2


def test_a_joker_kept_played_in_full():
    assert starter_wins(KEPT + " B13", "B13").balances == (2011, 1995, 1995, 1995, 4)


def test_two_jokers_one_thrown_played_in_full():
    assert starter_wins(KEPT + " *", "Y5").balances == (2017, 1993, 1993, 1993, 4)


def test_k_56_who_threw_his_only_joker_gets_no_joker_bonus_at_the_end():
    sitting = Sitting().deal({B: PLAIN_WIN, C: "*"}, stock="Y5 K13")
    assert sitting.balances == (1998, 1998, 2002, 1998, 4)
    sitting.play(A, Discard(sitting.hand(A)[0])).turn(B, throw="Y5", win=True)
    assert sitting.payment() == 4
    assert sitting.balances == (1994, 2010, 1998, 1994, 4)


def test_ks_52_a_full_round_with_jokers_and_the_twin():
    win = "R3-6 B9-11 Y2 Y3 Y4 R10 B10 Y10"
    sitting = Sitting().deal({A: f"{win} B13 B12", C: "*"}, stock="K13 K12 K11 Y5 K9")
    assert sitting.balances == (1998, 1998, 2002, 1998, 4)
    sitting.play(A, Discard("B12")).turn(B).turn(C).turn(D)
    sitting.turn(A, throw="B13", win=True)
    assert sitting.payment() == 4
    assert sitting.balances == (2016, 1992, 1996, 1992, 4)


def test_ks_53_who_gave_the_joker_away_was_paid_and_who_took_it_is_paid_too():
    sitting = Sitting().deal({A: "*", B: "R3-6 B9-11 R7 B7 4x10 K13"})
    sitting.play(A, Discard("Y5")).turn(B, throw="K13", take=True, win=True)
    assert sitting.payment() == 3
    assert sitting.balances == (1998, 2010, 1994, 1994, 4)


def test_ks_55_three_players_and_two_players():
    three = starter_wins(KEPT + " B13", "B13", seats=3)
    assert three.balances == (2007, 1995, 1995, 3)
    two = starter_wins("R3-6 B9 * B11 Y2 Y3 Y4 4x10 *", "Y5", seats=2)
    assert two.balances == (2007, 1991, 2)


def test_ks_56_the_starter_may_win_with_his_first_discard():
    sitting = starter_wins(PLAIN_WIN + " B13", "B13")
    assert sitting.result.winners == (A,)
    assert sitting.balances == (2005, 1997, 1997, 1997, 4)


def test_ks_28_a_complete_hand_that_is_not_declared_plays_on():
    sitting = Sitting().deal({A: PLAIN_WIN + " B13"}, flips="K2").all_pass().play(A, Discard("B13"))
    assert sitting.result is None
    assert sitting.state.seat == B


def test_k_21_a_win_is_declared_with_the_discard_only():
    sitting = Sitting().deal({B: PLAIN_WIN}, flips="K2").all_pass()
    sitting.play(A, Discard(sitting.hand(A)[0])).refuse(B, Discard(sitting.hand(B)[0], declare=True), "K-03")
    sitting.play(B, Draw()).play(B, Discard(sitting.state.tile, declare=True))
    assert sitting.result.winners == (B,)


def test_k_22_a_false_declaration_is_refused_and_nothing_changes():
    sitting = Sitting().deal(flips="K2").all_pass()
    before = sitting.state
    sitting.refuse(A, Discard(sitting.hand(A)[0], declare=True), "K-22")
    assert sitting.state is before


def test_k_22_by_table_rule_a_false_declaration_costs_tokens_for_the_bowl_and_the_turn_goes_on():
    sitting = Sitting(false_win_penalty=5).deal(flips="K2").all_pass()
    throw = sitting.hand(A)[0]
    sitting.play(A, Discard(throw, declare=True))
    assert sitting.balances == (1994, 1999, 1999, 1999, 9)
    (denied,) = sitting.last
    assert isinstance(denied, WinDenied)
    assert [(transfer.code, transfer.clause) for transfer in denied.transfers] == [("false_win", "K-22")]
    assert throw in sitting.hand(A)
    sitting.play(A, Discard(throw))
    assert sitting.state.seat == B


def test_k_23_the_winner_lays_his_hand_open_with_the_face_of_each_wild():
    sitting = starter_wins(KEPT + " B13", "B13")
    thrown, won = sitting.last[:2]
    assert isinstance(thrown, TileDiscarded)
    assert isinstance(won, HandWon)
    laid = {meld.faces: meld.tiles for meld in won.melds}
    assert sum(len(tiles) for tiles in laid.values()) == 14
    assert any("Y5" in tiles for tiles in laid.values())
    assert sitting.views[None].won.melds == won.melds


def test_k_25_a_tile_that_is_not_held_cannot_be_thrown():
    sitting = Sitting().deal(flips="K2").all_pass()
    foreign = next(tile for tile in sitting.hand(B) if tile not in sitting.hand(A))
    unseen = next(tile for tile in sitting.state.round.stock if tile not in sitting.hand(A))
    for tile in (foreign, unseen, "Y4"):
        sitting.refuse(A, Discard(tile), "K-25")


@pytest.mark.parametrize("kind", ["joker", "doll", "twin"])
def test_k_25_a_joker_a_doll_or_the_twin_may_be_thrown_last(kind):
    tile = {"joker": "Y5", "doll": "DR", "twin": "Y4"}[kind]
    sitting = starter_wins(f"{PLAIN_WIN} {tile}", tile, replace_when="exposed")
    assert sitting.result.winners == (A,)


def test_k_15_by_table_rule_a_run_may_end_with_the_one():
    hand = "K11-13 K1 R4-6 B9-11 4x10 B13"
    sitting = Sitting(replace_when="exposed").deal({A: hand}).all_pass()
    sitting.refuse(A, Discard("B13", declare=True), "K-22")
    assert starter_wins(hand, "B13", run_wrap="high_one", replace_when="exposed").result.winners == (A,)


def test_k_24_by_table_rule_seven_pairs_win_plainly():
    hand = "R3 R3 B9 B9 K5 K5 K7 K7 R9 R9 B11 B11 Y9 Y9 B13"
    assert starter_wins(hand, "B13", seven_pairs=True).payment() == 2
    Sitting().deal({A: hand}, flips="K2").all_pass().refuse(A, Discard("B13", declare=True), "K-22")


def test_k_61_end_bonuses_come_in_an_exhausted_round_too():
    sitting = Sitting(max_turns_per_round=2, replace_when="exposed").deal(stock="Y5").all_pass()
    sitting.play(A, Discard(sitting.hand(A)[0])).turn(B, throw=sitting.hand(B)[0])
    assert sitting.result.winners == ()
    assert [(event.seat, event.row) for event in sitting.heard_last(BonusPaid)] == [(B, "joker")]
    assert sitting.balances == (1998, 2002, 1998, 1998, 4)


def test_k_50_the_twin_is_paid_at_the_end_without_a_declaration():
    sitting = Sitting(max_turns_per_round=1, replace_when="exposed").deal({D: "Y4"}).all_pass()
    sitting.play(A, Discard(sitting.hand(A)[0]))
    assert [(event.seat, event.row) for event in sitting.heard_last(BonusPaid)] == [(D, "kishpa")]


def test_k_59_a_second_joker_is_not_paid_again_but_by_copies_it_is():
    def ended(**rules: bool) -> Sitting:
        sitting = Sitting(max_turns_per_round=2, **rules).deal({B: "*"}, stock="Y5")
        return sitting.play(A, Discard(sitting.hand(A)[0])).turn(B, throw=sitting.hand(B)[0])

    assert ended().balances == (1998, 2002, 1998, 1998, 4)
    assert ended(bonus_per_copy=True).balances == (1997, 2005, 1997, 1997, 4)


def test_after_the_round_every_move_is_refused():
    sitting = starter_wins(PLAIN_WIN + " B13", "B13")
    for seat in range(4):
        for move in (Draw(), Take(), Discard("R3")):
            sitting.refuse(seat, move, "K-03")
        assert GAME.options(sitting.views[seat]) == []
