"""How often a stronger computer player beats a weaker one, head to head, over many rounds of a game.

python -m tests.bench.bots shithead normal easy --rounds 500
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from typing import Any

from domain.game import Move
from domain.games import GAMES
from tests.bench.rounds import Round


def lost(result: Any, seat: int) -> bool | None:
    """Whether `seat` lost the round with this result; None if the round had no loser."""
    if hasattr(result, "shithead"):
        return None if result.shithead is None else result.shithead == seat
    return None if not result.winners else seat not in result.winners


def duel(name: str, stronger: str, weaker: str, rounds: int, first_seed: int = 0) -> tuple[int, int, int]:
    """(rounds that the stronger one did not lose, that it lost, without a loser); seats alternate every round."""
    game, won, beaten, drawn = GAMES[name], 0, 0, 0
    for seed in range(first_seed, first_seed + rounds):
        rng, own = random.Random(seed), seed % 2
        strengths = (stronger, weaker) if own == 0 else (weaker, stronger)

        def choose(seat: int, at: Round, moves: Sequence[Move], rng=rng, strengths=strengths) -> Move:
            return game.bot.choose(strengths[seat], at.memories[seat], at.views[seat], moves, rng.randrange)

        result = Round(game, game.rules(), 2, seed // 2).play(choose, rng)
        verdict = None if result is None else lost(result, own)
        won, beaten, drawn = won + (verdict is False), beaten + (verdict is True), drawn + (verdict is None)
    return won, beaten, drawn


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("game", choices=GAMES)
    arguments.add_argument("stronger")
    arguments.add_argument("weaker")
    arguments.add_argument("--rounds", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=0)
    asked = arguments.parse_args()
    won, beaten, drawn = duel(asked.game, asked.stronger, asked.weaker, asked.rounds, asked.seed)
    print(f"{asked.game}: {asked.stronger} {won} : {beaten} {asked.weaker}, {drawn} without a loser")


if __name__ == "__main__":
    main()
