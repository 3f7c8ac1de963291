"""Durable moves a second over HTTP, with rules and views on, beside what the same machine can do at all.

    python -m tests.bench.moves                        both databases, 6 seconds a figure; at PostgreSQL with one
                                                       process that serves, and with one for each core
    python -m tests.bench.moves --seconds 3 sqlite     one of them
    python -m tests.bench.moves --profile FILE …       also a profile of the saturated run, if py-spy is installed

wrk plays, one connection a table: whole evenings of Shithead whose cards are known beforehand, with an Idempotency-Key
on every move and the views of both seats and of spectators kept. In the open run each of 64 tables makes one move a
second. Three things are measured in the same run: the bare recorder, which writes as many lines a move from one thread
of one process, and nothing else; the yardstick, which is the least service that makes such moves durable
(`yardstick.py`); and a POST at Kupa that stores nothing.
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
from tests.bench.moves import scripts, server, yardstick
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

    def __init__(self, folder: Path, url: str | None, processes: int = 1, module: str = server.__name__) -> None:
        self.base = f"http://127.0.0.1:{postgres.free_port()}"
        own = {"KUPA_DATA_DIR": str(folder), "KUPA_PORT": self.base.rpartition(":")[2]}
        where = {"KUPA_DATABASE_URL": url, "KUPA_WORKERS": str(processes)} if url else {}
        self.process = subprocess.Popen([sys.executable, "-m", module], env={**os.environ, **SETTINGS, **own, **where})
        until = time.monotonic() + PATIENCE_SECONDS
        while not self._ready():
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.05)
        self.http = httpx.Client(base_url=self.base, timeout=PATIENCE_SECONDS)
        self.folder = folder

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
        admin = (self.folder / "admin.key").read_text().strip()
        asked = {"game": "shithead", "seats": scripts.SEATS, "rules": scripts.RULES, "sandbox": {}}
        opened = self.post("/v1/games", admin, asked)
        path = f"/v1/games/{opened['id']}"
        tokens = [
            self.post(f"{path}/seats", admin, {"player": f"player {n}"})["seat_token"] for n in range(scripts.SEATS)
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


BODY = b'{"type":"shithead.play","cards":["10D"]}'


def same(path: str, number: int, moves: int) -> list[Script]:
    """As many connections that post a move's body to one route; `{n}` in its path is the connection's number."""
    return [Script(path.format(n=n), ["none"], [(0, BODY)] * moves) for n in range(number)]


Yards = dict[int, Result]
"""By how many tables: the moves of the yardstick."""


def yards(folder: Path, url: str | None, given: argparse.Namespace) -> Yards:
    """What the least that a durable move costs comes to on this machine."""
    running, found = Running(folder, url, module=yardstick.__name__), {}
    head()
    try:
        for number in given.tables:
            moves = int(MOVES_PER_SECOND_MAX * given.seconds / number) * 6
            say(f"{number} tables: empty POST", *running.played(same(yardstick.EMPTY, number, moves), given.seconds))
            found[number], cpu = running.played(same(f"{yardstick.MOVES}/{{n}}", number, moves), given.seconds)
            say(f"{number} tables: moves, saturated", found[number], cpu)
    finally:
        running.close()
    return found


def measure(running: Running, given: argparse.Namespace, least: Yards) -> None:
    head()
    for number in given.tables:
        moves = int(MOVES_PER_SECOND_MAX * given.seconds / number)
        played = [running.table(moves, n) for n in range(number)]
        empty, cpu = running.played(same(server.EMPTY, number, moves * 6), given.seconds)
        say(f"{number} tables: empty POST", empty, cpu)
        with profiled(running, given.profile if number == max(given.tables) else None, given.seconds):
            result, cpu = running.played(played, given.seconds)
        shares = result.per_second / empty.per_second, result.per_second / least[number].per_second
        more = "   {:.0%} of it, {:.0%} of the yardstick's".format(*shares)
        say(f"{number} tables: moves, saturated", result, cpu, more)
    played = [running.table(int(given.seconds) + 2, n) for n in range(OPEN)]
    say(f"{OPEN} tables: one move a second each", *running.played(played, given.seconds, pause_ms=1_000))


def head() -> None:
    print(f"  {'':<34} {'':>11} {'p50 ms':>8} {'p90 ms':>8} {'p99 ms':>8} {'cpu µs':>8}")


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
    with folder() as other:
        print("SQLite", load())
        bare_recorder(environment(data_dir=other) | {"PERSISTENCE_MODULE": "eventsourcing.sqlite"}, None, given)
    with folder() as other, folder() as data:
        print("SQLite, yardstick", load())
        least = yards(other, None, given)
        print("SQLite, Kupa", load())
        serve(Running(data, None), given, least)


def on_postgres(given: argparse.Namespace) -> None:
    found = postgres.binaries()
    assert found is not None, "no PostgreSQL found"
    own = postgres.Server(found, options=("shared_buffers=128MB", "jit=off"))
    try:
        with postgres.database(own.url()) as other:
            print(f"PostgreSQL {postgres.execute(other, 'SHOW server_version')[0][0]}", load())
            postgres.execute(other, "CREATE SCHEMA kupa")
            bare_recorder(environment(database_url=other), bare.Stock, given)
        with postgres.database(own.url()) as url, folder() as other_folder:
            print("PostgreSQL, yardstick", load())
            least = yards(other_folder, url, given)
        for processes in given.processes:
            with postgres.database(own.url()) as url, folder() as data:
                print(f"PostgreSQL, Kupa, {processes} serving", load())
                serve(Running(data, url, processes), given, least)
    finally:
        own.close()


def serve(running: Running, given: argparse.Namespace, least: Yards) -> None:
    try:
        measure(running, given, least)
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
