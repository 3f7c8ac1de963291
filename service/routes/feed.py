"""The feed of a table: every line that the caller may hear, sealed entries in place of the rest."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Annotated

from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from msgspec import Meta, Struct

from service.callers import Reader
from service.feeds import framing
from service.feeds.framing import Framing
from service.feeds.held_open import HeldOpen
from service.problems import Fault, Problem
from service.tables.answers import Page
from service.web import replies, shapes
from service.web.call import Call
from service.web.limits import PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX
from service.web.operations import JSON, NDJSON, SSE, Gives, Operation, routes
from service.web.queries import CURSOR

ROUTES, route = routes()
SEQ_MAX = 2**53 - 1
STREAMED = {"Cache-Control": "no-store", "Vary": "Authorization", "X-Accel-Buffering": "no"}
"""For answers that come piece by piece: nobody on the way keeps or gathers them."""
_EVENT_ID = re.compile("0|[1-9][0-9]{0,15}")


class FeedAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """From where: `after` is the seq of the last line that the caller has; `limit` bounds a page of JSON.

    `follow` keeps NDJSON open at the head; an event stream always follows.
    """

    after: Annotated[int, Meta(ge=0, le=SEQ_MAX), CURSOR] | None = None
    limit: Annotated[int, Meta(ge=1, le=PAGE_ITEMS_MAX)] = PAGE_ITEMS_DEFAULT
    follow: bool = False


@route(
    "GET",
    "/v1/games/{game_id:str}/events",
    Operation(
        id="readFeed",
        tag="feed",
        roles=("anyone", "key", "host", "seat"),
        query=FeedAsked,
        gives={200: Gives(shapes.FeedPage, "The lines after the cursor, as they are stored.")},
        media=(JSON, NDJSON, SSE),
        codes=("conflict-of-interest", "too-many-streams"),
        on_table=True,
        versioned=True,
        varies=True,
        resumes=True,
    ),
)
async def read_feed(call: Call) -> ASGIResponse:
    """The lines of the table as the caller may hear them: pages of JSON, all of them as NDJSON, or a live stream.

    An event stream begins with `hello` (the caller's view, as `/view` gives it) unless a cursor is sent, with
    `after` or `Last-Event-ID`; then come the lines after it, each with its seq as `id`. `end` says that the table is
    over: do not connect again. `reset` says that the cursor lies past the head; `hello` follows. A comment (in
    NDJSON with `follow=true` an empty line) after every 7 seconds of silence says that the stream lives. When the
    stream breaks, connect again with the seq of the last line: nothing is lost and nothing comes twice. Who leaves
    more than 1 MiB of lines unread, or takes nothing for a minute, is cut off in mid-answer, and can resume. A stream
    whose token is revoked or expires is finished, at once or by the next line or heartbeat, and no line that is for
    its holder alone follows. Lines that open when a round ends are not sent again: `table.round_ended` names their
    ranges.
    The WebSocket `/v1/games/{game_id}/socket` brings the same lines (`/v1/asyncapi.json`).
    """
    reader = await call.reader()
    asked, media = call.query(FeedAsked), call.media()
    return await FORMS[media](call, reader, asked, _cursor(call, asked))


def _cursor(call: Call, asked: FeedAsked) -> int | None:
    """The last line that the caller has. Raises Problem cursor-invalid for a wrong or a different Last-Event-ID."""
    text = call.headers.get("last-event-id")
    if text is None:
        return asked.after
    seq = int(text) if _EVENT_ID.fullmatch(text) else SEQ_MAX + 1
    if seq > SEQ_MAX:
        reason = "the seq of a line is expected"
    elif asked.after not in (None, seq):
        reason = "`after` says something else"
    else:
        return seq
    fault = Fault("Last-Event-ID", "header", reason)
    raise Problem("cursor-invalid", f"The header Last-Event-ID does not fit: {reason}.", errors=(fault,))


async def _pages(call: Call, reader: Reader, asked: FeedAsked, after: int | None) -> ASGIResponse:
    if asked.follow:
        fault = Fault("follow", "query", "pages end; ask for application/x-ndjson or text/event-stream")
        raise Problem("invalid-value", "A page of JSON follows nothing.", errors=(fault,))
    return replies.page(await call.parts.tables.events(call.game(), reader, after or 0, asked.limit))


async def _live(call: Call, reader: Reader, after: int | None, form: Framing) -> ASGIResponse:
    stream = await call.parts.streams.open(call.game(), reader, call.headers.get("authorization"), after, form)
    return HeldOpen(stream, {**replies.version_tag(stream.version), **STREAMED})


async def _events(call: Call, reader: Reader, _: FeedAsked, after: int | None) -> ASGIResponse:
    return await _live(call, reader, after, framing.EVENTS)


async def _ndjson(call: Call, reader: Reader, asked: FeedAsked, after: int | None) -> ASGIResponse:
    if asked.follow:
        return await _live(call, reader, after, framing.LINES)
    first = await call.parts.tables.events(call.game(), reader, after or 0, PAGE_ITEMS_MAX)
    headers = {**replies.version_tag(first.version), **STREAMED}
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


Form = Callable[[Call, Reader, FeedAsked, int | None], Awaitable[ASGIResponse]]
FORMS: Mapping[str, Form] = {JSON: _pages, NDJSON: _ndjson, SSE: _events}
"""The forms of the feed, by media type."""
