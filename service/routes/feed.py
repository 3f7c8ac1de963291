"""The feed of a table: every line that the caller may hear, sealed entries in place of the rest."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Annotated

from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from msgspec import Meta, Struct

from service import replies, shapes
from service.answers import Page
from service.call import Call
from service.callers import Reader
from service.limits import PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX
from service.operations import JSON, NDJSON, Gives, Operation, routes
from service.queries import CURSOR

ROUTES, route = routes()


class FeedAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """From where: `after` is the seq of the last line that the caller has; `limit` bounds a page of JSON."""

    after: Annotated[int, Meta(ge=0, le=2**53 - 1), CURSOR] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_ITEMS_MAX)] = PAGE_ITEMS_DEFAULT


@route(
    "GET",
    "/v1/games/{game_id:str}/events",
    Operation(
        id="readFeed",
        tag="feed",
        roles=("anyone", "key", "host", "seat"),
        query=FeedAsked,
        gives={200: Gives(shapes.FeedPage, "The lines after the cursor, as they are stored.")},
        media=(JSON, NDJSON),
        codes=("conflict-of-interest",),
        on_table=True,
        versioned=True,
        varies=True,
    ),
)
async def read_feed(call: Call) -> ASGIResponse:
    """The lines of the table as the caller may hear them: pages of JSON, or all up to the head as NDJSON."""
    reader = await call.reader()
    asked, media = call.query(FeedAsked), call.media()
    return await FORMS[media](call, reader, asked)


async def _pages(call: Call, reader: Reader, asked: FeedAsked) -> ASGIResponse:
    return replies.page(await call.parts.tables.events(call.game(), reader, asked.after, asked.limit))


async def _ndjson(call: Call, reader: Reader, asked: FeedAsked) -> ASGIResponse:
    first = await call.parts.tables.events(call.game(), reader, asked.after, PAGE_ITEMS_MAX)
    headers = {**replies.version_tag(first.version), "Vary": "Authorization", "X-Accel-Buffering": "no"}
    return ASGIStreamingResponse(iterator=_to_the_head(call, reader, first), headers=headers, media_type=NDJSON)


async def _to_the_head(call: Call, reader: Reader, page: Page) -> AsyncIterator[bytes]:
    """Page after page as lines, up to the head as it stood when the first was read."""
    head = page.version
    while True:
        yield replies.lines(page.items)
        if page.next is None or page.next >= head:
            return
        limit = min(PAGE_ITEMS_MAX, head - page.next)
        page = await call.parts.tables.events(call.game(), reader, page.next, limit)


FORMS: Mapping[str, Callable[[Call, Reader, FeedAsked], Awaitable[ASGIResponse]]] = {JSON: _pages, NDJSON: _ndjson}
"""The forms of the feed, by media type."""
