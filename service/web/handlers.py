"""From a route to the framework's handler: every answer that is an error leaves as a problem document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse

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
    """The framework's handler of a route."""
    operation = route.operation

    async def serve(request: Request[Any, Any, Any]) -> ASGIResponse:
        call = Call(request, parts(), operation)
        try:
            best(call.headers.get("accept"), operation.media)
            if operation.query is None:
                call.query(Nothing)
            return await route.serve(call)
        except Problem as problem:
            return replies.problem(problem)
        except Unavailable as away:
            log.warning("the store could not be asked", path=request.scope["path"], why=str(away))
            return replies.problem(Problem("unavailable", "The service cannot read this now.", retry_after=2))
        except Exception as fault:  # noqa: BLE001 - every answer is a problem document, this one too
            return replies.problem(problem_of(fault, request.scope["path"]))

    status = next(iter(operation.gives))
    text = " ".join((route.serve.__doc__ or "").split())
    summary, _, rest = text.partition(". ")
    make = HTTPRouteHandler(
        route.path,
        http_method=route.method,
        operation_id=operation.id,
        summary=summary.rstrip("."),
        description=rest or None,
        tags=[operation.tag],
        status_code=status,
        media_type=operation.media[0],
    )
    serve.__name__ = operation.id
    return make(serve)


def problem_of(fault: Exception, path: str) -> Problem:
    """Any exception as a problem. Only those of the framework tell what was wrong; ours are logged, and told nobody."""
    if isinstance(fault, HTTPException) and HTTP_ERRORS_FROM <= fault.status_code < SERVER_ERRORS_FROM:
        code = STATUS_CODES.get(fault.status_code, "malformed-json")
        return Problem(code, DETAILS.get(code, "This request cannot be read."))
    log.error("request failed", path=path, exc_info=fault)
    return Problem("internal", "Something went wrong here. It was written down.")


DETAILS = {
    "not-found": "There is nothing at this path.",
    "method-not-allowed": "This path has other methods; the header Allow names them.",
    "body-too-large": "The body has more than 64 KiB.",
}


def _answer(request: Request[Any, Any, Any], fault: Exception) -> Response[bytes]:
    problem = problem_of(fault, request.scope["path"])
    return Response(render(problem), status_code=problem.status, media_type=MEDIA_TYPE, headers=problem.headers)


ERRORS: dict[int | type[Exception], Callable[[Request[Any, Any, Any], Exception], Response[bytes]]] = {
    HTTPException: _answer,
    Exception: _answer,
}
"""For what fails before a route is reached: no such path, no such method."""
