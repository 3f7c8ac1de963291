"""The final answer of a grab, read from the lines: so it is the same at once, for a twin, and after a crash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.gate import Caller
from domain.lines import line_hash
from service.grabs.races import LAID, RACES, answered
from service.store.rows import GrabRow, StoredLine
from service.tables.answers import Answer
from service.tables.live import Live, read
from service.tables.registry import Registry
from service.tables.writing import marked

OK = 200


class Mark(Struct, frozen=True):
    """What tells a grab from all others of its table."""

    seat: int
    arrived: str


def mark_of(row: GrabRow) -> Mark:
    """The mark of a grab."""
    return Mark(row.seat, row.arrived)


def final(live: Live, lines: Sequence[StoredLine], grab: Mark) -> Answer | None:
    """The answer of `grab` if these lines have it: the command that judged it, as its seat hears it."""
    assert live.table is not None
    race = RACES[live.table.game.name]
    for command in commands(lines):
        for line in command:
            outcome = race.outcome(read(line.line).event, grab.seat, grab.arrived)
            if outcome is not None and outcome != LAID:
                return _answer(live, command, grab.seat, outcome)
    return None


def commands(lines: Sequence[StoredLine]) -> Iterator[list[StoredLine]]:
    """Lines, command by command."""
    command: list[StoredLine] = []
    for line in lines:
        if command and read(line.line).move is not None:
            yield command
            command = []
        command.append(line)
    if command:
        yield command


def _answer(live: Live, lines: Sequence[StoredLine], seat: int, outcome: str) -> Answer:
    assert live.table is not None
    return Answer(
        status=OK,
        game=live.table.id,
        version=lines[-1].seq,
        head=line_hash(lines[-1].line),
        events=live.hear(lines, Caller(seat)),
        extra={"grab": {"answer": answered(outcome), "outcome": outcome}, **marked(live.table)},
    )


async def looked_up(registry: Registry, game: str, after: int, grab: Mark) -> Answer | None:
    """The answer of a grab accepted at version `after`, whichever process judged it; None while none did."""
    live = await registry.fresh(game)
    lines = await registry.store.lines(game, after=after)
    async with live.lock:
        table = await registry.current(game, live)
        return final(live, [line for line in lines if line.seq <= table.version], grab)
