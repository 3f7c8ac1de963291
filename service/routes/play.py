"""Playing: the view, the legal moves, and making one."""

from __future__ import annotations

from typing import Annotated

from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct, field

from service.web import game_shapes, replies, shapes
from service.web.call import Call
from service.web.limits import WAIT_SECONDS_MAX
from service.web.operations import Gives, Operation, routes

ROUTES, route = routes()
AtVersion = Annotated[int, Meta(ge=1, le=2**53 - 1)]


class ViewAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Which view: as of version `at`; of another seat or with all open, once that is open; no older than a version."""

    at: AtVersion | None = None
    as_: Annotated[str, Meta(pattern=r"^(open|seat:(0|[1-9][0-9]{0,2}))\Z")] | None = field(default=None, name="as")
    min_version: AtVersion | None = None


@route(
    "GET",
    "/v1/games/{game_id:str}/view",
    Operation(
        id="getView",
        tag="play",
        roles=("anyone", "key", "host", "seat"),
        query=ViewAsked,
        gives={200: Gives(shapes.View, "The table as the caller sees it.")},
        codes=("refused", "conflict-of-interest", "unavailable"),
        on_table=True,
        versioned=True,
        conditional=True,
        varies=True,
    ),
)
async def get_view(call: Call) -> ASGIResponse:
    """The table as the caller sees it: a seat its own cards, anybody else what everybody sees."""
    reader = await call.reader()
    asked = call.query(ViewAsked)
    view = await call.parts.tables.view(call.game(), reader, asked.at, asked.as_, asked.min_version)
    if asked.at is None and asked.as_ is None and call.unchanged(view.version):
        return replies.unchanged(view.version)
    return replies.viewed(view)


class MovesAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """`after` a version, with `wait` seconds: the answer comes when the table has moved past it, or time is up."""

    after: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None
    wait: Annotated[int, Meta(ge=0, le=WAIT_SECONDS_MAX)] = 0


@route(
    "GET",
    "/v1/games/{game_id:str}/moves",
    Operation(
        id="listMoves",
        tag="play",
        roles=("seat",),
        query=MovesAsked,
        gives={200: Gives(shapes.MoveList, "The seat's legal moves.")},
        codes=("too-many-streams",),
        on_table=True,
        versioned=True,
        varies=True,
    ),
)
async def list_moves(call: Call) -> ASGIResponse:
    """The seat's legal moves, each a body ready to be sent; with `after` and `wait` it waits for the next version."""
    seat = await call.seat()
    asked = call.query(MovesAsked)
    if asked.wait:
        with call.parts.waiting.one(f"{seat.game}:{seat.seat}"):
            listed = await call.parts.tables.moves(seat.game, seat, asked.after, asked.wait)
        await call.still()
    else:
        listed = await call.parts.tables.moves(seat.game, seat, asked.after, 0)
    return replies.json(listed, headers={**replies.version_tag(listed["version"]), "Vary": "Authorization"})


@route(
    "POST",
    "/v1/games/{game_id:str}/moves",
    Operation(
        id="makeMove",
        tag="play",
        roles=("seat",),
        body=game_shapes.ANY_MOVE,
        gives={200: Gives(shapes.Moved, "The move was made; the lines are what this seat heard of it.")},
        codes=("refused", "table-busy"),
        on_table=True,
        keyed=True,
        if_match=True,
        versioned=True,
        believing=True,
    ),
)
async def make_move(call: Call) -> ASGIResponse:
    """Make one move of the table's game, or be ready for the next round (`table.ready`).

    A `totem.grab` is told to nobody until the table judges all grabs of that moment together; then it gets its one
    final answer in `grab`: `won`, `lost`, `late`, `foul` or `void`; if play ends before that it is `void`, and one that
    comes after the end is refused. Reactions count from when a reveal is pushed, whenever a seat looks. At most 600
    grabs a minute are taken of a seat, and 4 that lie undecided. The WebSocket `/v1/games/{game_id}/socket` takes the
    same moves (`/v1/asyncapi.json`).
    """
    arrived = call.parts.now()
    seat = await call.seat()
    kind = await call.parts.kinds.of(seat.game)
    move = await call.body(game_shapes.MOVES[kind])
    answer = await call.parts.tables.move(seat.game, seat, move, await call.idempotency(), call.if_match(), arrived)
    return replies.written(answer, call.reply_headers)
