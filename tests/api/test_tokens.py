"""Bearer tokens: which are good, which are dead, and what nobody learns from a bad one."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from service.auth import SECRET_DIGITS, Minter, server_key
from service.problems import Problem
from service.settings import Settings
from tests.api.server import Server, bearer, settings


def test_the_old_token_of_a_seat_is_dead_when_a_new_one_was_given(server: Server):
    table = server.table()
    table.start()
    assert table.get("/moves", table.seats[0]).status_code == 200
    new = table.post("/seats/0/token", table.key).json()["seat_token"]
    old = table.get("/moves", table.seats[0])
    assert (old.status_code, old.json()["code"]) == (401, "token-revoked")
    assert table.get("/moves", new).status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "kupa_key_x_y", "Bearer", "Basic YTpi", "Bearer kupa_key_00_00", "Bearer nonsense",
        "Bearer kupa_seat_" + "0" * 32 + "_" + "0" * 48, "Bearer " + "x" * 5_000,
    ],
)  # fmt: skip
def test_a_malformed_or_unknown_token_is_one_and_the_same_401(http: httpx.Client, header: str):
    answer = http.get("/v1/games", headers={"Authorization": header})
    assert (answer.status_code, answer.json()["code"]) == (401, "token-invalid")
    assert answer.json()["detail"] == "The token is malformed or unknown."
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_with_another_kind_or_a_changed_secret_is_unknown(server: Server):
    for wrong in (
        server.admin.replace("kupa_key", "kupa_seat"),
        server.admin[:-1] + ("0" if server.admin[-1] != "0" else "1"),
    ):
        assert server.http.get("/v1/keys", headers=bearer(wrong)).status_code == 401


def test_a_freed_seat_has_no_token_and_whoever_sits_next_has_another(server: Server):
    table = server.table(seats_more=1)
    freed = table.seats[1]
    assert server.http.delete(f"{table.url}/seats/1", headers=bearer(table.host)).status_code == 200
    dead = table.get("/view", freed)
    assert (dead.status_code, dead.json()["code"]) == (401, "token-revoked")
    assert table.sit("somebody else").json()["seat"] == 1
    assert table.seats[-1] != freed
    assert table.get("/view", freed).status_code == 401


def test_a_seat_that_left_after_the_start_still_reads(server: Server):
    table = server.table(people=3)
    table.start()
    assert server.http.delete(f"{table.url}/seats/2", headers=bearer(table.seats[2])).status_code == 200
    assert table.get("/view", table.seats[2]).json()["seat"] == 2
    refused = table.post("/moves", table.seats[2], {"type": "shithead.ready"})
    assert (refused.status_code, refused.json()["ruling"]) == (409, "G-09")


def test_a_revoked_key_is_dead_at_once_and_its_tables_go_on(server: Server):
    made = server.http.post("/v1/keys", json={"scopes": ["play"]}, headers=bearer(server.admin)).json()
    table = server.table(key=made["key"])
    assert server.http.delete(f"/v1/keys/{made['id']}", headers=bearer(server.admin)).json()["revoked"]
    again = server.http.post("/v1/games", json={"game": "shithead", "seats": 2}, headers=bearer(made["key"]))
    assert (again.status_code, again.json()["code"]) == (401, "token-revoked")
    table.start()


def test_only_hashes_of_secrets_lie_in_the_store(server: Server):
    table = server.table(visibility="private")
    with closing(sqlite3.connect(server.settings.folder / "kupa.sqlite3")) as database:
        kept = "\n".join(database.iterdump())
    for text in (server.admin, table.host, *table.seats, f"_{table.invite}"):
        secret = text.rpartition("_")[2]
        assert secret not in kept
        assert hashlib.sha256(secret.encode()).hexdigest() in kept


def test_the_same_id_gives_the_same_token_and_another_server_key_another():
    here, there = Minter(b"a" * 32), Minter(b"b" * 32)
    assert here.text("seat", "1") == Minter(b"a" * 32).text("seat", "1")
    texts = {here.text("seat", "1"), there.text("seat", "1"), here.text("host", "1"), here.text("seat", "2")}
    assert len({text.rpartition("_")[2] for text in texts}) == 4
    assert len(here.text("seat", "1").rpartition("_")[2]) == SECRET_DIGITS


def test_the_server_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path):
    made = server_key(settings(tmp_path))
    assert server_key(settings(tmp_path)) == made
    assert (tmp_path / "server.key").stat().st_mode & 0o777 == 0o600
    assert server_key(Settings(data_dir=str(tmp_path), server_key="ab" * 32)) == bytes([0xAB] * 32)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"scopes": []}, "invalid-value"),
        ({"scopes": ["root"]}, "invalid-value"),
        ({"scopes": "play"}, "invalid-value"),
        ({"scopes": ["play", "play"]}, "invalid-value"),
        ({"scopes": ["play"], "expires": "2020-01-01T00:00:00.000000Z"}, "invalid-value"),
        ({"scopes": ["play"], "expires": "2099-02-31T00:00:00.000000Z"}, "invalid-value"),
        ({"scopes": ["play"], "expires": "tomorrow"}, "invalid-value"),
        ({"scopes": ["play"], "owner": "me"}, "unknown-field"),
        ({}, "invalid-value"),
    ],
)
def test_a_key_that_cannot_be_is_not_made(server: Server, asked: dict[str, object], code: str):
    answer = server.http.post("/v1/keys", json=asked, headers=bearer(server.admin))
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_a_key_that_expires_later_works_until_then(server: Server):
    key = server.key("play", expires="2099-01-01T00:00:00.000000Z")
    assert server.http.get("/v1/games", params={"mine": "true"}, headers=bearer(key)).status_code == 200


def test_a_problem_knows_only_codes_of_the_closed_list():
    with pytest.raises(KeyError):
        _ = Problem("made-up", "no").status


def test_a_list_of_moves_that_was_waited_for_is_not_given_to_a_token_that_died_meanwhile(server: Server):
    table = server.table()
    table.start()
    version = table.moves(0)["version"]
    answers: list[httpx.Response] = []
    query = {"after": version, "wait": 10}
    waiting = threading.Thread(target=lambda: answers.append(table.get("/moves", table.seats[0], params=query)))
    waiting.start()
    time.sleep(0.3)
    renewed = table.post("/seats/0/token", table.key)
    assert renewed.status_code == 201
    table.post("/moves", table.seats[1], {"type": "shithead.ready"})
    waiting.join()
    assert (answers[0].status_code, answers[0].json()["code"]) == (401, "token-revoked")
