"""How often the truly fastest reaction wins a grab, over simulated networks: python -m tests.bench.fairness

Four seats see one reveal and all of them grab. The judgement is the one that a table makes (domain/totem), fed with
what a server would measure; beside it stands the order of arrival alone. Times are simulated, chance is seeded.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from typing import NamedTuple

from domain.totem.arbitration import (
    QUOTA_START_MS,
    Contender,
    allowance,
    decision,
    first,
    grabbed,
    lower_quartile,
    refilled,
    silent,
)
from domain.totem.moves import MeasuredGrab, SilentSeat

ROUNDS = 20_000
SEED = 7
DEAD_HEAT_MS = 15
RETRANSMIT_MS = 200.0
REVEALS_A_CONTEST = 6
"""About so many cards are turned up between two matches at a table of four: each refills the quotas."""
PINGS = 20
STALLED_MS = 1_000
REACTION_MS, SPREAD_MS, FASTEST_MS = 300.0, 45.0, 160.0


class Line(NamedTuple):
    """The way to one seat and back: half a round trip, jitter on each way, how many of a hundred packets are lost."""

    half_ms: float
    jitter_ms: float = 2.0
    lost_percent: float = 0.0
    lies: bool = False
    """It claims to have reacted in 0 ms."""
    stalls: bool = False
    """It keeps every pong back, so that it seems to be far away."""
    deaf: bool = False
    """It has no socket, so that nobody knows how far away it is."""
    boasts: bool = False
    """It claims five fingers at height 0, of which the others say nothing."""

    def way(self, rng: random.Random) -> float:
        """How long one message takes."""
        again = RETRANSMIT_MS if rng.random() * 100 < self.lost_percent else 0.0
        return self.half_ms + rng.expovariate(1 / self.jitter_ms) + again


NETWORKS: dict[str, tuple[Line, ...]] = {
    "one room (2 ms)": (Line(1, 0.5),) * 4,
    "one city (10 to 30 ms)": (Line(5), Line(8), Line(10), Line(15)),
    "near and far (10 to 120 ms)": (Line(5), Line(15), Line(30), Line(60)),
    "jitter of 20 ms on all lines": (Line(5, 20), Line(15, 20), Line(30, 20), Line(60, 20)),
    "2 % of packets lost": (Line(5, 2, 2), Line(15, 2, 2), Line(30, 2, 2), Line(60, 2, 2)),
    "one slow seat (300 ms)": (Line(5), Line(5), Line(15), Line(150)),
    "one liar (claims 0 ms)": (Line(5), Line(15), Line(30), Line(60, lies=True)),
    "the same, and its pongs come late": (Line(5), Line(15), Line(30), Line(60, lies=True, stalls=True)),
    "one room, a liar without a socket": (*(Line(1, 0.5),) * 3, Line(1, 0.5, lies=True, deaf=True)),
    "one room, a liar whose pongs come late": (*(Line(1, 0.5),) * 3, Line(1, 0.5, lies=True, stalls=True)),
    "one room, late pongs and five fingers": (*(Line(1, 0.5),) * 3, Line(1, 0.5, lies=True, stalls=True, boasts=True)),
    "one far, no socket and five fingers": (
        *(Line(1, 0.5),) * 2,
        Line(60),
        Line(1, 0.5, lies=True, deaf=True, boasts=True),
    ),
    "all far and alike (200 ms)": (Line(100),) * 4,
}


class Seat:
    """What a server knows of a seat: its quota, refilled with each reveal, and its latency figure."""

    def __init__(self, line: Line, rng: random.Random) -> None:
        self.line = line
        self.quota_ms = QUOTA_START_MS
        stalled, pings = STALLED_MS if line.stalls else 0, 0 if line.deaf else PINGS
        self.rtt_ms = lower_quartile([int(line.way(rng) + line.way(rng) + stalled) for _ in range(pings)])


class Outcome(NamedTuple):
    """Who was truly the fastest, who won, and who would have won by arrival; by how many ms the last seat was made
    faster than it was, if its grab came in time, and by how many it was truly slower than another seat, if it won."""

    fastest: int
    judged: int
    arrived: int
    gained_ms: float
    behind_ms: float


def play(seats: Sequence[Seat], rng: random.Random, reveals: int = REVEALS_A_CONTEST) -> Outcome:
    """One reveal at which everybody grabs."""
    reactions = [max(FASTEST_MS, rng.gauss(REACTION_MS, SPREAD_MS)) for _ in seats]
    arrivals = [seat.line.way(rng) + own + seat.line.way(rng) for seat, own in zip(seats, reactions, strict=True)]
    order = sorted(range(len(seats)), key=arrivals.__getitem__)
    contenders = [_contender(seats, place, order, reactions, arrivals) for place in order]
    made = decision(contenders, [])
    winner = first(made.in_time, DEAD_HEAT_MS)
    for contender in made.in_time:
        spent = contender.arrived_ms - contender.published_ms - contender.adjusted_ms
        seats[contender.seat].quota_ms -= spent
    for seat in seats:
        seat.quota_ms = refilled(seat.quota_ms, reveals)
    last = len(seats) - 1
    gains = [round(reactions[last]) - contender.adjusted_ms for contender in made.in_time if contender.seat == last]
    behind = reactions[last] - min(reactions[:last]) if winner.seat == last else 0.0
    return Outcome(min(range(len(seats)), key=reactions.__getitem__), winner.seat, order[0], sum(gains), behind)


def _contender(
    seats: Sequence[Seat], n: int, order: list[int], reactions: Sequence[float], arrivals: Sequence[float]
) -> Contender:
    claimed = 0 if seats[n].line.lies else round(reactions[n])
    grab = MeasuredGrab(
        seat=n,
        reveal=1,
        arrival=order.index(n),
        arrived="",
        elapsed_ms=int(arrivals[n]),
        reaction_ms=claimed,
        rtt_ms=seats[n].rtt_ms,
        fingers=5 if seats[n].line.boasts else 1,
        grip_height=0 if seats[n].line.boasts else 100,
    )
    return grabbed(grab, seats[n].quota_ms)


def wait_ms(seats: Sequence[Seat]) -> int:
    """How long a lone first grab waits at most: the largest allowance of a seat that is silent."""
    rivals = [silent(SilentSeat(n, rtt_ms=seat.rtt_ms), seat.quota_ms) for n, seat in enumerate(seats)]
    return max(allowance(seats[rival.seat].quota_ms, seats[rival.seat].rtt_ms) for rival in rivals)


class Share(NamedTuple):
    """Of a hundred grabs: won by the truly fastest when judged and by arrival; won by the last seat; ms waited; by
    how many ms the last seat was made faster than it was, at most and in the mean, and by how many at most it was truly
    slower than another when it won."""

    judged: float
    arrived: float
    last_seat: float
    last_seat_arrived: float
    wait_ms: float
    gained_most_ms: float
    gained_ms: float
    behind_most_ms: float


def measure(lines: Sequence[Line], rounds: int = ROUNDS, seed: int = SEED, reveals: int = REVEALS_A_CONTEST) -> Share:
    """Play so many grabs over these lines, so many reveals apart."""
    rng = random.Random(seed)
    seats = [Seat(line, rng) for line in lines]
    waited, outcomes = 0, []
    for _ in range(rounds):
        waited += wait_ms(seats)
        outcomes.append(play(seats, rng, reveals))
    last = len(seats) - 1

    def percent(count: int) -> float:
        return 100 * count / rounds

    return Share(
        percent(sum(one.judged == one.fastest for one in outcomes)),
        percent(sum(one.arrived == one.fastest for one in outcomes)),
        percent(sum(one.judged == last for one in outcomes)),
        percent(sum(one.arrived == last for one in outcomes)),
        waited / rounds,
        max(one.gained_ms for one in outcomes),
        sum(one.gained_ms for one in outcomes) / rounds,
        max(one.behind_ms for one in outcomes),
    )


def main() -> None:
    """Print a row a network."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    print(f"{rounds:,} grabs a network, four seats, reactions of {REACTION_MS:.0f} ± {SPREAD_MS:.0f} ms; in percent")
    heads = f"{'the truly fastest wins':>26}{'the last seat wins':>24}{'waited':>9}{'the last gains':>16}"
    print(f"{'':39}{heads}{'wins, slower by':>17}")
    heads = f"{'judged':>13}{'by arrival':>13}{'judged':>12}{'by arrival':>12}{'ms':>9}{'most':>8}{'mean':>8}"
    print(f"{'':39}{heads}{'most':>17}")
    for name, lines in NETWORKS.items():
        one = measure(lines, rounds)
        shares = f"{one.judged:13.1f}{one.arrived:13.1f}{one.last_seat:12.1f}{one.last_seat_arrived:12.1f}"
        print(
            f"{name:39}{shares}{one.wait_ms:9.0f}{one.gained_most_ms:8.0f}{one.gained_ms:8.0f}{one.behind_most_ms:17.0f}"
        )


if __name__ == "__main__":
    main()
