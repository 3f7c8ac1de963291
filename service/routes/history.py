"""What a seat had heard of its table, by version: for itself, for others once it is open, for auditors."""

from __future__ import annotations

from typing import Annotated

from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct

from service.callers import Key, Reader, SeatHolder
from service.problems import Problem
from service.web import replies, shapes
from service.web.call import Call
from service.web.limits import PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX
from service.web.operations import Gives, Operation, routes
from service.web.queries import CURSOR

ROUTES, route = routes()


class HistoryAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """From where: `after` is the last version that the caller has; `limit` bounds the versions of a page."""

    after: Annotated[int, Meta(ge=0, le=2**53 - 1), CURSOR] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_ITEMS_MAX)] = PAGE_ITEMS_DEFAULT


@route(
    "GET",
    "/v1/games/{game_id:str}/seats/{seat:str}/history",
    Operation(
        id="readHistory",
        tag="feed",
        roles=("seat", "key"),
        scope="audit",
        query=HistoryAsked,
        gives={200: Gives(shapes.History, "What the seat had heard at each version, as it may be heard now.")},
        codes=("refused", "conflict-of-interest"),
        on_table=True,
        versioned=True,
        varies=True,
    ),
)
async def read_history(call: Call) -> ASGIResponse:
    """What one seat had heard, version by version: its lines, and sealed entries in place of what it did not hear.

    A seat reads its own to the head. The other seats of the table read it as far as its rounds are open, and an
    auditor as far as they are over; before any is, the answer is 409 with G-05. What was shown for a moment only (a
    peek) is sealed for everybody once that moment is over, and open again with its round.
    """
    who = await call.who()
    if isinstance(who, SeatHolder):
        await call.at_table(who)
    elif not isinstance(who, Key):
        await call.not_for(who)
    elif "audit" not in who.scopes:
        await call.parts.tables.resource(call.game(), Reader(who, call.invite()))
        raise Problem("scope-missing", "This call needs a key with the scope audit, or the token of a seat.")
    asked, game, seat = call.query(HistoryAsked), call.game(), call.path_number("seat")
    return replies.history(await call.parts.tables.history(game, Reader(who), seat, asked.after, asked.limit))
