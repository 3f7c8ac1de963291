"""A long ledger exported and re-checked: how long it takes, and that every checker accepts it.

python -m tests.bench.ledger --transfers 100000
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from domain.games import GAMES
from domain.kishpa.moves import Load
from domain.kishpa.rules import KishpaRules
from domain.lines import NO_LINE, Entry
from domain.table import moves as asked
from domain.table.decide import decide
from domain.table.due import due
from domain.table.opening import open_table
from domain.table.state import Between, Table
from domain.times import later
from service.dealer import SecretDealer
from service.ledger.exports import FORMATS, Book, pieces
from service.ledger.rows import Standing, booked, process, standing_of
from service.store.opening import open_store
from service.store.port import Unit
from service.store.rows import LedgerRow, StoredLine
from service.store.store import KupaStore
from service.tables.writing import new_directory_row, numbered, with_commit
from tests.external.conftest import BEANCOUNT, from_debian, from_pypi, says
from tests.playing import START

SEATS = 4
ROWS_A_UNIT = 500


class Evening:
    """A table that plays by its clocks, loads where a round waits for it, and keeps what it has told."""

    def __init__(self) -> None:
        self.dealer, self.at, self.head = SecretDealer(), START, NO_LINE
        rules = KishpaRules(max_turns_per_round=1, exposure_timeout_s=1, turn_timeout_s=1, absent_after=0)
        self.entries: list[Entry] = []
        self.table: Table | None = None
        step = open_table(self.dealer.new_id(), asked.Create("kishpa", rules, SEATS), self.at, GAMES)
        self._take(with_commit(step, self.dealer))
        for n in range(SEATS):
            self.give(f"seat:{n}", asked.Sit(n, self.dealer.new_id()))
        self.give("host", asked.Start())

    def _take(self, step: object) -> None:
        self.entries += step.entries  # type: ignore[attr-defined]
        self.table = step.table  # type: ignore[attr-defined]

    def give(self, by: str, move: object) -> None:
        assert self.table is not None
        step = decide(self.table, by, move, self.at)  # type: ignore[arg-type]
        self._take(with_commit(step, self.dealer))

    def go_on(self, chance: random.Random) -> None:
        """One command: what is due, a load, or being ready."""
        table = self.table
        assert table is not None
        self.at = later(self.at, seconds=2)
        if isinstance(table.phase, Between):
            for seat in table.game.blocked(table.state):
                self.give(f"seat:{seat}", Load())
            if chance.random() < 0.02:
                self.give("referee:key", asked.VoidRound())
            for seat in range(SEATS):
                self.give(f"seat:{seat}", asked.Ready())
        elif (found := due(table)) and found.at:
            self.at = max(self.at, found.at)
            self.give("table", asked.Act())


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Say how long it took."""
    began = time.monotonic()
    yield
    print(f"{what:<42}{time.monotonic() - began:8.1f} s", flush=True)


async def write(store: KupaStore, transfers: int) -> tuple[Table, str, list[StoredLine]]:
    """Play until there are so many transfers, each line stored with its rows as the service does."""
    evening, chance, done, head, standing = Evening(), random.Random(1), 0, NO_LINE, Standing()
    lines: list[StoredLine] = []
    directory = None
    while done < transfers or evening.entries:
        while len(evening.entries) < ROWS_A_UNIT and done < transfers:
            evening.go_on(chance)
        entries, evening.entries = evening.entries, []
        table = evening.table
        assert table is not None
        rows: list[LedgerRow] = []
        for entry in entries:
            standing, new = process(table.id, standing, entry)
            rows += new
        written = numbered(table.id, entries, head, evening.dealer)
        head = written.head
        lines += written.lines
        directory = new_directory_row(table, head, "bench", None, None)
        await store.commit(
            Unit(game=table.id, at=evening.at, lines=written.lines, ledger=tuple(rows), directory=directory)
        )
        done += len(rows)
    assert evening.table is not None
    assert standing.balances == standing_of(evening.table).balances
    return evening.table, head, lines


async def run(transfers: int, folder: Path) -> None:
    store = await open_store(data_dir=folder)
    try:
        with timed("played and stored"):
            table, head, lines = await write(store, transfers)
        with timed("rows made again from the lines"):
            from service.tables.live import read

            again = list(booked(table.id, Standing(), (read(line.line) for line in lines)))
        rows = await store.ledger(table.id)
        assert rows == again, "the lines give other rows"
        print(f"{len(rows)} transfers in {len(lines)} lines and {table.round} rounds; sum", end=" ")
        print(sum(table.books.balances.values()))
        for name, form in FORMATS.items():
            path = folder / f"ledger.{form.suffix}"
            with timed(f"export as {name}"), path.open("wb") as file:
                async for piece in pieces(store.books, Book(table, head, START), form):
                    file.write(piece)
            print(f"{'':<4}{path.stat().st_size / 1e6:.1f} MB")
    finally:
        await store.close()


def check(folder: Path) -> None:
    """Both checkers, each installed if it is missing."""
    commands: dict[str, Callable[[], list[str | Path]]] = {
        "hledger check --strict": lambda: [
            *(from_debian("hledger"), "check", "--strict", "-f"),
            folder / "ledger.journal",
        ],
        "bean-check": lambda: [from_pypi(BEANCOUNT, "bean-check"), folder / "ledger.beancount"],
    }
    for name, command in commands.items():
        with timed(name):
            code, said = says(command())
        assert code == 0, said[-2_000:]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--transfers", type=int, default=100_000)
    asked_for = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(asked_for.transfers, Path(folder)))
        check(Path(folder))


if __name__ == "__main__":
    main()
