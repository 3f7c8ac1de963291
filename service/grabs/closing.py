"""What ends play voids whatever lies undecided, and so does a foul that is reported or taken back (T-46, T-50, T-54).

It is told in lines of the same unit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from domain.game import type_of
from domain.lines import Entry
from domain.table.decide import decide
from domain.table.recording import Step
from domain.table.state import Table
from service.grabs.races import LAID, Race
from service.store.rows import PLAY_ENDS, GrabRow
from service.tables.writing import Plan

Take = Callable[[Table], Step]
"""The step of a command, from the table as it stands."""


def voids_grabs(race: Race, step: Step) -> bool:
    """Whether grabs that lie undecided at this step are void: nothing is judged any more after it, or it says so."""
    return any(type_of(entry.event) in PLAY_ENDS or type(entry.event) in race.voided_by for entry in step.entries)


def closing(
    race: Race, table: Table, rows: Sequence[GrabRow], at: str, take: Take, judged: Sequence[GrabRow] = ()
) -> Plan:
    """A command that voids grabs, and before it the lines by which `rows` are void, and grabs before a referee too.

    `judged` are grabs that the command itself judges.
    """
    step = take(table)
    heat = race.heat(table.state)
    if any(_told(race, step.entries, grab.seat, grab.arrived) for grab in heat):
        heat = ()
    entries: list[Entry] = []
    for move in race.voiding(heat, rows):
        voided = decide(table, "table", move, at)
        entries += voided.entries
        table = voided.table
    if entries:
        step = take(table)
    gone = tuple(row.id for row in (*judged, *rows))
    return Plan(entries=(*entries, *step.entries), table=step.table, judged=gone)


def _told(race: Race, entries: Sequence[Entry], seat: int, arrived: str) -> bool:
    """Whether the outcome of this grab is among them."""
    outcomes = (race.outcome(entry.event, seat, arrived) for entry in entries)
    return any(outcome is not None and outcome != LAID for outcome in outcomes)
