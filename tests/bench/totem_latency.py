"""How far apart seats hear a reveal, and how soon a decision is made: python -m tests.bench.totem_latency

A server of its own (`kupa serve`, SQLite), and beside it on the same machine every seat at its socket in one process.
The figures hold both: what a seat hears late because this program reads late counts as late. `--postgres` takes a
PostgreSQL of its own instead, whose commits reach the disk, and `--processes 2` two servers on it, with every other
seat of each table at the second.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from tests import postgres
from tests.api.totem import TotemTable
from tests.faults.serving import Service
from tests.websocket import Closed, Socket

TABLES, SEATS = 20, 8
DURABLE = ("jit=off", "shared_buffers=64MB")
SECONDS = 20.0
WARM_UP_SECONDS = 6.0
"""A process on PostgreSQL knows after five that it is alone."""
REACTION_SECONDS = 0.2
RULES = {
    "min_flip_interval_ms": 1_000,
    "settle_ms": 300,
    "countdown_ms": 1_000,
    "announce_matches": True,
    "choice_timeout_ms": 1_000,
    "dead_heat_ms": 15,
}


class Figures:
    """Milliseconds, gathered over the whole run."""

    def __init__(self) -> None:
        self.spreads: list[float] = []
        self.reveals: list[float] = []
        self.decisions: list[float] = []
        self.answers: list[float] = []
        self.begins = time.time() + WARM_UP_SECONDS

    def heard(self, times: Sequence[float], at: float) -> None:
        """A reveal written at `at` was heard by all seats at these times."""
        if at > self.begins:
            self.spreads.append((max(times) - min(times)) * 1000)
            self.reveals.append((max(times) - at) * 1000)

    def judged(self, due: float, at: float, heard: float) -> None:
        """A decision that was due then was made at `at`, and heard."""
        if at > self.begins:
            self.decisions.append((at - due) * 1000)
            self.answers.append((heard - due) * 1000)


class Seat:
    """One seat at its socket: it turns cards up in its turn, and grabs when a match that is its own is announced."""

    def __init__(self, table: Round, number: int, socket: Socket) -> None:
        self.table, self.number, self.socket = table, number, socket
        self.moves = set[asyncio.Task[None]]()

    async def live(self) -> None:
        try:
            while True:
                frame = await self.socket.hear()
                now = time.time()
                if "sealed" in frame:
                    continue
                if frame["type"] == "ping":
                    await self.socket.say({"type": "pong", "n": frame["n"]})
                elif "seq" in frame:
                    self.table.hear(self, frame, now)
        except Closed:
            return

    def later(self, seconds: float, move: dict[str, Any]) -> None:
        async def moved() -> None:
            await asyncio.sleep(seconds)
            await self.socket.say({"type": "move", "move": move})

        task = asyncio.create_task(moved())
        self.moves.add(task)
        task.add_done_callback(self.moves.discard)


class Round:
    """One table: who has heard which reveal when."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.reveal, self.since = 0, 0.0
        self.heard: defaultdict[int, list[float]] = defaultdict(list)

    def hear(self, seat: Seat, line: dict[str, Any], now: float) -> None:
        kind, data = line["type"].removeprefix("totem."), line["data"]
        if kind in ("card_turned_up", "all_turned_up"):
            self.reveal, self.since = data["reveal"], moment(line["at"])
            times = self.heard[line["seq"]]
            times.append(now)
            if len(times) == SEATS:
                self.figures.heard(self.heard.pop(line["seq"]), self.since)
        elif kind == "turn_started" and data["seat"] == seat.number:
            seat.later(0, {"type": "totem.turn_up"})
        elif kind == "match_announced" and (data["inward"] or any(seat.number in duel for duel in data["duels"])):
            seat.later(REACTION_SECONDS, {"type": "totem.grab", "reveal": self.reveal})
        elif kind == "choice_opened" and data["seat"] == seat.number:
            seat.later(0, {"type": "totem.choose_taker", "taker": data["losers"][0]})
        elif kind == "grabs_judged" and seat.number == 0 and data["due_ms"] is not None and self.is_fresh(line):
            self.figures.judged(self.since + data["due_ms"] / 1000, moment(line["at"]), now)

    def is_fresh(self, line: dict[str, Any]) -> bool:
        """Whether the decision is about the reveal itself, from whose line its moment is counted."""
        return bool(line["data"]["reveal"] == self.reveal)


def moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


async def run(services: Sequence[Service], tables: list[TotemTable], seconds: float) -> Figures:
    """Everybody sits at a socket, at one service after the other, and plays for so long."""
    figures, living = Figures(), []
    for table in tables:
        game = Round(figures)
        for number, token in enumerate(table.seats):
            socket = await Socket.open(services[number % len(services)].base, f"{table.path}/socket")
            await socket.say({"type": "auth", "token": token})
            living.append(asyncio.create_task(Seat(game, number, socket).live()))
    for table in tables:
        await asyncio.to_thread(table.post, f"{table.path}/start", table.host)
    await asyncio.sleep(WARM_UP_SECONDS + seconds)
    for one in living:
        one.cancel()
    await asyncio.gather(*living, return_exceptions=True)
    await Socket.close_all()
    return figures


def row(name: str, values: Sequence[float]) -> str:
    """Median, p99 and the worst of so many."""
    if not values:
        return f"{name:48} none"
    cut = statistics.quantiles(values, n=100)[98] if len(values) > 1 else values[0]
    return f"{name:48}{len(values):8}{statistics.median(values):10.2f}{cut:10.2f}{max(values):10.2f}"


@contextmanager
def serving(processes: int, *, on_postgres: bool) -> Iterator[list[Service]]:
    """So many services on one database."""
    with ExitStack() as stack:
        folder, where = Path(stack.enter_context(tempfile.TemporaryDirectory())), dict[str, str]()
        if on_postgres:
            found = postgres.binaries()
            assert found is not None, "no PostgreSQL found"
            server = postgres.Server(found, DURABLE)
            stack.callback(server.close)
            where["KUPA_DATABASE_URL"] = stack.enter_context(postgres.database(server.url()))
        yield [stack.enter_context(Service(folder / f"data-{n}", **where)) for n in range(processes)]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", type=float, nargs="?", default=SECONDS)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    with serving(asked.processes, on_postgres=asked.postgres) as services:
        first = services[0]
        tables = [TotemTable(first.base, first.admin(), SEATS, tops=(), rules=RULES) for _ in range(asked.tables)]
        figures = asyncio.run(run(services, tables, asked.seconds))
        TotemTable.close_all()
    where = f"{'PostgreSQL' if asked.postgres else 'SQLite'}, {asked.processes} of `kupa serve`"
    print(f"{asked.tables} tables of {SEATS} seats, each at its socket; {where}; milliseconds")
    print(f"{'':48}{'count':>8}{'p50':>10}{'p99':>10}{'worst':>10}")
    print(row("reveal: first to last of the eight seats", figures.spreads))
    print(row("reveal: from its line's time to the last seat", figures.reveals))
    print(row("decision: its line, after it was decidable", figures.decisions))
    print(row("decision: heard, after it was decidable", figures.answers))


if __name__ == "__main__":
    main()
