"""What one was shown and must remember: which looks still lie open, and when each is covered again (G-06)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.game import Event, TimedOut, type_of
from domain.table import events as told

ENDINGS = frozenset(type_of(event) for event in (told.RoundEnded, told.RoundVoided, told.Ended, told.Voided))


class Looks:
    """The looks of one seat, by the number of the line that gave each, as its lines are heard in order."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._open: set[int] = set()
        self._command = 0
        """The first line of the command being heard."""

    def opened(self, seq: int) -> None:
        """Line `seq` showed something."""
        self._open.add(seq)

    def covered(self, line: Mapping[str, Any], kind: type[Event] | None) -> set[int]:
        """The looks that this line, of this kind (None: sealed, or unknown here), ends."""
        begins = "move" in line
        if begins:
            self._command = line["seq"]
        own = begins and line["by"] == f"seat:{self._seat}"
        if own or line.get("type") in ENDINGS or self._ran_out(line, kind):
            ended = self._open
        elif kind is not None and kind.ends_showing:
            ended = {seq for seq in self._open if begins or seq < self._command}
        else:
            return set()
        self._open = self._open - ended
        return ended

    def _ran_out(self, line: Mapping[str, Any], kind: type[Event] | None) -> bool:
        """Whether the clock moved for this seat."""
        return kind is not None and issubclass(kind, TimedOut) and line["data"]["seat"] == self._seat
