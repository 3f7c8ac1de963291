"""How many units a second become durable: 3 lines and their side rows each, beside the library's bare recorder.

    python -m tests.bench.store              both databases, 3 seconds a figure
    python -m tests.bench.store --seconds 1 sqlite

A batch of n is n tables that wait for each other's commit, as under load. The bare recorder writes the same lines
in batches of the same size and nothing beside them, from one thread. Both commit to disk (fsync).
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, InfrastructureFactory, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder
from msgspec.structs import replace

from domain.lines import NO_LINE, line_hash
from service.store.application import environment
from service.store.opening import open_store
from service.store.port import Unit
from service.store.postgres import PostgresStorage
from service.store.store import KupaStore
from tests import postgres
from tests.service.store.units import full_unit, lines_of, new_game

BATCHES = (1, 16, 64)
LINES = 3
READS = 2_000


def units_of(game: str) -> Iterator[Unit]:
    """A table's units, one after the other: what a move with a transfer writes."""
    first, head = 1, NO_LINE
    while True:
        unit = full_unit(game, first, LINES)
        lines = lines_of(game, first, LINES, prev=head)
        yield replace(unit, lines=lines, tokens=(), players=(), seats=(), outbox=())
        first, head = first + LINES, line_hash(lines[-1].line)


def prepared(tables: int, each: int) -> list[list[Unit]]:
    """Units made beforehand, so that making them is not measured."""
    streams = [units_of(new_game()) for _ in range(tables)]
    return [[next(stream) for _ in range(each)] for stream in streams]


async def through_the_store(store: KupaStore, tables: int, seconds: float) -> float:
    """Units a second, each table waiting for its commit before its next."""
    done = 0
    spent = 0.0
    while spent < seconds:
        streams = prepared(tables, max(1, 640 // tables))

        async def play(stream: list[Unit]) -> None:
            for unit in stream:
                await store.commit(unit)

        started = time.perf_counter()
        await asyncio.gather(*map(play, streams))
        spent += time.perf_counter() - started
        done += sum(map(len, streams))
    return done / spent


def bare(recorder: ApplicationRecorder, tables: int, seconds: float) -> float:
    """Units a second of the library's own recorder: the lines alone."""
    done = 0
    spent = 0.0
    while spent < seconds:
        streams = prepared(tables, max(1, 640 // tables))
        batches = [
            [StoredEvent(UUID(unit.game), line.seq, line.type, line.line) for unit in units for line in unit.lines]
            for units in zip(*streams, strict=True)
        ]
        started = time.perf_counter()
        for batch in batches:
            recorder.insert_events(batch)
        spent += time.perf_counter() - started
        done += len(batches) * tables
    return done / spent


async def reading(store: KupaStore) -> None:
    """Microseconds of a read of one row, and of a table's first 300 lines."""
    [stream] = prepared(1, 100)
    for unit in stream:
        await store.commit(unit)
    game = stream[0].game

    async def measure(what: str, ask: Callable[[], Awaitable[Any]], times: int) -> None:
        started = time.perf_counter()
        for _ in range(times):
            await ask()
        print(f"  {what:<38} {(time.perf_counter() - started) / times * 1e6:8.0f} µs")

    await measure("one row by its key", lambda: store.directory(game), READS)
    await measure("a list of one line", lambda: store.lines(game, limit=1), READS // 4)
    await measure("300 lines", lambda: store.lines(game), READS // 10)


async def compare(where: dict[str, Any], stock: ApplicationRecorder, seconds: float) -> None:
    """One after the other for each size, so that both meet the same disk."""
    store = await open_store(**where)
    await reading(store)
    print(f"  {'batch':>6} {'bare recorder':>16} {'with all rows':>16} {'ratio':>7}")
    for tables in BATCHES:
        theirs, ours = bare(stock, tables, seconds), await through_the_store(store, tables, seconds)
        print(f"  {tables:>6} {theirs:>14,.0f}/s {ours:>14,.0f}/s {ours / theirs:>7.2f}")
    await store.close()


@contextmanager
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="kupa-bench-"))
    try:
        yield made
    finally:
        shutil.rmtree(made)


class Stock(PostgresStorage):
    """Our connections with the library's own recorder and the table it makes."""

    application_recorder_class = PostgresApplicationRecorder


def on_sqlite(seconds: float) -> None:
    with folder() as data, folder() as other:
        env = environment(data_dir=other) | {"PERSISTENCE_MODULE": "eventsourcing.sqlite"}
        print("SQLite")
        stock = InfrastructureFactory.construct(env)
        asyncio.run(compare({"data_dir": data}, stock.application_recorder(), seconds))
        stock.close()


def on_postgres(seconds: float) -> None:
    found = postgres.binaries()
    assert found is not None, "no PostgreSQL found"
    server = postgres.Server(found, options=("shared_buffers=128MB", "jit=off"))
    try:
        with postgres.database(server.url()) as url, postgres.database(server.url()) as other:
            postgres.execute(other, "CREATE SCHEMA kupa")
            stock = Stock(environment(database_url=other))
            print(f"PostgreSQL {postgres.execute(url, 'SHOW server_version')[0][0]}")
            asyncio.run(compare({"database_url": url}, stock.application_recorder(), seconds))
            stock.close()
    finally:
        server.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgres"], help="sqlite, postgres")
    parser.add_argument("--seconds", type=float, default=3.0)
    given = parser.parse_args()
    for name in given.databases:
        {"sqlite": on_sqlite, "postgres": on_postgres}[name](given.seconds)


if __name__ == "__main__":
    main()
