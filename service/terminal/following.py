"""Following a table: its lines in order, none missed and none twice, whatever happens to the network in between."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import httpx

from service.terminal.connection import Connection, passes, said_by
from service.terminal.trouble import ServerSaid

WAIT_SECONDS = 20
"""How long a long poll is held."""
POLL_SECONDS = 1.0
"""How often somebody without a seat asks, where the server has no live stream."""
SILENCE_SECONDS = 20.0
"""A live stream that says nothing for so long, not even its heartbeat (every 7 s), is dead."""
PAUSE_SECONDS = 0.1
"""Between the end of one live stream and the next."""
OVER = frozenset({"table.ended", "table.voided"})
WITHOUT_LINE = frozenset({"comment", "hello", "end"})
"""What a live stream says besides the table's lines."""
NO_STREAM = frozenset({"not-acceptable", "unknown-parameter", "too-many-streams"})
"""Problems after which asking for pages is the way."""

Line = dict[str, Any]


class Follower(Protocol):
    """Something that brings what was heard at a table."""

    def lines(self, after: int) -> Iterator[list[Line]]:
        """What follows line `after`, as it comes; ends with the table. An empty list: still there, nothing new."""


class Pages:
    """Follows by asking: a long poll of the legal moves tells a seat when to fetch a page; others ask each second."""

    def __init__(self, connection: Connection, game: str, *, seated: bool, wait: float = WAIT_SECONDS) -> None:
        self._connection, self._path, self._seated = connection, f"/v1/games/{game}", seated
        self._wait = wait

    def lines(self, after: int) -> Iterator[list[Line]]:
        """Page after page, then whatever comes."""
        while True:
            for page in pages(self._connection, self._path, after):
                after = page[-1]["seq"]
                yield page
                if page[-1].get("type") in OVER:
                    return
            if not self._news(after):
                yield []

    def _news(self, after: int) -> bool:
        """Wait until there is probably something after line `after`."""
        if not self._seated:
            time.sleep(POLL_SECONDS)
            return True
        asked = {"after": after, "wait": int(self._wait)}
        return bool(self._connection.get(f"{self._path}/moves", asked, wait=self._wait)["version"] > after)


def pages(connection: Connection, path: str, after: int) -> Iterator[list[Line]]:
    """The lines after `after` up to the head, a page at a time."""
    while True:
        page = connection.get(f"{path}/events", {"after": after})
        if page["items"]:
            yield page["items"]
        if page["next"] is None:
            return
        after = int(page["next"])


class Past(Exception):
    """The place to go on from lies past the table's end: it is read again from its beginning."""


class Stream:
    """Follows by one open answer (server-sent events); after a cut it resumes behind the last line it had."""

    def __init__(self, connection: Connection, game: str, sleep: Callable[[float], None] = time.sleep) -> None:
        self._connection, self._path, self._sleep = connection, f"/v1/games/{game}/events", sleep

    def lines(self, after: int) -> Iterator[list[Line]]:
        """One line at a time. Raises ServerSaid where there is no such stream."""
        while True:
            try:
                for kind, line in self._once(after):
                    if kind == "end":
                        return
                    if line is None:
                        yield []
                    elif line["seq"] > after:
                        after = line["seq"]
                        yield [line]
            except Past:
                after = 0
            except httpx.TransportError:
                pass
            # The pages tell at once whether the server is there, wait for it if not, and lose nothing meanwhile.
            for page in pages(self._connection, self._path.removesuffix("/events"), after):
                after = page[-1]["seq"]
                yield page
                if page[-1].get("type") in OVER:
                    return
            self._sleep(PAUSE_SECONDS)

    def _once(self, after: int) -> Iterator[tuple[str, Line | None]]:
        """What one connection brings: lines, None for a heartbeat, `end`."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        with self._connection.stream(self._path, headers, SILENCE_SECONDS) as response:
            if not response.is_success:
                response.read()
                said = said_by(response)
                if said.code in NO_STREAM or not passes(response.status_code, said.code):
                    raise said
                return
            for kind, data in messages(response.iter_lines()):
                if kind == "reset":
                    raise Past
                yield kind, None if kind in WITHOUT_LINE else json.loads(data)


def messages(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Server-sent events as (event, data); a comment comes as (`comment`, its text)."""
    kind, data = "message", list[str]()
    for line in lines:
        if line.startswith(":"):
            yield "comment", line[1:].strip()
            continue
        if not line:
            if data:
                yield kind, "\n".join(data)
            kind, data = "message", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            kind = value
        elif field == "data":
            data.append(value)


class Either:
    """Follows by stream, and by pages where the server has no stream (or none left)."""

    def __init__(self, stream: Follower, asking: Follower) -> None:
        self._stream, self._asking = stream, asking

    def lines(self, after: int) -> Iterator[list[Line]]:
        """What follows line `after`, however it comes."""
        try:
            for batch in self._stream.lines(after):
                after = batch[-1]["seq"] if batch else after
                yield batch
        except ServerSaid as said:
            if said.code not in NO_STREAM:
                raise
            yield from self._asking.lines(after)


def follower(connection: Connection, game: str, *, seated: bool) -> Follower:
    """The best way to follow a table here."""
    return Either(Stream(connection, game), Pages(connection, game, seated=seated))
