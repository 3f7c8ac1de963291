"""A small HTTP server on loopback that answers as a test tells it, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct


class Asked(Struct, frozen=True):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Says(Struct, frozen=True):
    """One answer. `chunks` are sent one by one; `cut` then breaks the connection off in mid-answer."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = {}
    chunks: tuple[bytes, ...] = ()
    cut: bool = False


CUT = Says(cut=True)


class SmallServer:
    """Answers each request with the next of `script` for its path, the last one again and again."""

    def __init__(self, answer: Callable[[Asked, int], Says]) -> None:
        self.asked: list[Asked] = []
        outer, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked = Asked(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                with lock:
                    count = sum(same.path == asked.path for same in outer.asked)
                    outer.asked.append(asked)
                self.say(answer(asked, count))

            do_GET = do_POST = do_DELETE = handle_any  # noqa: N815 - the names that the library calls

            def say(self, says: Says) -> None:
                self.close_connection = True
                if says.cut and not says.chunks:
                    self.connection.shutdown(2)
                    return
                data = b"".join(says.chunks) if says.chunks else json.dumps(says.body).encode()
                self.send_response(says.status)
                for name, value in says.headers.items():
                    self.send_header(name, value)
                self.send_header("Connection", "close")
                self.send_header("Content-Length", str(len(data) + (1_000 if says.cut else 0)))
                self.end_headers()
                self.wfile.write(data)
                self.wfile.flush()

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def run(self) -> None:
        self._server.serve_forever(0.01)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def small_server(answer: Callable[[Asked, int], Says]) -> Iterator[SmallServer]:
    """`answer(request, how many came to this path before)` says what is answered."""
    server = SmallServer(answer)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()
