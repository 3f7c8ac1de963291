"""Bodies that are wrong in every way: each is a 4xx problem that names the fault, and the table never notices."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from service.problems import Problem
from service.web.bodies import pointer_of, problem_of, read, too_deep
from service.web.limits import BODY_BYTES_MAX, JSON_DEPTH_MAX
from service.web.shapes import SitAsked
from tests.api.server import Seated, Server, bearer

DEEP = 10_000


@pytest.fixture(scope="module")
def table(server: Server) -> Seated:
    made = server.table()
    made.start()
    return made


def send(table: Seated, body: bytes, **headers: str) -> httpx.Response:
    sent = {**bearer(table.seats[0]), "Content-Type": "application/json", **headers}
    return table.http.post(f"{table.url}/moves", content=body, headers=sent)


@pytest.mark.parametrize(
    "body",
    [
        b'{"type":"shithead.ready",}', b'{"type":"shithead.re', b"", b" ", b"nonsense", b"NaN", b"Infinity",
        b'{"type":NaN}', b"[" * DEEP, b"[" * DEEP + b"]" * DEEP, b'{"a":' * DEEP + b"1" + b"}" * DEEP,
        b'{"type":"shithead.ready","type":"shithead.ready"}', b'{"type":"shithead.ready"} {}',
        b"\xef\xbb\xbf{}", b'{"type":"\xff"}', b'{"type":"shithead.ready"}\x00', "{}".encode("utf-16"),
        b'{"type":' + b"9" * 5_000 + b"}", b"'{}'", b'{"type":"a\nb"}',
    ],
)  # fmt: skip
def test_what_is_no_json_is_malformed(table: Seated, body: bytes):
    answer = send(table, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed-json"), body[:40]
    assert send(table, b'{"type":"nothing"}').status_code == 400, "the connection goes on"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ([], ""), (None, ""), (5, ""), ("shithead.ready", ""), ({}, "/type"), ({"type": None}, "/type"),
        ({"type": 5}, "/type"), ({"type": "shithead.fly"}, "/type"), ({"type": "hatchatul.draw"}, "/type"),
        ({"type": "table.leave", "seat": 0}, "/type"), ({"type": "table.last_round"}, "/type"),
        ({"type": "shithead.play"}, "/cards"), ({"type": "shithead.play", "cards": "3S"}, "/cards"),
        ({"type": "shithead.play", "cards": []}, "/cards"), ({"type": "shithead.play", "cards": [3]}, "/cards/0"),
        ({"type": "shithead.play", "cards": ["3S", None]}, "/cards/1"),
        ({"type": "shithead.flip", "position": 4}, "/position"),
        ({"type": "shithead.flip", "position": "1"}, "/position"),
        ({"type": "shithead.flip", "position": True}, "/position"),
        ({"type": "shithead.give_sip", "drinker": -1}, "/drinker"),
        ({"type": "shithead.give_sip", "drinker": 2**63}, "/drinker"),
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_is_named_by_a_pointer(table: Seated, body: Any, pointer: str):
    answer = send(table, json.dumps(body).encode())
    said = answer.json()
    assert (answer.status_code, said["code"]) == (400, "invalid-value")
    assert [(fault["pointer"], fault["source"]) for fault in said["errors"]] == [(pointer, "body")]


@pytest.mark.parametrize("number", [b"1.0", b"1e0", b"0.5", b'"1"'])
def test_a_float_is_no_whole_number(table: Seated, number: bytes):
    answer = send(table, b'{"type":"shithead.give_sip","drinker":%b}' % number)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/drinker")


def test_an_unknown_move_is_answered_with_those_there_are(table: Seated):
    detail = send(table, b'{"type":"shithead.fly"}').json()["detail"]
    assert "shithead.play" in detail
    assert "table.ready" in detail
    assert "table.leave" not in detail


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("/v1/games", {"game": "shithead", "seats": 2, "expected_verison": 1}, "/expected_verison"),
        ("/v1/games", {"game": "shithead", "seats": 2, "rules": {"jump-in": True}}, "/rules/jump-in"),
        ("/v1/games", {"game": "shithead", "seats": 2, "sandbox": {"seed": ""}}, "/sandbox/seed"),
        ("/v1/games", {"game": "shithead", "seats": 2, "a/b~c": 1}, "/a~1b~0c"),
        ("/v1/keys", {"scopes": ["play"], "idempotncy_key": "x"}, "/idempotncy_key"),
        ("{table}/seats", {"player": "x", "seat_no": 1}, "/seat_no"),
        ("{table}/seats/0/token", {"seat": 0}, "/seat"),
    ],
)
def test_an_unknown_field_is_named_on_every_write(server: Server, table: Seated, path: str, body: Any, pointer: str):
    answer = server.http.post(path.replace("{table}", table.url), json=body, headers=bearer(server.admin))
    said = answer.json()
    assert (answer.status_code, said["code"], said["errors"][0]["pointer"]) == (400, "unknown-field", pointer)


@pytest.mark.parametrize("button", ["start", "last-round", "void"])
def test_a_button_takes_no_field(table: Seated, button: str):
    answer = table.post(f"/{button}", table.host, {"now": True})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown-field")


@pytest.mark.parametrize("player", ["a\0b", "\ud800", "\udfff tail", "\0"])
def test_text_that_cannot_be_kept_is_refused(server: Server, player: str):
    table = server.table(seats_more=1)
    sent = {**bearer(server.admin), "Content-Type": "application/json"}
    answer = server.http.post(f"{table.url}/seats", content=json.dumps({"player": player}).encode(), headers=sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-value")
    assert answer.json()["errors"][0]["pointer"] == "/player"


@pytest.mark.parametrize("name", ["חתול", "🃏🂡", "a\u202eb", "x" * 100, "\\u0000 in letters", " "])
def test_any_other_text_comes_back_unchanged(server: Server, name: str):
    table = server.table(name=name)
    assert table.get("").json()["name"] == name


@pytest.mark.parametrize("name", ["", "x" * 101])
def test_a_name_beyond_its_length_is_refused(server: Server, name: str):
    answer = server.http.post(
        "/v1/games", json={"game": "shithead", "seats": 2, "name": name}, headers=bearer(server.admin)
    )
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/name")


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 400), ("application/json; charset=utf-8", 400), ('APPLICATION/JSON; charset="UTF-8"', 400),
        ("application/json; charset=iso-8859-1", 415), ("application/json; charset=utf-16", 415), ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415), ("multipart/form-data; boundary=x", 415), ("application/xml", 415),
        ("", 415), ("application/jsonx", 415), ("application/problem+json", 415),
    ],
)  # fmt: skip
def test_only_json_in_utf8_is_read(table: Seated, kind: str, status: int):
    assert send(table, b'{"type":"nothing"}', **{"Content-Type": kind}).status_code == status


def test_a_compressed_body_is_not_read(table: Seated):
    answer = send(table, b"{}", **{"Content-Encoding": "gzip"})
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-media-type")


def test_a_body_may_have_64_kib_and_no_byte_more(table: Seated):
    filled = b'{"type":"nothing"}'.ljust(BODY_BYTES_MAX)
    assert send(table, filled).json()["code"] == "invalid-value"
    answer = send(table, filled + b" ")
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


def test_a_body_sent_in_pieces_is_bounded_too(table: Seated):
    pieces = (b" " * 1_024 for _ in range(200))
    sent = {**bearer(table.seats[0]), "Content-Type": "application/json"}
    answer = table.http.post(f"{table.url}/moves", content=pieces, headers=sent)
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


def test_nesting_is_counted_outside_of_strings_only():
    assert not too_deep(b"[" * JSON_DEPTH_MAX + b"]" * JSON_DEPTH_MAX)
    assert too_deep(b"[" * (JSON_DEPTH_MAX + 1))
    assert not too_deep(b'"' + b"[" * 100 + b'"')
    assert not too_deep(b'"\\"' + b"{" * 100 + b'"')
    assert too_deep(b'"\\\\"' + b"{" * 33)
    assert not too_deep(b"[]" * 100)


@pytest.mark.parametrize(
    ("path", "pointer"), [("", ""), (".a", "/a"), (".a[0].b", "/a/0/b"), (".a[...]", "/a/..."), (".a/b~", "/a~1b~0")]
)
def test_a_path_becomes_a_pointer(path: str, pointer: str):
    assert pointer_of(path) == pointer


def test_a_pointer_to_a_missing_field_ends_in_its_name():
    problem = problem_of("Object missing required field `seats` - at `$.deep[1]`")
    assert [fault.pointer for fault in problem.errors] == ["/deep/1/seats"]


def test_a_body_that_fits_is_read_as_its_type():
    assert read(b'{"player":"me","seat":1}', SitAsked) == SitAsked(player="me", seat=1)
    with pytest.raises(Problem, match="malformed-json"):
        read(b'{"player":"me","player":"you"}', SitAsked)
