"""How a live feed looks on the wire: server-sent events, or bare lines; the line's own bytes are never touched."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from service.web.operations import NDJSON, SSE


class Framing(Struct, frozen=True):
    """One form of a live feed. `line` frames a line (or sealed entry) with its seq, `told` everything else.

    `told(kind, data)` is empty where a form carries lines only; `heartbeat` says that the feed is alive.
    """

    media: str
    line: Callable[[int, bytes], bytes]
    told: Callable[[str, bytes], bytes]
    heartbeat: bytes

    @property
    def tells(self) -> bool:
        """Whether this form can say more than lines."""
        return bool(self.told("hello", b"{}"))


def _event(seq: int, line: bytes) -> bytes:
    """A line as a server-sent event: only lines have an id, so that it is always a cursor."""
    return b"id: %d\ndata: %b\n\n" % (seq, line)


def _named_event(kind: str, data: bytes) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), data)


EVENTS = Framing(media=SSE, line=_event, told=_named_event, heartbeat=b":\n\n")
"""Server-sent events (WHATWG HTML, section 9.2): `hello`, lines, `end`, `reset`, and a comment as heartbeat."""

LINES = Framing(media=NDJSON, line=lambda _, line: line + b"\n", told=lambda _kind, _data: b"", heartbeat=b"\n")
"""Newline-delimited JSON: lines only, and an empty line as heartbeat."""
