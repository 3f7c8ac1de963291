"""The top of the pile and what fits on it, against the rules written down a second time."""

import random
from typing import Any

import pytest

from domain.shithead import pile
from domain.shithead.moves import Play
from domain.shithead.rules import ShitheadRules
from tests.domain.shithead.scenes import cards, given, playing

B, C, D = "KC KD KH", "QC QD QH", "JC JD JH"


def played(hand, lying, *named: str, others=(B, C), **rules: Any):
    return given(playing(hand, *others, lying=lying, **rules)).when(0, Play(named))


SEEN_THROUGH: dict[str, Any] = {"three_transparent": True, "four_sees_through_threes": True}


def run_counted_downwards(rules, lying):
    """S-11 and S-32 as they are written: count the top card's rank from the top of the pile downwards."""
    top = lying[-1][:-1]
    count = 0
    for card in reversed(lying):
        rank = card[:-1]
        if rank == top:
            count += 1
        elif not (rules.four_sees_through_threes and top != "3" and rank == "3"):
            break
    return count


def met_looking_down(rules, lying):
    """B3c 4 as it is written: the first card from the top that is no 3 (if 3s are transparent)."""
    ranks = [card[:-1] for card in reversed(lying)]
    return next((rank for rank in ranks if not (rules.three_transparent and rank == "3")), None)


@pytest.mark.parametrize("rules", [{}, {"three_transparent": True}, SEEN_THROUGH])
def test_the_top_is_what_looking_down_the_pile_finds(rules):
    """The top is folded play by play; here it is compared with the whole pile, over 5,000 random piles."""
    table, rng = ShitheadRules(**rules), random.Random(1)
    for _ in range(5_000):
        top = pile.EMPTY
        lying: tuple[str, ...] = ()
        for _ in range(rng.randint(1, 9)):
            rank, count = rng.choice(["3", "3", "7", "8", "A"]), rng.choice([1, 1, 1, 2])
            laid = tuple(rank + suit for suit in "CDHS"[:count])
            top, lying = pile.laid(table, top, laid), lying + laid
            assert top.card == lying[-1]
            assert top.to_beat == met_looking_down(table, lying)
            assert top.run == run_counted_downwards(table, lying)


def fits_as_written(rules, lying, rank):
    """B3c, line by line."""
    order = {r: n for n, r in enumerate(["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"], 2)}
    if not lying or rank == "2" or (rules.three_transparent and rank == "3"):
        return True
    met = met_looking_down(rules, lying)
    if met is None or met == "2":
        return True
    if rules.seven_lower and met == "7":
        return order[rank] <= 7 or (rank == "10" and rules.ten_on_seven)
    return rank == "10" or order[rank] >= order[met]


@pytest.mark.parametrize("seven_lower", [True, False])
@pytest.mark.parametrize("ten_on_seven", [True, False])
@pytest.mark.parametrize("three_transparent", [True, False])
def test_every_rank_on_every_pile_of_two_cards_is_judged_as_written(seven_lower, ten_on_seven, three_transparent):
    ranks = ["2", "3", "4", "7", "8", "J", "A"]
    rules = {"seven_lower": seven_lower, "ten_on_seven": ten_on_seven, "three_transparent": three_transparent}
    for rank in [*ranks, "10", "K", "5"]:
        for lower in ["", *(f"{r}C" for r in ranks)]:
            for upper in ["", *(f"{r}D" for r in ranks)]:
                lying = f"{lower} {upper}"
                scene = played(f"{rank}S 9S", lying, f"{rank}S", **rules)
                assert (scene.refusal is None) == fits_as_written(ShitheadRules(**rules), cards(lying), rank), lying
