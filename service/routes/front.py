"""The start page, the pages of the problems, and the document of this API."""

from __future__ import annotations

from litestar.response.base import ASGIResponse

from service.problems import CODES, Problem
from service.web import pages, replies
from service.web.call import Call
from service.web.operations import HTML, Gives, Operation, routes

ROUTES, route = routes()
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
async def start_page(_: Call) -> ASGIResponse:
    """Where a newcomer starts, in English and Hebrew."""
    return replies.raw(pages.start().encode(), headers=PAGE_HEADERS, media=HTML)


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
