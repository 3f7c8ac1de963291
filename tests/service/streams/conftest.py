"""Processes of the service without their HTTP, over one store; and readers who write down what they are sent."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from domain.game import Move, type_of
from domain.games import GAMES
from domain.table.moves import Ready, Start
from service import clock
from service.auth import Auth, Minter
from service.background import Background
from service.callers import Host, Key, Reader, SeatHolder
from service.dealer import SecretDealer
from service.feeds import framing
from service.feeds.framing import Framing
from service.feeds.streams import Bounds, Streams
from service.feeds.watching import Stream
from service.store.opening import open_store
from service.tables.answers import OpenRequest, SitRequest
from service.tables.tables import Tables
from tests.service.store.conftest import Place, on_postgres, on_sqlite, place

__all__ = ["Place", "on_postgres", "on_sqlite", "place"]

KEY = Key("key-1", ("play",))
SECONDS_MAX = 10.0
EVENT = re.compile(rb"id: ([0-9]+)\ndata: ([^\n]*)\n\n|event: ([a-z]+)\ndata: ([^\n]*)\n\n|(:\n\n)")


class Process:
    """One process of the service: tables and live feeds over a store of its own."""

    def __init__(self, store: Any, *, several: bool, bounds: Bounds | None = None) -> None:
        self.store, self.minter, self.background = store, Minter(bytes(32)), Background()
        self.tables = Tables(store, self.minter, SecretDealer(), clock.now, several=several)
        self.auth = Auth(store, self.minter, clock.now)
        bounds = bounds or Bounds(heartbeat_seconds=0.2)
        self.streams = Streams(self.tables, self.auth, bounds, self.background.spawn, shared=several)
        if self.streams.tail is not None:
            self.background.keep("tail", self.streams.tail.run())

    async def table(self, seats: int = 2, game: str = "shithead", **rules: Any) -> Seated:
        """A table with its seats taken."""
        request = OpenRequest(game=game, rules=GAMES[game].rules(**rules), seats=seats)
        opened = await self.tables.open(KEY, request, None)
        table = Seated(self, opened.game)
        for _ in range(seats):
            answer = await self.tables.sit(table.game, KEY, SitRequest(), None)
            table.tokens.append(answer.extra["seat_token"])
        return table

    async def watch(
        self, game: str, token: str | None = None, after: int | None = None, form: Framing = framing.EVENTS
    ) -> Watching:
        """Somebody who follows a table and takes all that comes."""
        header = f"Bearer {token}" if token else None
        who = Reader(await self.auth.resolve(header))
        return Watching(await self.streams.open(game, who, header, after, form))


class Seated:
    """A table and the tokens of its seats."""

    def __init__(self, process: Process, game: str) -> None:
        self.process, self.game = process, game
        self.tokens: list[str] = []
        self.dice = random.Random(game)

    def holder(self, seat: int) -> SeatHolder:
        return SeatHolder(self.game, seat, KEY.id)

    async def start(self) -> int:
        """Deal the first round; the version after it."""
        answer = await self.process.tables.host(self.game, Host(self.game, KEY.id), Start(), None)
        return answer.version

    async def move(self, process: Process | None = None) -> int:
        """Some legal move of a seat that has one, made in `process`; the version after it."""
        tables = (process or self.process).tables
        await tables.registry.fresh(self.game)
        for seat in range(len(self.tokens)):
            listed = await tables.moves(self.game, self.holder(seat), None, 0)
            if listed["items"]:
                live = await tables.registry.get(self.game)
                assert live.table is not None
                moves: list[type[Move]] = [*live.table.game.moves, Ready]
                kinds = {type_of(kind): kind for kind in moves}
                chosen = self.dice.choice(listed["items"])
                move = msgspec.convert(chosen, kinds[chosen["type"]])
                return (await tables.move(self.game, self.holder(seat), move, None, None)).version
        pytest.fail("nobody has a move")

    async def over(self) -> bool:
        """Whether nothing is played here any more."""
        return bool((await self.process.tables.resource(self.game, Reader()))["status"] in ("ended", "voided"))

    async def lines(self) -> list[bytes]:
        return [stored.line for stored in await self.process.store.lines(self.game)]


class Watching:
    """A reader who takes everything at once and keeps it."""

    def __init__(self, stream: Stream) -> None:
        self.stream, self.raw, self.done = stream, b"", asyncio.Event()
        self._more = asyncio.Event()
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.stream.messages():
            self.stream.watcher.offered()
            self.raw += message
            self.stream.watcher.took()
            self._more.set()
        self.done.set()
        self._more.set()

    async def until(self, true: Callable[[Watching], bool]) -> None:
        """Wait until what came makes `true` true."""
        async with asyncio.timeout(SECONDS_MAX):
            while not true(self):
                self._more.clear()
                await self._more.wait()

    async def until_line(self, seq: int) -> None:
        await self.until(lambda self: bool(self.seqs) and self.seqs[-1] >= seq)

    @property
    def lines(self) -> list[tuple[int, bytes]]:
        """Every line (or sealed entry) that came, with its id."""
        return [(int(found[1]), found[2]) for found in EVENT.finditer(self.raw) if found[1]]

    @property
    def seqs(self) -> list[int]:
        return [seq for seq, _ in self.lines]

    @property
    def told(self) -> list[str]:
        """What else came: hello, end, reset, heartbeat."""
        found = EVENT.finditer(self.raw)
        return [one[3].decode() if one[3] else "heartbeat" for one in found if not one[1]]

    async def leave(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self.stream.close()


Story = Callable[..., Awaitable[None]]
Tell = Callable[..., None]


@pytest.fixture
def tell(place: Place) -> Tell:
    """Tell a story of one process, or of as many as it takes; several meet in one store.

    SQLite has one writing process: there, two processes stand for one that was started again behind the other's back.
    """

    def telling(story: Story, processes: int = 1, bounds: Bounds | None = None) -> None:
        asyncio.run(told(story, processes, bounds))

    async def told(story: Story, processes: int, bounds: Bounds | None) -> None:
        async with running(place, processes, bounds) as started:
            await story(*started)

    return telling


@asynccontextmanager
async def running(place: Place, processes: int, bounds: Bounds | None = None) -> AsyncIterator[list[Process]]:
    """So many processes on one database."""
    stores = [await open_store(**place.where) for _ in range(processes)]
    started = [Process(store, several=processes > 1 or place.kind == "postgres", bounds=bounds) for store in stores]
    try:
        yield started
    finally:
        for process in started:
            await process.background.stop()
        for store in stores:
            await store.close()
