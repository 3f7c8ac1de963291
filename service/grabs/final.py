"""The final answer of a grab, read from the lines: so it is the same at once, for a twin, and after a crash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.game import Caller
from domain.lines import line_hash
from service.grabs.races import LAID, RACES, answered
from service.problems import Problem
from service.store.port import GrabRow, StoredLine
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
    """The answer of `grab` if these lines have it: the command that judged it, as its seat hears it.

    A grab that was laid before a referee, and lies there no more without having been judged, is void (T-46).
    """
    assert live.table is not None
    race, laid = RACES[live.table.game.name], None
    for command in commands(lines):
        for line in command:
            outcome = race.outcome(read(line.line).event, grab.seat, grab.arrived)
            if outcome == LAID:
                laid = command
            elif outcome is not None:
                return _answer(live, command, grab.seat, outcome)
    if laid is not None and not race.laid(live.table.state, grab.seat, grab.arrived):
        return _answer(live, laid, grab.seat, "voided")
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
    """The answer of a grab accepted at version `after`, whichever process judged it; None while none did.

    Raises Problem refused if it fell away, because nothing is played any more.
    """
    # The grabs before the lines: a judgement in between is seen as one or the other.
    if any(mark_of(row) == grab for row in await registry.store.grabs(game)):
        return None
    live = await registry.fresh(game)
    lines = await registry.store.lines(game, after=after)
    async with live.lock:
        table = await registry.current(game, live)
        told = final(live, [line for line in lines if line.seq <= table.version], grab)
        if told is None and not RACES[table.game.name].laid(table.state, grab.seat, grab.arrived):
            raise Problem("refused", "nothing is played any more", ruling="T-38", version=table.version)
    return told
