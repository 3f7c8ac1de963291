"""The tokens over HTTP: loads, pages, statements, balances at any version, exports, players, and the road back."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from domain.games import GAMES
from tests.api.server import Json, Seated, Server, bearer
from tests.api.test_walkthrough import Recorder, check

MOVES_MAX = 600
ENGLISH, HEBREW = "pays", "אסימו"


def keyed(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key.ljust(16, "0")}


def load(table: Seated, seat: int, key: str, **more: Any) -> httpx.Response:
    return table.post("/loads", table.seats[seat], headers=keyed(key), **more)


def play(table: Seated, chance: random.Random) -> None:
    """The whole evening, by the lists."""
    for _ in range(MOVES_MAX):
        resource = table.get("").json()
        if resource["status"] != "running":
            return
        if not resource["to_act"]:
            table.moves(0, after=resource["version"], wait=5)
            continue
        seat = resource["to_act"][0]
        items = table.moves(seat)["items"]
        ready = [move for move in items if move["type"] == "table.ready"]
        answer = table.post("/moves", table.seats[seat], (ready or [chance.choice(items)])[0])
        assert answer.is_success, answer.text
    pytest.fail(f"not over after {MOVES_MAX} moves")


@pytest.fixture(scope="module")
def played(server: Server) -> Seated:
    """A table of Kishpa for three, with loads before and during it, played to its end."""
    table = server.table("kishpa", people=3, rules={"rounds": 3, "max_turns_per_round": 9}, key=server.key("play"))
    assert load(table, 1, "before-the-start").status_code == 200
    table.start()
    assert load(table, 2, "in-the-first-round").status_code == 200
    play(table, random.Random(6))
    return table


def read(table: Seated, path: str, seat: int = 0, **query: Any) -> Json:
    answer = table.get(f"/ledger{path}", table.seats[seat], params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["etag"].strip('"').isdigit()
    found: Json = answer.json()
    return found


def pages(table: Seated, path: str, limit: int) -> list[Json]:
    found: list[Json] = []
    query: dict[str, Any] = {"limit": limit}
    while True:
        page = read(table, path, **query)
        found += page["items"]
        if page["next"] is None:
            return found
        query["after"] = page["next"]


def statements(table: Seated) -> dict[str, list[Json]]:
    accounts = [item["account"] for item in read(table, "/accounts")["items"]]
    return {account: pages(table, f"/accounts/{account}/statement", 25) for account in accounts}


def lines(table: Seated) -> list[Json]:
    feed = table.get("/events", table.seats[0], headers={"Accept": "application/x-ndjson"})
    return [json.loads(line) for line in feed.content.splitlines()]


# loads


def test_a_load_needs_a_key_and_is_booked_once_for_it(server: Server, accept: bool):
    table = server.table("kishpa", rules={"rounds": None}, key=server.key("play"))
    bare = table.post("/loads", table.seats[1])
    assert (bare.status_code, bare.json()["code"]) == (400, "idempotency-key-missing")
    first = load(table, 1, "one-load-only")
    Recorder(accept)("loadTokens", first)
    again = load(table, 1, "one-load-only")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.content == first.content
    (line,) = first.json()["events"]
    assert line["type"] == "kishpa.tokens_loaded"
    assert [(row["to"], row["amount"], row["round"]) for row in read(table, "")["items"]] == [("seat:1", 50, 0)]


def test_twenty_loads_at_once_are_twenty(server: Server):
    table = server.table("kishpa", rules={"rounds": None}, key=server.key("play"))
    with ThreadPoolExecutor(20) as many:
        answers = [*many.map(lambda n: load(table, n % 2, f"parallel-{n:02}"), range(20))]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["version"] for answer in answers}) == 20
    assert read(table, "/accounts/bank/statement")["balance"] == -1_000
    assert len(read(table, "")["items"]) == 20


@pytest.mark.parametrize(
    "body",
    [{"amount": -600}, {"amount": 0}, {"amount": 0.5}, {"tokens": "100"}, {"seat": 1}, {"amount": 2**63}, [], None, 50],
)
def test_f_7_nobody_names_the_amount_of_a_load(server: Server, body: Any):
    table = server.table("kishpa", rules={"rounds": None}, key=server.key("play"))
    raw = json.dumps(body)
    answer = table.http.post(
        f"{table.url}/loads",
        content=raw,
        headers={**bearer(table.seats[0]), **keyed("wrong-body"), "Content-Type": "application/json"},
    )
    assert answer.status_code == 400
    assert read(table, "")["items"] == []


def test_f_7_a_load_by_the_moves_call_is_no_move(server: Server):
    table = server.table("kishpa", rules={"rounds": None}, key=server.key("play"))
    table.start()
    answer = table.post("/moves", table.seats[0], {"type": "kishpa.load"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-value")
    assert all(move["type"] != "kishpa.load" for move in table.moves(0)["items"])


def test_a_table_without_tokens_takes_no_load_and_has_no_accounts(server: Server):
    table = server.table(key=server.key("play"))
    answer = load(table, 0, "what-for")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-value")
    assert read(table, "/accounts")["items"] == []
    assert read(table, "")["items"] == []
    assert read(table, "/trial-balance")["sum"] == 0
    assert table.get("/ledger/accounts/bank/statement", table.seats[0]).status_code == 404
    assert table.get("/ledger/export", table.seats[0]).status_code == 200


def test_a_load_after_the_end_is_refused_with_its_clause(played: Seated):
    answer = load(played, 0, "too-late")
    assert (answer.status_code, answer.json()["ruling"]) == (409, "G-12")


# reading


def test_pages_of_the_ledger_joined_are_the_whole_ledger(played: Seated, accept: bool):
    whole = read(played, "", limit=500)
    Recorder(accept)("readLedger", played.get("/ledger", played.seats[0]))
    assert len(whole["items"]) >= 3 + 2 + 3 * 3, "starting tokens, loads, contributions"
    assert whole["next"] is None
    assert pages(played, "", 7) == whole["items"]
    places = [(item["seq"], item["index"]) for item in whole["items"]]
    assert places == sorted(set(places))


def test_a_statement_runs_from_nothing_to_the_balance_and_explains_each_transfer(played: Seated, accept: bool):
    Recorder(accept)("readStatement", played.get("/ledger/accounts/seat:1/statement", played.seats[0]))
    Recorder(accept)("listAccounts", played.get("/ledger/accounts", played.seats[0]))
    for account in read(played, "/accounts")["items"]:
        statement = read(played, f"/accounts/{account['account']}/statement", limit=500)
        balance = 0
        for item in statement["items"]:
            balance += item["amount"]
            assert item["balance"] == balance
            assert item["worth"] == 2 * item["amount"]
            assert item["clause"] in item["explanation"]["en"]
            assert ENGLISH in item["explanation"]["en"]
            assert HEBREW in item["explanation"]["he"]
        assert statement["balance"] == balance == account["balance"]
        assert len(statement["items"]) == account["transfers"]


def test_k_79_a_statement_shows_shekels_at_two_a_token_and_the_net_of_start_and_loads(played: Seated):
    for seat, loads in ((0, 0), (1, 50), (2, 50)):
        statement = read(played, f"/accounts/seat:{seat}/statement")
        assert (statement["start"], statement["loads"]) == (2_000, loads)
        assert statement["net"] == statement["balance"] - 2_000 - loads
        worth = {"currency": "ILS", "per_token": 2, "balance": 2 * statement["balance"], "net": 2 * statement["net"]}
        assert statement["worth"] == worth
        result = played.get("").json()["results"][-1]["statements"][seat]
        assert (statement["balance"], statement["net"], statement["worth"]["net"]) == (
            result["balance"],
            result["net"],
            result["net_ils"],
        )
    assert read(played, "/accounts/bowl/statement")["net"] is None


def test_f_5_the_trial_balance_adds_up_at_every_version_and_grows_with_the_lines(played: Seated, accept: bool):
    Recorder(accept)("readTrialBalance", played.get("/ledger/trial-balance", played.seats[0]))
    version = played.get("").json()["version"]
    heads = {}
    for at in range(1, version + 1, 3):
        found = read(played, "/trial-balance", at=at)
        assert found["sum"] == 0
        assert found["received"] == found["paid"]
        assert sum(item["balance"] for item in found["items"]) == 0
        bowl = next(item for item in found["items"] if item["account"] == "bowl")
        assert bowl["balance"] >= 0
        heads[at] = found["head"]
    said = {line["seq"]: line for line in lines(played)}
    assert all(said[at + 1]["prev"] == head for at, head in heads.items() if at < version)
    assert read(played, "/trial-balance") == read(played, "/trial-balance", at=version)


@pytest.mark.parametrize("at", ["0", "99999", "x", "1.5", "-1"])
def test_a_version_that_is_not_there_is_a_wrong_value(played: Seated, at: str):
    answer = played.get("/ledger/trial-balance", played.seats[0], params={"at": at})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-value")


@pytest.mark.parametrize("after", ["1", "x-1", "1-", "-1-1", "99999999999999999999-1", "1-1 "])
def test_a_cursor_that_leads_nowhere_is_told_so(played: Seated, after: str):
    for path in ("/ledger", "/ledger/accounts/bank/statement"):
        answer = played.get(path, played.seats[0], params={"after": after})
        assert (answer.status_code, answer.json()["code"]) == (400, "cursor-invalid")


@pytest.mark.parametrize("account", ["seat:3", "seat:01", "house", "Bank", "seat:-1", "seat:0x", "bank%00"])
def test_an_account_that_is_not_there_is_not_found(played: Seated, account: str):
    assert played.get(f"/ledger/accounts/{account}/statement", played.seats[0]).status_code in (400, 404)


def test_every_payment_can_be_traced_from_the_statement_to_its_line_and_clause_and_back(played: Seated):
    rulebook = played.http.get("/v1/rulebooks/kishpa").json()
    clauses = {clause["id"] for clause in rulebook["clauses"]}
    said = {line["seq"]: line for line in lines(played)}
    told: Counter[tuple[int, int, str]] = Counter()
    for account, items in statements(played).items():
        for item in items:
            line = said[item["seq"]]
            transfer = line["data"]["transfers"][item["index"]]
            payer, payee = (item["other"], account) if item["amount"] > 0 else (account, item["other"])
            assert (transfer["from"], transfer["to"]) == (payer, payee)
            assert transfer["amount"] == abs(item["amount"])
            assert (transfer["code"], transfer["clause"], line["at"]) == (item["code"], item["clause"], item["at"])
            assert item["clause"] in clauses
            told[item["seq"], item["index"], account] += 1
    back = {
        (seq, index, account)
        for seq, line in said.items()
        for index, transfer in enumerate(line["data"].get("transfers", ()))
        for account in (transfer["from"], transfer["to"])
    }
    assert set(told) == back
    assert set(told.values()) == {1}


def test_the_ledgers_answers_fit_the_document(played: Seated):
    from tests.api.test_document import OPERATIONS

    asked = {
        "readLedger": "/ledger",
        "listAccounts": "/ledger/accounts",
        "readStatement": "/ledger/accounts/bowl/statement",
        "readTrialBalance": "/ledger/trial-balance",
    }
    for name, path in asked.items():
        schema = OPERATIONS[name]["responses"]["200"]["content"]["application/json"]["schema"]
        check(played.get(path, played.seats[0]).json(), schema)


# exports


@pytest.mark.parametrize(
    ("form", "media", "suffix"),
    [
        ("hledger", "text/plain", "journal"),
        ("beancount", "text/plain", "beancount"),
        ("csv", "text/csv", "csv"),
        ("ndjson", "application/x-ndjson", "ndjson"),
    ],
)
def test_an_export_holds_every_transfer_under_its_name(played: Seated, form: str, media: str, suffix: str):
    answer = played.get("/ledger/export", played.seats[0], params={"format": form})
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == media
    assert answer.headers["content-disposition"] == f'attachment; filename="{played.id}.{suffix}"'
    rows = read(played, "", limit=500)["items"]
    text = answer.text
    if form == "csv":
        listed = [*csv.DictReader(io.StringIO(text))]
        assert [(int(each["seq"]), each["from"], int(each["to_balance"])) for each in listed] == [
            (row["seq"], row["from"], row["to_balance"]) for row in rows
        ]
    elif form == "ndjson":
        assert [json.loads(line) for line in text.splitlines()] == [{"game": played.id, **row} for row in rows]
    else:
        count = {"hledger": text.count(" * ("), "beancount": text.count(' * "')}[form]
        assert count == len(rows)


def test_a_kind_of_file_that_is_not_there_is_a_wrong_value(played: Seated):
    answer = played.get("/ledger/export", played.seats[0], params={"format": "xlsx"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-value")


# players


def test_a_key_reads_the_ledger_of_its_own_player_by_label_and_by_id_over_all_tables(server: Server, accept: bool):
    key = server.key("play")
    first = server.table("kishpa", people=2, rules={"rounds": None}, key=key)
    second = server.table("kishpa", people=2, rules={"rounds": None}, key=key)
    scripted = server.table("kishpa", people=2, rules={"rounds": None}, key=key, sandbox={})
    for number, table in enumerate((first, second, scripted)):
        assert load(table, 0, f"players-load-{number}").status_code == 200
    player = first.get("").json()["seats"][0]["player"]
    by_label = server.http.get("/v1/players/player 0/ledger", headers=bearer(key))
    Recorder(accept)("readPlayerLedger", by_label)
    by_id = server.http.get(f"/v1/players/{player}/ledger", headers=bearer(key))
    assert by_label.json() == by_id.json()
    found = by_id.json()
    assert (found["player"], found["balance"]) == (player, 100)
    assert [item["game"] for item in found["items"]] == [first.id, second.id]
    assert [item["explanation"]["en"] for item in found["items"]] == [
        "A load that was asked for: the bank pays seat 0 50 tokens (K-80)."
    ] * 2
    page = server.http.get(f"/v1/players/{player}/ledger", params={"limit": 1}, headers=bearer(key)).json()
    rest = server.http.get(f"/v1/players/{player}/ledger", params={"after": page["next"]}, headers=bearer(key)).json()
    assert page["items"] + rest["items"] == found["items"]
    assert rest["next"] is None


def test_another_keys_player_is_not_found_and_an_auditor_reads_all_by_their_id(server: Server):
    key = server.key("play")
    table = server.table("kishpa", people=2, rules={"rounds": None}, key=key)
    load(table, 1, "somebody-elses-load")
    player = table.get("").json()["seats"][1]["player"]
    stranger = server.http.get(f"/v1/players/{player}/ledger", headers=bearer(server.key("play")))
    assert (stranger.status_code, stranger.json()["code"]) == (404, "not-found")
    assert server.http.get("/v1/players/player 1/ledger", headers=bearer(server.key("play"))).status_code == 404
    auditor = server.http.get(f"/v1/players/{player}/ledger", headers=bearer(server.key("audit")))
    assert auditor.json()["balance"] == 50
    seat = server.http.get(f"/v1/players/{player}/ledger", headers=bearer(table.seats[1]))
    assert (seat.status_code, seat.json()["code"]) == (403, "wrong-role")


def test_an_auditor_who_sits_at_the_table_does_not_audit_it_while_it_runs(server: Server):
    table = server.table("kishpa", key=server.key("play", "audit"), rules={"rounds": None})
    answer = table.get("/ledger", table.key)
    assert (answer.status_code, answer.json()["code"]) == (403, "conflict-of-interest")


# the last round's button


def test_ks_68_the_button_is_the_creators_and_pressed_twice_says_the_same(server: Server):
    table = server.table("kishpa", people=3, rules={"rounds": None}, key=server.key("play"))
    table.start()
    other = table.post("/last-round", table.seats[1])
    assert (other.status_code, other.json()["code"]) == (403, "wrong-role")
    first = table.post("/last-round", table.seats[0])
    load(table, 2, "between-two-presses")
    again = table.post("/last-round", table.seats[0], headers=keyed("second-press"))
    by_host = table.post("/last-round", table.host)
    assert [answer.status_code for answer in (first, again, by_host)] == [200, 200, 200]
    assert first.content == again.content == by_host.content
    assert first.headers["etag"] == again.headers["etag"]
    assert [line.get("type") for line in lines(table)].count("table.last_round_called") == 1
    assert table.post("/last-round", table.seats[1]).status_code == 403


def test_kishpa_is_the_game_that_is_played_for_tokens():
    assert [name for name, game in GAMES.items() if game.tokens] == ["kishpa"]
