"""Every transfer can be explained: state, tile or round, clause, who paid whom; in both languages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from domain.kishpa.explain import BOWL, TOKENS, WHY, Scene, explain, see
from domain.kishpa.moves import Discard, Load
from domain.kishpa.payments import DOLL_ROWS
from domain.table.accounts import explained, name_of, paying
from domain.table.events import RoundVoided, SeatFreed, TransfersReversed
from domain.tokens import Booked, Transfer, reversal
from tests.domain.kishpa.scenes import PLAIN_WIN, A, B, C, Sitting
from tests.domain.kishpa.test_any_play import any_sitting

HEBREW = re.compile("[א-ת]")


def told(sitting: Sitting) -> list[tuple[Any, Transfer, dict[str, str]]]:
    """Every transfer of a sitting with its explanation."""
    scene, found = Scene(), []
    for event in sitting.told:
        scene = see(scene, event)
        if type(event) in WHY:
            found += [(event, it, dict(explain(scene, event, it))) for it in getattr(event, "transfers", ())]
    return found


def words(sitting: Sitting, code: str, lang: str = "en") -> list[str]:
    return [said[lang] for _, transfer, said in told(sitting) if transfer.code == code]


@pytest.mark.parametrize("seed", range(25))
def test_every_transfer_of_random_play_names_its_clause_its_amount_and_both_sides(seed):
    everything = told(any_sitting(seed))
    assert everything
    for event, transfer, said in everything:
        for lang, text in said.items():
            assert transfer.clause in text
            assert str(transfer.amount) in text or transfer.amount == 1
            assert "{" not in text
            for account in (transfer.payer, transfer.payee):
                assert name_of(account)[lang].removeprefix("ה") in text.lower()
        assert HEBREW.search(said["he"])
        assert not HEBREW.search(said["en"])
        if type(event).__name__ not in ("AccountsOpened", "TokensLoaded"):
            assert re.match(r"Round [1-9]", said["en"])


def test_a_joker_is_explained_by_the_moment_the_round_and_the_tile():
    sitting = Sitting().deal({B: "*"}, kishpa="R5")
    assert words(sitting, "bonus_joker")[0] == (
        "Round 1, after the deal seat 1 holds a joker, red 6 (R6): seat 2 pays seat 1 1 token (K-32)."
    )
    assert words(sitting, "bonus_joker", "he")[0] == (
        "סיבוב 1, אחרי החלוקה מושב 1 מחזיק ג'וקר, 6 אדום (R6): אסימון אחד ממושב 2 למושב 1 (K-32)."
    )


def test_a_contribution_says_why_it_is_doubled():
    assert words(Sitting().deal(kishpa="Y1"), "contribution")[0] == (
        "Round 1, contribution, doubled because the kishpa is a 1, kishpa yellow 1 (Y1): "
        "seat 0 pays the bowl 2 tokens (K-31)."
    )


def test_a_win_is_explained_part_by_part():
    sitting = Sitting().deal({A: f"{PLAIN_WIN} *"}, kishpa="Y4")
    sitting.play(A, *[move for move in moves(sitting, A) if move.declare and move.tile == "Y5"])
    assert words(sitting, "win")[0] == (
        "Round 1, seat 0 wins 4 (2 for the win + 1 for jokers among the fifteen + 1 for a joker thrown): "
        "seat 1 pays seat 0 4 tokens (K-62)."
    )


def moves(sitting: Sitting, seat: int) -> list[Any]:
    from domain.kishpa import GAME

    return GAME.options(sitting.views[seat])


def test_a_row_at_the_end_and_one_after_a_replacement_say_so():
    sitting = Sitting().deal({C: "Y4", A: "K3"}, kishpa="Y4", flips="K2").all_pass()
    assert words(sitting, "bonus_joker")[0].startswith("Round 1, after the kishpa was replaced seat 0 holds a joker")
    sitting = Sitting(max_turns_per_round=1).deal({A: "Y4", B: "*"}, kishpa="Y4")
    sitting.play(A, Discard(sitting.hand(A)[0]))
    assert words(sitting, "bonus_kishpa")[0] == (
        "Round 1, at the end of the round seat 0 holds the kishpa's twin, yellow 4 (Y4): "
        "seat 1 pays seat 0 1 token (K-50)."
    )


def test_both_kinds_of_load_are_told_apart():
    asked = words(Sitting().play(B, Load()), "load")
    assert asked == ["A load that was asked for: the bank pays seat 1 50 tokens (K-80)."]
    forced = words(Sitting(starting_tokens=0, shortfall="auto_load").deal(), "load")
    assert forced[0] == "Too little to pay with, so a load came by itself: the bank pays seat 0 50 tokens (K-81)."


def test_every_way_that_the_bowl_is_paid_has_its_words():
    assert set(BOWL) == {
        ("bowl_won", "K-67"),
        ("bowl_won", "K-70"),
        ("bowl_won", "K-83"),
        ("bowl_split", "K-70"),
        ("bowl_split", "K-71"),
        ("bowl_split", "K-73"),
    }
    split = words(Sitting().won_round(A).call_last_round().won_round(B), "bowl_split")
    assert split[0] == (
        "Round 2, the last bowl is split, for another than the previous winner won: "
        "the bowl pays seat 1 2 tokens (K-70)."
    )


def test_dolls_are_named_by_their_colour():
    sitting = Sitting().deal({B: "DR"}, kishpa="R5")
    assert "the red doll (DR)" in words(sitting, f"bonus_{DOLL_ROWS[0][1]}")[0]
    assert "הבובה האדומה" in words(sitting, f"bonus_{DOLL_ROWS[0][1]}", "he")[0]


def test_what_the_table_gives_back_names_the_transfer_that_it_undoes():
    back = reversal(Booked(57, 2, Transfer("seat:0", "bowl", 1, "contribution", "K-31")), "G-11")
    voided, freed = RoundVoided(3, {}, (), (back,)), SeatFreed(0, (back,))
    assert explained(voided, back) == {
        "en": "Round 3 was voided; transfer 2 of line 57 is given back: the bowl pays seat 0 1 token (G-11).",
        "he": "סיבוב 3 בוטל; העברה 2 של שורה 57 מוחזרת: אסימון אחד מהקערה למושב 0 (G-11).",
    }
    assert explained(freed, back)["en"].startswith("Seat 0 got up before the start; transfer 2 of line 57")
    assert explained(TransfersReversed((back,)), back)["he"].startswith("הסיבוב בוטל")
    assert paying(back)["en"] == "the bowl pays seat 0 1 token (G-11)."


def test_every_event_with_transfers_can_be_explained():
    from domain.kishpa.events import EVENTS

    assert {event for event in EVENTS if "transfers" in event.__struct_fields__} == set(WHY)
    assert TOKENS.worth == {"ILS": 2}
