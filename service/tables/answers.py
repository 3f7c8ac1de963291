"""What the command path takes and gives: requests already typed, answers with their lines as bytes."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from domain.game import Card


class Idempotency(Struct, frozen=True):
    """A request's own key, and the SHA-256 (hex) of its method, path and body bytes."""

    key: str
    fingerprint: str


class OpenRequest(Struct, frozen=True, kw_only=True):
    """Open a table; `rules` already have the game's type. `sandbox`: decks and/or a seed, or None."""

    game: str
    rules: Any
    seats: int
    visibility: Literal["public", "private"] = "public"
    name: str | None = None
    sandbox: Sandbox | None = None


class Sandbox(Struct, frozen=True, forbid_unknown_fields=True):
    """A scripted table (G-14): one deck a round from round 1, index 0 dealt first; the seed of all other chance."""

    decks: tuple[tuple[Card, ...], ...] = ()
    server_seed: str = "00" * 32


class SitRequest(Struct, frozen=True, kw_only=True):
    """Sit down: `player` is the key's own label for a person, `bot` a strength, `invite` a private table's."""

    player: str | None = None
    seat: int | None = None
    seed: str | None = None
    bot: str | None = None
    invite: str | None = None


class Answer(Struct, frozen=True, kw_only=True):
    """What a write did, as its caller may hear it now. `events` are line bytes, to be embedded as they are."""

    status: int
    game: str
    version: int
    head: str
    events: tuple[bytes, ...]
    extra: dict[str, Any] = field(default_factory=dict)
    replayed: bool = False
    location: str | None = None


class Viewed(Struct, frozen=True, kw_only=True):
    """A view as its caller may see it."""

    version: int
    head: str
    body: dict[str, Any]


class Page(Struct, frozen=True, kw_only=True):
    """A page of the feed: lines or sealed entries, and the seq to go on after (None at the head)."""

    items: tuple[bytes, ...]
    next: int | None
    version: int
    head: str
