"""Tables played without a service: any game, any table rules, random legal moves, everything kept for inspection."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from domain.game import Event, Game, Move, Refused, RulesInvalid, every_move, type_of
from domain.games import GAMES
from domain.gate import Caller, Heading, Now, folds, heading, hearable
from domain.lines import NO_LINE, Entry, encode, line_hash
from domain.table import events as told
from domain.table import moves as asked
from domain.table.decide import decide
from domain.table.due import due
from domain.table.evolve import created, evolve
from domain.table.opening import open_table, owes_commit
from domain.table.recording import Step
from domain.table.state import Between, Ended, Open, Playing, Table, Voided, now
from domain.table.view import TableView, empty_view, hear, options
from domain.times import later

START = "2026-11-29T22:01:00.000000Z"
TABLE_ID = "0190b6a4-1111-7abc-8def-000000000001"

EVENTS = {type_of(e): e for e in (*told.EVENTS, *(e for g in GAMES.values() for e in g.events))}
MOVES = {type_of(m): m for m in (*asked.MOVES, *(m for g in GAMES.values() for m in every_move(g)))}


def seed_of(number: int, round_: int) -> str:
    """A server seed for tests: different for each number and round."""
    return random.Random(f"{number}/{round_}").randbytes(32).hex()


class Sitting:
    """One table, its entries and lines, and the table as of each version."""

    def __init__(
        self,
        game: Game,
        rules: Any,
        seats: int,
        *,
        seed: int = 0,
        decks: Sequence[Sequence[str]] = (),
        next_seed: int | None = None,
    ) -> None:
        self.game, self.rules, self.size = game, rules, seats
        self.seed, self.next_seed = seed, seed if next_seed is None else next_seed
        self.decks = tuple(tuple(deck) for deck in decks)
        self.at, self.head = START, NO_LINE
        self.entries: list[Any] = []
        """Entries; loosely typed, so that a test may look into any event."""
        self.headings: list[Heading] = []
        self.lines: list[bytes] = []
        self.tables: list[Table] = []
        self.commands: list[tuple[str, Move]] = []
        self.ends: list[int] = []
        """The version after each command, commits counted with the command before."""
        create = asked.Create(game.name, rules, seats, "public", bool(decks))
        self._take(open_table(TABLE_ID, create, self.at, {game.name: game}))
        self._commit()

    @property
    def table(self) -> Any:
        return self.tables[-1]

    def give(self, by: str, move: Move, seconds: int = 1) -> Step:
        """Give a command some seconds later; raises Refused and changes nothing if the rules say no."""
        at = later(self.at, seconds=seconds)
        step = decide(self.table, by, move, at)
        self.at = at
        self.commands.append((by, move))
        self._take(step)
        self._commit()
        return step

    def seat_all(self) -> Sitting:
        """Let everybody sit down and start."""
        for n in range(self.size):
            self.give(f"seat:{n}", asked.Sit(n, f"player-{n}"))
        self.give("host", asked.Start())
        return self

    def let_due(self) -> None:
        """Wait until the table must act, and let it."""
        found = due(self.table)
        assert found is not None
        assert found.at is not None
        self.at = max(self.at, found.at)
        self.give("table", asked.Act(), seconds=0)

    def _commit(self) -> None:
        number = owes_commit(self.table)
        if number is not None:
            seed = seed_of(self.seed if number == 1 else self.next_seed, number)
            move = asked.Commit(number, seed, self.decks if number == 1 else ())
            self._take(decide(self.table, "table", move, self.at))
            self.ends.pop()
        if self.ends:
            self.ends[-1] = self.table.version
        else:
            self.ends.append(self.table.version)

    def _take(self, step: Step) -> None:
        for entry in step.entries:
            self.tables.append(
                evolve(self.table, entry) if self.tables else created(entry, TABLE_ID, {self.game.name: self.game})
            )
            line = encode(entry, TABLE_ID, self.head, "ab" * 16)
            self.head = line_hash(line)
            self.entries.append(entry)
            self.headings.append(heading(entry.seq, entry.event, entry.round))
            self.lines.append(line)
        assert self.table == step.table, "folding what decide returned gives the table that it returned"
        self.ends.append(self.table.version)

    def heard(self, seat: int | None, version: int, moment: Now | None = None) -> list[Entry]:
        """The entries up to `version` that a seat's view is folded from, as of then (or `moment`)."""
        moment = moment or now(self.tables[version - 1])
        caller = Caller(seat)
        return [
            entry
            for entry, line in zip(self.entries[:version], self.headings[:version], strict=True)
            if folds(line, seat) and hearable(line, caller, moment)
        ]

    def view(self, seat: int | None, version: int | None = None) -> TableView:
        """A seat's view, folded afresh."""
        version = version or self.table.version
        view = empty_view(self.game, self.rules, self.size, seat)
        for entry in self.heard(seat, version):
            view = hear(view, entry)
        return view

    def over(self) -> bool:
        return isinstance(self.table.phase, Ended | Voided)


def random_rules(game: Game, seats: int, rng: random.Random, **fixed: Any) -> Any:
    """Table rules drawn over all fields: switches and choices freely, numbers as they are (bounds are tested apart)."""
    while True:
        drawn: dict[str, Any] = {}
        for name, kind in _kinds(game.rules):
            if kind is bool:
                drawn[name] = rng.random() < 0.3
            elif isinstance(kind, tuple):
                drawn[name] = rng.choice(kind)
        rules = msgspec.structs.replace(game.rules(), **{**drawn, **fixed})
        try:
            game.check(rules, seats)
        except RulesInvalid:
            continue
        return rules


def _kinds(rules: type[Any]) -> Iterable[tuple[str, Any]]:
    """Each field that is a switch (bool) or a choice (its values)."""
    info = msgspec.inspect.type_info(rules)
    assert isinstance(info, msgspec.inspect.StructType)
    for field in info.fields:
        kind = field.type.type if isinstance(field.type, msgspec.inspect.Metadata) else field.type
        if isinstance(kind, msgspec.inspect.BoolType):
            yield field.name, bool
        elif isinstance(kind, msgspec.inspect.LiteralType):
            yield field.name, kind.values


def play(
    sitting: Sitting,
    rng: random.Random,
    *,
    most: int = 2_000,
    lazy: float = 0.0,
    leaving: float = 0.0,
    calling: float = 0.0,
    choose: Callable[[random.Random, list[Move]], Move | None] = random.Random.choice,
    others: Callable[[Sitting, random.Random], tuple[str, Move] | None] = lambda _sitting, _rng: None,
) -> Sitting:
    """Play random listed moves of random seats until the table is over.

    Now and then (`lazy`, `leaving`, `calling`) somebody sleeps, leaves, or the creator's seat calls the last round.
    A seat may `choose` nothing. `others` may name a command of somebody who sits nowhere, and who gives it: it is
    given if it is not refused.
    """
    views = {n: sitting.view(n) for n in range(sitting.size)}
    done = sitting.table.version
    for _ in range(most):
        if sitting.over():
            return sitting
        if rng.random() < calling:
            sitting.give(f"seat:{sitting.table.creator}", asked.CallLastRound())
        elif (other := others(sitting, rng)) is not None:
            with suppress(Refused):
                sitting.give(*other)
        else:
            _some_command(sitting, views, rng, lazy, leaving, choose)()
        for entry, line in zip(sitting.entries[done:], sitting.headings[done:], strict=True):
            views |= {n: hear(view, entry) for n, view in views.items() if folds(line, n)}
        done = sitting.table.version
    raise AssertionError(f"no end after {most} commands")


def _some_command(
    sitting: Sitting,
    views: dict[int, TableView],
    rng: random.Random,
    lazy: float,
    leaving: float,
    choose: Callable[[random.Random, list[Move]], Move | None],
) -> Callable[[], object]:
    found = due(sitting.table)
    if found and found.at and (found.at <= later(sitting.at, seconds=1) or rng.random() < lazy):
        return sitting.let_due
    if rng.random() < leaving:
        staying = [n for n, seat in enumerate(sitting.table.seats) if seat and not seat.left]
        n = rng.choice(staying)
        return lambda: sitting.give(f"seat:{n}", asked.Leave(n))
    seats = [n for n in views if options(views[n])]
    if not seats:
        assert found, "nobody has a move and nothing is due"
        return sitting.let_due
    n = rng.choice(seats)
    move = choose(rng, options(views[n]))
    return (lambda: sitting.give(f"seat:{n}", move)) if move is not None else (lambda: None)


__all__ = ["EVENTS", "MOVES", "Between", "Event", "Open", "Playing", "Refused", "Sitting", "play", "random_rules"]
