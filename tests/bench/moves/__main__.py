"""Durable moves a second over HTTP, with rules and views on, beside what the same server does for an empty POST.

    python -m tests.bench.moves                        both databases, 6 seconds a figure; at PostgreSQL with one
                                                       process that serves, and with one for each core
    python -m tests.bench.moves --seconds 3 sqlite     one of them
    python -m tests.bench.moves --profile FILE …       also a profile of the saturated run, if py-spy is installed

wrk plays, one connection a table: whole evenings of Shithead whose cards are known beforehand, with an Idempotency-Key
on every move and the views of both seats and of spectators kept. In the open run each of 64 tables makes one move a
second. The bare recorder writes as many lines a move from one thread of one process, and nothing else.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from eventsourcing.persistence import InfrastructureFactory

from service.store.application import environment
from tests import postgres
from tests.bench import store as bare
from tests.bench.moves import scripts, server
from tests.bench.moves.generator import Result, Script, play
from tests.faults.serving import SETTINGS, bearer

TABLES = (1, 16, 64)
PROCESSES = tuple(sorted({1, os.cpu_count() or 1}))
OPEN = 64
"""Tables of the open run."""
MOVES_PER_SECOND_MAX = 10_000
"""Scripts are made for so many moves a second; a faster server would come to their end, and be told."""
PATIENCE_SECONDS = 30


class Running:
    """The benchmark's server, on a folder of its own."""

    def __init__(self, folder: Path, url: str | None, processes: int = 1) -> None:
        self.base = f"http://127.0.0.1:{postgres.free_port()}"
        own = {"KUPA_DATA_DIR": str(folder), "KUPA_PORT": self.base.rpartition(":")[2]}
        where = {"KUPA_DATABASE_URL": url, "KUPA_WORKERS": str(processes)} if url else {}
        self.process = subprocess.Popen(
            [sys.executable, "-m", server.__name__], env={**os.environ, **SETTINGS, **own, **where}
        )
        until = time.monotonic() + PATIENCE_SECONDS
        while not self._ready():
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.05)
        self.http = httpx.Client(base_url=self.base, timeout=PATIENCE_SECONDS)
        self.admin = (folder / "admin.key").read_text().strip()

    def _ready(self) -> bool:
        try:
            return httpx.get(f"{self.base}/health/ready").status_code == 200
        except httpx.TransportError:
            return False

    def post(self, path: str, token: str, body: object = None) -> dict[str, str]:
        answer = self.http.post(path, json=body, headers=bearer(token))
        answer.raise_for_status()
        given: dict[str, str] = answer.json()
        return given

    def table(self, moves: int, number: int) -> Script:
        """A started table with views of everybody kept, and the moves that will be made at it."""
        asked = {"game": "shithead", "seats": scripts.SEATS, "rules": scripts.RULES, "sandbox": {}}
        opened = self.post("/v1/games", self.admin, asked)
        path = f"/v1/games/{opened['id']}"
        tokens = [
            self.post(f"{path}/seats", self.admin, {"player": f"player {n}"})["seat_token"]
            for n in range(scripts.SEATS)
        ]
        self.post(f"{path}/start", opened["host_token"])
        for headers in [{}, *map(bearer, tokens)]:
            self.http.get(f"{path}/view", headers=headers).raise_for_status()
        played = [*scripts.script(opened["id"], moves, random.Random(number))]
        return Script(f"{path}/moves", [f"Bearer {token}" for token in tokens], played)

    def cpu(self) -> float:
        """Seconds of processor time that the server's processes have used."""
        of_all = [self.process.pid, *children(self.process.pid)]
        return sum(ticks(pid) for pid in of_all) / os.sysconf("SC_CLK_TCK")

    def played(self, scripts: Sequence[Script], seconds: float, *, pause_ms: int = 0) -> tuple[Result, float]:
        """What the generator measured, and the server's processor time for one request in microseconds."""
        before = self.cpu()
        result = play(self.base, scripts, seconds, pause_ms=pause_ms)
        return result, (self.cpu() - before) / (result.per_second * seconds) * 1e6

    def close(self) -> None:
        self.http.close()
        self.process.terminate()
        self.process.wait(PATIENCE_SECONDS)


def children(pid: int) -> list[int]:
    """The processes that this one has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def ticks(pid: int) -> int:
    """The processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def empty_scripts(number: int, moves: int) -> list[Script]:
    """As many connections that post a move's body to the route that stores nothing."""
    body = b'{"type":"shithead.play","cards":["10D"]}'
    return [Script(server.EMPTY, ["none"], [(0, body)] * moves) for _ in range(number)]


def measure(running: Running, seconds: float, profile: str | None, tables: Sequence[int]) -> None:
    print(f"  {'':<34} {'':>11} {'p50 ms':>8} {'p90 ms':>8} {'p99 ms':>8} {'cpu µs':>8}")
    for number in tables:
        moves = int(MOVES_PER_SECOND_MAX * seconds / number)
        played = [running.table(moves, n) for n in range(number)]
        empty, cpu = running.played(empty_scripts(number, moves * 6), seconds)
        say(f"{number} tables: empty POST", empty, cpu)
        with profiled(running, profile if number == max(tables) else None, seconds):
            result, cpu = running.played(played, seconds)
        say(f"{number} tables: moves, saturated", result, cpu, f"   {result.per_second / empty.per_second:.0%} of it")
    played = [running.table(int(seconds) + 2, n) for n in range(OPEN)]
    say(f"{OPEN} tables: one move a second each", *running.played(played, seconds, pause_ms=1_000))


def say(what: str, result: Result, cpu: float, more: str = "") -> None:
    print(f"  {what:<34} {result} {cpu:>8.0f}{more}", flush=True)


@contextmanager
def profiled(running: Running, file: str | None, seconds: float) -> Iterator[None]:
    """With `file`, py-spy looks at the server meanwhile."""
    if file is None:
        yield
        return
    spy = shutil.which("py-spy")
    assert spy is not None, "py-spy is missing: pip install py-spy"
    command = [spy, "record", "--pid", str(running.process.pid), "--duration", f"{seconds - 1:.0f}", "--output", file]
    how = ["--format", "raw", "--gil", "--rate", "500", "--threads"]
    watching = subprocess.Popen([*command, *how], stdout=subprocess.DEVNULL)
    yield
    watching.wait()


def bare_recorder(
    env: dict[str, str], storage: type[InfrastructureFactory[Any]] | None, given: argparse.Namespace
) -> None:
    stock = storage(env) if storage else InfrastructureFactory.construct(env)
    for number in given.tables:
        done = bare.bare(stock.application_recorder(), number, given.seconds / 2)
        print(f"  {f'{number} a batch: bare recorder':<34} {done:>9,.0f}/s", flush=True)
    stock.close()


def on_sqlite(given: argparse.Namespace) -> None:
    with folder() as data, folder() as other:
        print("SQLite", load())
        bare_recorder(environment(data_dir=other) | {"PERSISTENCE_MODULE": "eventsourcing.sqlite"}, None, given)
        serve(Running(data, None), given)


def on_postgres(given: argparse.Namespace) -> None:
    found = postgres.binaries()
    assert found is not None, "no PostgreSQL found"
    own = postgres.Server(found, options=("shared_buffers=128MB", "jit=off"))
    try:
        with postgres.database(own.url()) as other:
            print(f"PostgreSQL {postgres.execute(other, 'SHOW server_version')[0][0]}", load())
            postgres.execute(other, "CREATE SCHEMA kupa")
            bare_recorder(environment(database_url=other), bare.Stock, given)
        for processes in given.processes:
            with postgres.database(own.url()) as url, folder() as data:
                print(f"PostgreSQL, {processes} serving", load())
                serve(Running(data, url, processes), given)
    finally:
        own.close()


def serve(running: Running, given: argparse.Namespace) -> None:
    try:
        measure(running, given.seconds, given.profile, given.tables)
    finally:
        running.close()


def load() -> str:
    return f"(load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="kupa-bench-") as name:
        yield Path(name)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgres"], help="sqlite, postgres")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--profile", help="where py-spy writes its stacks; one database only")
    parser.add_argument("--processes", type=int, nargs="+", default=PROCESSES, help="that serve at PostgreSQL")
    parser.add_argument("--tables", type=int, nargs="+", default=TABLES, help="how many at once")
    given = parser.parse_args(arguments)
    for name in given.databases:
        {"sqlite": on_sqlite, "postgres": on_postgres}[name](given)


if __name__ == "__main__":
    main()
