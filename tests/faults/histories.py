"""What must be true of a table's lines, and of all that anybody was told of them, after whatever happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.games import GAMES
from domain.lines import NO_LINE, Entry, decode, line_hash
from domain.table.decide import decide
from domain.table.evolve import created
from domain.table.moves import Leave, Sit
from domain.table.state import Table
from service.store.rows import StoredLine
from service.tables.live import read
from tests.faults.players import Told

Command = tuple[Entry, ...]
"""The entries of one command: the first of them carries its move."""


def check(lines: Sequence[StoredLine], told: Sequence[Told]) -> Table:
    """Everything about one table, of whose moves none is unanswered; the table as it stands."""
    heads = chained(lines)
    commands = commands_of(lines)
    table = decided_again(decode(lines[0].line).game, commands)
    for one in told:
        assert one.version <= len(lines), f"told of version {one.version}, and there are {len(lines)} lines"
        assert one.head in (None, heads[one.version]), f"another line {one.version} was told of: a fork"
    bots = {f"seat:{n}" for n, seat in enumerate(table.seats) if seat and seat.bot}
    played = [command for command in commands if by_a_player(command[0]) and command[0].by not in bots]
    each_move_once(played, [one for one in told if one.what == "write"])
    nothing_stale(told)
    return table


def chained(lines: Sequence[StoredLine]) -> dict[int, str]:
    """No hole, and each line holds the hash of the one before; the hash of each line by its seq."""
    heads = {0: NO_LINE}
    for place, stored in enumerate(lines, start=1):
        line = decode(stored.line)
        assert (stored.seq, line.seq, stored.type) == (place, place, line.type), f"a hole before line {stored.seq}"
        assert line.prev == heads[place - 1], f"the chain is broken before line {place}"
        heads[place] = line_hash(stored.line)
    return heads


def commands_of(lines: Iterable[StoredLine]) -> list[Command]:
    commands: list[list[Entry]] = []
    for stored in lines:
        entry = read(stored.line)
        if entry.move is not None:
            commands.append([])
        commands[-1].append(entry)
    return [tuple(command) for command in commands]


def decided_again(game: str, commands: Sequence[Command]) -> Table:
    """The rules say the same once more to every command; an act of the table itself without cause they refuse."""
    table = created(commands[0][0], game, GAMES)
    for command in commands[1:]:
        begin = command[0]
        assert begin.move is not None
        step = decide(table, begin.by, begin.move, begin.at)
        assert step.entries == command, f"line {begin.seq}: {begin.move} is decided otherwise now"
        table = step.table
    return table


def by_a_player(begin: Entry) -> bool:
    """A move that players of these tests make: of the game, or ready for the next round; sitting is no move here."""
    return begin.by.startswith("seat:") and not isinstance(begin.move, Sit | Leave)


def each_move_once(played: Sequence[Command], writes: Sequence[Told]) -> None:
    """Every acknowledged move is there, none twice; and none is there that nobody was told of."""
    keys: dict[int, str] = {}
    for write in writes:
        assert keys.setdefault(write.first, write.key) == write.key, f"two moves are said to be line {write.first}"
    made = {command[0].seq: command for command in played}
    acknowledged = {write.first: write for write in writes}
    assert set(made) == set(acknowledged), "lines of moves, and moves that were acknowledged"
    assert len({write.key for write in writes}) == len(acknowledged), "a move was written twice"
    for first, write in acknowledged.items():
        assert made[first][0].by == f"seat:{write.seat}"
        assert write.last == write.version >= made[first][-1].seq


def nothing_stale(told: Iterable[Told]) -> None:
    """What was asked after another answer had come is never older than it: as if all went through one hand."""
    by_end = sorted(told, key=lambda one: one.ended)
    newest, done = 0, 0
    for one in sorted(by_end, key=lambda one: one.began):
        while by_end[done].ended < one.began:
            newest = max(newest, by_end[done].version)
            done += 1
        if one.what == "write":
            assert one.first > newest, f"line {one.first} was written after version {newest} had been told"
        else:
            assert one.version >= newest, f"version {one.version} was told after {newest} had been"
