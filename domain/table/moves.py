"""The commands of a table, whatever is played at it (G-02)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from domain.game import Card, Move

Seed = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z", max_length=64)]
"""A seat's own share of a round's randomness; public (G-04)."""


class Create(Move, frozen=True, tag="table.create"):
    """Open a table for `seats` players of `game` under `rules` (every rule spelled out)."""

    game: str
    rules: Any
    seats: int
    visibility: Literal["public", "private"] = "public"
    sandbox: bool = False


class Commit(Move, frozen=True, tag="table.commit"):
    """Draw the server's seed for a round. `decks` scripts a sandbox table's deals, one a round from round 1."""

    hidden: ClassVar[bool] = True
    round: int
    server_seed: str
    decks: tuple[tuple[Card, ...], ...] = ()


class Sit(Move, frozen=True, tag="table.sit"):
    """Take a free seat; `bot` is a strength if a bot sits there."""

    seat: int
    player: str
    bot: str | None = None
    seed: Seed | None = None


class Leave(Move, frozen=True, tag="table.leave"):
    """Free a seat before the start, or give up play after it."""

    seat: int


class Start(Move, frozen=True, tag="table.start"):
    """Deal the first round; every seat must be taken. `creator`: the seat taken with the host's token (K-04)."""

    creator: int | None = None


class Ready(Move, frozen=True, tag="table.ready"):
    """Be ready for the next round, with a fresh seed of one's own if wanted."""

    seed: Seed | None = None


class Act(Move, frozen=True, tag="table.due"):
    """The table does what is due."""


class CallLastRound(Move, frozen=True, tag="table.last_round"):
    """Make the next dealt round the last, where the game has no fixed number of rounds."""


class VoidRound(Move, frozen=True, tag="table.void_round"):
    """Undo the running round, or the last one before the next deal (G-11)."""


class Void(Move, frozen=True, tag="table.void"):
    """End the table without a result."""


MOVES: tuple[type[Move], ...] = (Create, Commit, Sit, Leave, Start, Ready, Act, CallLastRound, VoidRound, Void)
