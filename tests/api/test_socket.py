"""The socket of a table, against the real server: the feed, moves in, pings, and who may."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.totem import TotemTable, bearer
from tests.faults.serving import Service
from tests.websocket import Closed, Socket

SECONDS_MAX = 20


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("socket") / "data") as running:
        yield running
    TotemTable.close_all()


class Player:
    """A seat at its socket, which answers pings and keeps what it hears."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket
        self.lines: list[Any] = []
        self.pings = 0
        self.closed: int | None = None
        self._told: dict[str, asyncio.Queue[Any]] = {}
        self._ponging: asyncio.Task[None] | None = None
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def at(cls, base: str, table: TotemTable, token: str, **auth: Any) -> Player:
        socket = await Socket.open(base, f"{table.path}/socket")
        await socket.say({"type": "auth", "token": token, **auth})
        return cls(socket)

    async def _listen(self) -> None:
        try:
            while True:
                heard = await self.socket.hear()
                kind = heard.get("type", "")
                if kind == "ping":
                    self.pings += 1
                    self._ponging = asyncio.create_task(self._pong(heard["n"]))
                elif "seq" in heard:
                    self.lines.append(heard)
                    self._queue("line").put_nowait(heard)
                else:
                    self._queue(kind).put_nowait(heard)
        except Closed as closed:
            self.closed = closed.code
            self._queue("closed").put_nowait(closed.code)

    async def _pong(self, number: int) -> None:
        await self.socket.say({"type": "pong", "n": number})

    def _queue(self, kind: str) -> asyncio.Queue[Any]:
        return self._told.setdefault(kind, asyncio.Queue())

    async def next(self, kind: str) -> Any:
        return await asyncio.wait_for(self._queue(kind).get(), SECONDS_MAX)

    async def line(self, kind: str) -> Any:
        while (found := await self.next("line")).get("type") != kind:
            pass
        return found

    async def move(self, move: Any, **more: Any) -> None:
        await self.socket.say({"type": "move", "move": move, **more})

    def leave(self) -> None:
        self._listening.cancel()
        if self._ponging is not None:
            self._ponging.cancel()
        self.socket.close()


def tell(story: Callable[[], Awaitable[None]], seconds: float = 60) -> None:
    async def telling() -> None:
        try:
            await asyncio.wait_for(story(), seconds)
        finally:
            await Socket.close_all()

    asyncio.run(telling())


def test_a_seat_hears_the_table_and_plays_through_its_socket(service: Service):
    table = TotemTable(service.base, service.admin()).start(flips=1)

    async def story() -> None:
        one, two = [await Player.at(service.base, table, token) for token in table.seats[:2]]
        hello = await one.next("hello")
        view = table.get("/view", table.seats[0])
        assert hello["data"] == view.json()
        await two.next("hello")
        await two.move({"type": "totem.turn_up"}, id="mine")
        answer = await two.next("answer")
        assert (answer["id"], answer["status"]) == ("mine", 200)
        heard = [await player.line("totem.card_turned_up") for player in (one, two)]
        assert heard[0] == heard[1] == answer["body"]["events"][0]
        await one.move({"type": "totem.grab", "reveal": 2, "reaction_ms": 180}, id=1)
        won = await one.next("answer")
        assert won["body"]["grab"] == {"answer": "won", "outcome": "won"}
        judged = await two.line("totem.grabs_judged")
        assert judged == won["body"]["events"][0]
        for player in (one, two):
            player.leave()

    tell(story)


def test_the_lines_are_those_of_the_feed_and_a_cursor_resumes_them(service: Service):
    table = TotemTable(service.base, service.admin()).start(flips=2)

    async def story() -> None:
        player = await Player.at(service.base, table, table.seats[0], after=3)
        await player.line("totem.turn_started")
        items = table.get("/events?limit=1000", table.seats[0]).json()["items"]
        while len(player.lines) < len(items) - 3:
            await player.next("line")
        assert player.lines == items[3:]
        assert "hello" not in player._told
        player.leave()
        beyond = await Player.at(service.base, table, table.seats[0], after=10_000)
        assert (await beyond.next("reset"))["data"]["version"] == len(items)
        await beyond.next("hello")
        beyond.leave()

    tell(story)


def test_problems_are_told_and_the_socket_lives_on(service: Service):
    table = TotemTable(service.base, service.admin()).start()

    async def story() -> None:
        player = await Player.at(service.base, table, table.seats[1])
        await player.next("hello")
        await player.move({"type": "totem.turn_up"}, id=7)
        refused = await player.next("problem")
        assert (refused["id"], refused["problem"]["code"], refused["problem"]["ruling"]) == (7, "refused", "T-10")
        wrong = {
            "no json": "malformed-json",
            "[1]": "invalid-value",
            '{"type":"dance"}': "invalid-value",
            '{"type":"pong","n":1,"m":2}': "unknown-field",
            '{"type":"pong","n":1,"n":2}': "malformed-json",
            '{"type":"auth","token":"again"}': "invalid-value",
            '{"type":"move","move":{"type":"totem.grab"}}': "invalid-value",
            '{"type":"move","move":{"type":"totem.grab","reveal":1,"seat":0}}': "unknown-field",
            '{"type":"move","move":{"type":"totem.judge_grabs","grabs":[]}}': "invalid-value",
            '{"type":"move","key":"short","move":{"type":"totem.turn_up"}}': "invalid-value",
            '{"type":"pong","n":%s}' % ("[" * 100 + "]" * 100): "malformed-json",
            '{"type":"auth","token":"%s"}' % ("x" * 70_000): "body-too-large",
        }
        for frame, code in wrong.items():
            await player.socket.say(frame)
            assert (await player.next("problem"))["problem"]["code"] == code, frame
        await player.move({"type": "totem.grab", "reveal": 1}, if_match=1)
        assert (await player.next("problem"))["problem"]["code"] == "version-stale"
        player.leave()

    tell(story)


def test_a_key_means_the_same_through_the_socket_and_the_post(service: Service):
    table = TotemTable(service.base, service.admin()).start(flips=2)
    key, body = "socket-and-post-0001", b'{"type":"totem.grab","reveal":2}'
    frame = f'{{"type":"move","key":"{key}","move":{body.decode()}}}'

    async def story() -> None:
        player = await Player.at(service.base, table, table.seats[0])
        await player.socket.say(frame)
        first = await player.next("answer")
        await player.socket.say(frame)
        again = await player.next("answer")
        assert again == {**first, "replayed": True}
        headers = {**bearer(table.seats[0]), "Idempotency-Key": key, "Content-Type": "application/json"}
        posted = table.http.post(f"{table.path}/moves", content=body, headers=headers)
        assert posted.headers["Idempotent-Replayed"] == "true"
        assert posted.json() == first["body"]
        player.leave()

    tell(story)


def test_the_server_pings_a_seat_and_believes_its_own_measure(service: Service):
    table = TotemTable(service.base, service.admin(), rules={"dead_heat_ms": 15}).start(flips=2)

    async def story() -> None:
        player = await Player.at(service.base, table, table.seats[0])
        while player.pings < 4:  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.05)
        await player.move({"type": "totem.grab", "reveal": 2})
        await player.next("answer")
        judged = await player.line("totem.grabs_judged")
        [grab] = judged["data"]["grabs"]
        assert 0 <= grab["rtt_ms"] < 100
        player.leave()

    tell(story)


async def closed_with(base: str, path: str, *frames: Any) -> tuple[Any, int]:
    """What the server says before it closes, and the code it closes with."""
    socket = await Socket.open(base, path)
    for frame in frames:
        await socket.say(frame)
    said = None
    try:
        while True:
            said = await asyncio.wait_for(socket.hear(), SECONDS_MAX)
    except Closed as closed:
        return said, closed.code


def test_who_may_not_is_told_why_and_let_go(service: Service):
    table = TotemTable(service.base, service.admin(), visibility="private").start()
    path = f"{table.path}/socket"
    stranger = httpx.post(f"{service.base}/v1/keys", json={"scopes": ["play"]}, headers=bearer(service.admin())).json()[
        "key"
    ]
    cases: list[tuple[str, tuple[Any, ...], str]] = [
        (path, ({"type": "pong", "n": 1},), "token-missing"),
        (path, ({"type": "auth", "token": "kupa_seat_1_2"},), "token-invalid"),
        (path, ({"type": "auth", "token": table.seats[0][:-1] + "x"},), "token-invalid"),
        (path, ({"type": "auth", "token": stranger},), "not-found"),
        (path, ("nonsense",), "malformed-json"),
        ("/v1/games/none/socket", ({"type": "auth", "token": stranger},), "not-found"),
    ]

    async def story() -> None:
        for where, frames, code in cases:
            said, closed = await closed_with(service.base, where, *frames)
            assert (said["problem"]["code"], closed) == (code, 1008), frames

    tell(story)


def test_without_a_first_frame_the_socket_is_closed_after_five_seconds(service: Service):
    table = TotemTable(service.base, service.admin()).start()

    async def story() -> None:
        before = asyncio.get_running_loop().time()
        said, code = await closed_with(service.base, f"{table.path}/socket")
        assert (said["problem"]["code"], code) == ("token-missing", 1008)
        assert 4.5 < asyncio.get_running_loop().time() - before < 8

    tell(story)


def test_a_spectator_with_a_key_hears_and_does_not_move(service: Service):
    table = TotemTable(service.base, service.admin()).start()
    other = httpx.post(f"{service.base}/v1/keys", json={"scopes": ["play"]}, headers=bearer(service.admin())).json()[
        "key"
    ]

    async def story() -> None:
        player = await Player.at(service.base, table, other)
        assert (await player.next("hello"))["data"]["seat"] is None
        await player.move({"type": "totem.turn_up"})
        assert (await player.next("problem"))["problem"]["code"] == "wrong-role"
        table.move(0, {"type": "totem.turn_up"})
        await player.line("totem.card_turned_up")
        assert player.pings == 0
        player.leave()

    tell(story)


def test_a_revoked_token_ends_its_socket(service: Service):
    table = TotemTable(service.base, service.admin()).start()

    async def story() -> None:
        player = await Player.at(service.base, table, table.seats[0])
        await player.next("hello")
        table.post(f"{table.path}/seats/0/token", service.admin(), {})
        table_moved = asyncio.create_task(player.next("closed"))
        assert await table_moved == 1008

    tell(story)


def test_the_socket_ends_with_the_table(service: Service):
    table = TotemTable(service.base, service.admin(), seats=2).start()

    async def story() -> None:
        player = await Player.at(service.base, table, table.seats[0])
        await player.next("hello")
        left = table.http.delete(f"{table.path}/seats/1", headers=bearer(table.seats[1]))
        assert left.status_code == 200
        end = await player.next("end")
        assert end["data"]["version"] == left.json()["version"]
        assert await player.next("closed") == 1000

    tell(story)


def test_a_plain_request_to_the_socket_is_answered_with_a_problem(service: Service):
    table = TotemTable(service.base, service.admin()).start()
    answer = table.get("/socket")
    assert answer.status_code in (404, 405)
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_service_that_stops_lets_its_sockets_go(tmp_path: Path):
    with Service(tmp_path / "data") as stopping:
        table = TotemTable(stopping.base, stopping.admin()).start()

        async def story() -> None:
            player = await Player.at(stopping.base, table, table.seats[0])
            await player.next("hello")
            assert await asyncio.to_thread(stopping.stop) == 0
            assert await player.next("closed") == 1001

        tell(story)
    TotemTable.close_all()
