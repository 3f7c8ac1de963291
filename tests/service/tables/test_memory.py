"""What a table in memory weighs, with the views of all seats and of the public: ten thousand are kept at once."""

import asyncio

import pytest

from domain.games import GAMES
from tests.bench.memory import measure

KIB_MAX = 20


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_four_in_mid_round_weighs_less_than_20_kib(game):
    asyncio.run(measure(game, tables=5, seats=4, moves=60))  # what all tables share is made at its first use
    kib, playing = asyncio.run(measure(game, tables=80, seats=4, moves=60))  # so many that no deal makes the mean
    assert playing
    assert 5 < kib < KIB_MAX
