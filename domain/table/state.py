"""Where a table stands: its seats, its phase, its game's state, and what is still hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.fair import Dice
from domain.game import Card, Game, Whisper, type_of
from domain.gate import Now
from domain.table import events as told
from domain.tokens import Books

NO_TAGS: frozenset[str] = frozenset()


class Seat(Struct, frozen=True):
    """Who sits there. `misses` counts clocks run out in a row; `seed` counts for the next deal."""

    player: str
    bot: str | None = None
    seed: str | None = None
    left: bool = False
    misses: int = 0


class Open(Struct, frozen=True):
    """Seats are being taken."""


class Playing(Struct, frozen=True):
    """A round is being played."""


class Between(Struct, frozen=True):
    """A round is over and another may follow: who is awaited, who is ready, until when."""

    awaited: tuple[int, ...]
    ready: tuple[int, ...]
    due: str | None


class Ended(Struct, frozen=True):
    """Nothing is played here any more (G-12)."""


class Voided(Struct, frozen=True):
    """Nothing is played here any more, and it had no result (G-12)."""


Phase = Open | Playing | Between | Ended | Voided
STATUS: Mapping[type, str] = {Open: "open", Playing: "running", Between: "running", Ended: "ended", Voided: "voided"}
Stretch = tuple[Any, int, int]
"""Hidden lines as a chain of stretches, newest first: (older stretches or None, first seq, last seq)."""


class Table(Struct, frozen=True, kw_only=True):
    """One table as of its line `version`. Everything here follows from its lines alone."""

    id: str
    game: Game
    rules: Any
    size: int
    visibility: str
    sandbox: bool
    version: int
    at: str
    command: int
    """Sequence number of the first line of the last command."""
    seats: tuple[Seat | None, ...]
    phase: Phase
    round: int = 0
    played: int = 0
    """Rounds that count: ended and not voided."""
    creator: int = 0
    state: Any
    before: Any = None
    """The game's state as it was before the last deal, for a voided round (G-11); None where the game sees to it."""
    called: bool = False
    """The last round was called since the deal."""
    called_at: int | None = None
    """The line that first called the last round."""
    last: int | None = None
    """How many rounds will have counted after the one that was called as the last; None where the game sees to it."""
    dice: Dice = Dice(b"")
    results: tuple[Any, ...] = ()
    commitments: Mapping[str, str] = {}
    seeds: Mapping[int, str] = {}
    """The server's seeds drawn so far and not yet public."""
    decks: tuple[tuple[Card, ...], ...] = ()
    scripted_seed: str = ""
    """The first seed of a sandbox table, which serves all its rounds (G-14)."""
    hidden: Mapping[int, Stretch] = {}
    """The hidden lines still closed, by the round they open with."""
    opened: frozenset[int] = frozenset()
    ended: frozenset[int] = frozenset()
    voided: frozenset[int] = frozenset()
    books: Books = Books()
    """Every account's balance, and what voiding the round would give back."""
    shown: tuple[tuple[int, int], ...] = ()
    """Fleeting whispers still served: (seq, seat)."""
    fleeting: frozenset[str]
    """The tags of the whispers that are served only for a while here (G-06)."""


def in_play(table: Table) -> tuple[int, ...]:
    """The seats still in play, ascending: taken, not left, not out for good."""
    out = table.game.out(table.state)
    return tuple(n for n, seat in enumerate(table.seats) if seat and not seat.left and n not in out)


def is_absent(table: Table, seat: int) -> bool:
    """Whether the clock plays for this seat at once, until it acts again (G-09)."""
    sitter, limit = table.seats[seat], table.rules.absent_after
    return limit > 0 and sitter is not None and sitter.misses >= limit


def now(table: Table) -> Now:
    """The table as of its version, for the gate."""
    return Now(
        version=table.version,
        opened=table.opened,
        ended=table.ended,
        fleeting=table.fleeting,
        shown=frozenset(seq for seq, _ in table.shown),
    )


def fleeting_tags(game: Game, rules: Any) -> frozenset[str]:
    """The tags of the whispers that are served only for a while at a table under `rules` (G-06)."""
    looks = (type_of(event) for event in game.events if issubclass(event, Whisper) and event.fleeting)
    return NO_TAGS if getattr(rules, "memory_aid", False) else frozenset(looks) or NO_TAGS


def stretches(hidden: Stretch | None) -> told.Ranges:
    """The chain as ranges, oldest first."""
    ranges: list[tuple[int, int]] = []
    while hidden is not None:
        hidden, first, last = hidden
        ranges.append((first, last))
    return tuple(reversed(ranges))
