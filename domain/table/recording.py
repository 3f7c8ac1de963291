"""An accepted command as it is told: its events in order, each folded before the next."""

from __future__ import annotations

from msgspec import Struct

from domain.game import Event, Move, Secret, Whisper, type_of
from domain.lines import Entry
from domain.table.evolve import evolve
from domain.table.state import Table


class Step(Struct, frozen=True):
    """An accepted command: the entries it adds, and the table after them."""

    entries: tuple[Entry, ...]
    table: Table


class Recording:
    """The events of one command, each folded as it is told, so that the next can depend on it."""

    def __init__(self, table: Table, by: str, move: Move, at: str) -> None:
        self.table, self.by, self.move, self.at = table, by, move, at
        self.entries: list[Entry] = []

    def tell(self, *events: Event, round_: int | None = None) -> None:
        """Add events in order; hidden ones open with `round_`, or else with the running round."""
        for event in events:
            hidden = isinstance(event, Whisper | Secret)
            first = not self.entries
            assert not first or hidden == self.move.hidden, f"{type_of(event)} begins a command"
            entry = Entry(
                seq=self.table.version + 1,
                at=self.at,
                by=self.by,
                event=event,
                round=(round_ or self.table.round) if hidden else None,
                move=self.move if first else None,
            )
            self.entries.append(entry)
            self.table = evolve(self.table, entry)

    def step(self) -> Step:
        """What was recorded."""
        assert self.entries, f"{type_of(self.move)} told nothing"
        return Step(tuple(self.entries), self.table)
