"""The least that a durable move costs here: the same interpreter, server, framework, library and database, and no game.

Two chained lines a move, which one thread commits in groups. No rules, views, tokens, keys or rows beside the lines; a
body is read and an answer made as the framework does it. It tells a slow machine from a slow service.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any
from uuid import uuid4

from eventsourcing.persistence import ApplicationRecorder, InfrastructureFactory, StoredEvent
from eventsourcing.utils import Environment
from granian.constants import Interfaces
from granian.server.embed import Server
from litestar import Litestar, get, post
from msgspec import Struct

from domain.lines import NO_LINE, canonical, line_hash
from service import serving
from service.store.application import environment

EMPTY, MOVES = "/yardstick/empty", "/yardstick/moves"
LINES = 2
TOGETHER_MAX = 256


class Sent(Struct):
    """A body of which nothing is kept."""

    type: str


class Made(Struct):
    """Where a table stands after a move."""

    version: int
    head: str


class Bare:
    """A table: a chain of lines, and nothing else."""

    def __init__(self) -> None:
        self.id, self.version, self.head = uuid4(), 0, NO_LINE

    def line(self) -> StoredEvent:
        """One more line of the length that lines have."""
        self.version += 1
        line = canonical(
            {
                "at": "2026-11-30T10:00:00.000000Z",
                "by": "seat:1",
                "data": {"cards": ["10D"], "seat": 1, "rest": [["10D", "2C"], 3]},
                "game": str(self.id),
                "move": {"cards": ["10D"], "type": "shithead.play"},
                "prev": self.head,
                "seq": self.version,
                "type": "shithead.cards_played",
                "v": 1,
            }
        )
        self.head = line_hash(line)
        return StoredEvent(self.id, self.version, "shithead.cards_played", line)


Waiting = tuple[list[StoredEvent], asyncio.Future[None]]


class Group:
    """Commits together whatever waits."""

    def __init__(self, recorder: ApplicationRecorder) -> None:
        self._recorder, self._loop = recorder, asyncio.get_running_loop()
        self._waiting: SimpleQueue[Waiting] = SimpleQueue()
        Thread(target=self._run, daemon=True).start()

    async def commit(self, lines: list[StoredEvent]) -> None:
        """Returns when the lines are durable."""
        done = self._loop.create_future()
        self._waiting.put((lines, done))
        await done

    def _run(self) -> None:
        while True:
            batch = [self._waiting.get()]
            while len(batch) < TOGETHER_MAX:
                try:
                    batch.append(self._waiting.get_nowait())
                except Empty:
                    break
            self._recorder.insert_events([line for lines, _ in batch for line in lines])
            self._loop.call_soon_threadsafe(_answer, batch)


def _answer(batch: list[Waiting]) -> None:
    for _, done in batch:
        if not done.done():
            done.set_result(None)


def application(recorder: ApplicationRecorder) -> Litestar:
    """The whole service."""
    tables: dict[int, Bare] = {}
    groups: list[Group] = []

    @post(EMPTY, status_code=200)
    async def empty(data: Sent) -> Made:
        return Made(1, NO_LINE)

    @post(f"{MOVES}/{{number:int}}", status_code=200)
    async def move(number: int, data: Sent) -> Made:
        table = tables.get(number) or tables.setdefault(number, Bare())
        await groups[0].commit([table.line() for _ in range(LINES)])
        return Made(table.version, table.head)

    @get("/health/ready")
    async def ready() -> None:
        return None

    async def begin(_: Litestar) -> None:
        groups.append(Group(recorder))

    return Litestar([empty, move, ready], openapi_config=None, logging_config=None, on_startup=[begin])


async def serve(app: Any, port: int) -> None:
    serving.settle()
    server = Server(app, port=port, interface=Interfaces.ASGI, backlog=serving.BACKLOG, log_enabled=False)
    await server.serve()


def main() -> None:
    url = os.environ.get("KUPA_DATABASE_URL")
    found = environment(database_url=url) if url else environment(data_dir=Path(os.environ["KUPA_DATA_DIR"]))
    recorder = InfrastructureFactory.construct(Environment("kupa", found)).application_recorder()
    with asyncio.Runner(loop_factory=serving.LOOP) as runner:
        runner.run(serve(application(recorder), int(os.environ["KUPA_PORT"])))


if __name__ == "__main__":
    main()
