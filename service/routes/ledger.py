"""The tokens: loads, the ledger, accounts, statements, the trial balance, exports; a player over all tables."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from msgspec import Meta, Struct

from domain.table.state import Table
from service.callers import Host, Key, Spectator
from service.ledger import exports, ledger_shapes
from service.ledger.exports import Book, pieces
from service.ledger.ledgers import Ledgers, place_of
from service.problems import Problem
from service.store.rows import DirectoryRow
from service.web import replies, shapes
from service.web.call import Call
from service.web.limits import PAGE_ITEMS_MAX
from service.web.operations import CSV, JSON, NDJSON, TEXT, Gives, Operation, Role, routes
from service.web.queries import CURSOR

ROUTES, route = routes()
READERS: tuple[Role, ...] = ("seat", "key")
PLACE = r"^(0|[1-9][0-9]{0,15})-(0|[1-9][0-9]{0,8})\Z"
VARIES = {"Vary": "Authorization"}


@route(
    "POST",
    "/v1/games/{game_id:str}/loads",
    Operation(
        id="loadTokens",
        tag="ledger",
        roles=("seat",),
        body=shapes.Nothing,
        body_optional=True,
        gives={200: Gives(shapes.Written, "The load was booked.")},
        codes=("refused", "idempotency-key-missing"),
        on_table=True,
        keyed=True,
        key_required=True,
        versioned=True,
    ),
)
async def load_tokens(call: Call) -> ASGIResponse:
    """Fetch one load of tokens from the bank for one's own seat, also while the table is open.

    How many tokens a load has is a table rule (`load_size`). Tokens move by this call, so an Idempotency-Key is needed;
    sent again with the same key it is the same load.
    """
    seat = await call.seat()
    await call.body(shapes.Nothing)
    answer = await call.parts.tables.load(seat.game, seat, await call.required_idempotency())
    return replies.written(answer, call.reply_headers)


def _reading(name: str, query: type[Struct] | None, gives: Gives, media: tuple[str, ...] = (JSON,)) -> Operation:
    return Operation(
        id=name,
        tag="ledger",
        roles=READERS,
        scope="audit",
        query=query,
        gives={200: gives},
        codes=("conflict-of-interest",),
        on_table=True,
        versioned=True,
        varies=True,
        media=media,
    )


async def _opened(call: Call) -> tuple[Ledgers, Table]:
    """The table of the path, for one of its seats or an auditor."""
    who = await call.who()
    if isinstance(who, Host | Spectator):
        await call.not_for(who)
    ledgers = Ledgers(call.parts.tables, call.parts.kinds)
    return ledgers, await ledgers.open(call.game(), await call.reader())


class LedgerAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """From where: `after` is the `next` of the page before."""

    after: Annotated[str, Meta(pattern=PLACE), CURSOR] | None = None
    limit: Annotated[int, Meta(ge=1, le=PAGE_ITEMS_MAX)] = 100


@route(
    "GET",
    "/v1/games/{game_id:str}/ledger",
    _reading("readLedger", LedgerAsked, Gives(ledger_shapes.LedgerPage, "The transfers after the cursor.")),
)
async def read_ledger(call: Call) -> ASGIResponse:
    """Every transfer of the table in order, with its line, its clause, and both balances after it."""
    ledgers, table = await _opened(call)
    asked = call.query(LedgerAsked)
    page = await ledgers.page(table, place_of(asked.after), asked.limit)
    return replies.json(page, headers={**replies.version_tag(table.version), **VARIES})


@route(
    "GET",
    "/v1/games/{game_id:str}/ledger/accounts",
    _reading("listAccounts", None, Gives(ledger_shapes.AccountList, "Every account.")),
)
async def list_accounts(call: Call) -> ASGIResponse:
    """The accounts of the table: the bank, the bowl, each seat; none where no tokens are played for."""
    ledgers, table = await _opened(call)
    items = await ledgers.accounts(table, table.version)
    found = ledger_shapes.AccountList(version=table.version, items=items, next=None)
    return replies.json(found, headers={**replies.version_tag(table.version), **VARIES})


@route(
    "GET",
    "/v1/games/{game_id:str}/ledger/accounts/{account:str}/statement",
    _reading("readStatement", LedgerAsked, Gives(ledger_shapes.Statement, "The account and its transfers, explained.")),
)
async def read_statement(call: Call) -> ASGIResponse:
    """One account with its totals, and each of its transfers explained in English and Hebrew.

    `worth` shows tokens in a currency (Kishpa: 2 shekels each); it is shown here only, and nothing is paid with it.
    """
    ledgers, table = await _opened(call)
    asked = call.query(LedgerAsked)
    account = call.of_path("account")
    statement = await ledgers.statement(table, account, place_of(asked.after), asked.limit)
    return replies.json(statement, headers={**replies.version_tag(table.version), **VARIES})


class TrialBalanceAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """As of which line; absent: the last."""

    at: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = None


@route(
    "GET",
    "/v1/games/{game_id:str}/ledger/trial-balance",
    _reading("readTrialBalance", TrialBalanceAsked, Gives(ledger_shapes.TrialBalance, "All accounts; their sum is 0.")),
)
async def read_trial_balance(call: Call) -> ASGIResponse:
    """All accounts as of any version, and that everything received was paid by somebody."""
    ledgers, table = await _opened(call)
    found = await ledgers.trial_balance(table, call.query(TrialBalanceAsked).at)
    return replies.json(found, headers={**replies.version_tag(found.version), **VARIES})


class ExportAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What kind of file."""

    format: Literal["hledger", "beancount", "csv", "ndjson"] = "hledger"


@route(
    "GET",
    "/v1/games/{game_id:str}/ledger/export",
    _reading(
        "exportLedger",
        ExportAsked,
        Gives(str, "The whole ledger as a file."),
        media=(TEXT, CSV, NDJSON),
    ),
)
async def export_ledger(call: Call) -> ASGIResponse:
    """The whole ledger as a file: for hledger (with an assertion on every posting), for Beancount, CSV or NDJSON.

    `hledger check --strict` and `bean-check` accept theirs.
    """
    ledgers, table = await _opened(call)
    form = exports.FORMATS[call.query(ExportAsked).format]
    directory: DirectoryRow | None = await call.parts.store.directory(table.id)
    assert directory is not None
    head = await ledgers.head_of(table)
    body: AsyncIterator[bytes] = pieces(ledgers.books, Book(table, head, directory.opened_at), form)
    name = f'attachment; filename="{table.id}.{form.suffix}"'
    headers = {**replies.version_tag(table.version), **VARIES, "Content-Disposition": name}
    return ASGIStreamingResponse(iterator=body, headers=headers, media_type=form.media, encoding="utf-8")


class PlayerLedgerAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """From where: `after` is the `next` of the page before."""

    after: (
        Annotated[
            str,
            Meta(
                pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z~[0-9a-f-]{36}~[1-9][0-9]{0,15}~(0|[1-9][0-9]{0,8})\Z"
            ),
            CURSOR,
        ]
        | None
    ) = None
    limit: Annotated[int, Meta(ge=1, le=PAGE_ITEMS_MAX)] = 100


@route(
    "GET",
    "/v1/players/{player:str}/ledger",
    Operation(
        id="readPlayerLedger",
        tag="ledger",
        roles=("key",),
        query=PlayerLedgerAsked,
        gives={200: Gives(ledger_shapes.PlayerLedger, "The player's transfers over all tables.")},
        codes=("wrong-role", "not-found"),
        varies=True,
    ),
)
async def read_player_ledger(call: Call) -> ASGIResponse:
    """One player's tokens over all tables, scripted ones left out.

    `player` is the opaque id that tables show, or the calling key's own label for a person. A key reads the ledgers of
    its own players; with the scope audit, of all whose id it knows.
    """
    who = await call.who()
    if not isinstance(who, Key):
        await call.not_for(who)
    asked, ledgers = call.query(PlayerLedgerAsked), Ledgers(call.parts.tables, call.parts.kinds)
    player = await _player(call, who)
    after = ("", "", 0, 0)
    if asked.after is not None:
        at, game, seq, index = asked.after.split("~")
        after = (at, game, int(seq), int(index))
    return replies.json(await ledgers.player(player, after, asked.limit), headers=VARIES)


async def _player(call: Call, key: Key) -> str:
    """The player of the path. Raises Problem not-found for one that the key may not read."""
    named = call.of_path("player")
    store = call.parts.store
    owners = await store.books.owners(named)
    if key.id in owners or (owners and "audit" in key.scopes):
        return named
    labelled = await store.player(key.id, named)
    if labelled is None:
        raise Problem("not-found", "You know no such player.")
    return labelled
