"""The provable shuffle: its published vector, and the mistakes of others as tests."""

from itertools import islice

import pytest

from domain.fair import WORD_LIMIT, Dice, below, commitment, round_key

GAME = "0190b6a4-1111-7abc-8def-000000000001"
OTHER = "0190b6a4-1111-7abc-8def-000000000002"
SEED = bytes(range(32))
SEATS = {0: "alice-seed-000000", 1: None, 2: "carol-seed-000000"}
WAYS: list[dict[int, str | None]] = [
    {0: "a", 1: "b"},
    {0: "ab", 1: None},
    {0: None, 1: "ab"},
    {0: "a", 1: "b", 2: None},
]
DICE = Dice(round_key(GAME, 1, SEED, SEATS))


def test_the_commitment_of_the_vector():
    assert commitment(GAME, 1, SEED) == "c1be1084cbdc9d830a79d27b2ab16ff2bcaffefb265024606623e67d35c455eb"


def test_the_key_of_the_vector():
    assert DICE.key.hex() == "61710f34f360dc4ffeae55b8b15bfa37810d7529b526334f330a2a57f0495f57"


def test_the_words_and_shuffles_of_the_vector():
    assert list(islice(DICE.words("deck"), 4)) == [3578060392, 3434420059, 3617384248, 3903398011]
    deck = (
        "6 15 29 14 35 26 44 20 10 28 27 1 17 9 3 49 2 18 39 43 32 13 0 45 23 19 33 48 5 41 52 42 8 50 21 38 30 53 12 "
        "51 37 22 11 16 24 31 47 4 40 7 46 36 25 34"
    )
    assert DICE.shuffle("deck", range(54)) == tuple(map(int, deck.split()))
    assert DICE.shuffle("reshuffle:1", range(10)) == (0, 1, 9, 4, 7, 6, 2, 3, 5, 8)
    assert list(islice(DICE.numbers("first-player", 5), 8)) == [3, 0, 0, 2, 2, 1, 0, 1]
    assert DICE.below("first-player", 5) == 3


@pytest.mark.parametrize(
    ("game", "round_", "seed"), [(OTHER, 1, SEED), (GAME, 2, SEED), (GAME, 1, bytes(32))], ids=["game", "round", "seed"]
)
def test_a_commitment_binds_table_round_and_seed(game, round_, seed):
    assert commitment(game, round_, seed) != commitment(GAME, 1, SEED)
    assert round_key(game, round_, seed, SEATS) != DICE.key


@pytest.mark.parametrize("seats", WAYS)
def test_each_way_of_giving_seat_seeds_has_its_own_key(seats):
    others: list[dict[int, str | None]] = [way for way in WAYS if way != seats]
    assert len(others) == len(WAYS) - 1
    assert round_key(GAME, 1, SEED, seats) not in [round_key(GAME, 1, SEED, way) for way in others]


def test_words_past_the_last_whole_multiple_are_thrown_away():
    limit = 3 * (1 << 30)  # 2^32 mod limit = 2^30, so the top quarter of all words is unfair
    words = iter([WORD_LIMIT - 1, WORD_LIMIT - (1 << 30), 5])
    assert below(words, limit) == 5


def test_streams_of_different_purposes_do_not_touch_each_other():
    assert DICE.shuffle("deck", range(54)) == DICE.shuffle("deck", range(54))
    assert DICE.shuffle("reshuffle:2", range(54)) != DICE.shuffle("reshuffle:1", range(54))


def test_every_place_is_as_likely_for_every_card():
    """Chi-square over 5,000 shuffles of ten cards: 81 degrees of freedom, 99.99 % below 137."""
    counts = [[0] * 10 for _ in range(10)]
    for n in range(5_000):
        for place, card in enumerate(Dice(n.to_bytes(32, "big")).shuffle("deck", range(10))):
            counts[card][place] += 1
    chi_square = sum((count - 500) ** 2 / 500 for row in counts for count in row)
    assert 40 < chi_square < 137
