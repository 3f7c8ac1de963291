"""Opening tables: rules of the wrong shape are 400, rules that make no game 422, each with a pointer."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from domain.games import GAMES
from service.web.limits import DECKS_BYTES_MAX
from tests.api.server import Server, bearer, settings

PACK = list(GAMES["shithead"].pack(GAMES["shithead"].rules(), 2))


def open_table(server: Server, **asked: Any) -> httpx.Response:
    return server.http.post("/v1/games", json={"game": "shithead", "seats": 2, **asked}, headers=bearer(server.admin))


@pytest.mark.parametrize(
    ("asked", "code", "pointer"),
    [
        ({"rules": {"turn_timeout_s": -1}}, "invalid-value", "/rules/turn_timeout_s"),
        ({"rules": {"decks": 3}}, "invalid-value", "/rules/decks"),
        ({"rules": {"jump_in": "yes"}}, "invalid-value", "/rules/jump_in"),
        ({"rules": None}, "invalid-value", "/rules"),
        ({"seats": 0}, "invalid-value", "/seats"),
        ({"seats": "2"}, "invalid-value", "/seats"),
        ({"seats": 2.0}, "invalid-value", "/seats"),
        ({"seats": 2**53}, "invalid-value", "/seats"),
        ({"game": "chess"}, "invalid-value", "/game"),
        ({"game": None}, "invalid-value", "/game"),
        ({"visibility": "secret"}, "invalid-value", "/visibility"),
        ({"sandbox": {"server_seed": "00"}}, "invalid-value", "/sandbox/server_seed"),
    ],
)
def test_a_wrong_shape_is_400(server: Server, asked: Any, code: str, pointer: str):
    answer = open_table(server, **asked)
    said = answer.json()
    assert (answer.status_code, said["code"], said["errors"][0]["pointer"]) == (400, code, pointer)


@pytest.mark.parametrize(
    ("asked", "code", "pointer"),
    [
        ({"seats": 1}, "rules-invalid", "/seats"),
        ({"seats": 12}, "rules-invalid", "/seats"),
        ({"seats": 6, "rules": {"decks": 1}}, "rules-invalid", "/rules/decks"),
        ({"seats": 4, "rules": {"max_players": 3}}, "rules-invalid", "/seats"),
        ({"rules": {"three_mode": "mirror"}}, "rules-invalid", "/rules/three_mode"),
        ({"sandbox": {"decks": [["3S"]]}}, "deck-invalid", "/sandbox/decks"),
        ({"sandbox": {"decks": [PACK[1:] + PACK[1:2]]}}, "deck-invalid", "/sandbox/decks"),
        ({"sandbox": {"decks": [PACK] * 100}}, "deck-invalid", "/sandbox/decks"),
    ],
)
def test_what_makes_no_game_is_422(server: Server, asked: Any, code: str, pointer: str):
    answer = open_table(server, **asked)
    said = answer.json()
    assert (answer.status_code, said["code"], said["errors"][0]["pointer"]) == (422, code, pointer)


def test_an_unknown_game_is_answered_with_those_there_are(server: Server):
    assert all(name in open_table(server, game="chess").json()["detail"] for name in GAMES)


def test_a_sandbox_table_deals_the_named_order_and_says_what_it_is(server: Server):
    table = server.table(sandbox={"decks": [PACK]}, rules={"first_dealer": "seat0"})
    assert table.opened["sandbox"] is True
    table.start()
    hand = table.get("/view", table.seats[1]).json()["view"]["hand"]
    assert sorted(hand) == sorted([PACK[12], PACK[14], PACK[16]])
    assert table.get("").json()["sandbox"] is True


def test_as_many_decks_as_fit_a_line_open_a_table(server: Server):
    decks = [PACK] * (DECKS_BYTES_MAX // (len(str(PACK)) - 50))
    assert open_table(server, sandbox={"decks": decks}).status_code == 201


def test_the_operator_can_switch_sandbox_tables_off(tmp_path):
    with Server(settings(tmp_path, sandbox=False)) as strict:
        answer = open_table(strict, sandbox={})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/sandbox")
        assert open_table(strict).status_code == 201


def test_opening_answers_with_the_table_where_it_is_and_its_tokens(server: Server):
    answer = open_table(server, visibility="private", name="ours")
    made = answer.json()
    assert answer.headers["Location"] == f"/v1/games/{made['id']}"
    assert answer.headers["ETag"] == f'"{made["version"]}"'
    assert made["host_token"].startswith("kupa_host_")
    assert len(made["invite"]) >= 32
    resource = server.http.get(answer.headers["Location"], headers=bearer(made["host_token"])).json()
    assert {name: made[name] for name in resource} == resource


def test_the_directory_lists_public_tables_newest_first_page_by_page(server: Server):
    key = server.key("play")
    ids = [server.table(key=key).id for _ in range(5)]
    hidden = server.table(key=key, visibility="private").id
    found: list[str] = []
    after, pages = None, 0
    while pages == 0 or after:
        query: dict[str, str] = {"mine": "true", "limit": "2"} | ({"after": after} if after else {})
        page = server.http.get("/v1/games", params=query, headers=bearer(key)).json()
        found += [entry["id"] for entry in page["items"]]
        after, pages = page["next"], pages + 1
    assert (found, pages) == ([hidden, *reversed(ids)], 3)
    public = server.http.get("/v1/games", params={"limit": 1_000}).json()["items"]
    assert hidden not in [entry["id"] for entry in public]
    assert set(ids) <= {entry["id"] for entry in public}


def test_the_directory_finds_by_game_and_status(server: Server):
    table = server.table()
    table.start()
    running = server.http.get("/v1/games", params={"status": "running", "game": "shithead", "limit": 1_000}).json()
    assert table.id in [entry["id"] for entry in running["items"]]
    assert {entry["status"] for entry in running["items"]} == {"running"}


def test_a_seat_holder_has_no_tables_of_its_own_to_list(server: Server):
    table = server.table()
    for token, status in ((table.seats[0], 403), (None, 401)):
        answer = server.http.get("/v1/games", params={"mine": "true"}, headers=bearer(token) if token else {})
        assert answer.status_code == status


def test_g14_a_sandbox_table_is_marked_in_every_answer_and_no_other_is(server: Server):
    for sandbox in (True, False):
        asked: dict[str, Any] = {"sandbox": {}} if sandbox else {}
        table = server.table(people=1, seats_more=1, **asked)
        answers = [table.opened, table.sit("one more").json(), table.start(), table.get("", table.host).json()]
        answers += [table.get("/view", table.seats[0]).json(), table.moves(0)]
        answers.append(table.post("/moves", table.seats[0], {"type": "shithead.ready"}).json())
        assert [bool(answer.get("sandbox")) for answer in answers] == [sandbox] * len(answers)
