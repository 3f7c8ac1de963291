"""The socket of a table: the live feed, moves in with their answers, and pings by which the server knows its seats."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Any, ClassVar, cast

import structlog
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect
from litestar.handlers import WebsocketRouteHandler

from service.auth import missing
from service.callers import Reader, SeatHolder
from service.feeds.watching import Stream
from service.grabs.published import Link
from service.parts import Parts
from service.problems import Problem
from service.routes.socket_shapes import FRAMES, Asked, Auth, Pong, answered, ping, refused
from service.tables.answers import Answer
from service.web import bodies, game_shapes, replies
from service.web.call import TABLE_ID, idempotency_of
from service.web.handlers import problem_of

log = structlog.get_logger(__name__)
AUTH_SECONDS = 5.0
"""How long the first frame is waited for."""
MOVES_AT_ONCE_MAX = 16
PINGS_AT_FIRST = 5
PING_FIRST_SECONDS, PING_SECONDS = 0.2, 2.0
FRAME_BYTES_MAX = 64 * 1024
NORMAL, GOING_AWAY, POLICY, TRY_AGAIN = 1000, 1001, 1008, 1013
"""Close codes of RFC 6455: the table is over; the service stops; who asks may not; too much was left unread."""


def handler(parts: Callable[[], Parts]) -> WebsocketRouteHandler:
    """The framework's handler."""

    async def serve(socket: WebSocket[Any, Any, Any]) -> None:
        await Talk(socket, parts()).run()

    return WebsocketRouteHandler("/v1/games/{game_id:str}/socket")(serve)


ANSWERS_SECONDS_MAX = 2.0
"""How long a socket waits for answers when its table is over: what another process did reaches the feed first."""
CLOSING_SECONDS = 0.25
"""The server hangs up when this is done, which may be before the closing frame has left; so it waits a little."""


class Talk:
    """One open socket. Frames are JSON, one value each; the table's lines are sent as they are stored."""

    ends: ClassVar[dict[bool, int]] = {True: GOING_AWAY, False: TRY_AGAIN}

    def __init__(self, socket: WebSocket[Any, Any, Any], parts: Parts) -> None:
        self.socket, self.parts = socket, parts
        self.game: str = socket.path_params["game_id"]
        self.header = ""
        self._turn = asyncio.Lock()
        self._moves: set[asyncio.Task[None]] = set()
        self._pinged: dict[int, float] = {}

    async def run(self) -> None:
        """Serve it until the table is over, its reader goes or may hear no more, or the service stops."""
        await self.socket.accept()
        try:
            try:
                stream = await self._opened()
            except Problem as no:
                await self._say(refused(None, no))
                await self._close(POLICY)
                return
            try:
                await self._close(await self._talk(stream))
            finally:
                stream.close()
        except WebSocketDisconnect:
            return
        except Exception as fault:  # noqa: BLE001 - nothing of ours may leave as it is
            problem_of(fault, self.socket.scope["path"])

    async def _opened(self) -> Stream:
        """The feed for whoever the first frame names. Raises Problem."""
        if not TABLE_ID.fullmatch(self.game):
            raise Problem("not-found", "There is no such table.")
        try:
            async with asyncio.timeout(AUTH_SECONDS):
                asked = await self._frame()
        except TimeoutError:
            raise missing() from None
        if not isinstance(asked, Auth):
            raise missing()
        self.header = f"Bearer {asked.token}"
        reader = Reader(await self._who(), asked.invite)
        return await self.parts.streams.open(self.game, reader, self.header, asked.after, FRAMES)

    async def _who(self) -> Any:
        try:
            return await self.parts.auth.resolve(self.header)
        except Problem:
            client = self.socket.scope.get("client")
            self.parts.buckets["failures"].take(client[0] if client else "", asyncio.get_running_loop().time())
            raise

    async def _talk(self, stream: Stream) -> int:
        """Both directions at once; the code to close with."""
        who, watcher = stream.watcher.reader.who, stream.watcher
        seat = who.seat if isinstance(who, SeatHolder) and who.game == self.game else None
        link = self.parts.tables.published.connect(self.game, seat) if seat is not None else None
        pouring = asyncio.ensure_future(self._pour(stream))
        works: set[asyncio.Future[Any]] = {
            pouring,
            asyncio.ensure_future(self._listen(link)),
            watcher.stopped,
        }
        pinging = asyncio.ensure_future(self._ping(link)) if link is not None else None
        try:
            done, _ = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
            if self._moves and pouring in done and pouring.result() == NORMAL:
                await asyncio.wait(self._moves, timeout=ANSWERS_SECONDS_MAX)
        finally:
            if link is not None:
                link.close()
            ended = [*(works - {watcher.stopped}), *self._moves, *([pinging] if pinging else [])]
            for work in ended:
                work.cancel()
            await asyncio.gather(*ended, return_exceptions=True)
        if watcher.stopped in done:
            return self.ends[watcher.stopped.result()]
        return next(cast("int", work.result()) for work in done)

    # --- out

    async def _say(self, frame: bytes) -> None:
        async with self._turn:
            await self.socket.send({"type": "websocket.send", "bytes": None, "text": frame.decode()})

    async def _close(self, code: int) -> None:
        await self.socket.close(code)
        await asyncio.sleep(CLOSING_SECONDS)

    async def _pour(self, stream: Stream) -> int:
        """Say all that the feed says, a frame a line."""
        over = False
        async with aclosing(stream.messages()) as messages:
            async for message in messages:
                stream.watcher.offered()
                for frame in message.splitlines():
                    await self._say(frame)
                    over = frame.startswith(b'{"type":"end"')
                stream.watcher.took()
        return NORMAL if over else POLICY

    async def _ping(self, link: Link) -> None:
        """Ask again and again how far away the seat is: often at first, then now and then."""
        number, time = 0, asyncio.get_running_loop().time
        while True:
            number += 1
            self._pinged = {number - 1: self._pinged.get(number - 1, 0.0), number: time()}
            link.asked()
            await self._say(ping(number))
            await asyncio.sleep(PING_FIRST_SECONDS if number < PINGS_AT_FIRST else PING_SECONDS)

    # --- in

    async def _listen(self, link: Link | None) -> int:
        """Take in pongs and moves until the reader goes."""
        time = asyncio.get_running_loop().time
        while True:
            try:
                asked = await self._frame()
            except Problem as no:
                await self._say(refused(None, no))
                continue
            match asked:
                case Pong(n=number) if link is not None and (since := self._pinged.pop(number, 0.0)):
                    link.ping(int((time() - since) * 1000))
                case Pong():
                    continue
                case Asked():
                    await self._start(asked, self.parts.now())
                case Auth():
                    await self._say(refused(None, Problem("invalid-value", "This socket has its token already.")))

    async def _frame(self) -> Auth | Asked | Pong:
        """The next frame. Raises Problem for one that cannot be read, WebSocketDisconnect."""
        event: Any = await self.socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(detail="it went away", code=event.get("code") or NORMAL)
        text = event.get("text")
        if text is None:
            raise Problem("malformed-json", "A frame is one JSON value as text.")
        frame = text.encode()
        if len(frame) > FRAME_BYTES_MAX:
            raise Problem("body-too-large", f"A frame has at most {FRAME_BYTES_MAX} bytes.")
        return cast("Auth | Asked | Pong", bodies.read(frame, Auth | Asked | Pong))

    async def _start(self, asked: Asked, arrived: str) -> None:
        """Make a move beside whatever else runs here, for a grab's answer comes late."""
        if len(self._moves) >= MOVES_AT_ONCE_MAX:
            await self._say(refused(asked.id, Problem("rate-limited", "Too many moves at once.", retry_after=1)))
            return
        task = asyncio.ensure_future(self._move(asked, arrived))
        self._moves.add(task)
        task.add_done_callback(self._moves.discard)

    async def _move(self, asked: Asked, arrived: str) -> None:
        try:
            made = await self._made(asked, arrived)
            said = answered(asked.id, made.status, replies.body_of(made), replayed=made.replayed)
        except Problem as no:
            said = refused(asked.id, no)
        except Exception as fault:  # noqa: BLE001 - as for every answer: a problem, and what it was in the log
            said = refused(asked.id, problem_of(fault, self.socket.scope["path"]))
        await self._say(said)

    async def _made(self, asked: Asked, arrived: str) -> Answer:
        """Make the move, as POST …/moves would: the same key there has the same answer."""
        who = await self._who()
        if not isinstance(who, SeatHolder) or who.game != self.game:
            raise Problem("wrong-role", "Only a seat of this table moves here.")
        kind, raw = await self.parts.kinds.of(self.game), bytes(asked.move)
        move = bodies.read(raw, game_shapes.MOVES[kind])
        path = f"/v1/games/{self.game}/moves"
        idem = idempotency_of(asked.key, "POST", path, raw) if asked.key is not None else None
        return await self.parts.tables.move(self.game, who, move, idem, asked.if_match, arrived)
