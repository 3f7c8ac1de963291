"""Writing twice, writing late, writing what the rules forbid: keys, versions and refusals over HTTP."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import httpx
import pytest

from tests.api.server import Json, Seated, Server, bearer

NUMBERS = count()
READY = {"type": "shithead.ready"}


def fresh() -> dict[str, str]:
    return {"Idempotency-Key": f"key-of-this-test-{next(NUMBERS):04}"}


def started(server: Server) -> Seated:
    table = server.table()
    table.start()
    return table


def version(table: Seated) -> int:
    return int(table.get("").json()["version"])


def test_the_same_key_and_body_get_the_same_answer_and_one_effect(server: Server):
    table, key = started(server), fresh()
    first, again = (table.post("/moves", table.seats[0], READY, headers=key) for _ in range(2))
    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert version(table) == first.json()["version"]


def test_without_a_key_the_rules_refuse_the_second(server: Server):
    table = started(server)
    assert table.post("/moves", table.seats[0], READY).status_code == 200
    refused = table.post("/moves", table.seats[0], READY)
    assert (refused.status_code, refused.json()["code"]) == (409, "refused")


def test_two_at_once_with_one_key_have_one_effect_and_equal_answers(server: Server):
    table, key, line = started(server), fresh(), threading.Barrier(4)

    def send(_: int) -> httpx.Response:
        line.wait()
        return table.post("/moves", table.seats[0], READY, headers=key)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(4)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 3


@pytest.mark.parametrize("other", [{"type": "shithead.pick_up"}, {**READY, "type": "shithead.ready "}])
def test_the_same_key_with_another_body_is_refused(server: Server, other: Json):
    table, key = started(server), fresh()
    assert table.post("/moves", table.seats[0], READY, headers=key).status_code == 200
    answer = table.post("/moves", table.seats[0], other, headers=key)
    assert answer.status_code in (400, 422)
    assert answer.json()["code"] in ("idempotency-key-reused", "invalid-value")


def test_a_body_spelled_otherwise_is_another_request(server: Server):
    table, key = started(server), {**fresh(), **bearer(""), "Content-Type": "application/json"}
    key["Authorization"] = f"Bearer {table.seats[0]}"
    url = f"{table.url}/moves"
    assert server.http.post(url, content=b'{"type":"shithead.ready"}', headers=key).status_code == 200
    answer = server.http.post(url, content=b'{"type": "shithead.ready"}', headers=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency-key-reused")


def test_one_key_of_two_seats_is_two_keys(server: Server):
    table, key = started(server), fresh()
    answers = [table.post("/moves", token, READY, headers=key) for token in table.seats]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert all("Idempotent-Replayed" not in answer.headers for answer in answers)


def test_a_seats_key_outlives_its_token(server: Server):
    table, key = started(server), fresh()
    first = table.post("/moves", table.seats[0], READY, headers=key)
    new = table.post("/seats/0/token", table.key).json()["seat_token"]
    again = table.post("/moves", new, READY, headers=key)
    assert (again.content, again.headers["Idempotent-Replayed"]) == (first.content, "true")


def test_tokens_and_tables_come_again_with_their_key(server: Server):
    body, key = {"game": "shithead", "seats": 2, "visibility": "private"}, fresh()
    opened = [server.http.post("/v1/games", json=body, headers={**bearer(server.admin), **key}) for _ in range(2)]
    assert opened[0].content == opened[1].content
    assert opened[0].headers["Location"] == opened[1].headers["Location"]
    table, key = Seated(server, server.admin, opened[0].json()), fresh()
    sat = [table.post("/seats", table.host, {"player": "Ruth"}, headers=key) for _ in range(2)]
    assert sat[0].json()["seat_token"] == sat[1].json()["seat_token"]
    assert (sat[0].json()["seat"], sat[1].headers["Idempotent-Replayed"]) == (0, "true")


def test_a_refusal_is_kept_with_its_key(server: Server):
    table, key = started(server), fresh()
    play = {"type": "shithead.play", "cards": ["3S"]}
    first, again = (table.post("/moves", table.seats[0], play, headers=key) for _ in range(2))
    assert (first.status_code, first.content) == (409, again.content)
    assert again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize("key", ["short", "x" * 129, "has spaces in it....", "äöüäöüäöüäöüäöüäöü".encode().hex()[:15]])
def test_a_key_of_the_wrong_form_is_refused(server: Server, key: str):
    table = started(server)
    answer = table.post("/moves", table.seats[0], READY, headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "Idempotency-Key")


def test_a_stale_version_is_412_with_the_present_one(server: Server):
    table = started(server)
    now = version(table)
    stale = table.post("/moves", table.seats[0], READY, headers={"If-Match": f'"{now - 1}"'})
    assert (stale.status_code, stale.json()["code"], stale.json()["version"]) == (412, "version-stale", now)
    assert stale.headers["ETag"] == f'"{now}"'
    good = table.post("/moves", table.seats[0], READY, headers={"If-Match": f'"{now}"'})
    assert good.status_code == 200
    assert good.headers["ETag"] == f'"{good.json()["version"]}"'


def test_the_key_is_looked_up_before_the_version(server: Server):
    table, key = started(server), {**fresh(), "If-Match": f'"{12}"'}
    key["If-Match"] = f'"{version(table)}"'
    first, again = (table.post("/moves", table.seats[0], READY, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code, again.content) == (200, 200, first.content)


@pytest.mark.parametrize("tag", ["12", "W/12", '"-1"', '"01"', '"a"', '"1", "2"', ""])
def test_an_if_match_of_the_wrong_form_is_refused(server: Server, tag: str):
    table = started(server)
    answer = table.post("/moves", table.seats[0], READY, headers={"If-Match": tag})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "If-Match")


def test_a_refusal_names_its_clause_and_changes_nothing(server: Server):
    table = started(server)
    before = version(table)
    refused = table.post("/moves", table.seats[0], {"type": "shithead.play", "cards": ["3S"]})
    said = refused.json()
    assert (refused.status_code, said["code"], said["version"]) == (409, "refused", before)
    clauses = {clause["id"] for clause in server.http.get("/v1/rulebooks/shithead").json()["clauses"]}
    assert said["ruling"] in clauses
    assert version(table) == before


def test_a_table_in_the_wrong_status_refuses_by_g_02(server: Server):
    table = server.table()
    early = table.post("/moves", table.seats[0], READY)
    assert (early.status_code, early.json()["ruling"]) == (409, "G-02")
    table.start()
    late = table.post("/start", table.host)
    assert (late.status_code, late.json()["ruling"]) == (409, "G-02")


def test_a_full_table_says_so(server: Server):
    answer = server.table().post("/seats", server.admin, {"player": "late"})
    assert (answer.status_code, answer.json()["code"]) == (409, "table-full")


def test_a_card_not_held_is_refused_in_one_way_wherever_it_lies(server: Server):
    table = started(server)
    for token in table.seats:
        table.post("/moves", token, READY)
    turn = table.get("/view").json()["to_act"][0]
    mine, other = (table.get("/view", table.seats[n]).json()["view"]["hand"] for n in (turn, 1 - turn))
    lies = [
        other[0],
        "ZZ",
        next(card for card in ("9C", "9D", "9H", "9S", "8C", "8D", "8H") if card not in mine + other),
    ]
    said = []
    for card in lies:
        answer = table.post("/moves", table.seats[turn], {"type": "shithead.play", "cards": [card]})
        said.append((answer.status_code, answer.json()["code"], answer.json()["ruling"], {*answer.json()}))
    assert said[0] == said[1] == said[2]


def test_a_long_poll_is_answered_by_the_next_version(server: Server):
    table = started(server)
    now = version(table)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(table.moves, 0, after=now, wait=20)
        assert table.post("/moves", table.seats[1], READY).status_code == 200
        assert waiting.result(timeout=5)["version"] > now


def test_a_long_poll_that_nothing_answers_ends_with_its_time(server: Server):
    table = started(server)
    now = version(table)
    assert table.moves(0, after=now, wait=1)["version"] == now


def test_what_was_written_is_read_at_once(server: Server):
    table = started(server)
    made = table.post("/moves", table.seats[0], READY).json()["version"]
    assert table.get("/view", table.seats[1], params={"min_version": made}).json()["version"] == made
    assert table.get("/view").json()["version"] == made
    late = table.get("/view", params={"min_version": made + 1})
    assert (late.status_code, late.json()["code"], late.headers["Retry-After"]) == (503, "unavailable", "1")


def test_leaving_an_open_table_can_be_sent_again_although_it_killed_its_token(server: Server):
    table = server.table(people=2)
    headers = {**bearer(table.seats[0]), "Idempotency-Key": "leave-this-table-once"}
    first = server.http.delete(f"{table.url}/seats/0", headers=headers)
    again = server.http.delete(f"{table.url}/seats/0", headers=headers)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    for other in ("another-key-altogether", None):
        headers = {**bearer(table.seats[0]), **({"Idempotency-Key": other} if other else {})}
        gone = server.http.delete(f"{table.url}/seats/0", headers=headers)
        assert (gone.status_code, gone.json()["code"]) == (401, "token-revoked")


@pytest.mark.parametrize("body", [b'{"seat":0,"frob":1}', b'{"x":', b"{}"])
def test_a_body_that_would_not_be_read_is_refused(server: Server, body):
    table = server.table(people=2)
    for url, token in ((f"{table.url}/seats/1", table.seats[1]), ("/v1/keys/none", server.admin)):
        headers = {**bearer(token), "Content-Type": "application/json"}
        answer = server.http.request("DELETE", url, content=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "unknown-field")
    assert table.get("", table.host).json()["seats"][1]["player"] is not None
