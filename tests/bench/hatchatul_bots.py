"""How often a stronger computer player of Hatchatul beats a weaker one, over whole games of two.

python -m tests.bench.hatchatul_bots hard normal --games 1000
"""

from __future__ import annotations

import argparse
import random
from typing import Any

from domain import times
from domain.fair import Dice
from domain.game import STRENGTHS, Deal, Event
from domain.hatchatul import GAME
from domain.hatchatul.rules import HatchatulRules, Mode
from tests.bench.rounds import heard

AT = "2026-11-30T12:00:00.000000Z"


class Match:
    """One game from its first deal to its end, each seat played by a strength."""

    def __init__(self, strengths: tuple[str, ...], rules: HatchatulRules, seed: int) -> None:
        self.strengths, self.rng, self.seed = strengths, random.Random(seed), seed
        self.state: Any = GAME.initial(rules, len(strengths))
        self.seats = range(len(strengths))
        self.views = [GAME.empty_view(rules, len(strengths), seat) for seat in self.seats]
        self.memories = [GAME.bot.memory(rules, seat) for seat in self.seats]
        self.at, self.moves, self.rounds = AT, 0, 0

    def hear(self, events: list[Event]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            for seat in self.seats:
                if heard(event, seat):
                    self.views[seat] = GAME.see(self.views[seat], event)
                    self.memories[seat] = GAME.bot.remember(self.memories[seat], event)

    def play(self) -> tuple[int, ...]:
        """The seats that win the game."""
        while not GAME.finished(self.state):
            self.rounds += 1
            dice = Dice((self.seed * 1_000 + self.rounds).to_bytes(32, "big"))
            deck = dice.shuffle("deck", GAME.pack(None, len(self.strengths)))
            self.hear(GAME.deal(self.state, Deal(self.rounds, tuple(self.seats), deck, dice, self.at, 0)))
            while GAME.over(self.state) is None:
                self.step(dice)
        result = GAME.over(self.state)
        assert result is not None
        return result.leaders

    def step(self, dice: Dice) -> None:
        self.at = times.later(self.at, milliseconds=10)
        seat = GAME.to_act(self.views[0])[0]
        view, memory = self.views[seat], self.memories[seat]
        move = GAME.bot.choose(self.strengths[seat], memory, view, GAME.options(view), self.rng.randrange)
        self.hear(GAME.decide(self.state, seat, move, self.at, dice))
        self.moves += 1


def duel(stronger: str, weaker: str, games: int, mode: Mode, first_seed: int = 0) -> tuple[int, int, int]:
    """(won by the stronger, lost by it, shared); the seats change every game."""
    won = lost = 0
    for number in range(games):
        own = number % 2
        strengths = (stronger, weaker) if own == 0 else (weaker, stronger)
        winners = Match(strengths, HatchatulRules(mode=mode), first_seed + number).play()
        won, lost = won + (winners == (own,)), lost + (own not in winners)
    return won, lost, games - won - lost


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("stronger", choices=STRENGTHS)
    arguments.add_argument("weaker", choices=STRENGTHS)
    arguments.add_argument("--games", type=int, default=1_000)
    arguments.add_argument("--limit", type=int, default=100, help="points that put a player out")
    arguments.add_argument("--seed", type=int, default=0)
    asked = arguments.parse_args()
    won, lost, shared = duel(asked.stronger, asked.weaker, asked.games, Mode(elimination=asked.limit), asked.seed)
    print(f"{asked.stronger} {won} : {lost} {asked.weaker}, {shared} shared, of {asked.games} games")


if __name__ == "__main__":
    main()
