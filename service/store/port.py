"""What the service asks of its store: whole units committed or nothing, and plain reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from service.store.rows import (
    DirectoryRow,
    GrabRow,
    IdempotencyRow,
    LatencyRow,
    LedgerRow,
    OutboxRow,
    PlayerRow,
    Position,
    Posted,
    SeatRow,
    StoredLine,
    TokenRow,
)

if TYPE_CHECKING:
    from service.store.ledger import LedgerReader


class Unit(Struct, frozen=True, kw_only=True):
    """What one accepted request writes: all of it is committed, or none of it.

    `lines` follow each other without a hole. `seats` replace the rows with the same (game, seat, since);
    `directory` replaces the table's row. `revoked` are token ids that die with this unit, `judged` grabs that wait
    no longer. A unit that brings `grabs` has no lines. No grab outlives the play that it was made in: a unit whose
    lines end play (PLAY_ENDS) must take along every grab of its table, and a grab that was accepted before such a
    line comes too late; each finds out as LinesTaken.
    """

    game: str
    at: str
    lines: tuple[StoredLine, ...] = ()
    idempotency: IdempotencyRow | None = None
    directory: DirectoryRow | None = None
    tokens: tuple[TokenRow, ...] = ()
    revoked: tuple[str, ...] = ()
    players: tuple[PlayerRow, ...] = ()
    seats: tuple[SeatRow, ...] = ()
    ledger: tuple[LedgerRow, ...] = ()
    outbox: tuple[OutboxRow, ...] = ()
    grabs: tuple[GrabRow, ...] = ()
    judged: tuple[str, ...] = ()


class LinesTaken(Exception):
    """Another writer already holds these sequence numbers, or moved what this unit rests on: reload, decide again."""


class KeyTaken(Exception):
    """The idempotency key was used meanwhile: replay what it did."""


class Unavailable(Exception):
    """The store cannot take the unit now (queue full, database away): nothing was written; try later."""


class Unsettled(Unavailable):
    """The store fell silent with the unit under way: it may yet be written, or not.

    Whoever catches it drops what it knows of the table and reads again; the same key sent again tells the truth.
    """


class DirectoryQuery(Struct, frozen=True, kw_only=True):
    """Which tables to list: newest first; `after` is the last `game` id of the page before.

    `owner` given: the tables that this key opened or sits at, private ones too. Else public ones only.
    """

    kind: str | None = None
    status: str | None = None
    owner: str | None = None
    after: str | None = None
    limit: int = 50


class Store(Protocol):
    """A store on SQLite or PostgreSQL; safe to use from one event loop. Opened and closed by its owner."""

    books: LedgerReader
    """Questions to the ledger."""

    async def commit(self, unit: Unit) -> None:
        """Write `unit` with others that wait (group commit); returns once it is durable.

        Raises LinesTaken, KeyTaken or Unavailable, each having written nothing of this unit. A unit whose
        acknowledgement was lost but whose lines are there byte for byte counts as committed.
        """

    async def lines(self, game: str, after: int = 0, limit: int | None = None) -> list[StoredLine]:
        """The table's lines with seq > after, in order."""

    async def version(self, game: str) -> int:
        """The seq of the table's last line; 0 if there is none."""

    async def idempotency(self, caller: str, key: str) -> IdempotencyRow | None: ...

    async def token(self, token_id: str) -> TokenRow | None: ...

    async def tokens(self, owner: str | None = None) -> list[TokenRow]:
        """API keys (all, or one owner's), newest first."""

    async def player(self, key: str, label: str) -> str | None: ...

    async def seats(self, game: str) -> list[SeatRow]:
        """Every seat row of the table, freed ones too, oldest first."""

    async def directory(self, game: str) -> DirectoryRow | None: ...

    async def find(self, query: DirectoryQuery) -> list[DirectoryRow]: ...

    async def waiting(self, at: str) -> list[DirectoryRow]:
        """Tables with `due_at` <= at, or a bot to act: what the clock and the bot driver look for."""

    async def grabs(self, game: str) -> list[GrabRow]:
        """The table's grabs that lie undecided, in the order of their arrival."""

    async def undecided(self, before: str) -> list[str]:
        """The tables at which a grab that arrived before then lies undecided."""

    async def ledger(self, game: str, after: int = 0) -> list[LedgerRow]:
        """The table's transfers booked by lines with seq > after, in order."""

    async def outbox(self, after: int = 0, limit: int = 1_000) -> list[Posted]:
        """What was posted after the row `after`, in order: for those who follow revocations and endings."""

    async def posted(self) -> int:
        """The id of the last outbox row; 0 if there is none. Who follows from now on begins here."""

    async def tail(self, after: int, limit: int = 1_000) -> list[Position]:
        """Where the lines after position `after` stand, whichever process wrote them; the lines are read apart."""

    async def position(self) -> int:
        """The position of the last line of all; 0 if there is none. A tail begins here."""

    async def leads(self, job: str) -> bool:
        """Whether this process, of all on this database, is the one that does `job` now. Raises Unavailable.

        Asked before each turn of a job; who does not ask for ten seconds loses it to another process.
        """

    async def others(self) -> int:
        """How many other processes are at this database now; who asks is counted by the others from then on.

        Raises Unavailable, and is counted no more until it asks again. Who does not ask for ten seconds is not counted.
        """

    async def tell_latencies(
        self, process: str, rows: Sequence[LatencyRow], gone: Sequence[tuple[str, int]] = ()
    ) -> None:
        """Say what this process knows of seats, and that it knows nothing more of those `gone`. Raises Unavailable."""

    async def latencies(self, game: str, process: str, after: str) -> list[LatencyRow]:
        """What other processes than this one said of the seats of a table since `after`."""

    async def clear_latencies(self, before: str) -> int:
        """Drop what was said before then; how many rows. Raises Unavailable."""

    async def forget(self, before: str) -> int:
        """Drop what is kept of keyed requests older than `before`; how many. Not younger than 24 h, says the API."""

    async def clear_outbox(self, keep: int) -> int:
        """Drop the oldest rows of the outbox but the last `keep`; how many."""

    async def snapshot(self, game: str) -> tuple[int, bytes] | None:
        """The table's newest snapshot: the seq of its line, and what was kept."""

    async def keep_snapshot(self, game: str, seq: int, body: bytes) -> None:
        """Keep a snapshot as of line `seq`; one that is kept already stays. Raises Unavailable."""

    async def close(self) -> None: ...
