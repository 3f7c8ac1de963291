from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest

from service.terminal.connection import Connection
from service.terminal.trouble import Exit, ServerSaid, Trouble, Unreachable
from tests.terminal.small_server import CUT, Asked, Says, small_server


def connection(url: str, **more: Any) -> Connection:
    return Connection(url, "kupa_seat_a_b", sleep=lambda _seconds: None, **more)


def problem(status: int, code: str, **more: Any) -> Says:
    return Says(status, {"status": status, "code": code, "detail": f"It is {code}.", **more})


def scripted(*script: Says):
    return lambda _asked, count: script[min(count, len(script) - 1)]


def test_a_write_whose_answer_was_lost_is_sent_again_with_the_same_key_and_body():
    with small_server(scripted(CUT, CUT, Says(body={"version": 7}))) as server:
        with closing(connection(server.url)) as line:
            assert line.post("/v1/games/x/moves", {"type": "a.b"}).body == {"version": 7}
        assert len(server.asked) == 3
        assert len({asked.headers["idempotency-key"] for asked in server.asked}) == 1
        assert {asked.body for asked in server.asked} == {server.asked[0].body}
        assert json.loads(server.asked[0].body) == {"type": "a.b"}
        assert {asked.headers["authorization"] for asked in server.asked} == {"Bearer kupa_seat_a_b"}


def test_two_writes_have_two_keys():
    with small_server(scripted(Says(body={}))) as server, closing(connection(server.url)) as line:
        line.post("/a")
        line.post("/a")
        assert len({asked.headers["idempotency-key"] for asked in server.asked}) == 2


@pytest.mark.parametrize(
    ("status", "code"),
    [(409, "request-in-progress"), (409, "table-busy"), (429, "rate-limited"), (500, "internal"), (503, "unavailable")],
)
def test_a_problem_that_passes_is_asked_again(status, code):
    with small_server(scripted(problem(status, code), Says(body={"ok": True}))) as server:
        with closing(connection(server.url)) as line:
            assert line.post("/a").body == {"ok": True}
        assert len(server.asked) == 2


def test_retry_after_is_obeyed():
    slept: list[float] = []
    answers = scripted(Says(503, {"code": "unavailable"}, {"Retry-After": "3"}), Says(body={}))
    with small_server(answers) as server, closing(Connection(server.url, sleep=slept.append)) as line:
        line.get("/a")
    assert slept == [3.0]


def test_a_gateway_without_its_server_is_an_outage():
    heard: list[bool] = []
    answers = scripted(Says(502, "bad gateway"), Says(body={}))
    with small_server(answers) as server, closing(connection(server.url, told=heard.append)) as line:
        line.get("/a")
    assert heard == [False, True]


@pytest.mark.parametrize(
    ("status", "code"), [(409, "refused"), (401, "token-revoked"), (404, "not-found"), (412, "version-stale")]
)
def test_a_problem_that_stays_is_told_at_once(status, code):
    with small_server(scripted(problem(status, code, ruling="S-40"))) as server:
        with closing(connection(server.url)) as line, pytest.raises(ServerSaid) as said:
            line.post("/a")
        assert len(server.asked) == 1
    assert (said.value.code, said.value.ruling, said.value.detail) == (code, "S-40", f"It is {code}.")
    assert said.value.exit_code == Exit.REFUSED


def test_patience_ends():
    with closing(connection("http://127.0.0.1:9", patience=0.0)) as line, pytest.raises(Unreachable) as end:
        line.get("/a")
    assert end.value.exit_code == Exit.UNREACHABLE
    assert "127.0.0.1:9" in end.value.message


def test_the_loss_and_the_return_of_the_line_are_told_once_each():
    heard: list[bool] = []
    answers = scripted(CUT, CUT, CUT, Says(body={}))
    with small_server(answers) as server, closing(connection(server.url, told=heard.append)) as line:
        line.get("/a")
        line.get("/a")
    assert heard == [False, True]


def test_an_answer_that_is_no_json_is_a_fault():
    def html(_asked: Asked, _count: int) -> Says:
        return Says(chunks=(b"<html>",))

    with small_server(html) as server, closing(connection(server.url)) as line, pytest.raises(Trouble) as end:
        line.get("/a")
    assert end.value.exit_code == Exit.FAULT


def test_a_replayed_answer_says_so():
    answers = scripted(Says(body={}, headers={"Idempotent-Replayed": "true"}))
    with small_server(answers) as server, closing(connection(server.url)) as line:
        assert line.post("/a").replayed
