"""`kupa ledger`: balances and a statement for people and programs, added up again, and found out when they do not."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest

from service.terminal import places
from service.terminal.ledger import prove
from service.terminal.places import Place
from tests.terminal.conftest import Server
from tests.terminal.test_replay import kupa


@pytest.fixture(scope="module")
def table(server: Server) -> dict[str, Any]:
    """A table of Kishpa of one person and two bots, some turns old, opened by a key that does not audit."""
    key = server.call("POST", "/v1/keys", server.key, json={"scopes": ["play"]})["key"]
    asked = {"game": "kishpa", "seats": 3, "rules": {"turn_timeout_s": 0, "exposure_timeout_s": 0}}
    opened = server.call("POST", "/v1/games", key, json=asked)
    path, host = f"/v1/games/{opened['id']}", opened["host_token"]
    sat = server.call("POST", f"{path}/seats", host, json={"player": "me"})
    for _ in range(2):
        server.call("POST", f"{path}/seats", host, json={"bot": "normal"})
    server.call("POST", f"{path}/start", host)
    load = {"Authorization": f"Bearer {sat['seat_token']}", "Idempotency-Key": "a-load-at-the-terminal"}
    import httpx

    assert httpx.post(server.url + path + "/loads", headers=load, timeout=20).is_success
    return {"id": opened["id"], "seat": sat["seat_token"], "key": key}


def test_an_auditor_sees_the_balances_of_a_table(environment, table):
    shown = kupa(environment, "ledger", table["id"])
    assert shown.exit_code == 0, shown.stderr
    assert re.search(r"bank +4 +\d+ +6050 +-6050", shown.stdout)
    assert "added up again" in shown.stdout
    assert "why" not in shown.stdout


def test_a_statement_tells_each_transfer_with_its_reason_in_both_languages(environment, table):
    shown = kupa(environment, "ledger", table["id"], "--account", "seat:0")
    assert "A load that was asked for: the bank pays seat 0 50 tokens (K-80)." in shown.stdout
    assert re.search(r"seat:0: balance \d+, start 2000, loads 50, net [+-]\d+ = [+-]\d+ ILS", shown.stdout)
    hebrew = kupa(environment, "ledger", table["id"], "--account", "seat:0", "--lang", "he")
    assert "טעינה שהתבקשה" in hebrew.stdout
    assert "סוכמו שוב" in hebrew.stdout


def test_who_sits_at_the_table_sees_the_own_statement(environment, table, server: Server, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", environment["XDG_STATE_HOME"])
    seat = Place(server=server.url, game=table["id"], kind="kishpa", seat=0, seat_token=table["seat"])
    places.keep(seat)
    told = json.loads(kupa(environment | {"KUPA_KEY": table["key"]}, "ledger", table["id"], "--json").stdout)
    assert told["statement"]["account"] == "seat:0"
    assert told["checked"] == {"transfers": told["checked"]["transfers"], "adds_up": True, "fault": None}
    assert len(told["statement"]["items"]) >= 3
    assert told["trial_balance"]["sum"] == 0


def test_a_key_that_neither_sits_there_nor_audits_is_refused(environment, table):
    said = kupa(environment | {"KUPA_KEY": table["key"]}, "ledger", table["id"], "--json")
    assert said.exit_code == 4
    assert json.loads(said.stderr)["problem"]["code"] == "scope-missing"


def test_a_table_without_tokens_says_so(environment, played):
    assert "No tokens are played for" in kupa(environment, "ledger", played.game).stdout


ROWS = [
    {"seq": 5, "index": 0, "from": "bank", "to": "seat:0", "amount": 50, "from_balance": -50, "to_balance": 50},
    {"seq": 7, "index": 0, "from": "seat:0", "to": "bowl", "amount": 1, "from_balance": 49, "to_balance": 1},
]
BALANCE = {
    "version": 9,
    "sum": 0,
    "items": [
        {"account": "bank", "balance": -50},
        {"account": "bowl", "balance": 1},
        {"account": "seat:0", "balance": 49},
    ],
}


def test_a_sound_ledger_is_proved():
    assert prove(ROWS, BALANCE).fault is None
    newer = {"seq": 10, "index": 0, "from": "x", "to": "y", "amount": 1, "from_balance": 7, "to_balance": 7}
    assert prove([*ROWS, newer], BALANCE).transfers == 2, "what came after the trial balance is not part of it"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda rows, _: rows[1].update(to_balance=2), "transfer 0 of line 7 has other balances"),
        (lambda rows, _: rows[1].update(amount=2), "transfer 0 of line 7 has other balances"),
        (lambda rows, _: rows.pop(), "bowl comes to another balance"),
        (lambda _, balance: balance["items"][1].update(balance=2), "bowl comes to another balance"),
        (lambda _, balance: balance["items"].pop(1), "the trial balance lacks bowl"),
        (lambda _, balance: balance.update(sum=1), "not 0 together"),
    ],
)
def test_a_ledger_that_does_not_add_up_is_found_out(change, fault):
    rows, balance = copy.deepcopy(ROWS), copy.deepcopy(BALANCE)
    change(rows, balance)
    assert fault in str(prove(rows, balance).fault)
