"""What lies in a store, row by row: the lines, and what is committed beside them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class StoredLine(Struct, frozen=True):
    """One event line: its place in the table, its topic (the event tag), its exact bytes."""

    seq: int
    type: str
    line: bytes


PLAY_ENDS = ("table.round_ended", "table.round_voided", "table.ended", "table.voided")
"""Topics of the lines after which nothing is judged that was handed in before."""


class IdempotencyRow(Struct, frozen=True):
    """What a request with a key did: the lines first … last (or none and a `problem`), kept for at least 24 h.

    `caller` is `key:<id>`, `host:<game>` or `seat:<game>:<n>`; `fingerprint` the SHA-256 (hex) of method, path
    and body bytes; `extra` what the answer adds to its lines (JSON: a seat number, a token's id), never a secret.
    """

    caller: str
    key: str
    fingerprint: str
    game: str
    status: int
    first: int
    last: int
    at: str
    extra: bytes = b"{}"
    problem: bytes | None = None


class TokenRow(Struct, frozen=True):
    """A bearer token at rest: only the SHA-256 of its secret. `owner` is the API key it was given to.

    `seat` tokens carry table and seat, `host` tokens the table, `key` tokens their scopes.
    """

    id: str
    kind: Literal["key", "host", "seat"]
    digest: str
    owner: str
    at: str
    game: str | None = None
    seat: int | None = None
    scopes: tuple[str, ...] = ()
    expires: str | None = None
    revoked: str | None = None


class PlayerRow(Struct, frozen=True):
    """A key's own label for a person, and the opaque id that lines carry instead (G-15)."""

    key: str
    label: str
    player: str


class SeatRow(Struct, frozen=True):
    """Who holds or held a seat: the key that sat, the player, the live token. `until` is set when it was freed.

    `host`: the seat was taken with the host's token (K-04).
    """

    game: str
    seat: int
    owner: str
    player: str
    token: str | None
    since: int
    bot: str | None = None
    until: int | None = None
    host: bool = False


class DirectoryRow(Struct, frozen=True):
    """A table in the directory, as of `version`. `name` lies beside the log, so it can be erased.

    `due_at` is when the table itself must act, `bot_to_act` whether a bot is awaited; both find the table again
    after a restart.
    """

    game: str
    kind: str
    status: str
    visibility: str
    sandbox: bool
    owner: str
    name: str | None
    invite: str | None
    """SHA-256 (hex) of a private table's invite."""
    seats: int
    free: int
    version: int
    head: str
    opened_at: str
    at: str
    due_at: str | None = None
    bot_to_act: bool = False


class OutboxRow(Struct, frozen=True):
    """A fact for followers in this or another process: a token revoked, a game ended."""

    kind: str
    game: str | None
    body: bytes


class Posted(Struct, frozen=True):
    """An outbox row as stored: `id` rises in the order of the commits, with gaps."""

    id: int
    kind: str
    game: str | None
    body: bytes


class Position(Struct, frozen=True):
    """Where a line stands among the lines of all tables: `id` rises in the order of the commits, with gaps."""

    id: int
    game: str
    seq: int


class LedgerRow(Struct, frozen=True):
    """A transfer as booked: its line, its place in it, both balances after it; `at` is the line's time."""

    game: str
    seq: int
    index: int
    round: int
    payer: str
    payee: str
    amount: int
    code: str
    clause: str
    payer_balance: int
    payee_balance: int
    reverses_seq: int | None = None
    reverses_index: int | None = None
    at: str = ""


class GrabRow(Struct, frozen=True):
    """A grab that is accepted and not yet judged: no line, and nothing that anybody is told of.

    `arrived` is when it came, at a table that was at `version`; the figures are those of its judgement (ms), and
    `move` is the move as JSON.
    """

    id: str
    game: str
    seat: int
    arrived: str
    version: int
    published_ms: int
    elapsed_ms: int
    rtt_ms: int
    move: bytes


class LatencyRow(Struct, frozen=True):
    """What a process knows of a seat by sockets and requests of its own, as of `at`: no line, and told to no seat.

    `rtt_ms` is its latency figure (None: no socket, or no ping yet). `held` is there while a card of the seat is held:
    the last version of the table at which a grab was taken in that it waits for.
    """

    game: str
    seat: int
    process: str
    rtt_ms: int | None
    held: int | None
    at: str
