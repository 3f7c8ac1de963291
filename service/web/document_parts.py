"""The standing parts of the document: parameters, headers, links, security, and which problems a call can have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain.games import GAMES
from service.problems import CODES
from service.web.operations import Operation
from service.web.queries import has_cursor

Schema = dict[str, Any]

TEXT = """Card and tile games at tables that any program can sit down at.

Open a table, take a seat, start, read your view and your legal moves, make one. Every write answers with the table's
`version` and `head` (the hash of its last line) and may carry an `Idempotency-Key`; every error is a problem document
with a stable `code`. Unknown fields and parameters are refused; new fields and event types may appear in answers, so
skip what you do not know.

What is no HTTP never reaches the service and gets no problem document: a `Content-Length` that is no number, raw bytes
in the address that are no UTF-8, an address of more than 65,534 bytes, more than 100 headers. The server in front of it
answers 400, 414 or 431 without a body and closes the connection.

Besides these calls each table has a WebSocket, `GET /v1/games/{game_id}/socket`: the live feed, moves in with their
answers, and pings. OpenAPI has no words for it; its AsyncAPI document is served at `/v1/asyncapi.json`."""

TAGS = {
    "rulebooks": "The games and their rules.",
    "tables": "Tables: opened, found, started, ended.",
    "seats": "Who sits where.",
    "play": "Views, legal moves, moves.",
    "feed": "Everything that happened, as it may be heard.",
    "ledger": "Tokens: who has how many, since when, and why.",
    "keys": "API keys.",
    "operation": "Whether the service is well.",
    "pages": "For people.",
}

_TABLE_ID = {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}
_TEXT = {"type": "string"}

PARAMETERS: dict[str, Schema] = {
    "game_id": {"description": "The table.", "schema": _TABLE_ID},
    "seat": {"description": "The seat, from 0.", "schema": {"type": "integer", "minimum": 0, "maximum": 999}},
    "account": {
        "description": "The account: bank, bowl, or seat:<n>.",
        "schema": {"type": "string", "pattern": "^(bank|bowl|seat:(0|[1-9][0-9]{0,2}))$"},
    },
    "player": {
        "description": "The player's opaque id, or the calling key's own label.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 64},
    },
    "key_id": {"description": "The key's id.", "schema": {"type": "string", "pattern": "^[0-9a-f-]{1,36}$"}},
    "game": {"description": "The game.", "schema": {"type": "string", "enum": [*GAMES]}},
    "code": {"description": "A problem's code.", "schema": {"type": "string", "enum": [*CODES]}},
    "Idempotency-Key": {
        "description": "Sent again with the same request, the answer is the same and nothing is done twice.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,128}$"},
    },
    "If-Match": {
        "description": "The version that the caller has seen; if the table has moved on, 412.",
        "schema": {"type": "string", "pattern": '^"(0|[1-9][0-9]{0,15})"$'},
    },
    "If-None-Match": {
        "description": "The version that the caller has; if it is the present one, 304.",
        "schema": _TEXT,
    },
    "Last-Event-ID": {
        "description": "The same as `after`; who sends both sends the same number twice.",
        "schema": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,15})$"},
    },
    "Kupa-Invite": {"description": "The invite of a private table, for who has no part in it.", "schema": _TEXT},
}

HEADERS: dict[str, Schema] = {
    "ETag": {"description": "The table's version in quotes.", "schema": {"type": "string", "pattern": '^"[0-9]+"$'}},
    "Location": {"description": "Where what was made can be read.", "schema": _TEXT},
    "Idempotent-Replayed": {"description": "`true` on an answer given once more.", "schema": _TEXT},
    "RateLimit": {"description": "What is left of the policy: r calls, more in t seconds.", "schema": _TEXT},
    "RateLimit-Policy": {"description": "The policy: q calls in w seconds.", "schema": _TEXT},
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}},
    "Vary": {"description": "The answer depends on who asks.", "schema": _TEXT},
    "WWW-Authenticate": {"description": "`Bearer`.", "schema": _TEXT},
}

SECURITY: dict[str, Schema] = {
    "keyToken": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "kupa_key_<id>_<secret>",
        "description": "An API key: opens tables, sits down, reads the directory of its own tables.",
    },
    "hostToken": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "kupa_host_<id>_<secret>",
        "description": "Given to who opens a table: seats bots, frees seats, starts.",
    },
    "seatToken": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "kupa_seat_<id>_<secret>",
        "description": "Given to who sits down: one table, one seat.",
    },
}

_OPENED = {"game_id": "$response.body#/id"}
_SAME = {"game_id": "$request.path.game_id"}

LINKS: dict[tuple[str, int], Schema] = {
    ("openTable", 201): {
        "sit": {"operationId": "sitDown", "parameters": _OPENED},
        "start": {"operationId": "startTable", "parameters": _OPENED},
        "table": {"operationId": "getTable", "parameters": _OPENED},
        "feed": {"operationId": "readFeed", "parameters": _OPENED},
    },
    ("sitDown", 201): {
        "start": {"operationId": "startTable", "parameters": _SAME},
        "view": {"operationId": "getView", "parameters": _SAME},
        "leave": {"operationId": "leaveSeat", "parameters": {**_SAME, "seat": "$response.body#/seat"}},
        "renew": {"operationId": "renewSeatToken", "parameters": {**_SAME, "seat": "$response.body#/seat"}},
    },
    ("startTable", 200): {"view": {"operationId": "getView", "parameters": _SAME}},
    ("getView", 200): {"moves": {"operationId": "listMoves", "parameters": _SAME}},
    ("listMoves", 200): {
        "move": {
            "operationId": "makeMove",
            "parameters": {**_SAME, "If-Match": "$response.header.ETag"},
            "requestBody": "$response.body#/items/0",
        }
    },
    ("makeMove", 200): {"moves": {"operationId": "listMoves", "parameters": _SAME}},
    ("loadTokens", 200): {"accounts": {"operationId": "listAccounts", "parameters": _SAME}},
    ("listAccounts", 200): {
        "statement": {
            "operationId": "readStatement",
            "parameters": {**_SAME, "account": "$response.body#/items/0/account"},
        }
    },
    ("makeKey", 201): {"revoke": {"operationId": "revokeKey", "parameters": {"key_id": "$response.body#/id"}}},
}


def problems_of(operation: Operation) -> list[str]:
    """Every code that a call can answer with: its own, and those that follow from what it takes."""
    return list(dict.fromkeys([*_of_request(operation), *_of_caller(operation), *_of_work(operation)]))


def _of_request(operation: Operation) -> Iterator[str]:
    yield from ("unknown-parameter", "invalid-value", "not-acceptable")
    if operation.body is not None:
        yield from ("malformed-json", "unknown-field", "body-too-large", "unsupported-media-type")
    if operation.query is not None and has_cursor(operation.query):
        yield "cursor-invalid"
    if operation.keyed:
        yield from ("request-in-progress", "idempotency-key-reused")
    if operation.if_match:
        yield "version-stale"


def _of_caller(operation: Operation) -> Iterator[str]:
    if operation.roles != ("anyone",):
        yield from ("token-invalid", "token-revoked", "rate-limited")
    if "anyone" not in operation.roles:
        yield from ("token-missing", "wrong-role")
    if operation.scope is not None:
        yield "scope-missing"
    if operation.limit is not None:
        yield "rate-limited"


def _of_work(operation: Operation) -> Iterator[str]:
    yield from operation.codes
    if operation.on_table:
        yield "not-found"
        if operation.keyed:
            yield "table-busy"
    if operation.tag not in ("pages", "rulebooks"):
        yield "unavailable"
    yield "internal"
