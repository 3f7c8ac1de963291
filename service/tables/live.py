"""One table in memory: its state, its head, and what each audience has heard so far."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.game import Event, Move, every_move, type_of
from domain.games import GAMES
from domain.gate import Caller, Heading, Now, folds, heading, hearable
from domain.lines import NO_LINE, Entry, decode, entry_of, line_hash, sealed
from domain.table import events as told
from domain.table import moves as asked
from domain.table import view as seen
from domain.table.evolve import created, evolve
from domain.table.state import Table, now
from service.problems import Problem
from service.store.committer import WAIT_SECONDS_MAX, WAITING_MAX
from service.store.rows import DirectoryRow, SeatRow, StoredLine

EVENTS: dict[str, type[Event]] = {
    type_of(event): event for event in (*told.EVENTS, *(e for game in GAMES.values() for e in game.events))
}
MOVES: dict[str, type[Move]] = {
    type_of(move): move for move in (*asked.MOVES, *(m for game in GAMES.values() for m in every_move(game)))
}


_gate = msgspec.json.Decoder(Heading)
"""Reads the part of a line that the gate looks at, without the rest."""


def gate_heading(line: bytes) -> Heading:
    """The heading of a stored line."""
    return _gate.decode(line)


class _When(Struct):
    """The part of a line that says when it was written."""

    at: str


_when = msgspec.json.Decoder(_When)


def written_at(line: bytes) -> str:
    """When a stored line was written."""
    return _when.decode(line).at


def read(line: bytes) -> Entry:
    """The entry that a stored line holds."""
    return entry_of(decode(line), EVENTS, MOVES)


class TableLock(asyncio.Lock):
    """One command or look at a time; who would wait too long, or behind too many, is told to come again.

    The bounds are the committer's: without them the fifth command at one table would wait for the other four, each of
    which may wait for a silent store.
    """

    waiting = 0

    async def acquire(self) -> Literal[True]:
        """Wait for the lock. Raises Problem unavailable."""
        if not self.locked():
            return await super().acquire()
        if self.waiting >= WAITING_MAX:
            raise _busy()
        self.waiting += 1
        try:
            async with asyncio.timeout(WAIT_SECONDS_MAX):
                return await super().acquire()
        except TimeoutError:
            raise _busy() from None
        finally:
            self.waiting -= 1


def _busy() -> Problem:
    return Problem("unavailable", "Too much waits for this table now; nothing was changed.", retry_after=1)


Headed = tuple[Heading, Entry]
"""What the gate looks at, and what it lets through."""


class Mind:
    """What a bot remembers: a fold of every line its seat heard, looks included, as of each command's end (G-16)."""

    def __init__(self, table: Table, seat: int) -> None:
        self.seat = seat
        self.memory = table.game.bot.memory(table.rules, seat)

    def hear(self, table: Table, lines: Sequence[Headed], moment: Now) -> None:
        """Fold one command; `table` stands as after it, at `moment`."""
        caller, remember = Caller(self.seat), table.game.bot.remember
        for line, entry in lines:
            if folds(line, self.seat) and hearable(line, caller, moment):
                self.memory = remember(self.memory, entry.event)


class Live:
    """A table as of its last committed line. Changed under `lock` only, and only after a commit."""

    def __init__(self) -> None:
        self.lock = TableLock()
        self.table: Table | None = None
        self.head = NO_LINE
        self.directory: DirectoryRow | None = None
        self.seats: dict[int, SeatRow] = {}
        self.held: set[str] = set()
        """Ids of the keys that hold or held a seat (G-10)."""
        self.views: dict[int | None, seen.TableView] = {}
        self.minds: dict[int, Mind] = {}
        self._change: asyncio.Event | None = None
        """Made by whoever waits for the next change: most tables are waited for by nobody."""
        self.kept: tuple[int, int] = (0, 0)
        """The version, and the rounds over, at the last snapshot."""

    def reset(self) -> None:
        """Forget everything: what is stored is read again before the next use."""
        self.table, self.head, self.directory = None, NO_LINE, None
        self.seats, self.held, self.views, self.minds, self.kept = {}, set(), {}, {}, (0, 0)

    def take_seats(self, rows: Iterable[SeatRow]) -> None:
        """Learn who sits: later rows win."""
        for row in rows:
            if not row.bot:
                self.held.add(row.owner)
            if row.until is None:
                self.seats[row.seat] = row
            elif self.seats.get(row.seat, row).since == row.since:
                self.seats.pop(row.seat, None)

    def take_up(self, table: Table, head: str) -> None:
        """Stand where a snapshot stood."""
        self.table, self.head, self.kept = table, head, (table.version, len(table.ended))

    def recall(self, memories: Mapping[int, Any]) -> None:
        """Give the bots back what they remember."""
        assert self.table is not None
        for seat, memory in memories.items():
            self.minds[seat] = Mind(self.table, seat)
            self.minds[seat].memory = memory

    def load(self, lines: Sequence[StoredLine]) -> None:
        """Fold stored lines that follow those already folded, command by command."""
        command: list[Entry] = []
        for stored in lines:
            entry = read(stored.line)
            if entry.move is not None:
                self._heard(command)
                command = []
            if self.table is None:
                self.table = created(entry, decode(stored.line).game, GAMES)
            else:
                self.table = evolve(self.table, entry)
            command.append(entry)
        self._heard(command)
        if lines:
            self.head = line_hash(lines[-1].line)
            self._announce()

    def advance(self, table: Table, entries: Sequence[Entry], head: str) -> None:
        """Take over what was just committed."""
        self.table, self.head = table, head
        command: list[Entry] = []
        for entry in entries:
            if entry.move is not None and command:
                self._heard(command)
                command = []
            command.append(entry)
        self._heard(command)
        self._announce()

    def _heard(self, command: Sequence[Entry]) -> None:
        """Fold one command into every view and mind kept here."""
        if not command or self.table is None:
            return
        lines, moment = headed(command), now(self.table)
        for seat, view in self.views.items():
            self.views[seat] = _folded(view, lines, moment)
        for mind in self.minds.values():
            mind.hear(self.table, lines, moment)

    def _announce(self) -> None:
        if self._change is not None:
            self._change.set()
            self._change = None

    async def change(self) -> None:
        """Wait until the table moves in this process."""
        if self._change is None:
            self._change = asyncio.Event()
        await self._change.wait()

    def hear(self, lines: Iterable[StoredLine], caller: Caller) -> tuple[bytes, ...]:
        """Stored lines as `caller` may hear them now: the bytes themselves, or a sealed entry."""
        assert self.table is not None
        moment = now(self.table)
        return tuple(
            stored.line if hearable(gate_heading(stored.line), caller, moment) else sealed(stored.seq, stored.line)
            for stored in lines
        )


def headed(entries: Iterable[Entry]) -> list[Headed]:
    """Each of these with its heading."""
    return [(heading(entry.seq, entry.event, entry.round), entry) for entry in entries]


def fold(view: seen.TableView, table: Table, entries: Iterable[Entry]) -> seen.TableView:
    """`view` after those of `entries` that its seat may hear as of `table`."""
    return _folded(view, headed(entries), now(table))


def _folded(view: seen.TableView, lines: Iterable[Headed], moment: Now) -> seen.TableView:
    caller = Caller(view.seat)
    for line, entry in lines:
        if folds(line, view.seat) and hearable(line, caller, moment):
            view = seen.hear(view, entry)
    return view


def fresh_view(table: Table, seat: int | None) -> seen.TableView:
    """The view of a seat (None: a spectator) before anything was heard."""
    return seen.empty_view(table.game, table.rules, table.size, seat)


def json_ready(value: Any) -> Any:
    """A domain value as plain JSON types."""
    return msgspec.to_builtins(value)
