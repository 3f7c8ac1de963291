"""One request as a route sees it: who asks, and what they say, read strictly."""

from __future__ import annotations

import asyncio
import hashlib
import re
from typing import Any, NoReturn, TypeVar, cast

from litestar.types import Receive
from msgspec import Struct

from service.auth import missing
from service.callers import Host, Key, Reader, SeatHolder, Spectator, Who, role_of
from service.parts import Parts
from service.problems import Fault, Problem
from service.store.port import Unavailable
from service.tables.answers import Idempotency
from service.web import bodies, queries
from service.web.limits import BODY_BYTES_MAX, BODY_SECONDS_MAX, QUERY_BYTES_MAX
from service.web.negotiation import best, headers_of, is_json
from service.web.operations import Operation, Role

T = TypeVar("T")
Q = TypeVar("Q", bound=Struct)
TOKENS: dict[Role, str] = {"key": "an API key", "host": "a host's token", "seat": "a seat's token"}
"""The roles as problems name them."""
_IDEMPOTENCY_KEY = re.compile(r"[A-Za-z0-9_-]{16,128}")
TABLE_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_VERSION_TAG = re.compile(r'"(0|[1-9][0-9]{0,15})"')


class Call:
    """One request. Reading from it raises Problem; nothing is read that the operation does not name."""

    def __init__(self, scope: Any, receive: Receive, parts: Parts, operation: Operation) -> None:
        self._scope, self._receive, self.parts, self.operation = scope, receive, parts, operation
        self.headers = headers_of(scope["headers"])
        self.reply_headers: dict[str, str] = {}
        self._who: Who | None = None
        self._sent: bytes | None = None

    # --- who asks

    async def who(self) -> Who:
        """Whoever the Authorization header names. Raises Problem 401, or 429 after many failures from one address."""
        if self._who is None:
            writing = self._scope["method"] != "GET" and not self.operation.believing
            try:
                self._who = await self.parts.auth.resolve(self.headers.get("authorization"), writing=writing)
            except Problem:
                self.parts.buckets["failures"].take(self._address(), self._time())
                raise
            except Unavailable as away:
                if not writing:
                    raise
                told = "The service cannot look the token up now; nothing was changed."
                raise Problem("unavailable", told, retry_after=2) from away
        return self._who

    async def still(self) -> None:
        """Raises Problem token-revoked if the token died while its request waited."""
        await self.parts.auth.resolve(self.headers.get("authorization"), fresh=True)

    async def key(self, scope: str) -> Key:
        """The API key that asks. Raises Problem token-missing, wrong-role, scope-missing."""
        who = await self.who()
        if not isinstance(who, Key):
            await self.not_for(who)
        if scope not in who.scopes:
            raise Problem("scope-missing", f"This call needs a key with the scope {scope}.")
        return who

    async def not_for(self, who: Who) -> NoReturn:
        """Say that this call is not for `who`: 401 for nobody, 404 at a table they may not know of, else 403."""
        if isinstance(who, Spectator):
            raise missing()
        if self.operation.on_table:
            await self.parts.tables.resource(self.game(), Reader(who, self.invite()))
        raise Problem("wrong-role", self._wanted(who))

    def _wanted(self, who: Key | Host | SeatHolder) -> str:
        """What this call needs, and what came in its place."""
        if isinstance(who, Host | SeatHolder) and role_of(who) in self.operation.roles:
            return "This token is for another table."
        wanted = " or ".join(TOKENS[role] for role in self.operation.roles if role != "anyone")
        return f"This call needs {wanted}; this one is {TOKENS[role_of(who)]}."

    async def at_table(self, who: Host | SeatHolder) -> None:
        """Raises Problem (404 where the table is not theirs to know) unless `who` belongs to the table of the path."""
        if who.game != self.game():
            await self.not_for(who)

    async def seat(self) -> SeatHolder:
        """The seat that asks, at the table of the path."""
        who = await self.who()
        if not isinstance(who, SeatHolder):
            await self.not_for(who)
        await self.at_table(who)
        return who

    async def reader(self) -> Reader:
        """Whoever reads, with the invite sent along."""
        return Reader(await self.who(), self.invite())

    def invite(self) -> str | None:
        """The header Kupa-Invite."""
        return self.headers.get("kupa-invite")

    def limited(self, caller: str) -> None:
        """Count this call for `caller`. Raises Problem rate-limited."""
        assert self.operation.limit is not None, f"{self.operation.id} has no limit"
        self.reply_headers |= self.parts.buckets[self.operation.limit].take(caller, self._time()).headers()

    def _address(self) -> str:
        client = self._scope.get("client")
        return client[0] if client else ""

    def _time(self) -> float:
        return asyncio.get_running_loop().time()

    # --- what they say

    @property
    def path(self) -> str:
        """The path of the request."""
        path: str = self._scope["path"]
        return path

    def of_path(self, name: str) -> str:
        """The part of the path that the route calls `name`."""
        text: str = self._scope["path_params"][name]
        return text

    def game(self) -> str:
        """The table of the path. Raises Problem not-found for what is no table's id."""
        text = self.of_path("game_id")
        if not TABLE_ID.fullmatch(text):
            raise Problem("not-found", "There is no such table.")
        return text

    def path_number(self, name: str) -> int:
        """A small number of the path."""
        text = self.of_path(name)
        if not re.fullmatch(r"0|[1-9][0-9]{0,3}", text):
            raise Problem("not-found", f"There is no {name} {text[:20]!r}.")
        return int(text)

    def query(self, type_: type[Q]) -> Q:
        """The query parameters as their struct."""
        text: bytes = self._scope["query_string"]
        if len(text) > QUERY_BYTES_MAX:
            raise Problem("invalid-value", f"The query has more than {QUERY_BYTES_MAX} bytes.")
        return queries.read(text, type_)

    def media(self) -> str:
        """The media type to answer in. Raises Problem not-acceptable."""
        return best(self.headers.get("accept"), self.operation.media)

    async def raw(self) -> bytes:
        """The body's bytes. Raises Problem body-too-large, unsupported-media-type."""
        body = await self._bytes()
        if (body or not self.operation.body_optional) and not is_json(self.headers):
            raise Problem("unsupported-media-type", "The body must be application/json in UTF-8, not compressed.")
        return body

    async def _bytes(self) -> bytes:
        if self._sent is None:
            self._sent = await received(self._receive, self.headers.get("content-length"))
        return self._sent

    async def no_body(self) -> None:
        """Raises Problem unknown-field for a body that this call would not read."""
        if await self._bytes():
            fault = Fault("", "body", "this call takes no body")
            raise Problem("unknown-field", "This call takes no body.", errors=(fault,))

    async def body(self, type_: type[T]) -> T:
        """The body as `type_`."""
        raw = await self.raw()
        if not raw and self.operation.body_optional:
            raw = b"{}"
        return cast("T", bodies.read(raw, type_))

    async def idempotency(self) -> Idempotency | None:
        """The Idempotency-Key, if any, with what the request was: SHA-256 over method, path and body bytes."""
        key = self.headers.get("idempotency-key")
        if key is None:
            return None
        return idempotency_of(key, self._scope["method"], self.path, await self._bytes())

    async def required_idempotency(self) -> Idempotency:
        """The Idempotency-Key of a call that moves tokens. Raises Problem idempotency-key-missing."""
        found = await self.idempotency()
        if found is None:
            fault = Fault("Idempotency-Key", "header", "tokens move by this call, so it must be safe to send twice")
            raise Problem("idempotency-key-missing", "Send the header Idempotency-Key.", errors=(fault,))
        return found

    def if_match(self) -> int | None:
        """The version that the caller has seen, if they say so."""
        tag = self.headers.get("if-match")
        if tag is None or tag.strip() == "*":
            return None
        match = _VERSION_TAG.fullmatch(tag.strip())
        if match is None:
            fault = Fault("If-Match", "header", 'one version in quotes, as in the ETag: "17"')
            raise Problem("invalid-value", "The If-Match header has the wrong form.", errors=(fault,))
        return int(match[1])

    def unchanged(self, version: int) -> bool:
        """Whether If-None-Match says that the caller has this version already."""
        tags = self.headers.get("if-none-match", "")
        known = {tag.strip().removeprefix("W/") for tag in tags.split(",")}
        return bool(known & {"*", f'"{version}"'})


async def received(receive: Receive, length: str | None) -> bytes:
    """All of a request's body; `length` is what its header says. Raises Problem body-too-large."""
    if length is not None and length.isdecimal() and int(length) > BODY_BYTES_MAX:
        raise _too_large()
    try:
        async with asyncio.timeout(BODY_SECONDS_MAX):
            return await _whole(receive)
    except TimeoutError:
        raise Problem("malformed-json", f"The body did not come within {BODY_SECONDS_MAX} seconds.") from None


async def _whole(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Problem("malformed-json", "The body breaks off.")
        body += message["body"]
        if len(body) > BODY_BYTES_MAX:
            raise _too_large()
        if not message["more_body"]:
            return body


def _too_large() -> Problem:
    return Problem("body-too-large", f"The body has more than {BODY_BYTES_MAX // 1024} KiB.")


def idempotency_of(key: str, method: str, path: str, body: bytes) -> Idempotency:
    """A request's own key with what the request was. Raises Problem invalid-value for a key of the wrong form."""
    if not _IDEMPOTENCY_KEY.fullmatch(key):
        fault = Fault("Idempotency-Key", "header", "16 to 128 of A-Z a-z 0-9 _ -")
        raise Problem("invalid-value", "The Idempotency-Key has the wrong form.", errors=(fault,))
    return Idempotency(key, hashlib.sha256(f"{method}\0{path}\0".encode() + body).hexdigest())
