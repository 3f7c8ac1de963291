"""From a route to the framework's handler: every answer that is an error leaves as a problem document."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp, Receive, Scope, Send

from service.parts import Parts
from service.problems import MEDIA_TYPE, STATUS_CODES, Problem, render
from service.store.port import Unavailable
from service.web import replies
from service.web.call import Call
from service.web.negotiation import best
from service.web.operations import Route
from service.web.shapes import Nothing

log = structlog.get_logger(__name__)
HTTP_ERRORS_FROM = 400
SERVER_ERRORS_FROM = 500


def handler(route: Route, parts: Callable[[], Parts]) -> HTTPRouteHandler:
    """The framework's handler of a route, which its own middleware answers for.

    The framework finds the route; what it would read of a request for a handler takes longer than deciding a move,
    and `Call` reads that by our rules.
    """

    def answering(app: ASGIApp) -> ASGIApp:  # noqa: ARG001  (nothing comes after)
        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            answered = await _answered(route, Call(scope, receive, parts(), route.operation))
            await answered(scope, receive, send)

        return answer

    async def answered_before() -> None:
        raise AssertionError(f"{route.operation.id} is answered before its handler")

    make = HTTPRouteHandler(route.path, http_method=route.method, status_code=HTTPStatus.OK, middleware=[answering])
    return make(answered_before)


async def _answered(route: Route, call: Call) -> ASGIResponse:
    """What the route answers, or the problem that it met."""
    try:
        best(call.headers.get("accept"), call.operation.media)
        if call.operation.query is None:
            call.query(Nothing)
        return await route.serve(call)
    except Problem as problem:
        return replies.problem(problem)
    except Unavailable as away:
        log.warning("the store could not be asked", path=call.path, why=str(away))
        return replies.problem(Problem("unavailable", AWAY[route.method == "GET"], retry_after=2))
    except Exception as fault:  # noqa: BLE001 - every answer is a problem document, this one too
        return replies.problem(problem_of(fault, call.path))


def problem_of(fault: Exception, path: str) -> Problem:
    """Any exception as a problem. Only those of the framework tell what was wrong; ours are logged, and told nobody."""
    if isinstance(fault, HTTPException) and HTTP_ERRORS_FROM <= fault.status_code < SERVER_ERRORS_FROM:
        code = STATUS_CODES.get(fault.status_code, "malformed-json")
        return Problem(code, DETAILS.get(code, "This request cannot be read."))
    log.error("request failed", path=path, exc_info=fault)
    return Problem("internal", "Something went wrong here. It was written down.")


AWAY = {
    True: "The service cannot read this now.",
    False: "The store fell silent; look before you send this again, for it may have been done.",
}
DETAILS = {
    "not-found": "There is nothing at this path.",
    "method-not-allowed": "This path has other methods; the header Allow names them.",
}


def _as_response(request: Request[Any, Any, Any], fault: Exception) -> Response[bytes]:
    problem = problem_of(fault, request.scope["path"])
    return Response(render(problem), status_code=problem.status, media_type=MEDIA_TYPE, headers=problem.headers)


ERRORS: dict[int | type[Exception], Callable[[Request[Any, Any, Any], Exception], Response[bytes]]] = {
    HTTPException: _as_response,
    Exception: _as_response,
}
"""For what fails before a route is reached: no such path, no such method."""
