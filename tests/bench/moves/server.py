"""The service as `kupa serve` runs it, and beside its routes one POST that stores nothing."""

from __future__ import annotations

import asyncio
import os

from litestar.response.base import ASGIResponse
from msgspec import Struct

from service import app, serving
from service.first import prepare
from service.settings import from_environment
from service.web import replies
from service.web.call import Call
from service.web.edge import Edge
from service.web.operations import Gives, Operation, routes
from service.web.shapes import Nothing

ROUTES, route = routes()
EMPTY = "/bench/empty"
MODULE = "tests.bench.moves.server"


class Anything(Struct):
    """A body of which nothing is kept."""

    type: str


@route(
    "POST",
    EMPTY,
    Operation(id="empty", tag="bench", roles=("anyone",), gives={200: Gives(Nothing, "Nothing.")}, body=Anything),
)
async def empty(call: Call) -> ASGIResponse:
    """Read the same body as a move, and answer."""
    await call.body(Anything)
    return replies.json({"version": 1, "head": "0" * 64, "events": []})


def application() -> Edge:
    """What each process runs, where several do."""
    app.ROUTES = (*app.ROUTES, *ROUTES)
    return serving.application()


def main() -> None:
    settings = from_environment(os.environ)
    asyncio.run(prepare(settings))
    if settings.workers > 1:
        serving._many(settings, f"{MODULE}:application")
        return
    app.ROUTES = (*app.ROUTES, *ROUTES)
    with asyncio.Runner(loop_factory=serving.LOOP) as runner:
        runner.run(serving._here(settings))


if __name__ == "__main__":
    main()
