from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kishpa.distance import helping_tiles, tiles_away
from domain.kishpa.layout import arrangement
from domain.kishpa.melds import is_complete, winning_discards
from domain.kishpa.pack import DOLLS, FACES, PACK, Meld, joker_of
from tests.domain.kishpa.hands import any_hand, every_hand, near_hand, winning_hand
from tests.domain.kishpa.splitter import away, faces_of, is_run, is_set, winning_throws, wins


def hand(text: str, kishpa: str) -> tuple[str, ...]:
    """Tiles from short text: `R3-6` a run, `4x10` a set of all colours, `*` a joker."""
    tiles: list[str] = []
    for word in text.split():
        if word == "*":
            tiles.append(joker_of(kishpa))
        elif word.startswith("4x"):
            tiles += [f"{colour}{word[2:]}" for colour in "RBYK"]
        elif "-" in word:
            first, last = map(int, word[1:].split("-"))
            tiles += [f"{word[0]}{number}" for number in range(first, last + 1)]
        else:
            tiles.append(word)
    return tuple(tiles)


def complete(text: str, kishpa: str, *, wrap: bool = False, seven_pairs: bool = False) -> bool:
    tiles = hand(text, kishpa)
    assert len(tiles) == 14
    found = is_complete(tiles, joker_of(kishpa), wrap=wrap, seven_pairs=seven_pairs)
    laid = arrangement(tiles, joker_of(kishpa), wrap=wrap, seven_pairs=seven_pairs)
    assert (laid is not None) == found
    if laid is not None and not seven_pairs:
        assert_lies(laid, tiles, joker_of(kishpa), wrap=wrap)
    return found


def assert_lies(laid: tuple[Meld, ...], tiles: tuple[str, ...], joker: str, *, wrap: bool = False) -> None:
    """The melds are melds, made of just these tiles, each tile showing the face it may stand for."""
    assert Counter(tile for meld in laid for tile in meld.tiles) == Counter(tiles)
    for meld in laid:
        assert is_run(meld.faces, wrap=wrap) if meld.kind == "run" else is_set(meld.faces)
        assert None not in meld.faces
        for tile, face in zip(meld.tiles, meld.faces, strict=True):
            assert tile == joker or (joker if tile in DOLLS else tile) == face
    assert any(meld.kind == "run" and len(meld.tiles) >= 4 for meld in laid)


def test_ks_07_two_runs_and_two_sets_with_a_run_of_four_win():
    assert complete("R3-6 B9-11 R7 B7 K7 R10 B10 Y10 K10", "B2")


def test_ks_08_runs_of_three_alone_do_not_win():
    assert not complete("R1-3 B5-7 4x9 4x12", "Y4")


def test_ks_10_a_set_must_give_a_tile_to_the_run():
    assert complete("R3-6 B6 Y6 K6 B9-11 4x12", "Y2")


def test_ks_11_a_run_of_six_need_not_be_cut_in_two():
    assert complete("R1-6 4x7 4x12", "B2")


def test_ks_13_a_wild_may_begin_a_run():
    assert complete("K12 K13 * B4-7 R9 B9 K9 4x10", "Y2")
    laid = arrangement(hand("K12 K13 * B4-7 R9 B9 K9 4x1", "Y2"), "Y3")
    assert laid is not None
    assert Meld("run", ("Y3", "K12", "K13"), ("K11", "K12", "K13")) in laid


def test_ks_14_a_doll_stands_for_the_joker_face_in_a_run():
    assert complete("B3 B4 DR B6 R9-11 R7 B7 K7 4x10", "B4")


def test_ks_16_a_doll_stands_for_the_joker_face_in_a_set():
    assert complete("DR B6 K6 R1-4 B9-11 4x10", "R5")


def test_ks_17_two_dolls_are_one_colour_and_make_no_set():
    assert not complete("DR DK B6 R1-4 B9-11 4x10", "R5")


def test_ks_19_a_joker_may_stand_for_its_own_face():
    assert complete("R3 R4 R5 R6 B9-11 R7 B7 K7 4x10", "R4")


def test_ks_20_two_wilds_make_a_set_with_one_tile():
    assert complete("R3-6 B9-11 R7 * * 4x10", "B2")


def test_ks_21_a_set_may_not_hold_a_colour_twice():
    assert not complete("R13 Y13 K13 K13 R1-4 B9-11 Y5-7", "B2")


def test_ks_22_the_same_run_twice_wins():
    assert complete("R1-7 R1-7", "Y4")


def test_ks_23_seven_pairs_win_only_by_table_rule():
    pairs = "R1 R1 B3 B3 Y5 Y5 K7 K7 R9 R9 B11 B11 Y2 Y2"
    assert not complete(pairs, "Y12")
    assert complete(pairs, "Y12", seven_pairs=True)


def test_k_24_a_wild_completes_a_pair_and_two_wilds_are_one():
    assert complete("R1 * B3 B3 Y5 Y5 K7 K7 R9 R9 B11 B11 Y2 *", "Y12", seven_pairs=True)
    assert complete("* * B3 B3 Y5 Y5 K7 K7 R9 R9 B11 B11 Y2 Y2", "Y12", seven_pairs=True)
    assert complete("DR DK B3 B3 Y5 Y5 K7 K7 R9 R9 B11 B11 Y2 Y2", "Y12", seven_pairs=True)
    assert not complete("R1 B1 B3 B3 Y5 Y5 K7 K7 R9 R9 B11 B11 Y2 Y2", "Y12", seven_pairs=True)
    laid = arrangement(hand("R1 * B3 B3 Y5 Y5 K7 K7 R9 R9 B11 B11 Y2 *", "Y12"), "Y13", seven_pairs=True)
    assert laid is not None
    assert Meld("pair", ("R1", "Y13"), ("R1", "R1")) in laid
    assert {len(meld.tiles) for meld in laid} == {2}


def test_k_24_seven_pairs_are_fourteen_tiles():
    assert not is_complete(("R1", "R1"), "Y13", seven_pairs=True)
    assert winning_discards(hand("R1 R1 B3 B3 Y5 Y5 K7 K7 R9 R9 B11 B11 Y2 Y2 K1", "Y12"), "Y13", seven_pairs=True) == (
        "K1",
    )


def test_ks_25_winning_discards_are_exactly_those_that_leave_a_win():
    tiles = hand("R3-7 B9-11 R7 B7 K7 4x10", "Y2")
    assert winning_discards(tiles, "Y3") == ("R3", "R7", "R10", "B10", "Y10", "K10")


@given(st.integers(0, 10**9), st.sampled_from(FACES))
def test_ks_26_a_wild_more_keeps_a_hand_with_an_extendable_run_valid(seed, kishpa):
    joker = joker_of(kishpa)
    tiles = tuple(tile for tile in winning_hand(Random(seed)) if tile != joker)
    if is_complete(tiles, joker):
        assert is_complete((*tiles, joker), joker)
        assert is_complete((*tiles, joker, joker), joker)


def test_k_15_a_run_goes_round_to_the_one_only_by_table_rule():
    assert not complete("K11-13 K1 R4-6 B9-11 4x10", "Y2")
    assert complete("K11-13 K1 R4-6 B9-11 4x10", "Y2", wrap=True)
    assert complete("K12 * K1 R4-6 R7 B9-11 4x10", "Y2", wrap=True)
    assert not complete("K13 K1 K2 R4-7 B9-11 4x10", "Y2", wrap=True)


def test_wilds_left_over_lengthen_the_long_run_at_its_high_end_or_else_below():
    high = arrangement(hand("R1-6 B2 Y2 K2 4x9 *", "B2"), "B3")
    assert high is not None
    assert Meld("run", (*hand("R1-6", "B2"), "B3"), hand("R1-7", "B2")) in high
    low = arrangement(hand("K8-13 R5 B5 Y5 4x2 *", "B2"), "B3")
    assert low is not None
    assert Meld("run", ("B3", *hand("K8-13", "B2")), hand("K7-13", "B2")) in low


def test_k_16_a_run_of_thirteen_wins_with_a_wild():
    assert complete("R1-13 *", "B2")


def test_k_14_two_wilds_side_by_side():
    assert complete("R1 * * R4 B9-11 R7 B7 K7 4x10", "B2")


@pytest.mark.parametrize("wilds", [0, 1, 2])
@pytest.mark.parametrize(
    ("colours", "numbers", "wrap"),
    [("RB", (1, 2, 3, 4), False), ("RK", (10, 11, 12, 13), False), ("RK", (1, 11, 12, 13), True)],
)
def test_every_hand_of_a_small_pack_is_judged_like_the_plain_splitter(colours, numbers, wrap, wilds):
    found = Counter[bool]()
    for tiles in every_hand(colours, numbers, wilds, most=8):
        expected = wins(faces_of(tiles, "Y9"), wrap=wrap)
        assert is_complete(tiles, "Y9", wrap=wrap) == expected, tiles
        found[expected] += 1
    assert min(found[False], found[True]) > 10


@pytest.mark.parametrize("wrap", [False, True])
def test_discards_of_random_hands_agree_with_the_plain_splitter(wrap):
    random, won = Random(20), 0
    for make in (any_hand, near_hand) * 60:
        tiles, joker = make(random)
        found = winning_discards(tiles, joker, wrap=wrap)
        assert set(found) == winning_throws(tiles, joker, wrap=wrap), (tiles, joker)
        won += bool(found)
    assert won > 10


@pytest.mark.parametrize("wrap", [False, True])
def test_an_arrangement_lies_as_the_rules_say(wrap):
    random, laid = Random(21), 0
    for _ in range(150):
        tiles, joker = near_hand(random, tiles=14)
        melds = arrangement(tiles, joker, wrap=wrap)
        assert (melds is not None) == is_complete(tiles, joker, wrap=wrap)
        if melds is not None:
            assert_lies(melds, tiles, joker, wrap=wrap)
            laid += 1
    assert laid > 30


def test_a_hand_is_judged_the_same_in_every_order():
    random = Random(22)
    for _ in range(100):
        tiles, joker = near_hand(random)
        shuffled = tuple(random.sample(tiles, len(tiles)))
        assert winning_discards(tiles, joker) == winning_discards(shuffled, joker)


@pytest.mark.parametrize("wrap", [False, True])
def test_the_distance_of_small_hands_is_the_plain_splitters(wrap):
    for wilds in (0, 1):
        for tiles in every_hand("RK", (1, 12, 13), wilds, most=6):
            if len(tiles) >= 4:
                assert tiles_away(tiles, "Y9", wrap=wrap) == away(tiles, "Y9", wrap=wrap), tiles


def test_the_distance_of_near_hands_is_the_plain_splitters():
    random = Random(23)
    for _ in range(12):
        tiles, joker = near_hand(random, tiles=14)
        if (found := tiles_away(tiles, joker)) <= 2:
            assert found == away(tiles, joker)


def test_helping_tiles_are_exactly_those_that_bring_a_hand_nearer():
    random = Random(24)
    for make in (near_hand, near_hand, any_hand) * 4:
        tiles, joker = make(random, tiles=14)
        here = tiles_away(tiles, joker)
        nearer = {tile for tile in dict.fromkeys(PACK) if tiles_away((*tiles, tile), joker) < here}
        assert set(helping_tiles(tiles, joker)) == nearer
        assert bool(nearer) == bool(here)


def test_one_tile_away_means_that_a_helping_tile_wins():
    tiles = hand("R3-6 B1 B2 R7 B7 K7 4x10 Y5", "Y2")
    assert tiles_away(tiles, "Y3") == 1
    assert helping_tiles(tiles, "Y3") == ("B3", "Y3")
    assert winning_discards((*tiles, "B3"), "Y3") == ("Y5",)


def test_seven_pairs_count_for_the_distance_by_table_rule():
    tiles = hand("R1 R1 B3 B3 Y5 Y5 K7 K7 R9 R9 B11 B11 Y2 K12", "Y12")
    assert tiles_away(tiles, "Y13", seven_pairs=True) == 1
    assert tiles_away(tiles, "Y13") > 1
    assert helping_tiles(tiles, "Y13", seven_pairs=True) == ("Y2", "Y13", "K12")
