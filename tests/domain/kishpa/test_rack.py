"""The rack of a hand that is not complete: melds that are melds, no tile lost, as many laid as can be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from domain.kishpa.layout import arrangement
from domain.kishpa.melds import winning_discards
from domain.kishpa.pack import PACK, Meld, joker_of, number
from domain.kishpa.rack import laid_out
from tests.domain.kishpa.scenes import PLAIN_WIN, tiles


def is_meld(meld: Meld, joker: str) -> bool:
    """By its faces alone: neighbours of one colour, or one number in different colours; tiles show or replace them."""
    shows = all(
        tile in (face, joker) or (tile in ("DR", "DK") and face == joker)
        for tile, face in zip(meld.tiles, meld.faces, strict=True)
    )
    colours, numbers = [face[0] for face in meld.faces], [number(face) for face in meld.faces]
    if meld.kind == "set":
        fits = len(set(numbers)) == 1 and len(set(colours)) == len(colours) in (3, 4)
    else:
        fits = (
            len(set(colours)) == 1
            and len(numbers) >= 3
            and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        )
    return shows and fits


@pytest.mark.parametrize("seed", range(60))
def test_what_lies_are_melds_and_every_tile_is_there_once(seed):
    random = Random(seed)
    held, kishpa = tuple(random.sample(PACK, random.choice((14, 15)))), random.choice(PACK[:104])
    joker = joker_of(kishpa)
    rack = laid_out(held, joker)
    assert all(is_meld(meld, joker) for meld in rack.melds)
    assert Counter([tile for meld in rack.melds for tile in meld.tiles]) + Counter(rack.loose) == Counter(held)
    assert laid_out(held[::-1], joker) == rack


def test_a_hand_that_wins_lies_as_the_winning_hand():
    hand = tiles(PLAIN_WIN)
    rack = laid_out(hand, "Y5")
    assert rack.melds == arrangement(hand, "Y5")
    assert rack.loose == ()


@pytest.mark.parametrize("seed", range(12))
def test_of_a_hand_that_can_win_no_more_than_the_throw_is_loose(seed):
    spare = Random(seed).choice([tile for tile in PACK[:104] if tile not in ("Y4", "Y5")])
    hand = (*tiles(PLAIN_WIN), spare)
    assert winning_discards(hand, "Y5")
    assert len(laid_out(hand, "Y5").loose) <= 1


@pytest.mark.parametrize("seed", range(20))
def test_no_other_way_lays_more_tiles(seed):
    """Against every choice of disjoint melds among eight tiles near each other."""
    random = Random(seed)
    near = [tile for tile in PACK if tile[0] in "RB" and tile != "DR" and number(tile) <= 4] + ["Y2", "Y3", "K2"]
    held = tuple(random.sample(near, 8))
    every = [group for size in (3, 4) for group in combinations(range(8), size) if lies([held[n] for n in group])]
    most = 0
    for count in range(3):
        for groups in combinations(every, count):
            places = [place for group in groups for place in group]
            if len(set(places)) == len(places):
                most = max(most, len(places))
    assert len(held) - len(laid_out(held, "K13").loose) == most


def lies(group: list[str]) -> bool:
    ordered = sorted(group, key=lambda tile: (number(tile), tile))
    faces = tuple(ordered)
    return any(is_meld(Meld(kind, faces, faces), "K13") for kind in ("run", "set"))


def test_a_wild_is_laid_where_it_completes_a_meld_and_stays_loose_otherwise():
    rack = laid_out(("R3", "R4", "B9", "Y5", "K1"), "Y5")
    assert [(meld.tiles, meld.faces) for meld in rack.melds] == [(("Y5", "R3", "R4"), ("R2", "R3", "R4"))]
    assert rack.loose == ("B9", "K1")
    assert laid_out(("R3", "B9", "Y5", "K1"), "Y5").loose == ("R3", "B9", "Y5", "K1")


def test_an_empty_hand_has_nothing_to_lay():
    rack = laid_out((), "R1")
    assert (rack.melds, rack.loose) == ((), ())
