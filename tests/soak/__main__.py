"""Random games over all table rules, as many as asked for: none may lose a card, stop, or tell itself otherwise.

python -m tests.soak hatchatul --games 10000 --processes 2
"""

from __future__ import annotations

import argparse
import multiprocessing
import time

from domain.games import GAMES
from tests.soak.games import Tally, one


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("game", choices=GAMES)
    arguments.add_argument("--games", type=int, default=10_000)
    arguments.add_argument("--first", type=int, default=0, help="number of the first game: each is made from its own")
    arguments.add_argument("--processes", type=int, default=1)
    asked = arguments.parse_args()
    work = [(asked.game, number) for number in range(asked.first, asked.first + asked.games)]
    began, total = time.monotonic(), Tally()
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:
        for done, tally in enumerate(pool.imap_unordered(one, work, chunksize=20), start=1):
            total += tally
            if done % 500 == 0:
                print(f"{done} games, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{asked.games} games of {asked.game} in {time.monotonic() - began:.0f} s: {total}")


if __name__ == "__main__":
    main()
