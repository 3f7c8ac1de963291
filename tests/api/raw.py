"""A client that is nothing but a socket: what the server sends, byte for byte."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from typing import Self

from tests.api.server import bearer

SECONDS_MAX = 20.0
SLOW = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 1), (socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1_400))
"""Options under which a server's socket takes some 50 KB that nobody reads, where it would take 3 MB."""


class Raw:
    """One request on a connection of its own, and its answer as it comes, freed of its chunks."""

    def __init__(
        self, port: int, path: str, token: str | None = None, *, slow: bool = False, method: str = "GET", **headers: str
    ) -> None:
        self.socket = socket.socket()
        for option in SLOW if slow else ():
            self.socket.setsockopt(*option)
        self.socket.settimeout(SECONDS_MAX)
        self.socket.connect(("127.0.0.1", port))
        sent = {"Host": "test", **(bearer(token) if token else {}), **headers}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {text}" for name, text in sent.items())]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self._raw = b""
        self.head = b""
        self.body = b""
        self.finished = False
        """Whether the answer came to its proper end."""
        self.closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    @property
    def status(self) -> int:
        self.until(lambda: bool(self.head))
        return int(self.head.split(b" ")[1])

    def header(self, name: str) -> str | None:
        self.until(lambda: bool(self.head))
        lines = (line.partition(b":") for line in self.head.split(b"\r\n")[1:])
        return next((text.strip().decode() for key, _, text in lines if key.lower() == name.lower().encode()), None)

    def until(self, true: Callable[[], bool], seconds: float = SECONDS_MAX) -> None:
        """Read until `true` is; fails when the answer ends before, or time is up."""
        until = time.monotonic() + seconds
        while not true():
            assert not self.closed, f"the answer ended: {self.body[-300:]!r}"
            assert time.monotonic() < until, f"not in time: {self.body[-300:]!r}"
            self.read(seconds)

    def until_bytes(self, number: int) -> None:
        """Read until so many bytes of the body came."""
        self.until(lambda: len(self.body) >= number)

    def to_the_end(self, seconds: float = SECONDS_MAX) -> bytes:
        """Read until the answer ends, or the connection."""
        self.until(lambda: self.finished or self.closed, seconds)
        return self.body

    def read(self, seconds: float) -> None:
        """Take what there is."""
        self.socket.settimeout(seconds)
        try:
            taken = self.socket.recv(65_536)
        except ConnectionResetError:
            taken = b""
        self.closed = not taken
        self._raw += taken
        if not self.head and b"\r\n\r\n" in self._raw:
            self.head, _, self._raw = self._raw.partition(b"\r\n\r\n")
        while self.head and (chunk := self._chunk()) is not None:
            self.body += chunk
            self.finished = self.finished or not chunk

    def _chunk(self) -> bytes | None:
        """The next whole chunk."""
        size, found, rest = self._raw.partition(b"\r\n")
        if not found or len(rest) < int(size, 16) + 2:
            return None
        self._raw = rest[int(size, 16) + 2 :]
        return rest[: int(size, 16)]

    @property
    def seqs(self) -> list[int]:
        """The ids that came, in order."""
        return [int(line[4:]) for line in self.body.split(b"\n") if line.startswith(b"id: ")]
