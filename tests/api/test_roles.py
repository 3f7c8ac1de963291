"""Every call with every kind of token, at a public table and at a private one: who may, and what the others learn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from msgspec import Struct

from service.app import ROUTES, connect
from service.auth import Minter, server_key
from service.store.opening import open_store
from service.store.port import Unit
from service.web.operations import Route
from tests.api.server import Seated, Server, bearer

KEYS = {"stranger": ("play",), "auditor": ("audit",), "referee": ("referee",), "admin": ("admin",)}
ROLES = (
    *("owner", "other seat", "seat elsewhere", "host", "host elsewhere", "player's key"),
    *("stranger", "auditor", "referee", "admin", "nobody", "expired", "revoked"),
)
DEAD = {"expired": 401, "revoked": 401}
PART = {"owner", "other seat", "host", "player's key", "auditor", "referee"}
"""Who may know of a private table: all who have a part in it."""
TABLES = [route for route in ROUTES if route.operation.on_table]
ELSEWHERE = [route for route in ROUTES if not route.operation.on_table]


class Cast(Struct, frozen=True):
    """The tokens that do not depend on the table asked about."""

    player: str
    tokens: dict[str, str | None]


@pytest.fixture(scope="module")
def cast(server: Server) -> Cast:
    player = server.key("play")
    other = server.table(key=server.key("play"))
    revoked = server.http.post("/v1/keys", json={"scopes": ["play", "admin"]}, headers=bearer(server.admin)).json()
    server.http.delete(f"/v1/keys/{revoked['id']}", headers=bearer(server.admin))
    tokens: dict[str, str | None] = {role: server.key(*scopes) for role, scopes in KEYS.items()}
    tokens |= {"seat elsewhere": other.seats[0], "host elsewhere": other.host, "player's key": player}
    tokens |= {"nobody": None, "revoked": revoked["key"], "expired": expired_key(server)}
    return Cast(player, tokens)


def expired_key(server: Server) -> str:
    """A key whose time ran out, put beside the running service, which would not make one."""

    async def make() -> str:
        store = await open_store(data_dir=server.settings.data_dir)
        parts = connect(server.settings, store, Minter(server_key(server.settings)))
        key_id, long_ago = parts.dealer.new_id(), "2020-01-01T00:00:00.000000Z"
        row = parts.minter.row("key", key_id, key_id, long_ago, scopes=("play", "admin"), expires=long_ago)
        await store.commit(Unit(game="", at=long_ago, tokens=(row,)))
        await store.close()
        return parts.minter.text("key", key_id)

    return asyncio.run(make())


class Case(Struct, frozen=True):
    """How one operation is called at a table, and what whom is answered; those not named get 403."""

    answers: dict[str, int]
    body: Any = None
    free: int = 0
    started: bool = False
    unknown: int = 404
    """What those get who may not know of a private table; 403 where no table is looked at."""
    game: str = "shithead"


READ = dict.fromkeys(ROLES, 200)
TOKENS = Case({"owner": 200, "other seat": 200, "auditor": 200, "nobody": 401}, started=True, game="kishpa")
FOUL = {"kind": "totem_thrown", "offender": 0}
GRIP = {"seat": 0, "fingers": 3, "grip_height": 20}
CASES: dict[str, Case] = {
    "getTable": Case(READ),
    "getView": Case(READ),
    "readFeed": Case(READ),
    # Nothing is open yet: all but the seat itself, of those who may ask, hear that.
    "readHistory": Case({"owner": 200, "other seat": 409, "auditor": 409, "nobody": 401}, started=True),
    "listMoves": Case({"owner": 200, "other seat": 200, "nobody": 401}, started=True),
    "makeMove": Case({"owner": 200, "other seat": 200, "nobody": 401}, {"type": "shithead.ready"}, started=True),
    "sitDown": Case({"host": 201, "player's key": 201, "stranger": 201, "nobody": 401}, {"player": "new"}, free=1),
    "renewSeatToken": Case({"player's key": 201, "stranger": 404, "nobody": 401}, unknown=403),
    "leaveSeat": Case({"owner": 200, "host": 200, "nobody": 401}),
    "startTable": Case({"host": 200, "nobody": 401}),
    # Fixed rounds: the two who may call the last one hear that there is nothing to call.
    "callLastRound": Case({"host": 409, "owner": 409, "nobody": 401}),
    "voidTable": Case({"host": 200, "referee": 200, "nobody": 401}),
    "reportFoul": Case({"referee": 200, "nobody": 401}, FOUL, started=True, game="totem"),
    # No foul was reported, and there is no dead heat: who may ask hears that.
    "reverseFoul": Case({"referee": 409, "nobody": 401}, started=True, game="totem"),
    "enterGrip": Case({"referee": 409, "nobody": 401}, GRIP, started=True, game="totem"),
    "loadTokens": Case({"owner": 200, "other seat": 200, "nobody": 401}, game="kishpa"),
    **dict.fromkeys(("readLedger", "listAccounts", "readStatement", "readTrialBalance", "exportLedger"), TOKENS),
}


def test_every_operation_at_a_table_has_a_case():
    assert CASES.keys() == {route.operation.id for route in TABLES}


@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("route", TABLES, ids=lambda route: route.operation.id)
def test_each_role_at_a_table_gets_its_answer(server: Server, cast: Cast, route: Route, visibility: str):
    case = CASES[route.operation.id]
    table, given = scene(server, cast, case, visibility), {}
    for role in ROLES:
        before = version(table)
        answer = ask(table, cast, route, case, role)
        given[role] = answer.status_code
        if answer.is_error:
            assert answer.headers["content-type"] == "application/problem+json"
            assert version(table) == before, f"{role} was refused and changed the table"
        elif version(table) != before:
            table = scene(server, cast, case, visibility)
    assert given == expected(case, visibility)


def expected(case: Case, visibility: str) -> dict[str, int]:
    given = {**dict.fromkeys(ROLES, 403), **case.answers, **DEAD}
    if visibility == "private":
        for role in set(ROLES) - PART - DEAD.keys():
            if given[role] != 401:
                given[role] = hidden(case, role)
    return given


def hidden(case: Case, role: str) -> int:
    """At a private table that they may not know of; a key without the scope hears that before any table is sought."""
    return case.unknown if case.unknown == 403 and role == "admin" else 404


def scene(server: Server, cast: Cast, case: Case, visibility: str) -> Seated:
    """A table as the case needs it: with a free seat, complete, or started."""
    table = server.table(case.game, key=cast.player, visibility=visibility, seats_more=case.free)
    if case.started:
        table.start()
    return table


def ask(table: Seated, cast: Cast, route: Route, case: Case, role: str) -> httpx.Response:
    own = {"owner": table.seats[0], "other seat": table.seats[1], "host": table.host}
    token = own.get(role, cast.tokens.get(role))
    path = route.path.replace("{game_id:str}", table.id).replace("{seat:str}", "0").replace("{account:str}", "seat:1")
    headers = bearer(token) if token else {}
    if route.operation.key_required:
        headers["Idempotency-Key"] = f"role-{time.time_ns():020}"
    body = case.body | {"player": f"{role} {time.time_ns()}"} if case.body and "player" in case.body else case.body
    return table.http.request(route.method, path, json=body, headers=headers)


def version(table: Seated) -> int:
    return int(table.get("", table.host).json()["version"])


OPEN = {"game": "shithead", "seats": 2}
EVERYBODY = dict.fromkeys(ROLES, 200)
ANYONES = (
    "listRulebooks",
    "getRulebook",
    "isLive",
    "isReady",
    "startPage",
    "problemPage",
    "getDocument",
    "getSocketDocument",
)
ELSEWHERE_CASES: dict[str, tuple[dict[str, int], Any]] = {
    "openTable": ({"player's key": 201, "stranger": 201, "nobody": 401, **DEAD}, OPEN),
    "listTables": ({**EVERYBODY, **DEAD}, None),
    "readPlayerLedger": (
        {**dict.fromkeys((*KEYS, "player's key"), 404), "nobody": 401, **DEAD},
        None,
    ),
    "makeKey": ({"admin": 201, "nobody": 401, **DEAD}, {"scopes": ["play"]}),
    "listKeys": ({"admin": 200, "nobody": 401, **DEAD}, None),
    "revokeKey": ({"admin": 404, "nobody": 401, **DEAD}, None),
    **dict.fromkeys(ANYONES, (EVERYBODY, None)),
}
PLACES = {"{player:str}": "nobody-known", "{game:str}": "shithead", "{code:str}": "refused", "{key_id:str}": "0" * 32}


def test_every_operation_away_from_tables_has_a_case():
    assert ELSEWHERE_CASES.keys() == {route.operation.id for route in ELSEWHERE}


@pytest.mark.parametrize("route", ELSEWHERE, ids=lambda route: route.operation.id)
def test_each_role_away_from_tables_gets_its_answer(server: Server, cast: Cast, route: Route):
    answers, body = ELSEWHERE_CASES[route.operation.id]
    table = server.table(key=cast.player)
    own = {"owner": table.seats[0], "other seat": table.seats[1], "host": table.host}
    path = route.path
    for place, value in PLACES.items():
        path = path.replace(place, value)
    given = {}
    for role in ROLES:
        token = own.get(role, cast.tokens.get(role))
        answer = server.http.request(route.method, path, json=body, headers=bearer(token) if token else {})
        given[role] = answer.status_code
    assert given == {**dict.fromkeys(ROLES, 403), **answers}


def test_who_may_not_hears_which_token_the_call_needs_and_which_it_got(server: Server):
    table, other = server.table(), server.table()
    for answer, detail in (
        (table.get("/moves", table.key), "This call needs a seat's token; this one is an API key."),
        (table.get("/moves", table.host), "This call needs a seat's token; this one is a host's token."),
        (table.get("/moves", other.seats[0]), "This token is for another table."),
        (table.post("/start", table.seats[0]), "This call needs a host's token; this one is a seat's token."),
        (
            table.post("/last-round", table.key),
            "This call needs a host's token or a seat's token; this one is an API key.",
        ),
        (table.get("/ledger", table.host), "This call needs a seat's token or an API key; this one is a host's token."),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong-role")
        assert answer.json()["detail"] == detail


@pytest.mark.parametrize("scope", ["referee", "audit"])
def test_a_key_that_sits_at_a_table_may_not_referee_or_audit_it_while_it_runs(server: Server, scope: str):
    table = server.table(key=server.key("play", scope))
    table.start()
    calls: dict[str, Callable[[], httpx.Response]] = {
        "referee": lambda: table.post("/void", table.key),
        "audit": lambda: table.get("/view", table.key),
    }
    answer = calls[scope]()
    assert (answer.status_code, answer.json()["code"]) == (403, "conflict-of-interest")


def test_the_invite_opens_a_private_table_to_who_has_no_part_in_it(server: Server, cast: Cast):
    table = server.table(key=cast.player, visibility="private", people=1, seats_more=1)
    stranger = cast.tokens["stranger"]
    assert table.get("/view").status_code == 404
    assert table.get("/view", headers={"Kupa-Invite": "wrong"}).status_code == 404
    assert table.get("/view", headers={"Kupa-Invite": table.invite}).status_code == 200
    assert table.post("/seats", stranger, {"player": "x", "invite": "wrong"}).status_code == 404
    assert table.post("/seats", stranger, {"player": "x", "invite": table.invite}).status_code == 201


def test_a_seat_named_in_a_body_is_refused_and_not_obeyed(server: Server):
    table = server.table()
    table.start()
    before = version(table)
    answer = table.post("/moves", table.seats[0], {"type": "shithead.ready", "seat": 1})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown-field")
    assert answer.json()["errors"][0]["pointer"] == "/seat"
    assert version(table) == before


@pytest.mark.parametrize("path", ["", "/view", "/events", "/moves", "/seats/0/history"])
def test_a_private_table_answers_a_stranger_like_one_that_does_not_exist(server: Server, cast: Cast, path: str):
    table = server.table(key=cast.player, visibility="private")
    elsewhere = cast.tokens["seat elsewhere"]
    there = table.get(path, elsewhere)
    nowhere = server.http.get(f"/v1/games/01900000-0000-7000-8000-000000000000{path}", headers=bearer(str(elsewhere)))
    assert (there.status_code, there.content) == (nowhere.status_code, nowhere.content)
    assert there.status_code == 404
