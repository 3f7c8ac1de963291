"""A referee at a table of Totem: fouls reported and taken back, a dead heat decided; and who is no referee."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
import pytest

from tests.api.server import Seated, Server, bearer
from tests.api.test_walkthrough import Recorder
from tests.api.totem import CALM

HELD = {**CALM, "refereed": True, "dead_heat_ms": 1_000, "referee_window_ms": 600_000}
DECK_FIRST = ["s01-purple", "s01-green", "s02-purple"]


@pytest.fixture
def referee(server: Server) -> str:
    return server.key("referee")


def table_of(server: Server, rules: dict[str, Any], **more: Any) -> Seated:
    """Three seats; the tops of 0 and 1 match once they are turned up."""
    from domain.games import GAMES

    game = GAMES["totem"]
    pack = game.pack(game.rules(**rules), 3)
    rest = sorted((card for card in pack if card not in DECK_FIRST), key=lambda card: not card.startswith("s"))
    decks = {"decks": [[*DECK_FIRST, *rest]]}
    table = server.table("totem", people=3, rules={"symbols": 18, **rules}, sandbox=decks, **more)
    table.start()
    for seat in (0, 1):
        assert table.post("/moves", table.seats[seat], {"type": "totem.turn_up"}).is_success
    return table


def report(table: Seated, token: str | None, kind: str = "totem_thrown", **more: Any) -> httpx.Response:
    return table.post("/fouls", token, {"kind": kind, **more})


TRIES = 20


def dead_heat(server: Server, hands: ThreadPoolExecutor) -> tuple[Seated, list[Future[httpx.Response]]]:
    """A table before whose referee the grabs of seats 0 and 1 lie; tried again where one comes too late."""
    for _ in range(TRIES):
        table, both = table_of(server, HELD), Barrier(2)

        def grab(table: Seated, both: Barrier, seat: int) -> httpx.Response:
            both.wait(10)
            return table.post("/moves", table.seats[seat], {"type": "totem.grab", "reveal": 2, "fingers": 5})

        grabs = [hands.submit(grab, table, both, seat) for seat in (0, 1)]
        while not any(one.done() for one in grabs):
            if table.get("/view").json()["view"]["board"]["phase"]["phase"] == "refereeing":
                return table, grabs
            time.sleep(0.01)
        for one in grabs:
            one.result(10)
    pytest.fail("two grabs never met")


def test_a_foul_is_reported_and_taken_back(server: Server, referee: str, accept: bool):
    keep, table = Recorder(accept), table_of(server, CALM)
    before = table.get("/view").json()["view"]["board"]
    told = keep("reportFoul", report(table, referee, offender=2))
    assert [line["type"] for line in told["events"]][:2] == ["totem.foul_reported", "totem.cards_taken"]
    after = table.get("/view").json()["view"]["board"]
    assert after["draws"][2] == before["draws"][2] + 2 + before["pot"]
    keep("reverseFoul", table.post("/fouls/reversal", referee))
    again = table.get("/view").json()["view"]["board"]
    assert [again[part] for part in ("draws", "ups", "tops", "pot")] == [
        before[part] for part in ("draws", "ups", "tops", "pot")
    ]
    nothing = table.post("/fouls/reversal", referee)
    assert (nothing.status_code, nothing.json()["ruling"]) == (409, "T-50")


def test_a_referee_decides_a_dead_heat_and_every_grab_has_one_answer(server: Server, referee: str, accept: bool):
    keep = Recorder(accept)
    with ThreadPoolExecutor(2) as hands:
        table, grabs = dead_heat(server, hands)
        assert not any(grab.done() for grab in grabs)
        stranger = table.post("/grips", referee, {"seat": 2, "fingers": 1, "grip_height": 1})
        assert (stranger.status_code, stranger.json()["ruling"]) == (409, "T-45")
        first = keep("enterGrip", table.post("/grips", referee, {"seat": 0, "fingers": 2, "grip_height": 0}))
        assert [line["type"] for line in first["events"]] == ["totem.grip_entered"]
        assert not any(grab.done() for grab in grabs)
        second = table.post("/grips", referee, {"seat": 1, "fingers": 3, "grip_height": 50}).json()
        answers = [grab.result(10).json() for grab in grabs]
    assert [answer["grab"]["answer"] for answer in answers] == ["lost", "won"]
    assert all(answer["events"] == second["events"] for answer in answers)


def test_a_foul_voids_a_dead_heat_and_its_grabs_are_answered(server: Server, referee: str):
    with ThreadPoolExecutor(2) as hands:
        table, grabs = dead_heat(server, hands)
        assert report(table, referee, offender=2).is_success
        assert [grab.result(10).json()["grab"]["answer"] for grab in grabs] == ["void", "void"]


def test_who_is_no_referee_here_reports_nothing(server: Server, referee: str):
    both = server.key("play", "referee")
    table = table_of(server, CALM, key=both)
    expected = {
        both: (403, "conflict-of-interest"),
        table.seats[0]: (403, "wrong-role"),
        table.host: (403, "wrong-role"),
        server.key("play"): (403, "scope-missing"),
        server.key("audit"): (403, "scope-missing"),
        None: (401, "token-missing"),
    }
    before = table.get("").json()["version"]
    for token, answer in expected.items():
        for path, body in (
            ("/fouls", {"kind": "violence", "offender": 1}),
            ("/fouls/reversal", {}),
            ("/grips", {"seat": 1, "fingers": 1, "grip_height": 1}),
        ):
            refused = table.post(path, token, body)
            assert (refused.status_code, refused.json()["code"]) == answer, (path, token)
    assert table.get("").json()["version"] == before
    assert report(table, referee, "violence", offender=1).is_success


def test_what_is_wrong_with_a_report_is_said(server: Server, referee: str):
    table = table_of(server, CALM)
    wrong = {
        ("needless_grab", 0): (400, "invalid-value"),
        ("violence", 10): (400, "invalid-value"),
        ("violence", 5): (409, "refused"),
        ("violence", None): (409, "refused"),
        ("totem_fell_unknown", 0): (409, "refused"),
    }
    for (kind, offender), answer in wrong.items():
        refused = report(table, referee, kind, **({} if offender is None else {"offender": offender}))
        assert (refused.status_code, refused.json()["code"]) == answer, kind
    unknown = table.post("/fouls", referee, {"kind": "violence", "offender": 0, "note": "x"})
    assert unknown.json()["code"] == "unknown-field"
    other = server.table("shithead")
    other.start()
    elsewhere = report(other, referee, offender=0)
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (400, "invalid-value")


def test_a_report_sent_twice_with_its_key_is_one(server: Server, referee: str):
    table = table_of(server, CALM)
    headers = {**bearer(referee), "Idempotency-Key": "one-report-only-0001"}
    body = {"kind": "blocking", "offender": 0}
    first, again = (table.http.post(f"{table.url}/fouls", json=body, headers=headers) for _ in range(2))
    assert first.json() == again.json()
    assert again.headers["Idempotent-Replayed"] == "true"
