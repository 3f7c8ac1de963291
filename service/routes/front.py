"""The start page, the pages of the problems, and the documents of this API and of its socket."""

from __future__ import annotations

import re

from litestar.response.base import ASGIResponse

from service.problems import CODES, Problem
from service.web import pages, replies, socket_document
from service.web.call import Call
from service.web.operations import HTML, Gives, Operation, routes

VARIES = {"Vary": "Host, X-Forwarded-Proto"}
ROUTES, route = routes()
_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")
PAGE_HEADERS = {
    "Cache-Control": "public, max-age=300",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
}


@route(
    "GET",
    "/",
    Operation(
        id="startPage", tag="pages", roles=("anyone",), media=(HTML,), gives={200: Gives(str, "Where to start.")}
    ),
)
async def start_page(call: Call) -> ASGIResponse:
    """Where a newcomer starts, in English and Hebrew."""
    return replies.raw(pages.start(_base(call)).encode(), headers=PAGE_HEADERS | VARIES, media=HTML)


def _base(call: Call) -> str:
    """The address by which the caller found this service, for lines to paste."""
    host = call.headers.get("host", "")
    scheme = "https" if call.headers.get("x-forwarded-proto") == "https" else "http"
    return f"{scheme}://{host if _HOST.fullmatch(host) else '127.0.0.1:8000'}"


@route(
    "GET",
    "/problems/{code:str}",
    Operation(
        id="problemPage",
        tag="pages",
        roles=("anyone",),
        media=(HTML,),
        gives={200: Gives(str, "What the problem means, and what to do about it.")},
        codes=("not-found",),
    ),
)
async def problem_page(call: Call) -> ASGIResponse:
    """The page behind the `type` of a problem, in English and Hebrew."""
    code = call.of_path("code")
    if code not in CODES:
        raise Problem("not-found", "There is no problem of this name.")
    return replies.raw(pages.problem(code).encode(), headers=PAGE_HEADERS, media=HTML)


@route(
    "GET",
    "/v1/openapi.json",
    Operation(
        id="getDocument",
        tag="pages",
        roles=("anyone",),
        gives={200: Gives(dict, "The OpenAPI 3.1 document of this API.")},
    ),
)
async def get_document(call: Call) -> ASGIResponse:
    """The OpenAPI document that describes all this."""
    return replies.raw(call.parts.document(), headers={"Cache-Control": "public, max-age=300"})


@route(
    "GET",
    "/v1/asyncapi.json",
    Operation(
        id="getSocketDocument",
        tag="pages",
        roles=("anyone",),
        gives={200: Gives(dict, "The AsyncAPI 3.0 document of the WebSocket at `/v1/games/{game_id}/socket`.")},
    ),
)
async def get_socket_document(_: Call) -> ASGIResponse:
    """The AsyncAPI document of a table's socket: the live feed, moves in with their answers, pings."""
    return replies.raw(socket_document.encoded(), headers={"Cache-Control": "public, max-age=300"})
