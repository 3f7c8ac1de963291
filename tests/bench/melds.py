"""How fast the hand solver is, and a long comparison with the plain splitter.

python -m tests.bench.melds               times of all winning discards of 10,000 random and 10,000 near hands
    python -m tests.bench.melds --soak 20000  so many hands compared, every small pack too; stops at a difference
"""

import argparse
import sys
import time
from random import Random

from domain.kishpa.distance import tiles_away
from domain.kishpa.melds import is_complete, winning_discards
from tests.domain.kishpa.hands import any_hand, every_hand, near_hand
from tests.domain.kishpa.splitter import faces_of, winning_throws, wins

HANDS = 10_000
MEDIAN_MS_MAX, WORST_MS_MAX = 1.0, 5.0
PACKS = (("RB", (1, 2, 3, 4, 5)), ("RK", (9, 10, 11, 12, 13)), ("RK", (1, 10, 11, 12, 13)), ("RBK", (1, 2, 3, 4)))


def measure() -> bool:
    """Print the times; whether they lie within the limits."""
    winning_discards(*near_hand(Random(0)))
    within = True
    for name, make in (("random", any_hand), ("near", near_hand)):
        random, times, won = Random(1), [], 0
        for _ in range(HANDS):
            tiles, joker = make(random)
            start = time.perf_counter()
            found = winning_discards(tiles, joker)
            times.append((time.perf_counter() - start) * 1000)
            won += bool(found)
        times.sort()
        median, high, worst = times[HANDS // 2], times[HANDS * 99 // 100], times[-1]
        print(f"{name:7} hands: median {median:.3f} ms, p99 {high:.3f} ms, worst {worst:.3f} ms; {won} could win")
        within = within and median < MEDIAN_MS_MAX and worst < WORST_MS_MAX
    random, times = Random(2), []
    for _ in range(HANDS // 10):
        tiles, joker = any_hand(random, tiles=14)
        start = time.perf_counter()
        tiles_away(tiles, joker)
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    print(f"distance of random hands: median {times[len(times) // 2]:.3f} ms, worst {times[-1]:.3f} ms")
    return within


def soak(hands: int) -> None:
    """Compare so many hands of the whole pack, then every hand of up to ten tiles of small packs."""
    for wrap in (False, True):
        random, won = Random(hands), 0
        for number in range(hands // 2):
            tiles, joker = (near_hand if number % 2 else any_hand)(random)
            found = winning_discards(tiles, joker, wrap=wrap)
            assert set(found) == winning_throws(tiles, joker, wrap=wrap), (tiles, joker, wrap)
            won += bool(found)
        print(f"{hands // 2} hands agree, {won} of them could win, wrap={wrap}", flush=True)
        for colours, numbers in PACKS:
            for wilds in (0, 1, 2):
                judged = won = 0
                for tiles in every_hand(colours, numbers, wilds, most=8):
                    found_win = is_complete(tiles, "Y9", wrap=wrap)
                    assert found_win == wins(faces_of(tiles, "Y9"), wrap=wrap), (tiles, wrap)
                    judged, won = judged + 1, won + found_win
                print(f"{judged} hands of {colours} {numbers} with {wilds} jokers agree, {won} wins", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--soak", type=int, default=0, metavar="HANDS")
    asked = parser.parse_args()
    if asked.soak:
        soak(asked.soak)
    else:
        sys.exit(not measure())
