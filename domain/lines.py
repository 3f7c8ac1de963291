"""The event line: one event as canonical JSON, chained by hashes. These bytes are what is stored, sent and verified."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.game import Event, Move, Secret, Whisper, type_of
from domain.gate import Heading

FORMAT = 1
NO_LINE = "0" * 64
"""`prev` of a table's first line."""
LINE_BYTES_MAX = 65_535
NAME_CHARS_MAX, NAMES_KEPT_MAX = 16, 4_096
"""Texts so short are names, of cards, accounts or clauses; all games together have far fewer."""


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One event as stored: who, when, what, the hash of the line before. `to`, `round`, `salt`: hidden lines only."""

    at: str
    by: str
    data: Any
    game: str
    move: Any | UnsetType = UNSET
    prev: str
    round: int | UnsetType = UNSET
    salt: str | UnsetType = UNSET
    seq: int
    to: int | Literal["table"] | UnsetType = UNSET
    type: str
    v: int


class Entry(Struct, frozen=True):
    """An event with its place in a table's life, before it has bytes.

    `by` gave the command at `at`; `round` is set on hidden events, `move` on the first event of each command.
    """

    seq: int
    at: str
    by: str
    event: Event
    round: int | None = None
    move: Move | None = None


_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder(Line)


def canonical(value: object) -> bytes:
    """`value` as RFC 8785 canonical JSON, in the profile without floats."""
    return _encoder.encode(value)


def line_hash(line: bytes) -> str:
    """SHA-256 of 0x00 and the line: the RFC 6962 leaf hash, as 64 hex digits."""
    return hashlib.sha256(b"\0" + line).hexdigest()


def encode(entry: Entry, game: str, prev: str, salt: str) -> bytes:
    """The line of `entry` at the table `game` after the line hashed `prev`; `salt` is used on hidden lines only."""
    event = entry.event
    data = msgspec.structs.asdict(event)
    line: dict[str, Any] = {
        "at": entry.at,
        "by": entry.by,
        "data": data,
        "game": game,
        "prev": prev,
        "seq": entry.seq,
        "type": type_of(event),
        "v": FORMAT,
    }
    if entry.move is not None:
        line["move"] = entry.move
    if isinstance(event, Whisper | Secret):
        assert entry.round is not None, f"{line['type']} belongs to no round"
        line |= {"to": data.pop("to", "table"), "round": entry.round, "salt": salt}
    encoded = _encoder.encode(line)
    assert len(encoded) <= LINE_BYTES_MAX, f"{line['type']} takes {len(encoded)} bytes"
    return encoded


def decode(line: bytes) -> Line:
    """The line of these bytes. Raises msgspec.DecodeError on anything else."""
    return _decoder.decode(line)


def heading_of(line: Line) -> Heading:
    """What the gate looks at."""
    to, round_ = line.to, line.round
    return Heading(
        line.seq,
        line.type,
        None if isinstance(to, UnsetType) else to,
        None if isinstance(round_, UnsetType) else round_,
    )


def entry_of(line: Line, events: Mapping[str, type[Event]], moves: Mapping[str, type[Move]]) -> Entry:
    """The entry that a line holds; raises KeyError for a type or move unknown here."""
    event_type = events[line.type]
    data = {**_sharing(line.data), "type": line.type}
    if issubclass(event_type, Whisper):
        data["to"] = line.to
    move = None
    if not isinstance(line.move, UnsetType):
        move = msgspec.convert(line.move, moves[line.move["type"]])
    return Entry(
        seq=line.seq,
        at=line.at,
        by=line.by,
        event=msgspec.convert(data, event_type),
        round=None if isinstance(line.round, UnsetType) else line.round,
        move=move,
    )


def _sharing(value: Any) -> Any:
    """`value` with equal names as one object, since tables in memory hold the same few by the hundred."""
    if isinstance(value, str):
        return _name(value) if len(value) <= NAME_CHARS_MAX else value
    if isinstance(value, list):
        return [_sharing(part) for part in value]
    if isinstance(value, dict):
        return {key: _sharing(part) for key, part in value.items()}
    return value


@lru_cache(maxsize=NAMES_KEPT_MAX)
def _name(text: str) -> str:
    """The object that stands for every equal name."""
    return text


def sealed(seq: int, line: bytes) -> bytes:
    """What who may not hear a line gets in its place: the chain still verifies, and nothing is told."""
    return b'{"hash":"%b","sealed":true,"seq":%d}' % (line_hash(line).encode(), seq)
