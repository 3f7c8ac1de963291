"""What a table in memory weighs: `python -m tests.bench.memory [game …] [--tables 500]`."""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import resource
import tracemalloc
from contextlib import suppress

from domain.games import GAMES
from domain.table.state import Playing
from service.store.rows import StoredLine
from service.tables.live import Live, fold, fresh_view, read
from tests.playing import Sitting, play


def stored(game: str, seats: int, moves: int, seed: int) -> list[StoredLine]:
    """The lines of a table in mid-round, after so many random moves."""
    rules = GAMES[game].rules()
    sitting = Sitting(GAMES[game], rules, seats, seed=seed).seat_all()
    with suppress(AssertionError):  # it says that the table is not over yet, which is what is wanted here
        play(sitting, random.Random(seed), most=moves)
    return [StoredLine(entry.seq, "", line) for entry, line in zip(sitting.entries, sitting.lines, strict=True)]


def live_table(lines: list[StoredLine], seats: int) -> Live:
    """A table as the service keeps it: state, and the views of all seats and of the public."""
    live = Live()
    live.load(lines)
    assert live.table is not None
    entries = [read(line.line) for line in lines]
    live.views = {n: fold(fresh_view(live.table, n), live.table, entries) for n in (None, *range(seats))}
    return live


async def measure(game: str, tables: int, seats: int, moves: int) -> tuple[float, int]:
    """KiB a table, and how many were in mid-round."""
    lines = [stored(game, seats, moves, seed) for seed in range(tables)]
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = [live_table(each, seats) for each in lines]
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    playing = sum(isinstance(live.table.phase, Playing) for live in kept if live.table)
    return (after - before) / tables / 1024, playing


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--moves", type=int, default=60)
    asked = parser.parse_args()
    for game in asked.games:
        kib, playing = asyncio.run(measure(game, asked.tables, asked.seats, asked.moves))
        print(f"{game:10} {kib:6.1f} KiB a table with its views ({playing} of {asked.tables} in mid-round)")
    print(f"the process peaked at {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
