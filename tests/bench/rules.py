"""How fast the rules are: decide, evolve and one seat's view, over random legal rounds, on one core.

    python -m tests.bench.rules            every game
    python -m tests.bench.rules shithead   one

Rounds are played first, untimed, by random legal moves; then their commands are decided again, timed by the
processor's clock, so that a busy machine does not blur the figure.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence

from domain.game import Game, Move
from domain.games import GAMES
from tests.bench.rounds import Round, heard


def random_choice(rng: random.Random):
    def choose(_seat: int, _round: Round, moves: Sequence[Move]) -> Move:
        return moves[rng.randrange(len(moves))]

    return choose


def replayed(round_: Round) -> tuple[int, float]:
    """(commands, processor seconds) of deciding, folding and seeing them again for seat 0."""
    game, dice = round_.game, round_.dice
    decide, evolve, see, when_due, due = game.decide, game.evolve, game.see, game.when_due, game.due
    state = game.initial(round_.rules, round_.seats)
    view = game.empty_view(round_.rules, round_.seats, 0)
    for event in round_.dealt:
        state = evolve(state, event)
        view = see(view, event) if heard(event, 0) else view
    started = time.process_time()
    for step in round_.steps:
        if step.seat is None:
            awaited = due(state)
            assert awaited is not None
            events = when_due(state, awaited, step.at, dice)
        else:
            events = decide(state, step.seat, step.move, step.at, dice)
        for event in events:
            state = evolve(state, event)
            if heard(event, 0):
                view = see(view, event)
    took = time.process_time() - started
    assert view == round_.views[0], "the replay went another way"
    return len(round_.steps), took


def measure(game: Game, rounds: int, seats: int) -> tuple[int, float]:
    """(commands, seconds) over so many random rounds."""
    commands, seconds = 0, 0.0
    for seed in range(rounds):
        rng = random.Random(seed)
        round_ = Round(game, game.rules(), seats, seed)
        round_.play(random_choice(rng), rng)
        more, took = replayed(round_)
        commands, seconds = commands + more, seconds + took
    return commands, seconds


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("games", nargs="*", default=list(GAMES))
    arguments.add_argument("--rounds", type=int, default=50)
    arguments.add_argument("--seats", type=int, default=4)
    asked = arguments.parse_args()
    for name in asked.games:
        commands, seconds = measure(GAMES[name], asked.rounds, asked.seats)
        print(f"{name}: {commands} moves in {seconds:.2f} s, {commands / seconds:,.0f} moves/s")


if __name__ == "__main__":
    main()
