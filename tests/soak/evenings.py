"""Evenings of Kishpa at random: random table rules, bots and chance at the table, and every token accounted for.

python -m tests.soak.evenings --tables 2000 --rounds 20 --processes 2
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import random
import time
from collections import Counter
from typing import Any, NamedTuple

from domain.games import GAMES
from domain.kishpa.moves import Discard, Load
from domain.lines import LINE_BYTES_MAX, Entry
from domain.table import events as told
from domain.table import moves as asked
from domain.table.due import due
from domain.table.state import Between, Open, Table
from domain.table.view import TableView, empty_view, hear, options
from domain.tokens import BANK, BOWL, CODES
from service.ledger.explaining import telling
from service.ledger.rows import Standing, process
from tests.playing import Sitting, random_rules

KISHPA = GAMES["kishpa"]
COMMANDS_MAX = 40_000
PLAYERS = (*(None,) * 16, *("easy",) * 6, *("normal",) * 4, "hard")
"""Who sits down: chance more than bots, and the one that counts how far it is rarely, for it thinks long."""


class Tally(NamedTuple):
    """How much was played and paid: tables, rounds, lines, transfers by their code."""

    tables: int = 0
    rounds: int = 0
    lines: int = 0
    codes: Counter[str] = Counter()  # noqa: RUF012 - never changed, only added to

    def __add__(self, other: Any) -> Tally:
        return Tally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def __str__(self) -> str:
        codes = ", ".join(f"{code} {count}" for code, count in sorted(self.codes.items()))
        return f"{self.rounds} rounds, {self.lines} lines, {self.codes.total()} transfers: {codes}"


def rules_of(rng: random.Random, seats: int, rounds: int) -> Any:
    """Every table rule at random, the numbers too."""
    numbers = {
        "rounds": rounds,
        "max_players": 6,
        "false_win_penalty": rng.choice((0, 0, 1, 7)),
        "max_turns_per_round": rng.choice((1, 8, 30, 60)),
        "exposure_timeout_s": rng.choice((0, 10)),
        "turn_timeout_s": rng.choice((0, 120)),
        "ready_timeout_s": rng.choice((0, 30)),
        "starting_tokens": rng.choice((0, 2, 3, 40, 2_000)),
        "load_size": rng.choice((1, 2, 50)),
        "absent_after": rng.choice((0, 3)),
    }
    return random_rules(KISHPA, seats, rng, **numbers)


class Evening:
    """One table in play, and what each seat sees and remembers of it."""

    def __init__(self, number: int, rounds: int) -> None:
        self.rng = random.Random(f"evening/{number}")
        self.seats = self.rng.randint(2, 6)
        self.table = Sitting(KISHPA, rules_of(self.rng, self.seats, rounds), self.seats, seed=number)
        self.views: dict[int, TableView] = {n: empty_view(KISHPA, self.table.rules, self.seats, n) for n in self.range}
        self.minds = {n: KISHPA.bot.memory(self.table.rules, n) for n in self.range}
        self.strengths = {n: self.rng.choice(PLAYERS) for n in self.range}
        """How each seat plays; None: any listed move, a win if there is one."""
        self.seen = 0
        self.leaving = self.rng.choice((0.0, 0.0, 0.0005))
        self.voiding = self.rng.choice((0.0, 0.002))

    @property
    def range(self) -> range:
        return range(self.seats)

    def play(self) -> None:
        """From the first seat taken to the last line."""
        for n in self.range:
            self.give(f"seat:{n}", asked.Sit(n, f"player-{n}"))
            if self.rng.random() < 0.2:
                self.give(f"seat:{n}", Load())
            if self.rng.random() < 0.1:
                self.give(f"seat:{n}", asked.Leave(n))
                self.give(f"seat:{n}", asked.Sit(n, f"another-{n}"))
        for _ in range(COMMANDS_MAX):
            if self.table.over():
                return
            self.a_command()
        raise AssertionError(f"no end after {COMMANDS_MAX} commands")

    def give(self, by: str, move: Any) -> None:
        self.table.give(by, move)
        self.follow()

    def follow(self) -> None:
        """What was told goes to whom it is for."""
        for entry, line in zip(self.table.entries[self.seen :], self.table.headings[self.seen :], strict=True):
            for n in self.range if line.to is None else () if line.to == "table" else (int(line.to),):
                self.views[n] = hear(self.views[n], entry)
                self.minds[n] = KISHPA.bot.remember(self.minds[n], entry.event)
        self.seen = len(self.table.entries)

    def a_command(self) -> None:
        table: Table = self.table.table
        staying = [n for n in self.range if not (table.seats[n] and table.seats[n].left)]  # type: ignore[union-attr]
        chance = self.rng.random()
        blocked = KISHPA.blocked(table.state)
        if blocked and isinstance(table.phase, Open | Between):
            self.give(f"seat:{blocked[0]}", Load())
        elif isinstance(table.phase, Open):
            self.give("host", asked.Start())
        elif chance < self.voiding and table.round not in table.voided:
            self.give("referee:key", asked.VoidRound())
        elif chance < self.voiding + self.leaving and len(staying) > 1:
            n = self.rng.choice(staying)
            self.give(f"seat:{n}", asked.Leave(n))
        elif chance > 0.995:
            self.give(f"seat:{self.rng.choice(staying)}", Load())
        else:
            self.a_turn()

    def a_turn(self) -> None:
        """A seat that is waited for plays, or its clock does."""
        found = due(self.table.table)
        able = [n for n in self.range if options(self.views[n])]
        if not able or (found and found.at and (found.at <= self.table.at or self.rng.random() < 0.01)):
            self.table.let_due()
            self.follow()
            return
        n = self.rng.choice(able)
        self.give(f"seat:{n}", self.choice(n, options(self.views[n])))

    def choice(self, n: int, listed: list[Any]) -> Any:
        strength, rules = self.strengths[n], self.table.rules
        throws = [move for move in listed if isinstance(move, Discard) and not move.declare]
        if throws and rules.false_win_penalty and self.rng.random() < 0.02:
            return Discard(self.rng.choice(throws).tile, declare=True)
        wins = [move for move in listed if isinstance(move, Discard) and move.declare]
        if strength is None or isinstance(listed[0], asked.Ready):
            return self.rng.choice(wins or listed)
        return KISHPA.bot.choose(strength, self.minds[n], self.views[n].inner, listed, self.rng.randrange)


def played(number: int, rounds: int) -> Tally:
    """Play evening `number` and check every line of it. Raises AssertionError."""
    evening = Evening(number, rounds)
    evening.play()
    table = evening.table
    tiles_are_kept(table)
    codes = tokens_are_kept(table)
    views_agree(evening)
    last = table.entries[-1].event
    assert isinstance(last, told.Ended)
    assert max(map(len, table.lines)) <= LINE_BYTES_MAX
    return Tally(1, table.table.played, len(table.lines), codes)


def tiles_are_kept(table: Sitting) -> None:
    """After every line each tile lies in exactly one place."""
    pack = Counter(KISHPA.pack(table.rules, table.size))
    for after in table.tables:
        zones = KISHPA.zones(after.state)
        assert not zones or Counter(itertools.chain.from_iterable(zones.values())) == pack, f"line {after.version}"


def tokens_are_kept(table: Sitting) -> Counter[str]:
    """After every line rows, books and the game's own accounts agree; nothing is made or lost; the bowl never owes."""
    standing, moved, undone = Standing(), {}, set()
    codes: Counter[str] = Counter()
    loaded = {BANK: 0}
    for entry, after in zip(table.entries, table.tables, strict=True):
        standing, rows = process(table.table.id, standing, entry)
        assert after.books.balances == standing.balances, f"line {entry.seq}"
        own = accounts(after)
        assert own == {**dict.fromkeys(own, 0), **standing.balances}, f"line {entry.seq}"
        assert sum(own.values()) == 0, f"line {entry.seq}"
        assert own[BOWL] >= 0, f"line {entry.seq}: the bowl owes"
        for row in rows:
            codes[row.code] += 1
            assert row.code in CODES, row.code
            assert row.amount >= 1
            assert row.payer != row.payee
            moved[row.seq, row.index] = row
            if row.reverses_seq is not None and row.reverses_index is not None:
                target = row.reverses_seq, row.reverses_index
                assert target not in undone, f"transfer {target} is reversed twice"
                undone.add(target)
                assert (moved[target].payer, moved[target].payee, moved[target].amount) == (
                    *(row.payee, row.payer, row.amount),
                )
            if BANK in (row.payer, row.payee):
                loaded[BANK] += row.amount if row.payer == BANK else -row.amount
        assert own[BANK] == -loaded[BANK], f"line {entry.seq}: the bank gave what no row says"
        explained(entry)
    return codes


def explained(entry: Entry) -> None:
    """A line with transfers is one that a statement can explain."""
    if getattr(entry.event, "transfers", ()):
        assert type(entry.event).__struct_config__.tag in telling("kishpa")


def accounts(table: Table) -> dict[str, int]:
    """The balances as the game itself keeps them."""
    state = table.state
    found: dict[str, int] = (state.evening if hasattr(state, "evening") else state.round.evening).accounts
    return found


def views_agree(evening: Evening) -> None:
    """At the end every seat knows every balance."""
    own = accounts(evening.table.table)
    for n, view in evening.views.items():
        assert view.inner.evening.accounts == own, f"seat {n} sees other balances"


def one(work: tuple[int, int]) -> Tally:
    """One evening; its number is told when something is wrong with it."""
    try:
        return played(*work)
    except Exception as wrong:
        raise AssertionError(f"evening {work[0]}: {wrong!r}") from wrong


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tables", type=int, default=2_000)
    arguments.add_argument("--rounds", type=int, default=20)
    arguments.add_argument(
        "--first", type=int, default=0, help="number of the first evening: each is made from its own"
    )
    arguments.add_argument("--processes", type=int, default=1)
    arguments.add_argument(
        "--seconds", type=float, default=float("inf"), help="stop after so long, and say how far it came"
    )
    wanted = arguments.parse_args()
    work = [(number, wanted.rounds) for number in range(wanted.first, wanted.first + wanted.tables)]
    began, total = time.monotonic(), Tally()
    with multiprocessing.get_context("spawn").Pool(wanted.processes) as pool:
        for tally in pool.imap_unordered(one, work, chunksize=5):
            total += tally
            if total.tables % 100 == 0:
                print(f"{total.tables} tables, {time.monotonic() - began:.0f} s", flush=True)
            if time.monotonic() - began > wanted.seconds:
                break
    print(f"{total.tables} tables in {time.monotonic() - began:.0f} s: {total}")


if __name__ == "__main__":
    main()
