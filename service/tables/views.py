"""A table's view as it is answered: as of now, as of an earlier version, from another seat, with everything open."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.game import Refused
from domain.gate import Caller, hearable
from domain.lines import line_hash
from domain.table.due import due
from domain.table.evolve import created, evolve
from domain.table.state import STATUS, Table, now
from domain.table.view import to_act
from service.problems import Problem
from service.store.rows import StoredLine
from service.tables.answers import Viewed
from service.tables.keyed import refusal
from service.tables.live import fold, fresh_view, gate_heading, read
from service.tables.writing import marked

OPEN_VIEW = "open"


def viewed(table: Table, head: str, seat: int | None, view: Any) -> Viewed:
    """The answer to whoever sees `view` of `table`, whose last line is hashed `head`."""
    found = due(table)
    body = {
        "game": table.game.name,
        "version": table.version,
        "head": head,
        "status": STATUS[type(table.phase)],
        "round": table.round,
        "to_act": list(to_act(view)),
        "due": {"at": found.at, "what": found.what} if found and found.at else None,
        "seat": seat,
        "view": msgspec.to_builtins(view.inner),
        **marked(table),
    }
    return Viewed(version=table.version, head=head, body=body)


def past_view(table: Table, lines: list[StoredLine], caller: Caller, as_: str | None) -> Viewed:
    """A view folded afresh from lines 1 … n, as they may be heard now (G-06): the caller's own, or by `as_`."""
    entries = [read(stored.line) for stored in lines]
    then = created(entries[0], table.id, {table.game.name: table.game})
    for entry in entries[1:]:
        then = evolve(then, entry)
    head = line_hash(lines[-1].line)
    if as_ == OPEN_VIEW:
        _must_hear(table, lines, caller, then.round, None)
        return _all_open(table, then, head, entries)
    seat = caller.seat
    if as_ is not None:
        seat = int(as_.removeprefix("seat:"))
        if not 0 <= seat < table.size:
            raise Problem("not-found", "There is no such seat.")
        if seat != caller.seat:
            _must_hear(table, lines, caller, then.round, seat)
    view = fold(fresh_view(table, seat), table, entries)
    return viewed(then, head, seat, view)


def some_round_open(table: Table, caller: Caller) -> None:
    """Refuse (G-05) while no round is open: nobody looks from another's place before that."""
    if not table.opened | (table.ended if caller.audit else frozenset()):
        raise refusal(Refused("G-05", "no round of this table is open yet"), table.version)


def _must_hear(table: Table, lines: list[StoredLine], caller: Caller, rounds: int, seat: int | None) -> None:
    """Refuse (G-05) unless the caller may hear every hidden line of rounds 1 … n, or those of one seat."""
    some_round_open(table, caller)
    moment = now(table)
    for stored in lines:
        line = gate_heading(stored.line)
        asked = line.round is not None and line.round <= rounds and (seat is None or line.to == seat)
        if asked and not hearable(line, caller, moment):
            raise refusal(Refused("G-05", "this is not open yet"), table.version)


def _all_open(table: Table, then: Table, head: str, entries: list[Any]) -> Viewed:
    """The view with nothing hidden: where every card lay, and what each seat saw."""
    seats = [fold(fresh_view(table, n), table, entries) for n in range(table.size)]
    spectator = fold(fresh_view(table, None), table, entries)
    answer = viewed(then, head, None, spectator)
    zones = {zone: list(cards) for zone, cards in table.game.zones(then.state).items()}
    answer.body["view"] = {"zones": zones, "seats": [msgspec.to_builtins(view.inner) for view in seats]}
    return answer
