"""What each call of the API takes and gives: the one description that routes obey and the document is made from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from litestar.response.base import ASGIResponse
from msgspec import Struct

if TYPE_CHECKING:
    from service.web.call import Call

JSON, NDJSON, HTML = "application/json", "application/x-ndjson", "text/html"
SSE = "text/event-stream"
TEXT, CSV = "text/plain", "text/csv"
Role = Literal["key", "host", "seat", "anyone"]


class Gives(Struct, frozen=True):
    """One good answer: the msgspec type of its JSON (None: no JSON), and what it means in a sentence."""

    type: Any
    meaning: str


class Operation(Struct, frozen=True, kw_only=True):
    """One call. `roles` are the kinds of token it may come with; `scope` what an API key needs among them.

    `codes` are the problems it can answer with beyond those that follow from the rest; `limit` names a bucket.
    """

    id: str
    tag: str
    roles: tuple[Role, ...]
    gives: Mapping[int, Gives]
    scope: str | None = None
    body: Any = None
    body_optional: bool = False
    query: type[Struct] | None = None
    media: tuple[str, ...] = (JSON,)
    codes: tuple[str, ...] = ()
    limit: Literal["opens", "tokens"] | None = None
    on_table: bool = False
    keyed: bool = False
    """Whether it takes an Idempotency-Key."""
    key_required: bool = False
    """Whether it is refused without one."""
    if_match: bool = False
    versioned: bool = False
    """Whether the answer carries the table's version as its ETag."""
    conditional: bool = False
    """Whether it obeys If-None-Match."""
    varies: bool = False
    """Whether the answer depends on who asks."""
    resumes: bool = False
    """Whether it obeys Last-Event-ID."""
    located: bool = False
    """Whether the answer has a Location."""
    believing: bool = False
    """Whether it writes for a token that is believed as for a read: a move does not wait for the store twice."""


Serve = Callable[["Call"], Awaitable[ASGIResponse]]


class Route(Struct, frozen=True):
    """A method and path with its operation and the function that serves it (its docstring is the document's)."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    operation: Operation
    serve: Serve


Register = Callable[[Literal["GET", "POST", "DELETE"], str, Operation], Callable[[Serve], Serve]]


def routes() -> tuple[list[Route], Register]:
    """A list, and the decorator that adds to it: each file of routes has its own."""
    found: list[Route] = []

    def register(method: Literal["GET", "POST", "DELETE"], path: str, operation: Operation) -> Callable[[Serve], Serve]:
        def add(serve: Serve) -> Serve:
            found.append(Route(method, path, operation, serve))
            return serve

        return add

    return found, register
