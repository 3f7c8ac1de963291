"""The seats that this person holds, kept in files of their own, so that a closed window costs no game."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct


class Place(Struct, frozen=True, kw_only=True):
    """A seat at a table, with what is needed to come back to it. `host_token` only for who opened the table.

    `key` is the mark of the key that sat; None in a file from before marks were kept, which is any key's.
    """

    server: str
    game: str
    kind: str
    seat: int
    seat_token: str
    host_token: str | None = None
    invite: str | None = None
    key: str | None = None


def mark(key: str) -> str:
    """What tells keys apart and is no secret: the first 16 hex digits of SHA-256 of its text."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def folder() -> Path:
    """Where places are kept: `kupa/seats` in the user's state folder."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "kupa" / "seats"


def keep(place: Place) -> None:
    """Remember a place; only its owner can read it."""
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    file_of_place = _file(place.game, place.key)
    draft = file_of_place.with_suffix(f".{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(place))
    draft.replace(file_of_place)


def kept(game: str, server: str, key: str | None = None, *, only: bool = False) -> Place | None:
    """The place that `key` holds at a table of that server; else, unless `only` its own counts, who sat last here."""
    own = mark(key) if key is not None else None
    held = [place for place in _all(game) if place.server == server]
    mine = [place for place in held if place.key in (own, None)]
    return next(iter(mine or ([] if only else held)), None)


def forget(place: Place) -> None:
    """The table is over: its tokens are of no more use."""
    _file(place.game, place.key).unlink(missing_ok=True)


def _all(game: str) -> Iterator[Place]:
    """Every place kept for a table, the last that sat first."""
    files = [*folder().glob(_file(game, None).name), *folder().glob(_file(game, "*").name)]
    for file in sorted(files, key=_saved, reverse=True):
        try:
            yield msgspec.json.decode(file.read_bytes(), type=Place)
        except (OSError, msgspec.DecodeError):
            continue


def _saved(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:  # forgotten by another window just now
        return 0


def _file(game: str, key: str | None) -> Path:
    table = "".join(letter for letter in game if letter.isalnum() or letter == "-")
    return folder() / (f"{table}.{key}.json" if key else f"{table}.json")
