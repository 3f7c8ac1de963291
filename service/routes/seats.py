"""Sitting down and leaving, new tokens, and the host's buttons."""

from __future__ import annotations

from litestar.response.base import ASGIResponse

from domain.game import Move
from domain.gate import Caller
from domain.table.moves import CallLastRound, Start, Void
from service.callers import Host, Key, Reader, SeatHolder, Who
from service.problems import Fault, Problem
from service.tables.answers import Idempotency, SitRequest
from service.tables.playing import caller_of
from service.web import replies, shapes
from service.web.call import Call
from service.web.operations import Gives, Operation, Role, routes

ROUTES, route = routes()
WRITTEN = Gives(shapes.Written, "Done.")


@route(
    "POST",
    "/v1/games/{game_id:str}/seats",
    Operation(
        id="sitDown",
        tag="seats",
        roles=("key", "host"),
        scope="play",
        body=shapes.SitAsked,
        gives={201: Gives(shapes.Sat, "The seat, and its token.")},
        codes=("refused", "table-full"),
        limit="tokens",
        on_table=True,
        keyed=True,
        versioned=True,
    ),
)
async def sit_down(call: Call) -> ASGIResponse:
    """Take a seat and get its token. The host sits as the key that opened the table, and seats bots."""
    who = await call.who()
    if isinstance(who, SeatHolder) or not isinstance(who, Key | Host):
        await call.not_for(who)
    if isinstance(who, Host):
        await call.at_table(who)
    call.limited(who.id if isinstance(who, Key) else who.key)
    game, asked = call.game(), await call.body(shapes.SitAsked)
    if asked.bot and (asked.player or asked.seed):
        field = "player" if asked.player else "seed"
        raise Problem("invalid-value", f"A bot has no {field}.", errors=(Fault(f"/{field}", "body", "not with a bot"),))
    request = SitRequest(
        player=asked.player,
        seat=asked.seat,
        seed=asked.seed,
        bot=asked.bot,
        invite=asked.invite or call.invite(),
    )
    answer = await call.parts.tables.sit(game, who, request, await call.idempotency())
    return replies.written(answer, call.reply_headers)


@route(
    "POST",
    "/v1/games/{game_id:str}/seats/{seat:str}/token",
    Operation(
        id="renewSeatToken",
        tag="seats",
        roles=("key",),
        scope="play",
        body=shapes.Nothing,
        body_optional=True,
        gives={201: Gives(shapes.Sat, "The new token; the old one is dead.")},
        limit="tokens",
        on_table=True,
        keyed=True,
        versioned=True,
    ),
)
async def renew_seat_token(call: Call) -> ASGIResponse:
    """A new token for a seat that the calling key took; the old one is dead."""
    key = await call.key("play")
    call.limited(key.id)
    game, seat = call.game(), call.path_number("seat")
    await call.body(shapes.Nothing)
    answer = await call.parts.tables.renew_token(game, key, seat, await call.idempotency())
    call.parts.auth.forget(game=game)
    return replies.written(answer, call.reply_headers)


@route(
    "DELETE",
    "/v1/games/{game_id:str}/seats/{seat:str}",
    Operation(
        id="leaveSeat",
        tag="seats",
        roles=("seat", "host"),
        gives={200: WRITTEN},
        codes=("refused",),
        on_table=True,
        keyed=True,
        versioned=True,
    ),
)
async def leave_seat(call: Call) -> ASGIResponse:
    """Leave one's seat; before the start the host frees any."""
    await call.no_body()
    idem = await call.idempotency()
    try:
        who = await call.who()
    except Problem as dead:
        return await _left_before(call, idem, dead)
    if not isinstance(who, SeatHolder | Host):
        await call.not_for(who)
    await call.at_table(who)
    game, seat = call.game(), call.path_number("seat")
    answer = await call.parts.tables.leave(game, who, seat, idem)
    call.parts.auth.forget(game=game)
    return replies.written(answer, call.reply_headers)


async def _left_before(call: Call, idem: Idempotency | None, dead: Problem) -> ASGIResponse:
    """Leaving an open table kills the token it was done with; the same request again still gets its answer."""
    if dead.code != "token-revoked" or idem is None:
        raise dead
    who = await call.parts.auth.resolve(call.headers.get("authorization"), revoked=True)
    if not isinstance(who, SeatHolder) or who.game != call.game():
        raise dead
    answer = await call.parts.tables.keys.replay(caller_of(who), idem, Caller())
    if answer is None:
        raise dead
    return replies.written(answer, call.reply_headers)


def _button(name: str, *roles: Role, scope: str | None = None, codes: tuple[str, ...] = ("refused",)) -> Operation:
    return Operation(
        id=name,
        tag="tables",
        roles=roles,
        scope=scope,
        body=shapes.Nothing,
        body_optional=True,
        gives={200: WRITTEN},
        codes=codes,
        on_table=True,
        keyed=True,
        versioned=True,
    )


async def _press(call: Call, who: Who, move: Move) -> ASGIResponse:
    assert isinstance(who, Host | SeatHolder | Key)
    await call.body(shapes.Nothing)
    answer = await call.parts.tables.host(call.game(), who, move, await call.idempotency())
    return replies.written(answer, call.reply_headers)


@route("POST", "/v1/games/{game_id:str}/start", _button("startTable", "host"))
async def start_table(call: Call) -> ASGIResponse:
    """Deal the first round; every seat must be taken."""
    who = await call.who()
    if not isinstance(who, Host):
        await call.not_for(who)
    await call.at_table(who)
    return await _press(call, who, Start())


@route("POST", "/v1/games/{game_id:str}/last-round", _button("callLastRound", "host", "seat"))
async def call_last_round(call: Call) -> ASGIResponse:
    """Make the next dealt round the last: the host, or the creator's seat."""
    who = await call.who()
    if not isinstance(who, Host | SeatHolder):
        await call.not_for(who)
    await call.at_table(who)
    return await _press(call, who, CallLastRound())


@route(
    "POST",
    "/v1/games/{game_id:str}/void",
    _button("voidTable", "host", "key", scope="referee", codes=("refused", "conflict-of-interest")),
)
async def void_table(call: Call) -> ASGIResponse:
    """End the table without a result: the host before the start, after it a key with the scope referee."""
    who = await call.who()
    if not isinstance(who, Host | Key):
        await call.not_for(who)
    if isinstance(who, Host):
        await call.at_table(who)
    elif "referee" not in who.scopes:
        await call.parts.tables.resource(call.game(), Reader(who, call.invite()))
        raise Problem("scope-missing", "This call needs a key with the scope referee.")
    return await _press(call, who, Void())
