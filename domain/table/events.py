"""What happens at every table, whatever is played at it (G-02 … G-05)."""

from __future__ import annotations

from typing import Any, Literal

from domain.game import Card, Event, Secret
from domain.tokens import Transfer

Ranges = tuple[tuple[int, int], ...]
"""First and last sequence number of each stretch of hidden lines."""
Seeds = dict[str, str]
"""Round number (as text) to the server's seed of it, 64 hex digits."""


class Created(Event, frozen=True, tag="table.created"):
    """A table was opened; `rules` holds every table rule, `rules_version` the meaning they have for ever."""

    game: str
    rules_version: int
    rules: dict[str, Any]
    seats: int
    visibility: Literal["public", "private"]
    sandbox: bool = False


class SeedDrawn(Secret, frozen=True, tag="table.seed_drawn"):
    """The server's seed of a round, hidden until that round opens."""

    server_seed: str
    decks: tuple[tuple[Card, ...], ...] = ()


class RoundCommitted(Event, frozen=True, tag="table.round_committed"):
    """The hash that binds the server to its seed before any seat gives its own."""

    round: int
    commitment: str


class SeatTaken(Event, frozen=True, tag="table.seat_taken"):
    """Somebody sat down: an opaque player id, a bot's strength, a seed for round 1."""

    seat: int
    player: str
    bot: str | None = None
    seed: str | None = None


class SeatFreed(Event, frozen=True, tag="table.seat_freed"):
    """A seat is free again, before the start; what it had loaded goes back to the bank (G-02)."""

    seat: int
    transfers: tuple[Transfer, ...] = ()


class SeatLeft(Event, frozen=True, tag="table.seat_left"):
    """A seat gave up play, after the start."""

    seat: int


class RoundStarted(Event, frozen=True, tag="table.round_started"):
    """A round is about to be dealt to `seats`; `creator` is the creator's seat."""

    round: int
    seats: tuple[int, ...]
    creator: int


class SeatReadied(Event, frozen=True, tag="table.seat_ready"):
    """A seat is ready for the next round."""

    seat: int
    seed: str | None = None


class LastRoundCalled(Event, frozen=True, tag="table.last_round_called"):
    """The next dealt round is the last."""


class RoundEnded(Event, frozen=True, tag="table.round_ended"):
    """A round is over: its result, the seats still in play, and what it opens (G-05)."""

    round: int
    result: Any
    seats: tuple[int, ...]
    seeds: Seeds
    opened: Ranges


class TransfersReversed(Event, frozen=True, tag="table.transfers_reversed"):
    """Transfers of a round about to be voided are given back: those for which its last line has no room."""

    transfers: tuple[Transfer, ...]


class RoundVoided(Event, frozen=True, tag="table.round_voided"):
    """A round does not count; it opens like any ended round, and its transfers are reversed one by one (G-11)."""

    round: int
    seeds: Seeds
    opened: Ranges
    transfers: tuple[Transfer, ...] = ()


class Ended(Event, frozen=True, tag="table.ended"):
    """The table is over; `lines` counts its lines up to this one. Opens what was still closed."""

    reason: Literal["rounds", "finished", "abandoned"]
    lines: int
    seeds: Seeds
    opened: Ranges


class Voided(Event, frozen=True, tag="table.voided"):
    """The table is over without a result; `lines` counts its lines up to this one."""

    lines: int
    seeds: Seeds
    opened: Ranges


EVENTS: tuple[type[Event], ...] = (
    Created,
    SeedDrawn,
    RoundCommitted,
    SeatTaken,
    SeatFreed,
    SeatLeft,
    RoundStarted,
    SeatReadied,
    LastRoundCalled,
    RoundEnded,
    TransfersReversed,
    RoundVoided,
    Ended,
    Voided,
)
