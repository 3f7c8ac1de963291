"""One random game from its first line to its last, with everything checked that must hold after every line."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from importlib import import_module
from typing import Any, NamedTuple

from domain.games import GAMES
from domain.lines import NO_LINE, decode, entry_of, line_hash
from domain.table.due import due
from domain.table.evolve import created, evolve
from tests.essence import SAMPLES
from tests.playing import EVENTS, MOVES, TABLE_ID, Sitting, play, random_rules

COMMANDS_MAX = 50_000
LAZY, LEAVING, CALLING = 0.03, 0.003, 0.01


class Tally(NamedTuple):
    """How much was played: games, lines, rounds, and how the tables ended."""

    games: int = 0
    lines: int = 0
    rounds: int = 0
    ends: Counter[str] = Counter()  # noqa: RUF012 - never changed, only added to

    def __add__(self, other: Any) -> Tally:
        assert isinstance(other, Tally)
        games, lines, rounds, ends = other
        return Tally(self.games + games, self.lines + lines, self.rounds + rounds, self.ends + ends)

    def __str__(self) -> str:
        ends = ", ".join(f"{how} {count}" for how, count in sorted(self.ends.items()))
        return f"{self.lines} lines, {self.rounds} rounds; ended by: {ends}"


def one(work: tuple[str, int]) -> Tally:
    """One game; its name and number are told when something is wrong with it."""
    name, number = work
    try:
        return played(name, number)
    except Exception as wrong:
        raise AssertionError(f"game {number} of {name}: {wrong!r}") from wrong


def played(name: str, number: int) -> Tally:
    """Play game `number` to its end and check it. Raises AssertionError."""
    game, rng = GAMES[name], random.Random(f"soak/{name}/{number}")
    fewest, most = game.seats(game.rules())
    seats = rng.randint(fewest, min(most, 7))
    conduct = import_module(f"tests.domain.{name}.conduct")
    numbers, choose = getattr(conduct, "numbers", no_numbers), getattr(conduct, "choose", random.Random.choice)
    fixed = {**SAMPLES[name].fixed, **numbers(rng, seats)}
    fixed.setdefault("unseal", rng.choice(["round", "table_end"]))
    others = getattr(conduct, "others", nobody_else)
    table = Sitting(game, random_rules(game, seats, rng, **fixed), seats, seed=number).seat_all()
    calling = CALLING if table.rules.rounds is None else 0.0
    play(table, rng, most=COMMANDS_MAX, lazy=LAZY, leaving=LEAVING, calling=calling, choose=choose, others=others)
    nothing_is_lost(table)
    the_lines_tell_the_same(table)
    assert due(table.table) is None, "after the end nothing is due"
    last = table.entries[-1].event
    return Tally(1, len(table.lines), table.table.played, Counter([last.reason]))


def no_numbers(_: random.Random, _seats: int) -> dict[str, Any]:
    """The numbers of a game that does not say how to draw them: as they are."""
    return {}


def nobody_else(_table: Sitting, _rng: random.Random) -> None:
    """A game at which only seats and clocks give commands."""


def nothing_is_lost(table: Sitting) -> None:
    """After every line each card of the pack lies in exactly one place."""
    pack = Counter(table.game.pack(table.rules, table.size))
    for after in table.tables:
        zones = table.game.zones(after.state)
        assert not zones or Counter(itertools.chain.from_iterable(zones.values())) == pack, f"line {after.version}"


def the_lines_tell_the_same(table: Sitting) -> None:
    """The lines, read from their bytes, are a chain and give the table as it stands."""
    again, head = None, NO_LINE
    for line in table.lines:
        read = decode(line)
        assert read.prev == head, f"line {read.seq} follows another"
        entry = entry_of(read, EVENTS, MOVES)
        again = evolve(again, entry) if again else created(entry, TABLE_ID, GAMES)
        head = line_hash(line)
    assert again == table.table, "the lines give another table"
