"""The frames of a table's socket: what comes in as types, what goes out as bytes."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from service.feeds.framing import Framing
from service.problems import Problem, render

Id = Annotated[str, Meta(max_length=64)] | Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A client's own mark of a request, given back with its answer."""


class Auth(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="auth"):
    """The first frame: whose socket it is, and the last line that they have."""

    token: Annotated[str, Meta(max_length=200)]
    after: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None
    invite: Annotated[str, Meta(max_length=128)] | None = None


class Asked(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="move"):
    """A move, as POST …/moves takes it; `key` is its Idempotency-Key, `if_match` the version that was seen."""

    move: msgspec.Raw
    id: Id | None = None
    key: str | None = None
    if_match: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


class Pong(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="pong"):
    """The answer to a ping, to be sent at once."""

    n: Annotated[int, Meta(ge=0, le=2**53 - 1)]


def _told(kind: str, data: bytes) -> bytes:
    return b'{"type":"%b","data":%b}\n' % (kind.encode(), data)


FRAMES = Framing(media="websocket", line=lambda _, line: line + b"\n", told=_told, heartbeat=b"")
"""A line or sealed entry is a frame as it is; pings say that the feed is alive."""


def ping(number: int) -> bytes:
    """The server asks how far away its seat is."""
    return b'{"type":"ping","n":%d}' % number


def answered(mark: str | int | None, status: int, body: bytes, *, replayed: bool) -> bytes:
    """The answer to a move: the body is that of the POST."""
    flag = b',"replayed":true' if replayed else b""
    return b'{"type":"answer","id":%b,"status":%d%b,"body":%b}' % (msgspec.json.encode(mark), status, flag, body)


def refused(mark: str | int | None, problem: Problem) -> bytes:
    """A problem instead of an answer, or about a frame that cannot be read."""
    return b'{"type":"problem","id":%b,"problem":%b}' % (msgspec.json.encode(mark), render(problem))
