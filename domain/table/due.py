"""What a table waits for, and what it must do by itself and when (G-07, G-09)."""

from __future__ import annotations

from domain.game import Due
from domain.table.state import Between, Playing, Table, in_play, is_absent


def due(table: Table) -> Due | None:
    """What the table must do next and when; for absent seats at once (G-07, G-09)."""
    match table.phase:
        case Playing():
            found = table.game.due(table.state)
            if found is None:
                return None
            absent = tuple(n for n in found.seats if is_absent(table, n))
            if absent:
                return Due(table.at, found.what, absent)
            return found if found.at else None
        case Between(due=at):
            ready = Due(at, "round") if at and _anybody_there(table) and not table.game.blocked(table.state) else None
            return _sooner(ready, table.game.due(table.state))
        case _:
            return None


def _sooner(ready: Due | None, own: Due | None) -> Due | None:
    """Between rounds the next round, or what the game itself owes if that comes first (H-22)."""
    if own is None or own.at is None:
        return ready
    return own if ready is None or ready.at is None or own.at <= ready.at else ready


def awaited(table: Table) -> tuple[int, ...]:
    """The seats that the table waits for, clock or no clock, ascending."""
    match table.phase:
        case Playing():
            found = table.game.due(table.state)
            return found.seats if found else ()
        case Between(awaited=seats, ready=ready):
            # With all ready a round may still have to wait for somebody, and the table says for whom (K-81).
            return tuple(n for n in seats if n not in ready) or table.game.blocked(table.state)
        case _:
            return ()


def _anybody_there(table: Table) -> bool:
    """G-09: with every seat in play that is not a bot absent, the clock starts no round."""
    people = [n for n in in_play(table) if (seat := table.seats[n]) and not seat.bot]
    return any(not is_absent(table, n) for n in people)
