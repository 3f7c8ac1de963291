"""Players over HTTP: every move has a key, is sent again with it until it is answered, and what was said is kept."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Literal

import httpx
from msgspec import Struct

from tests.faults.serving import Table, bearer

PATIENCE_SECONDS = 60.0
"""How long a move is sent again and again before the test gives up."""
PAUSE_SECONDS = 0.05
TRY_AGAIN = frozenset({"request-in-progress", "table-busy"})


class Told(Struct, frozen=True, kw_only=True):
    """What one request was told of a table: its version and head, and when it was asked and answered.

    A write's lines are `first` to `last`; `began` is when it was first sent, however often it was.
    """

    what: Literal["write", "read", "refused"]
    game: str
    version: int
    head: str | None
    began: float
    ended: float
    key: str = ""
    seat: int = 0
    first: int = 0
    last: int = 0


class Player:
    """Plays random legal moves at its tables, one request after the other, through one server or another."""

    def __init__(self, https: Sequence[httpx.AsyncClient], tables: Sequence[Table], rng: random.Random) -> None:
        self.https, self.tables, self.rng = https, tables, rng
        self.told: list[Told] = []
        self.trouble: list[str] = []
        """What stood in an answer's way: the codes of 5xx, the names of broken connections."""
        self.twins = 0.0
        """How often a move is sent twice at once with one key."""

    async def play(self, stopping: Callable[[], bool]) -> None:
        while not stopping():
            table = self.rng.choice(self.tables)
            seat = self.rng.randrange(len(table.seats))
            listed = await self._read(table, seat, "/moves")
            if listed["items"]:
                await self.move(table, seat, self.rng.choice(listed["items"]))
            elif self.rng.random() < 0.3:
                await self._read(table, seat, "/view")

    async def _read(self, table: Table, seat: int, path: str) -> dict[str, Any]:
        http, began = self.rng.choice(self.https), time.perf_counter()
        answer = await self._sure(http, "GET", table.path + path, bearer(table.seats[seat]))
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        self._keep("read", table, body["version"], body.get("head"), began)
        return body

    async def move(self, table: Table, seat: int, move: dict[str, Any]) -> None:
        """Make a move, whatever it takes; a twin of it may go to another server at the same time."""
        key, began = uuid.uuid4().hex, time.perf_counter()
        headers = {**bearer(table.seats[seat]), "Idempotency-Key": key}
        sent = [self.rng.choice(self.https)]
        if self.rng.random() < self.twins:
            sent = list(self.https)
        answers = await asyncio.gather(
            *(self._sure(http, "POST", f"{table.path}/moves", headers, move) for http in sent)
        )
        for answer in answers:
            body = answer.json()
            if answer.status_code == 409:
                assert body["code"] == "refused", body
                if "Idempotent-Replayed" not in answer.headers:
                    self._keep("refused", table, body["version"], None, began)
                continue
            assert answer.status_code == 200, answer.text
            seqs = [event["seq"] for event in body["events"]]
            self._keep(
                "write", table, body["version"], body["head"], began, key=key, seat=seat, first=seqs[0], last=seqs[-1]
            )
        assert len({answer.status_code for answer in answers}) == 1, [answer.text for answer in answers]
        assert len({answer.content for answer in answers}) == 1 or answers[0].status_code != 200

    def _keep(self, what: Any, table: Table, version: int, head: str | None, began: float, **more: Any) -> None:
        ended = time.perf_counter()
        self.told.append(Told(what=what, game=table.game, version=version, head=head, began=began, ended=ended, **more))

    async def _sure(
        self, http: httpx.AsyncClient, method: str, path: str, headers: dict[str, str], body: Any = None
    ) -> httpx.Response:
        """The same request again and again until it is answered with yes or no."""
        until = time.perf_counter() + PATIENCE_SECONDS
        while True:
            trouble = ""
            try:
                answer = await http.request(method, path, headers=headers, json=body)
            except httpx.TransportError as broken:
                trouble = type(broken).__name__
            else:
                if answer.status_code < 400:
                    return answer
                trouble = answer.json()["code"]
                if answer.status_code < 500 and trouble not in TRY_AGAIN:
                    return answer
            self.trouble.append(trouble)
            assert time.perf_counter() < until, f"not answered in {PATIENCE_SECONDS} s; last: {trouble}"
            await asyncio.sleep(PAUSE_SECONDS)


class Load:
    """Players at work, all of them until `stop`."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        self.stopped = False
        self._tasks = [asyncio.ensure_future(player.play(lambda: self.stopped)) for player in players]

    @property
    def told(self) -> list[Told]:
        return [told for player in self.players for told in player.told]

    @property
    def trouble(self) -> list[str]:
        return [trouble for player in self.players for trouble in player.trouble]

    @property
    def writes(self) -> int:
        return sum(told.what == "write" for player in self.players for told in player.told)

    async def more(self, writes: int) -> None:
        """Wait until so many more moves were acknowledged."""
        wanted = self.writes + writes
        while self.writes < wanted:
            for task in self._tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.005)

    async def stop(self) -> None:
        """Let everybody finish the request they are at."""
        self.stopped = True
        await asyncio.gather(*self._tasks)


@asynccontextmanager
async def load(
    bases: Sequence[str], tables: Sequence[Sequence[Table]], *, twins: float = 0.0, fresh: bool = False
) -> AsyncIterator[Load]:
    """A player for each of `tables` (those it plays at), over connections of its own; stopped when all is over.

    With `fresh` each request has a connection of its own, so that every process behind a port has its share.
    """
    kept = httpx.Limits(max_keepalive_connections=0 if fresh else None)
    async with AsyncExitStack() as stack:
        players = []
        for n, mine in enumerate(tables):
            https = [
                await stack.enter_async_context(httpx.AsyncClient(base_url=base, timeout=PATIENCE_SECONDS, limits=kept))
                for base in bases
            ]
            player = Player(https, mine, random.Random(n))
            player.twins = twins
            players.append(player)
        running = Load(players)
        try:
            yield running
        finally:
            await running.stop()
