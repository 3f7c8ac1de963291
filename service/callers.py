"""Who asks, once a bearer token is resolved."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from service.store.rows import TokenRow

SCOPES = ("play", "audit", "referee", "admin")


class Key(Struct, frozen=True):
    """An API key and what it may do."""

    id: str
    scopes: tuple[str, ...]


class Host(Struct, frozen=True):
    """A host token of one table; `key` is the API key that opened it."""

    game: str
    key: str


class SeatHolder(Struct, frozen=True):
    """A seat token: one table, one seat. `key` is the API key that sat, `token` the token's id."""

    game: str
    seat: int
    key: str
    token: str = ""


class Spectator(Struct, frozen=True):
    """Nobody in particular."""


Who = Key | Host | SeatHolder | Spectator


def role_of(who: Key | Host | SeatHolder) -> Literal["key", "host", "seat"]:
    """The kind of token by which somebody asks."""
    match who:
        case Key():
            return "key"
        case Host():
            return "host"
        case SeatHolder():
            return "seat"


class Reader(Struct, frozen=True):
    """Somebody who reads, with the invite they sent (the header Kupa-Invite), if any."""

    who: Who = Spectator()
    invite: str | None = None


class Mint(Protocol):
    """Makes bearer tokens whose secret follows from their id, so that a replay can give them again."""

    def text(self, kind: str, token_id: str) -> str:
        """The bearer text `kupa_<kind>_<id>_<secret>` of a token."""

    def row(
        self, kind: str, token_id: str, owner: str, at: str, *, game: str | None = None, seat: int | None = None
    ) -> TokenRow:
        """The token at rest."""

    def invite(self, game: str) -> str:
        """The invite of a private table."""

    def digest(self, secret: str) -> str:
        """SHA-256 in hex, as kept at rest."""
