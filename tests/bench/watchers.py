"""Many watchers of one table: what each costs in memory, and how long after the move it hears of it.

    python -m tests.bench.watchers [watchers] [moves] [moves a second]

One `kupa serve`, all readers in this process on the same machine, loopback only; a default run takes half a minute.
"""

from __future__ import annotations

import contextlib
import resource
import selectors
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.api.raw import Raw
from tests.api.served import Served
from tests.api.server import Seated

WATCHERS, MOVES, RATE = 1_000, 100, 5.0
STALLED = 10
"""Readers among them that never read."""
MEGA, KILO, MILLI = 1024 * 1024, 1024, 1_000
SECONDS_MAX = 120.0


class Mover(threading.Thread):
    """Makes moves at a steady pace; when each was sent and when it was answered, by the table's version after it."""

    def __init__(self, table: Seated, moves: int, rate: float) -> None:
        super().__init__()
        self.table, self.moves, self.rate = table, moves, rate
        self.sent: dict[int, float] = {}
        self.answered: dict[int, float] = {}

    def run(self) -> None:
        for _ in range(self.moves):
            began = time.perf_counter()
            seat, move = next(
                (seat, items[0]) for seat in range(len(self.table.seats)) if (items := self.table.moves(seat)["items"])
            )
            sent = time.perf_counter()
            answer = self.table.post("/moves", self.table.seats[seat], move)
            assert answer.status_code == 200, answer.text
            version = answer.json()["version"]
            self.sent[version], self.answered[version] = sent, time.perf_counter()
            time.sleep(max(0.0, 1 / self.rate - (time.perf_counter() - began)))


def watch(streams: list[Raw], mover: Mover) -> dict[int, list[float]]:
    """When each reader had the last line of each move: by version."""
    heard: dict[int, list[float]] = {}
    last = dict.fromkeys(streams, 0)
    with selectors.DefaultSelector() as selector:
        for stream in streams:
            stream.socket.setblocking(False)
            selector.register(stream.socket, selectors.EVENT_READ, stream)
        until = time.perf_counter() + SECONDS_MAX
        while time.perf_counter() < until:
            for key, _ in selector.select(0.2):
                taken = key.fileobj.recv(65_536)  # type: ignore[union-attr]
                at = time.perf_counter()
                assert taken, "a reader was cut off"
                found = taken.rfind(b"id: ")
                if found >= 0:
                    seq = int(taken[found + 4 : taken.index(b"\n", found)])
                    last[key.data] = seq
                    heard.setdefault(seq, []).append(at)
            if not mover.is_alive() and min(last.values()) >= max(mover.sent):
                return heard
    raise AssertionError("not all was heard in time")


def spread(delays: list[float]) -> str:
    cuts = statistics.quantiles(delays, n=100)
    return f"p50 {cuts[49] * MILLI:.1f} ms, p99 {cuts[98] * MILLI:.1f} ms, worst {max(delays) * MILLI:.1f} ms"


def main(watchers: int = WATCHERS, moves: int = MOVES, rate: float = RATE) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory() as folder, Served(Path(folder)) as served, contextlib.ExitStack() as open_:
        table = served.table(people=4, rules={"rounds": 1_000, "turn_timeout_s": 0})
        table.start()
        before, began = served.memory(), time.perf_counter()
        streams = [open_.enter_context(served.follow(table)) for _ in range(watchers)]
        for stream in streams:
            stream.until_bytes(1)
        opened = time.perf_counter() - began
        print(f"{watchers} watchers: each opened in {opened / watchers * MILLI:.2f} ms, with its snapshot")
        each = (served.memory() - before) / watchers / KILO
        print(f"memory: {before / MEGA:.0f} MB before, {each:.1f} KB a watcher")
        for _ in range(STALLED):
            open_.enter_context(served.follow(table, query="?after=0", slow=True))
        mover = Mover(table, moves, rate)
        mover.start()
        heard = watch(streams, mover)
        mover.join()
        report(mover, heard, watchers)
        print(f"memory after: {(served.memory() - before) / watchers / KILO:.1f} KB a watcher")


def report(mover: Mover, heard: dict[int, list[float]], watchers: int) -> None:
    """Print the delays from the sending of a move."""
    assert all(len(heard[version]) == watchers for version in mover.sent)
    answers = [mover.answered[version] - sent for version, sent in mover.sent.items()]
    print(f"a move is answered: {spread(answers)}")
    delays = [at - sent for version, sent in mover.sent.items() for at in heard[version]]
    print(f"a watcher has heard it, since it was sent: {spread(delays)}")
    last = [max(heard[version]) - sent for version, sent in mover.sent.items()]
    print(f"the last of them has heard it: {spread(last)}")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(int(text) for text in given[:2]), *(float(text) for text in given[2:3]))
