"""Opening tables, finding them, and what everybody may know of one."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct

from domain.game import DeckInvalid, RulesInvalid, type_of
from domain.games import GAMES
from service.callers import Key
from service.problems import Fault, Problem
from service.store.port import DirectoryQuery
from service.store.rows import DirectoryRow
from service.tables.answers import OpenRequest, Sandbox
from service.web import game_shapes, replies, shapes
from service.web.call import Call
from service.web.limits import DECKS_BYTES_MAX, PAGE_ITEMS_MAX
from service.web.operations import Gives, Operation, routes
from service.web.queries import CURSOR

ROUTES, route = routes()


@route(
    "POST",
    "/v1/games",
    Operation(
        id="openTable",
        tag="tables",
        roles=("key",),
        scope="play",
        body=game_shapes.OPEN_ASKED,
        gives={201: Gives(game_shapes.TABLE_OPENED, "The table, and the host's token.")},
        codes=("rules-invalid", "deck-invalid"),
        limit="opens",
        keyed=True,
        versioned=True,
        located=True,
    ),
)
async def open_table(call: Call) -> ASGIResponse:
    """Open a table. The host token in the answer is the only one; a private table adds an invite."""
    key = await call.key("play")
    call.limited(key.id)
    asked = await call.body(game_shapes.OPEN_ASKED)
    request = _request(asked, call.parts.settings.sandbox)
    try:
        answer = await call.parts.tables.open(key, request, await call.idempotency())
    except RulesInvalid as no:
        pointer = f"/{no.field}" if no.field == "seats" else f"/rules/{no.field}"
        raise _invalid("rules-invalid", str(no), pointer) from None
    except DeckInvalid as no:
        raise _invalid("deck-invalid", str(no), "/sandbox/decks") from None
    return replies.written(answer, call.reply_headers)


def _request(asked: Any, sandboxes: bool) -> OpenRequest:  # noqa: FBT001 - the operator's switch
    """The request with what its schema cannot say checked: seats against rules, decks against their space."""
    game = GAMES[type_of(asked)]
    fewest, most = game.seats(asked.rules)
    if not fewest <= asked.seats <= most:
        raise _invalid("rules-invalid", f"Under these rules {fewest} to {most} play.", "/seats")
    sandbox = asked.sandbox
    if sandbox and not sandboxes:
        raise _invalid("rules-invalid", "Sandbox tables are switched off here.", "/sandbox")
    if sandbox and len(msgspec.json.encode(sandbox.decks)) > DECKS_BYTES_MAX:
        raise _invalid("deck-invalid", f"The decks take more than {DECKS_BYTES_MAX} bytes.", "/sandbox/decks")
    return OpenRequest(
        game=game.name,
        rules=asked.rules,
        seats=asked.seats,
        visibility=asked.visibility,
        name=asked.name,
        sandbox=Sandbox(sandbox.decks, sandbox.server_seed) if sandbox else None,
    )


def _invalid(code: str, detail: str, pointer: str) -> Problem:
    return Problem(code, detail, errors=(Fault(pointer, "body", detail),))


class DirectoryAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Which tables: of one game, in one status, or (with an API key) only the caller's own, private ones too."""

    game: shapes.GameName | None = None
    status: shapes.Status | None = None
    mine: bool = False
    after: Annotated[shapes.TableId, CURSOR] | None = None
    limit: Annotated[int, Meta(ge=1, le=PAGE_ITEMS_MAX)] = 50


@route(
    "GET",
    "/v1/games",
    Operation(
        id="listTables",
        tag="tables",
        roles=("anyone", "key"),
        query=DirectoryAsked,
        gives={200: Gives(shapes.Directory, "Public tables, or the caller's own, newest first.")},
        codes=("wrong-role",),
        varies=True,
    ),
)
async def list_tables(call: Call) -> ASGIResponse:
    """The directory of public tables; with `mine=true` the tables that the calling key opened or sits at."""
    who = await call.who()
    asked = call.query(DirectoryAsked)
    if asked.mine and not isinstance(who, Key):
        await call.not_for(who)
    query = DirectoryQuery(
        kind=asked.game,
        status=asked.status,
        owner=who.id if asked.mine and isinstance(who, Key) else None,
        after=asked.after,
        limit=asked.limit + 1,
    )
    rows = await call.parts.store.find(query)
    entries = [_entry(row) for row in rows[: asked.limit]]
    more = len(rows) > asked.limit
    page = shapes.Directory(items=entries, next=entries[-1].id if more else None)
    return replies.json(page, headers={"Vary": "Authorization"})


def _entry(row: DirectoryRow) -> shapes.DirectoryEntry:
    same = {name: getattr(row, name) for name in ("name", "sandbox", "free", "version", "head", "opened_at", "at")}
    fixed: Any = {"status": row.status, "visibility": row.visibility}
    return shapes.DirectoryEntry(id=row.game, game=row.kind, size=row.seats, **fixed, **same)


@route(
    "GET",
    "/v1/games/{game_id:str}",
    Operation(
        id="getTable",
        tag="tables",
        roles=("anyone", "key", "host", "seat"),
        gives={200: Gives(game_shapes.TABLE_RESOURCE, "What everybody may know of the table.")},
        on_table=True,
        versioned=True,
        conditional=True,
        varies=True,
    ),
)
async def get_table(call: Call) -> ASGIResponse:
    """The table resource: status, rules, seats, version, head, commitments, results."""
    reader = await call.reader()
    resource = await call.parts.tables.resource(call.game(), reader)
    version: int = resource["version"]
    if call.unchanged(version):
        return replies.unchanged(version)
    return replies.json(resource, headers={**replies.version_tag(version), "Vary": "Authorization"})
