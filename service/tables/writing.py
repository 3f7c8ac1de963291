"""From accepted steps to what is stored: numbered lines, their hashes, and the rows beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.game import Card, type_of
from domain.lines import Entry, encode, line_hash
from domain.table.decide import decide
from domain.table.due import awaited, due
from domain.table.moves import Commit
from domain.table.opening import owes_commit
from domain.table.recording import Step
from domain.table.state import STATUS, Table
from service.dealer import Dealer
from service.store.rows import DirectoryRow, SeatRow, StoredLine, TokenRow
from service.tables.answers import Sandbox


class Plan(Struct, kw_only=True):
    """What one request will write, once its lines are numbered.

    `extra` is what the answer adds to its lines; a value in `secrets` is given to the caller and kept as its
    token's id only.
    """

    status: int = 200
    entries: tuple[Entry, ...] = ()
    table: Table
    extra: dict[str, Any] = msgspec.field(default_factory=dict)
    secrets: dict[str, str] = msgspec.field(default_factory=dict)
    tokens: tuple[TokenRow, ...] = ()
    revoked: tuple[str, ...] = ()
    seats: tuple[SeatRow, ...] = ()
    players: tuple[Any, ...] = ()
    judged: tuple[str, ...] = ()
    directory: dict[str, Any] = msgspec.field(default_factory=dict)
    location: str | None = None
    repeats: int | None = None
    """The line that said all this before: nothing new is written, and the answer is that line's."""


def with_commit(step: Step, dealer: Dealer, sandbox: Sandbox | None = None) -> Step:
    """`step`, followed by the table's own commit where a round's seed is owed: one unit, one answer (G-02)."""
    number = owes_commit(step.table)
    if number is None:
        return step
    seed: str = dealer.server_seed()
    decks: tuple[tuple[Card, ...], ...] = ()
    if step.table.sandbox:
        # The seed of a scripted table serves every round; its decks lie in the first hidden line.
        seed, decks = (sandbox.server_seed, sandbox.decks) if sandbox else (step.table.scripted_seed, ())
    after = decide(step.table, "table", Commit(number, seed, decks), step.table.at)
    return Step((*step.entries, *after.entries), after.table)


def marked(table: Table) -> dict[str, Any]:
    """What every answer about a sandbox table says (G-14); nothing at any other."""
    return {"sandbox": True} if table.sandbox else {}


class NewLines(Struct, frozen=True):
    """Lines about to be stored, and the hash of the last of them."""

    lines: tuple[StoredLine, ...]
    head: str


def numbered(game: str, entries: Iterable[Entry], head: str, dealer: Dealer) -> NewLines:
    """The lines of `entries` after the line hashed `head`."""
    lines = []
    for entry in entries:
        salt = dealer.salt() if entry.round is not None else ""
        line = encode(entry, game, head, salt)
        head = line_hash(line)
        lines.append(StoredLine(entry.seq, type_of(entry.event), line))
    return NewLines(tuple(lines), head)


def directory_row(old: DirectoryRow, table: Table, head: str) -> DirectoryRow:
    """The table's row in the directory as of `table`."""
    found = due(table)
    waited = awaited(table)
    return replace(
        old,
        status=STATUS[type(table.phase)],
        free=sum(seat is None for seat in table.seats),
        version=table.version,
        head=head,
        at=table.at,
        due_at=found.at if found else None,
        bot_to_act=any(seat is not None and seat.bot is not None for seat in (table.seats[n] for n in waited)),
    )


def new_directory_row(table: Table, head: str, owner: str, name: str | None, invite: str | None) -> DirectoryRow:
    """The row of a table that was just opened; `invite` is the digest of a private table's invite."""
    blank = DirectoryRow(
        game=table.id,
        kind=table.game.name,
        status="open",
        visibility=table.visibility,
        sandbox=table.sandbox,
        owner=owner,
        name=name,
        invite=invite,
        seats=table.size,
        free=table.size,
        version=0,
        head=head,
        opened_at=table.at,
        at=table.at,
    )
    return directory_row(blank, table, head)


def resource(table: Table, head: str, directory: DirectoryRow) -> dict[str, Any]:
    """What everybody may know of a table (API.md)."""
    found = due(table)
    seats: Sequence[dict[str, Any]] = [
        {"seat": n, "player": None}
        if seat is None
        else {"seat": n, "player": seat.player, "bot": seat.bot, "seed": seat.seed, "left": seat.left}
        for n, seat in enumerate(table.seats)
    ]
    return {
        "id": table.id,
        "game": table.game.name,
        "name": directory.name,
        "status": STATUS[type(table.phase)],
        "visibility": table.visibility,
        "sandbox": table.sandbox,
        "opened_at": directory.opened_at,
        "at": table.at,
        "version": table.version,
        "head": head,
        "round": table.round,
        "rules_version": table.game.rules_version,
        "rules": msgspec.to_builtins(table.rules),
        "seats": seats,
        "to_act": list(awaited(table)),
        "due": {"at": found.at, "what": found.what} if found and found.at else None,
        "commitments": dict(table.commitments),
        "results": list(table.results),
    }
