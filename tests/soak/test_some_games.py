"""A handful of the games that `python -m tests.soak` plays by the thousand."""

from __future__ import annotations

import pytest

from domain.games import GAMES
from tests.soak.games import Tally, one


@pytest.mark.parametrize("game", GAMES)
def test_random_games_over_all_table_rules_lose_no_card_and_come_to_their_end(game: str):
    total = Tally()
    for number in range(15):
        total += one((game, number))
    assert total.games == 15
    assert total.rounds >= 5
    assert total.lines > 500
