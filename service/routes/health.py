"""Whether the service lives, and whether it can do its work."""

from __future__ import annotations

from litestar.response.base import ASGIResponse

from service.problems import Problem
from service.web import replies, shapes
from service.web.call import Call
from service.web.operations import Gives, Operation, routes

ROUTES, route = routes()
NO_TABLE = "00000000-0000-7000-8000-000000000000"


@route(
    "GET",
    "/health/live",
    Operation(
        id="isLive",
        tag="operation",
        roles=("anyone",),
        gives={200: Gives(shapes.Health, "The process answers.")},
    ),
)
async def is_live(_: Call) -> ASGIResponse:
    """Whether the process answers at all."""
    return replies.json(shapes.Health("live"))


@route(
    "GET",
    "/health/ready",
    Operation(
        id="isReady",
        tag="operation",
        roles=("anyone",),
        gives={200: Gives(shapes.Health, "The store answers, and clocks run.")},
        codes=("unavailable",),
    ),
)
async def is_ready(call: Call) -> ASGIResponse:
    """Whether the store can be read and the clocks of tables run, so that requests make sense here."""
    try:
        await call.parts.store.version(NO_TABLE)
    except Exception as gone:
        raise Problem("unavailable", "The store does not answer.", retry_after=2) from gone
    if not call.parts.background.alive():
        raise Problem("unavailable", "The clocks of the tables stand still.", retry_after=2)
    return replies.json(shapes.Health("ready"))
