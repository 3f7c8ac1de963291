"""Ledgers to be re-checked: tables of Kishpa played by the rules, with their rows and the files made of them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from domain.games import GAMES
from domain.kishpa.moves import Load
from domain.table import moves as asked
from domain.table.due import due
from domain.table.view import options
from domain.times import later
from service.ledger.exports import FORMATS, Book, pieces
from service.ledger.rows import Standing, booked
from service.store.ledger import START as BEGINNING
from service.store.rows import LedgerRow
from tests.playing import START, Sitting


class Rows:
    """Rows in memory, asked for page by page as those of a store are."""

    def __init__(self, rows: Sequence[LedgerRow]) -> None:
        self.rows = rows

    async def page(
        self, _game: str, after: tuple[int, int] = BEGINNING, limit: int = 100, _account: str | None = None
    ) -> list[LedgerRow]:
        later_ones = (row for row in self.rows if (row.seq, row.index) > after)
        return [row for row, _ in zip(later_ones, range(limit), strict=False)]


def evening(seed: int = 0, rounds: int = 4, **rules: Any) -> Sitting:
    """A table of three over several days: loads before and during it, debts, a voided round, somebody who leaves."""
    game, rng = GAMES["kishpa"], random.Random(seed)
    fixed = {"rounds": rounds, "max_turns_per_round": 10, "starting_tokens": 3, "turn_timeout_s": 0, **rules}
    sitting = Sitting(game, game.rules(**fixed), 3, seed=seed)
    for n in range(3):
        sitting.give(f"seat:{n}", asked.Sit(n, f"0190b6a4-2222-7abc-8def-00000000000{n}"))
    sitting.give("seat:1", Load())
    sitting.give("host", asked.Start())
    sitting.give("referee:key", asked.VoidRound())
    while not sitting.over():
        for seat in game.blocked(sitting.table.state):
            sitting.give(f"seat:{seat}", Load(), seconds=3_600)
        a_command(sitting, rng)
        if sitting.table.round == rounds and not any(seat and seat.left for seat in sitting.table.seats):
            sitting.give("seat:2", asked.Leave(2))
    return sitting


def a_command(sitting: Sitting, rng: random.Random) -> None:
    """A random listed move, an hour or so later; or what the table owes."""
    found = due(sitting.table)
    seats = [n for n in range(sitting.size) if options(sitting.view(n))]
    if not seats or (found and found.at and found.at <= later(sitting.at, seconds=1)):
        sitting.let_due()
        return
    seat = rng.choice(seats)
    sitting.give(f"seat:{seat}", rng.choice(options(sitting.view(seat))), seconds=rng.choice((1, 40, 4_000)))


def rows_of(sitting: Sitting) -> list[LedgerRow]:
    """Its ledger."""
    return list(booked(sitting.table.id, Standing(), sitting.entries))


def file_of(sitting: Sitting, form: str, folder: Path, rows: Sequence[LedgerRow] | None = None) -> Path:
    """Its ledger as a file of this kind."""
    chosen = FORMATS[form]
    path = folder / f"ledger.{chosen.suffix}"
    book = Book(sitting.table, sitting.head, START)

    async def write() -> None:
        with path.open("wb") as file:
            async for piece in pieces(Rows(rows_of(sitting) if rows is None else rows), book, chosen):  # type: ignore[arg-type]
                file.write(piece)

    asyncio.run(write())
    return path
