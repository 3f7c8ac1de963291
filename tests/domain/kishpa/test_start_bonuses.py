import pytest

from domain.kishpa.events import BonusPaid, ContributionsPaid, ExposureOpened
from domain.kishpa.moves import Pass
from tests.domain.kishpa.scenes import A, B, C, D, Sitting


def rows(sitting: Sitting) -> list[tuple[int, str, int]]:
    return [(event.seat, event.row, event.copies) for event in sitting.told if isinstance(event, BonusPaid)]


def test_ks_29_without_anything_special_only_the_contributions_are_paid():
    sitting = Sitting().deal(kishpa="B7")
    assert sitting.balances == (1999, 1999, 1999, 1999, 4)
    assert rows(sitting) == []


def test_k_31_the_contribution_is_paid_once_clockwise_from_the_starter():
    sitting = Sitting().deal(creator=C)
    (paid,) = [event for event in sitting.told if isinstance(event, ContributionsPaid)]
    assert [transfer.payer for transfer in paid.transfers] == ["seat:2", "seat:3", "seat:0", "seat:1"]
    assert {(transfer.payee, transfer.amount, transfer.code, transfer.clause) for transfer in paid.transfers} == {
        ("bowl", 1, "contribution", "K-31")
    }


def test_ks_31_a_doll_pays_only_with_a_kishpa_of_its_colour():
    assert Sitting().deal({B: "DK"}, kishpa="R5").balances == (1999, 1999, 1999, 1999, 4)
    assert Sitting().deal({B: "DK", C: "DR"}, kishpa="B7").balances == (1999, 1999, 1999, 1999, 4)
    assert Sitting().deal({B: "DR"}, kishpa="R5").balances == (1998, 2002, 1998, 1998, 4)
    assert Sitting().deal({B: "DK"}, kishpa="K5").balances == (1998, 2002, 1998, 1998, 4)


def test_k_34_by_table_rule_a_doll_always_pays():
    sitting = Sitting(doll_bonus="always").deal({B: "DK DR"}, kishpa="B7")
    assert sitting.balances == (1997, 2005, 1997, 1997, 4)
    assert rows(sitting) == [(B, "red_doll", 1), (B, "black_doll", 1)]


def test_ks_32_each_holder_of_a_joker_is_paid_by_the_others():
    sitting = Sitting().deal({A: "R6", B: "R6"}, kishpa="R5")
    assert sitting.balances == (2001, 2001, 1997, 1997, 4)


def test_k_33_two_jokers_in_one_hand_are_one_state():
    assert Sitting().deal({A: "R6 R6"}, kishpa="R5").balances == (2002, 1998, 1998, 1998, 4)


def test_k_33_by_table_rule_each_copy_is_paid():
    sitting = Sitting(bonus_per_copy=True).deal({A: "R6 R6 R1 R1"}, kishpa="R5")
    assert sitting.balances == (2011, 1995, 1995, 1995, 4)
    assert rows(sitting) == [(A, "joker", 2), (A, "one", 2)]


def test_ks_34_with_kishpa_thirteen_the_joker_is_a_one_as_well():
    sitting = Sitting().deal({B: "R1"}, kishpa="R13")
    assert sitting.balances == (1997, 2005, 1997, 1997, 4)
    assert rows(sitting) == [(B, "joker", 1), (B, "one", 1)]


def test_ks_35_with_kishpa_one_the_contribution_and_the_one_row_are_doubled():
    sitting = Sitting().deal({C: "K2", D: "K1"}, kishpa="K1")
    assert sitting.balances == (1995, 1995, 1999, 2003, 8)
    assert not any(isinstance(event, ExposureOpened) for event in sitting.told)


def test_ks_37_while_a_joker_is_held_the_twin_brings_nothing_at_the_start():
    sitting = Sitting().deal({C: "R5", B: "R6"}, kishpa="R5")
    assert sitting.balances == (1998, 2002, 1998, 1998, 4)
    assert not any(isinstance(event, ExposureOpened) for event in sitting.told)
    sitting.refuse(C, Pass(), "K-03")


def test_k_36_the_holder_is_paid_by_every_other_player_clockwise_from_him():
    sitting = Sitting().deal({C: "R6"}, kishpa="R5")
    (paid,) = [event for event in sitting.told if isinstance(event, BonusPaid)]
    assert [transfer.payer for transfer in paid.transfers] == ["seat:3", "seat:0", "seat:1"]
    assert {(transfer.payee, transfer.amount, transfer.code) for transfer in paid.transfers} == {
        ("seat:2", 1, "bonus_joker")
    }


def test_k_39_rows_come_doll_joker_one_and_receivers_clockwise_from_the_starter():
    sitting = Sitting().deal({A: "R6 R1", B: "DR", C: "R6", D: "R1"}, kishpa="R5", creator=C)
    assert rows(sitting) == [
        (B, "red_doll", 1),
        (C, "joker", 1),
        (A, "joker", 1),
        (D, "one", 1),
        (A, "one", 1),
    ]


def test_k_10_a_doll_is_no_joker_no_one_and_no_kishpa_in_any_payment():
    assert rows(Sitting().deal({A: "DR DK"}, kishpa="Y13")) == []


def test_k_40_by_table_rule_the_kishpa_row_is_paid_at_the_start_even_beside_a_joker():
    sitting = Sitting(kishpa_start="always").deal({C: "R5", B: "R6"}, kishpa="R5")
    assert rows(sitting) == [(B, "joker", 1), (C, "kishpa", 1)]
    assert sitting.balances == (1997, 2001, 2001, 1997, 4)


@pytest.mark.parametrize(("rule", "paid"), [("separate", ["one", "kishpa"]), ("merged", ["one"])])
def test_k_37_by_table_rule_the_twin_of_a_one_is_only_a_one(rule, paid):
    sitting = Sitting(kishpa_start="always", kishpa_one=rule).deal({C: "K2", D: "K1"}, kishpa="K1")
    assert [row for seat, row, _ in rows(sitting) if seat == D] == paid
