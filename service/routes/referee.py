"""What a referee does at a table of Totem: fouls that no program can see, and how the seats of a dead heat hold on."""

from __future__ import annotations

from typing import Annotated

from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct

from domain.game import Move
from domain.totem.moves import EnterGrip, Fingers, GripHeight, ReportedKind, ReportFoul, ReverseFoul, Seat
from service.callers import Key, Reader
from service.problems import Problem
from service.web import replies, shapes
from service.web.call import Call
from service.web.operations import Gives, Operation, routes

ROUTES, route = routes()


class FoulAsked(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A foul of `offender`; nobody's for `totem_fell_unknown`."""

    kind: Annotated[ReportedKind, Meta(description="T-46: what was done.")]
    offender: Seat | None = None


class GripAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """How a seat of the dead heat holds the totem: with so many fingers, so high up (0 is lowest)."""

    seat: Seat
    fingers: Fingers
    grip_height: GripHeight


def _of_referee(name: str, body: type[Struct]) -> Operation:
    return Operation(
        id=name,
        tag="play",
        roles=("key",),
        scope="referee",
        body=body,
        body_optional=body is shapes.Nothing,
        gives={200: Gives(shapes.Written, "Done.")},
        codes=("refused", "conflict-of-interest", "table-busy"),
        on_table=True,
        keyed=True,
        versioned=True,
    )


async def _referee(call: Call) -> Key:
    """The referee that asks. Raises Problem; not-found for a table that others may not know of."""
    who = await call.who()
    if not isinstance(who, Key):
        await call.not_for(who)
    if "referee" not in who.scopes:
        await call.parts.tables.resource(call.game(), Reader(who, call.invite()))
        raise Problem("scope-missing", "This call needs a key with the scope referee.")
    return who


async def _made(call: Call, who: Key, move: Move) -> ASGIResponse:
    answer = await call.parts.tables.referee(call.game(), who, move, await call.idempotency())
    return replies.written(answer, call.reply_headers)


@route("POST", "/v1/games/{game_id:str}/fouls", _of_referee("reportFoul", FoulAsked))
async def report_foul(call: Call) -> ASGIResponse:
    """Report a foul at a table of Totem: the offender takes every face-up card and those under the totem.

    A needless grab is found by the table itself. A report voids grabs that lie undecided and an open choice.
    """
    who, asked = await _referee(call), await call.body(FoulAsked)
    return await _made(call, who, ReportFoul(asked.kind, asked.offender))


@route("POST", "/v1/games/{game_id:str}/fouls/reversal", _of_referee("reverseFoul", shapes.Nothing))
async def reverse_foul(call: Call) -> ASGIResponse:
    """Take the last reported foul back, while nothing has followed it: all piles and the turn are as before."""
    who = await _referee(call)
    await call.body(shapes.Nothing)
    return await _made(call, who, ReverseFoul())


@route("POST", "/v1/games/{game_id:str}/grips", _of_referee("enterGrip", GripAsked))
async def enter_grip(call: Call) -> ASGIResponse:
    """Say, or correct, how a seat of the dead heat holds the totem; with every seat's figures it is decided."""
    who, asked = await _referee(call), await call.body(GripAsked)
    return await _made(call, who, EnterGrip(asked.seat, asked.fingers, asked.grip_height))
