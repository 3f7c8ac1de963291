"""Everything that a reader can get of a table over HTTP, as it comes on the wire."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from typing import Self

import httpx

from tests.api.server import Seated, bearer

NDJSON, SSE = {"Accept": "application/x-ndjson"}, {"Accept": "text/event-stream"}
HEARTBEAT = b":\n\n"
CHANCE = (
    (rb'"(hash|prev|head|salt|commitment|1|2)":"[0-9a-f]{32,64}"', rb'"\1":"#"'),
    (rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", b"id"),
    (rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", b"time"),
)
"""What differs between any two tables: hashes and salts, ids, times; all of fixed length."""


def plain(text: bytes) -> bytes:
    """`text` without what differs between any two tables."""
    for pattern, instead in CHANCE:
        text = re.sub(pattern, instead, text)
    return text


def asked(seats: int, version: int) -> dict[str, tuple[str, dict[str, str]]]:
    """Every reading of a table at `version`: its path and headers, by name."""
    return {
        "table": ("", {}),
        "view": ("/view", {}),
        "unchanged": ("/view", {"If-None-Match": f'"{version}"'}),
        "moves": ("/moves", {}),
        "pages": ("/events?limit=1000", {}),
        "ndjson": ("/events", NDJSON),
        "open": ("/view?as=open", {}),
        **{f"view as {seat}": (f"/view?as=seat:{seat}", {}) for seat in range(seats)},
        **{f"history {seat}": (f"/seats/{seat}/history?limit=1000", {}) for seat in range(seats)},
        "ledger": ("/ledger", {}),
        "evidence": ("/evidence", {}),
    }


def surfaces(table: Seated, token: str | None, seats: int, version: int) -> dict[str, httpx.Response]:
    """What a reader gets now, whatever the answer is."""
    found = {name: table.get(path, token, headers=more) for name, (path, more) in asked(seats, version).items()}
    found |= {f"at {n}": table.get(f"/view?at={n}", token) for n in range(1, version + 1)}
    return found


def told(answer: httpx.Response) -> tuple[int, str | None, str | None, bytes]:
    """An answer as an eavesdropper on lengths sees it, and its text without chance."""
    length = answer.headers.get("content-length")
    return answer.status_code, length, answer.headers.get("etag"), plain(answer.content)


class Listening:
    """A live feed that is read in a thread of its own, from the table's first line or from a snapshot on."""

    def __init__(self, table: Seated, token: str | None, after: int | None = 0) -> None:
        path = f"{table.server.base}{table.url}/events" + ("" if after is None else f"?after={after}")
        self.heard = b""
        self._news = threading.Condition()
        self._socket: socket.socket | None = None
        self._headers = {**SSE, **(bearer(token) if token else {})}
        self._thread = threading.Thread(target=self._listen, args=(path,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up; until then the server waits for this listener."""
        with self._news:
            self._news.wait_for(lambda: self._socket is not None or not self._thread.is_alive(), timeout=10)
        if self._socket is not None:
            with contextlib.suppress(OSError):  # the server may have hung up first
                self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)

    def _listen(self, path: str) -> None:
        with contextlib.suppress(httpx.TransportError), httpx.stream("GET", path, headers=self._headers) as answer:
            assert answer.status_code == 200
            with self._news:
                self._socket = answer.extensions["network_stream"].get_extra_info("socket")
                self._news.notify_all()
            for piece in answer.iter_bytes():
                with self._news:
                    self.heard += piece
                    self._news.notify_all()

    def until(self, version: int) -> Self:
        """Wait for the line of that version, or for a snapshot that has it."""
        marks = (b"\nid: %d\n" % version, b'"version":%d,' % version)
        with self._news:
            assert self._news.wait_for(lambda: self._has(marks), timeout=10), f"no line {version} came"
        return self

    def _has(self, marks: tuple[bytes, ...]) -> bool:
        place = max(self.heard.find(mark) for mark in marks)
        return place >= 0 and b"\n\n" in self.heard[place + 1 :]

    def lines(self) -> bytes:
        """What was heard, without the signs of life."""
        return self.heard.replace(HEARTBEAT, b"")
