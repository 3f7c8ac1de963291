"""The seats that this person holds, kept in files of their own, so that a closed window costs no game."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from msgspec import Struct


class Place(Struct, frozen=True, kw_only=True):
    """A seat at a table, with what is needed to come back to it. `host_token` only for who opened the table."""

    server: str
    game: str
    kind: str
    seat: int
    seat_token: str
    host_token: str | None = None
    invite: str | None = None


def folder() -> Path:
    """Where places are kept: `kupa/seats` in the user's state folder."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "kupa" / "seats"


def keep(place: Place) -> None:
    """Remember a place; only its owner can read it."""
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = _file(place.game).with_suffix(f".{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(place))
    draft.replace(_file(place.game))


def kept(game: str, server: str) -> Place | None:
    """The place held at a table of that server, if any."""
    try:
        place = msgspec.json.decode(_file(game).read_bytes(), type=Place)
    except (OSError, msgspec.DecodeError):
        return None
    return place if place.server == server else None


def forget(game: str) -> None:
    """The table is over: its tokens are of no more use."""
    _file(game).unlink(missing_ok=True)


def _file(game: str) -> Path:
    return folder() / f"{''.join(letter for letter in game if letter.isalnum() or letter == '-')}.json"
