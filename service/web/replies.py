"""How answers look on the wire: JSON with stored lines embedded byte for byte, version tags, problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from service.problems import MEDIA_TYPE, Problem, render
from service.tables.answers import Answer, Page, Viewed
from service.tables.history import History
from service.web.operations import JSON

_encode = msgspec.json.Encoder().encode


class Reply(ASGIResponse):
    """A whole body and its headers, encoded once: the framework's own takes longer to make than the body does."""

    __slots__ = ("named",)

    def __init__(self, body: bytes, status: int, headers: Mapping[str, str], media: str) -> None:
        self.body, self.status_code = body, status
        media = f"{media}; charset=utf-8" if media.startswith("text/") else media
        self.named = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
        self.named += [(b"content-type", media.encode()), (b"content-length", b"%d" % len(body))]

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Send it."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.named})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> ASGIResponse:
    """Any value as JSON."""
    return raw(_encode(value), status, headers)


def raw(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None, media: str = JSON) -> ASGIResponse:
    """A body that has its bytes already."""
    return Reply(body, status, headers or {}, media)


def version_tag(version: int) -> dict[str, str]:
    """The ETag of a table's version."""
    return {"ETag": f'"{version}"'}


def body_of(answer: Answer) -> bytes:
    """What a write did, as JSON. Its lines are embedded as stored, never encoded again."""
    extra = {name: value for name, value in answer.extra.items() if name not in ("version", "head")}
    return b'{"version":%d,"head":"%s","events":[%s]%s' % (
        answer.version,
        answer.head.encode(),
        b",".join(answer.events),
        b"," + _encode(extra)[1:] if extra else b"}",
    )


def written(answer: Answer, headers: Mapping[str, str]) -> ASGIResponse:
    """What a write did."""
    sent = {**version_tag(answer.version), **headers}
    if answer.replayed:
        sent["Idempotent-Replayed"] = "true"
    if answer.location:
        sent["Location"] = answer.location
    return raw(body_of(answer), answer.status, sent)


def viewed(view: Viewed) -> ASGIResponse:
    """A view, with its version as ETag."""
    return json(view.body, headers={**version_tag(view.version), "Vary": "Authorization"})


def unchanged(version: int) -> ASGIResponse:
    """304: the caller has this version."""
    return ASGIResponse(status_code=304, headers={**version_tag(version), "Vary": "Authorization"}, media_type=JSON)


def page(found: Page) -> ASGIResponse:
    """A page of the feed; `next` is the last seq as text, null at the head."""
    following = b"null" if found.next is None else b'"%d"' % found.next
    body = b'{"items":[%s],"next":%s}' % (b",".join(found.items), following)
    return raw(body, headers={**version_tag(found.version), "Vary": "Authorization"})


def history(found: History) -> ASGIResponse:
    """A page of a seat's history, its lines as they are stored."""
    items = (b'{"version":%d,"events":[%s]}' % (item.version, b",".join(item.events)) for item in found.items)
    following = b"null" if found.next is None else b'"%d"' % found.next
    body = b'{"items":[%s],"next":%s}' % (b",".join(items), following)
    return raw(body, headers={**version_tag(found.version), "Vary": "Authorization"})


def lines(items: Iterable[bytes]) -> bytes:
    """Lines as NDJSON."""
    return b"".join(item + b"\n" for item in items)


def problem(error: Problem) -> ASGIResponse:
    """An error as application/problem+json."""
    headers = dict(error.headers)
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    if error.version is not None:
        headers |= version_tag(error.version)
    return raw(render(error), error.status, headers, MEDIA_TYPE)
