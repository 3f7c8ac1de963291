"""API keys: made, listed and revoked by a key with the scope admin."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from litestar.response.base import ASGIResponse

from domain.times import text
from service.problems import Fault, Problem
from service.store.port import Unit
from service.store.rows import TokenRow
from service.web import replies, shapes
from service.web.call import Call
from service.web.operations import Gives, Operation, routes

ROUTES, route = routes()
NO_TABLE = ""
"""A unit that belongs to no table."""


@route(
    "POST",
    "/v1/keys",
    Operation(
        id="makeKey",
        tag="keys",
        roles=("key",),
        scope="admin",
        body=shapes.KeyAsked,
        gives={201: Gives(shapes.KeyMade, "The key; its text is shown this once.")},
        limit="tokens",
        located=True,
    ),
)
async def make_key(call: Call) -> ASGIResponse:
    """A new API key with the scopes asked for."""
    admin = await call.key("admin")
    call.limited(admin.id)
    asked = await call.body(shapes.KeyAsked)
    parts, at = call.parts, call.parts.now()
    if len({*asked.scopes}) < len(asked.scopes):
        fault = Fault("/scopes", "body", "each scope once")
        raise Problem("invalid-value", "A scope is named twice.", errors=(fault,))
    key_id = parts.dealer.new_id().replace("-", "")
    row = parts.minter.row("key", key_id, key_id, at, scopes=asked.scopes, expires=_moment(asked.expires, at))
    await parts.store.commit(Unit(game=NO_TABLE, at=at, tokens=(row,)))
    made = shapes.KeyMade(**_shown(row), key=parts.minter.text("key", key_id))
    return replies.json(made, 201, {"Location": f"/v1/keys/{key_id}", **call.reply_headers})


def _moment(expires: str | None, at: str) -> str | None:
    """The time, if it is one and lies ahead."""
    if expires is None:
        return None
    try:
        moment = text(datetime.fromisoformat(expires))
    except ValueError:
        moment = ""
    if moment <= at:
        fault = Fault("/expires", "body", "a time to come is expected")
        raise Problem("invalid-value", "The key would have expired already, or on no day.", errors=(fault,))
    return moment


@route(
    "GET",
    "/v1/keys",
    Operation(
        id="listKeys",
        tag="keys",
        roles=("key",),
        scope="admin",
        gives={200: Gives(shapes.KeyList, "Every API key, without its secret.")},
        varies=True,
    ),
)
async def list_keys(call: Call) -> ASGIResponse:
    """Every API key, revoked ones too, newest first."""
    await call.key("admin")
    rows = await call.parts.store.tokens()
    return replies.json(shapes.KeyList(items=[shapes.KeyShown(**_shown(row)) for row in rows], next=None))


@route(
    "DELETE",
    "/v1/keys/{key_id:str}",
    Operation(
        id="revokeKey",
        tag="keys",
        roles=("key",),
        scope="admin",
        gives={200: Gives(shapes.KeyShown, "The key, revoked.")},
        codes=("not-found",),
    ),
)
async def revoke_key(call: Call) -> ASGIResponse:
    """Revoke an API key. Its tables and seats stay; their own tokens go on."""
    await call.key("admin")
    await call.no_body()
    key_id = call.of_path("key_id")
    parts, at = call.parts, call.parts.now()
    row = await parts.store.token(key_id) if re.fullmatch("[0-9a-f-]{1,36}", key_id) else None
    if row is None or row.kind != "key":
        raise Problem("not-found", "There is no such key.")
    if row.revoked is None:
        await parts.store.commit(Unit(game=NO_TABLE, at=at, revoked=(key_id,)))
        parts.auth.forget(token_id=key_id)
    return replies.json(shapes.KeyShown(**{**_shown(row), "revoked": row.revoked or at}))


def _shown(row: TokenRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "scopes": row.scopes,
        "created_at": row.at,
        "expires": row.expires,
        "revoked": row.revoked,
    }
