"""HTTP as it is meant: true methods, HEAD, OPTIONS, content negotiation, caching, cross-origin reading."""

from __future__ import annotations

import http.client
from collections.abc import Iterator

import httpx
import pytest

from service.app import ROUTES
from tests.api.server import Seated, Server, bearer

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO")
PATHS = sorted({route.path for route in ROUTES})


@pytest.fixture(scope="module")
def table(server: Server) -> Seated:
    made = server.table("kishpa")
    made.start()
    return made


def methods_of(path: str) -> set[str]:
    found = {route.method for route in ROUTES if route.path == path}
    return found | {"OPTIONS"} | ({"HEAD"} if "GET" in found else set())


def real(path: str, table: Seated) -> str:
    filled = path.replace("{game_id:str}", table.id).replace("{seat:str}", "0").replace("{game:str}", "shithead")
    filled = filled.replace("{account:str}", "seat:1").replace("{player:str}", "player 0")
    return filled.replace("{code:str}", "refused").replace("{key_id:str}", "0" * 32)


@pytest.mark.parametrize("path", PATHS)
def test_every_path_names_its_true_methods_and_refuses_the_others(http: httpx.Client, table: Seated, path: str):
    for method in METHODS:
        answer = http.request(method, real(path, table))
        if method == "OPTIONS":
            assert answer.status_code == 204
        if method in methods_of(path):
            assert answer.status_code != 405
        else:
            assert answer.status_code == 405, method
            assert method == "HEAD" or answer.json()["code"] == "method-not-allowed"
        if answer.status_code == 405 or method == "OPTIONS":
            assert set(answer.headers["Allow"].split(", ")) == methods_of(path)


@pytest.mark.parametrize("path", [path for path in PATHS if "GET" in methods_of(path)])
def test_head_answers_like_get_without_the_body(http: httpx.Client, table: Seated, path: str):
    headers = bearer(table.server.admin if path.startswith(("/v1/keys", "/v1/players")) else table.seats[0])
    got, head = (http.request(method, real(path, table), headers=headers) for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (got.status_code, b"")
    assert got.status_code == 200
    same = ("content-type", "content-length", "etag", "cache-control", "vary")
    assert [head.headers.get(name) for name in same] == [got.headers.get(name) for name in same]


def test_head_of_the_feed_as_lines_ends_at_once(table: Seated):
    headers = {**bearer(table.seats[0]), "Accept": "application/x-ndjson"}
    answer = table.http.head(f"{table.url}/events", headers=headers)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"] == "application/x-ndjson"


@pytest.mark.parametrize("path", ["/nope", "/v1", "/v1/games/x/y/z", "/problems/made-up", "/v1/rulebooks/go"])
def test_an_unknown_path_is_a_problem_too(http: httpx.Client, path: str):
    for method in ("GET", "POST"):
        answer = http.request(method, path)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.status_code == (
            405 if method == "POST" and path.startswith(("/problems", "/v1/rulebooks")) else 404
        )
    assert http.options("/nope").status_code == 404


def test_doubled_slashes_are_one(http: httpx.Client):
    answer = http.put("/v1//games/")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, POST, OPTIONS")


@pytest.mark.parametrize(
    "text",
    [
        "01900000-0000-7000-8000-000000000000", "0", "A" * 36, "01900000-0000-7000-8000-00000000000G",
        "01900000000070008000000000000000", "%00", "x" * 500, "..%2f..", "%D7%97",
    ],
)  # fmt: skip
def test_what_is_no_tables_id_is_not_found(http: httpx.Client, text: str):
    answer = http.get(f"/v1/games/{text}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize("seat", ["-1", "1.0", "01", "9999", "99999", "x"])
def test_what_is_no_seat_is_not_there(table: Seated, seat: str):
    answer = table.http.delete(f"{table.url}/seats/{seat}", headers=bearer(table.seats[0]))
    assert answer.status_code == (403 if seat == "9999" else 404)


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("*/*", 200), ("application/json", 200), ("application/*;q=0.1", 200), ("text/html, */*;q=0.1", 200),
        ("APPLICATION/JSON", 200), ("text/html", 406), ("application/json;q=0", 406), ("application/xml", 406),
        ("image/*", 406), ("nonsense", 406), ("application/json;q=x", 406),
    ],
)  # fmt: skip
def test_only_what_the_caller_accepts_is_sent(table: Seated, accept: str, status: int):
    answer = table.get("", headers={"Accept": accept})
    assert answer.status_code == status
    if status == 406:
        assert answer.headers["content-type"] == "application/problem+json"


def test_a_write_that_cannot_be_answered_as_wanted_is_not_done(server: Server):
    table = server.table()
    before = table.get("").json()["version"]
    answer = table.post("/start", table.host, headers={"Accept": "text/html"})
    assert (answer.status_code, answer.json()["code"]) == (406, "not-acceptable")
    assert table.get("").json()["version"] == before


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/x-ndjson", "application/x-ndjson"), ("*/*", "application/json"),
        ("application/x-ndjson;q=0.5, application/json;q=0.4", "application/x-ndjson"),
        ("application/x-ndjson;q=0.4, application/json", "application/json"),
    ],
)  # fmt: skip
def test_the_feed_comes_in_the_form_preferred(table: Seated, accept: str, kind: str):
    assert table.get("/events", headers={"Accept": accept}).headers["content-type"] == kind


@pytest.mark.parametrize(
    ("path", "query", "code", "name"),
    [
        ("", "x=1", "unknown-parameter", "x"),
        ("/view", "At=1", "unknown-parameter", "At"),
        ("/view", "at=1&at=2", "unknown-parameter", "at"),
        ("/view", "at=0", "invalid-value", "at"),
        ("/view", "at=1.0", "invalid-value", "at"),
        ("/view", "at=01", "invalid-value", "at"),
        ("/view", "at=+1", "invalid-value", "at"),
        ("/view", "at=", "invalid-value", "at"),
        ("/view", "at", "invalid-value", "at"),
        ("/view", "at=99999999999999999999", "invalid-value", "at"),
        ("/view", "at=9007199254740993", "invalid-value", "at"),
        ("/view", "at=100000", "invalid-value", "at"),
        ("/view", "as=seat:", "invalid-value", "as"),
        ("/view", "as=all", "invalid-value", "as"),
        ("/view", "as=seat:1%00", "invalid-value", None),
        ("/view", "as=%FF", "invalid-value", None),
        ("/events", "after=x", "cursor-invalid", "after"),
        ("/events", "after=-1", "cursor-invalid", "after"),
        ("/events", "limit=0", "invalid-value", "limit"),
        ("/events", "limit=1001", "invalid-value", "limit"),
        ("/moves", "wait=31", "invalid-value", "wait"),
        ("/moves", "wait=1e1", "invalid-value", "wait"),
        ("/view", "at=" + "1" * 3_000, "invalid-value", None),
    ],
)
def test_a_wrong_query_is_named(table: Seated, path: str, query: str, code: str, name: str | None):
    answer = table.http.get(f"{table.url}{path}?{query}", headers=bearer(table.seats[0]))
    said = answer.json()
    assert (answer.status_code, said["code"]) == (400, code)
    assert [(fault["pointer"], fault["source"]) for fault in said.get("errors", [])] == (
        [(name, "query")] if name else []
    )


def test_writes_take_no_query(table: Seated):
    answer = table.post("/moves?seat=1", table.seats[0], {"type": "shithead.ready"})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown-parameter")


@pytest.mark.parametrize("path", ["", "/view"])
def test_who_has_this_version_already_gets_304(table: Seated, path: str):
    first = table.get(path, table.seats[0])
    tag = first.headers["ETag"]
    assert tag == f'"{first.json()["version"]}"'
    for known in (tag, f"W/{tag}", f'"0", {tag}', "*"):
        again = table.get(path, table.seats[0], headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    assert table.get(path, table.seats[0], headers={"If-None-Match": '"0"'}).status_code == 200
    assert first.headers["Vary"] == "Authorization"


def test_a_view_of_the_past_is_never_taken_for_the_present(table: Seated):
    version = table.get("/view").json()["version"]
    answer = table.get("/view", headers={"If-None-Match": f'"{version}"'}, params={"at": version})
    assert answer.status_code == 200


def everything(table: Seated) -> Iterator[httpx.Response]:
    yield table.get("/view", table.seats[0])
    yield table.get("/view", "kupa_nonsense")
    yield table.http.get("/nope")
    yield table.http.put("/v1/games")
    yield table.http.options("/v1/games")
    yield table.post("/moves", table.seats[0], {})
    yield table.get("", headers={"If-None-Match": "*"})


def test_every_answer_can_be_read_from_other_origins_and_none_is_cached(table: Seated):
    for answer in everything(table):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Location", "Retry-After", "RateLimit", "Idempotent-Replayed"} <= set(exposed)
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_preflight_allows_the_headers_that_clients_send(http: httpx.Client):
    wanted = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    answer = http.options("/v1/games", headers=wanted)
    assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD, POST, OPTIONS"
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert {"authorization", "content-type", "idempotency-key", "if-match", "kupa-invite"} <= set(allowed)


def test_odd_bytes_in_headers_are_survived(server: Server):
    host, port = server.base.removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=5)
    for name in ("Authorization", "Kupa-Invite", "Accept", "If-None-Match", "Idempotency-Key"):
        connection.putrequest("GET", "/v1/games")
        connection.putheader(name, b"\xff\xfe \xd7")
        connection.endheaders()
        answer = connection.getresponse()
        answer.read()
        assert answer.status < 500, name
    connection.close()
