"""A WebSocket client of text frames (RFC 6455), as small as tests need it."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import struct
from contextlib import suppress
from typing import Any, ClassVar, Self
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL, MASKED = 0x80, 0x80
SHORT_MAX, TWO_BYTES, EIGHT_BYTES = 125, 126, 127


class Closed(Exception):
    """The other side has closed the socket; `code` says why."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class Socket:
    """One connection; frames are JSON values. Whoever opens some ends with `close_all`."""

    opened: ClassVar[list[Socket]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.opened.append(self)

    @classmethod
    async def close_all(cls) -> None:
        """Hang up every connection, and wait until that is done."""
        while cls.opened:
            gone = cls.opened.pop()
            gone.close()
            with suppress(ConnectionError):
                await gone._writer.wait_closed()

    @classmethod
    async def open(cls, base: str, path: str) -> Self:
        place = urlsplit(base)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        writer.write(head.encode())
        answer = (await reader.readuntil(b"\r\n\r\n")).decode()
        assert answer.startswith("HTTP/1.1 101"), answer
        return cls(reader, writer)

    async def say(self, value: Any) -> None:
        """Send a value, or a text as it is."""
        text = value if isinstance(value, str) else json.dumps(value)
        await self._send(TEXT, text.encode())

    async def _send(self, code: int, data: bytes) -> None:
        size = len(data)
        if size <= SHORT_MAX:
            head = struct.pack("!BB", FINAL | code, MASKED | size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", FINAL | code, MASKED | TWO_BYTES, size)
        else:
            head = struct.pack("!BBQ", FINAL | code, MASKED | EIGHT_BYTES, size)
        mask = os.urandom(4)
        self._writer.write(head + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(data)))
        await self._writer.drain()

    async def hear(self) -> Any:
        """The next value. Raises Closed."""
        while True:
            code, data = await self._frame()
            if code == TEXT:
                return json.loads(data)
            if code == CLOSE:
                raise Closed(struct.unpack("!H", data[:2])[0] if data else 1005)
            if code == PING:
                await self._send(PONG, data)

    async def _frame(self) -> tuple[int, bytes]:
        try:
            first, second = await self._reader.readexactly(2)
            size = second & ~MASKED
            if size == TWO_BYTES:
                [size] = struct.unpack("!H", await self._reader.readexactly(2))
            elif size == EIGHT_BYTES:
                [size] = struct.unpack("!Q", await self._reader.readexactly(8))
            return first & 0x0F, await self._reader.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Closed(1006) from None

    def close(self) -> None:
        """Hang up."""
        self._writer.close()
