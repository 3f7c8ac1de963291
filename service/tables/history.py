"""What one seat had heard of its table, command by command, as it may be heard now."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence

from msgspec import UNSET, Struct

from domain.gate import Caller, Now, folds, hearable
from domain.lines import Line, decode, heading_of, sealed
from service.store.port import Store
from service.store.rows import StoredLine

LINES_AT_ONCE = 500
"""How many lines are read from the store at a time."""


class Heard(Struct, frozen=True):
    """What a seat had heard when its table came to `version`: lines, and sealed entries in place of the rest."""

    version: int
    events: tuple[bytes, ...]


class History(Struct, frozen=True, kw_only=True):
    """A page of a seat's history, and the version to go on after (None at its end)."""

    items: tuple[Heard, ...]
    next: int | None
    version: int
    head: str


async def stored_commands(store: Store, game: str, after: int, version: int) -> AsyncIterator[list[StoredLine]]:
    """The commands of a table after line `after` up to `version`, read piece by piece."""
    begun: list[StoredLine] = []
    while after < version:
        lines = await store.lines(game, after=after, limit=min(LINES_AT_ONCE, version - after))
        after = lines[-1].seq
        *whole, begun = commands([*begun, *lines])
        for command in whole:
            yield command
    if begun:
        yield begun


def commands(lines: Sequence[StoredLine]) -> Iterator[list[StoredLine]]:
    """Stored lines command by command; the seed that the table draws in the same breath goes with its command."""
    command: list[StoredLine] = []
    for stored in lines:
        if command and begins(decode(stored.line)):
            yield command
            command = []
        command.append(stored)
    if command:
        yield command


def begins(line: Line) -> bool:
    """Whether a line begins somebody's command: it tells the move, and is no hidden command of the table itself."""
    return line.move is not UNSET and line.to is UNSET


def heard(command: Sequence[StoredLine], seat: int, caller: Caller, moment: Now) -> Heard | None:
    """What `seat` had heard of a command, as `caller` may hear it as of `moment`.

    None if the caller is another, and something that this seat heard is not open yet: there its history ends for them.
    """
    events = []
    for stored in command:
        line = heading_of(decode(stored.line))
        for_seat, served = folds(line, seat), hearable(line, caller, moment)
        if for_seat and not served and caller.seat != seat:
            return None
        events.append(stored.line if for_seat and served else sealed(stored.seq, stored.line))
    return Heard(command[-1].seq, tuple(events))
