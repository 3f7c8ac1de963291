"""What every request passes outside the routes: true methods, HEAD, OPTIONS, and the headers that all answers carry."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Send

from service.problems import Problem
from service.web import replies
from service.web.operations import Route

ORDER = ("GET", "HEAD", "POST", "DELETE", "OPTIONS")
EXPOSED = "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed"
ALLOWED = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Kupa-Invite, Last-Event-ID"
PREFLIGHT_SECONDS = 86_400

METHOD_NOT_ALLOWED = 405

Headers = list[tuple[bytes, bytes]]
_ALWAYS: Headers = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", EXPOSED.encode()),
    (b"x-content-type-options", b"nosniff"),
]
_NO_STORE = (b"cache-control", b"no-store")


class Methods:
    """Which methods each path really has."""

    def __init__(self, routes: Iterable[Route]) -> None:
        found: dict[str, set[str]] = {}
        for route in routes:
            found.setdefault(route.path, {"OPTIONS"}).add(route.method)
        self._paths = [(_pattern(path), _allow(methods)) for path, methods in found.items()]

    def allow(self, path: str) -> str | None:
        """The Allow header of a path; None if there is nothing."""
        path = re.sub("/+", "/", path).rstrip("/") or "/"  # as the framework reads it
        return next((allow for pattern, allow in self._paths if pattern.fullmatch(path)), None)


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(path)))


def _allow(methods: set[str]) -> str:
    if "GET" in methods:
        methods = methods | {"HEAD"}
    return ", ".join(method for method in ORDER if method in methods)


class Edge:
    """Wraps the application. HEAD is a GET whose body is left out; OPTIONS is answered here."""

    def __init__(self, app: ASGIApp, methods: Methods) -> None:
        self.app, self.methods = app, methods

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Serve one request, or pass on what is none."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        method: str = scope["method"]
        marked = self._marked(scope["path"], send)
        if method == "OPTIONS":
            await self._options(scope, receive, marked)
        elif method == "HEAD":
            get: Any = {**scope, "method": "GET"}
            await self.app(get, _hung_up(receive), _bodiless(marked))
        else:
            await self.app(scope, receive, marked)

    def _marked(self, path: str, send: Send) -> Send:
        """Add the headers that every answer carries; nothing is kept by caches unless a route says so."""

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers: Headers = [*message["headers"], *_ALWAYS]
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append(_NO_STORE)
                if message["status"] == METHOD_NOT_ALLOWED:
                    headers.append((b"allow", (self.methods.allow(path) or "").encode()))
                message["headers"] = headers
            await send(message)

        return marked

    async def _options(self, scope: Any, receive: Receive, send: Send) -> None:
        allow = self.methods.allow(scope["path"])
        if allow is None:
            await replies.problem(Problem("not-found", "There is nothing at this path."))(scope, receive, send)
            return
        headers = {
            "Allow": allow,
            "Access-Control-Allow-Methods": allow,
            "Access-Control-Allow-Headers": ALLOWED,
            "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
        }
        named: Headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 204, "headers": named})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _bodiless(send: Send) -> Send:
    """Send the head of an answer and no body, however long it would be."""

    async def bodiless(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return bodiless


def _hung_up(receive: Receive) -> Receive:
    """Let a stream that a HEAD request opened see at once that nobody listens."""
    told = False

    async def hung_up() -> Any:
        nonlocal told
        if told:
            return {"type": "http.disconnect"}
        told = True
        return await receive()

    return hung_up
