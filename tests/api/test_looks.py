"""Memory is the game, over HTTP (G-06): where a look is heard, by whom, for how long."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from domain.games import GAMES
from domain.lines import decode, sealed
from tests.api.server import Json, Seated, Server, bearer
from tests.api.surfaces import Listening, surfaces
from tests.domain.hatchatul.scenario import stacked

ROWS = [(9, 8, 7, 6), (1, 2, 0, 4)]
IN_TURN = [ROWS[seat][slot] for slot in range(4) for seat in (1, 0)]
KEY = {"Idempotency-Key": "one-look-and-no-other"}
NO_CLOCK = {"turn_timeout_s": 0, "peek_timeout_s": 0, "ready_timeout_s": 0, "rounds": None}


Listen = Callable[..., Listening]


@pytest.fixture
def listen() -> Iterator[Listen]:
    """Listens to a table until the test is over."""
    with ExitStack() as listening:
        yield lambda *where: listening.enter_context(Listening(*where))


class Peeked:
    """A table of two at which seat 1 peeked at its slot 3, a 0, and everybody listened."""

    def __init__(self, server: Server, listen: Listen, *stock: Any, **rules: Any) -> None:
        deck = stacked([3, "peek", *stock], 2, rows=IN_TURN)
        rules = {**NO_CLOCK, "max_turns_per_round": None, **rules}
        self.table: Seated = server.table("hatchatul", rules=rules, sandbox={"decks": [deck]})
        self.table.start()
        self.play(0, "skip")
        self.play(1, "skip")
        self.play(1, "draw_stock")
        self.listening = {who: listen(self.table, who) for who in (*self.table.seats, None)}
        self.answer = self.post(1, "use_peek", slot=3)
        assert self.answer.status_code == 200, self.answer.text
        self.version: int = self.answer.json()["version"]
        said = json.loads(self.answer.content)["events"][-1]
        assert (said["type"], said["data"]) == ("hatchatul.slot_shown", {"slot": 3, "card": 0})
        self.salt = said["salt"].encode()
        """Only the line of the look has it: where it stands, the look is told."""
        self.line = next(item for item in self.ndjson(1) if self.salt in item)
        self.sealed = sealed(self.version, self.line)

    def post(self, seat: int, move: str, **fields: Any) -> httpx.Response:
        body = {"type": f"hatchatul.{move}", **fields}
        return self.table.post("/moves", self.table.seats[seat], body, headers=KEY if move == "use_peek" else {})

    def play(self, seat: int, *moves: str, **fields: Any) -> Json:
        said: Json = {}
        for move in moves:
            answer = self.post(seat, move, **fields)
            assert answer.status_code == 200, answer.text
            said = answer.json()
        return said

    def ndjson(self, seat: int) -> list[bytes]:
        headers = {"Accept": "application/x-ndjson"}
        return self.table.get("/events", self.table.seats[seat], headers=headers).content.splitlines()

    def telling(self, token: str | None) -> set[str]:
        """The surfaces that tell `token` the look now; the feeds hold its sealed entry otherwise."""
        head = int(self.table.get("").json()["version"])
        found = surfaces(self.table, token, 2, head)
        telling = {name for name, answer in found.items() if self.salt in answer.content}
        if found["view"].json()["view"]["shown"]:
            telling.add("view")
        shown = {name for name in found if name.startswith("at ") and found[name].json()["view"]["shown"]}
        telling |= {"view at" if name == f"at {self.version}" else name for name in shown}
        with Listening(self.table, token) as lines, Listening(self.table, token, after=None) as snapshot:
            stream, hello = lines.until(head).lines(), snapshot.until(head).lines()
        telling |= {"stream"} if self.salt in stream else set()
        telling |= {"hello"} if b'"slot":3,"card":0' in hello else set()
        for name in ("pages", "ndjson"):
            assert (self.sealed in found[name].content) == (name not in telling)
        assert (self.sealed in stream) == ("stream" not in telling)
        return telling


NOW = {"view", "view at", "pages", "ndjson", "history 1", "stream", "hello"}


def test_while_it_lasts_a_look_is_told_on_every_surface_of_its_seat_and_on_no_others(server: Server, listen: Listen):
    peeked = Peeked(server, listen)
    seats = peeked.table.seats
    assert peeked.telling(seats[1]) == NOW
    auditor = server.key("audit")
    for who in (seats[0], None, peeked.table.host, auditor):
        assert peeked.telling(who) == set()
    for who, listening in peeked.listening.items():
        heard = listening.until(peeked.version).lines()
        assert (peeked.salt in heard, peeked.sealed in heard) == (who == seats[1], who != seats[1])


def test_once_it_is_over_a_look_is_told_nowhere_and_a_stream_begun_again_has_it_sealed(server: Server, listen: Listen):
    peeked = Peeked(server, listen)
    peeked.play(1, "end_turn")
    for who in (*peeked.table.seats, None, peeked.table.host, server.key("audit")):
        assert peeked.telling(who) == set()
    again = listen(peeked.table, peeked.table.seats[1], peeked.version - 1)
    assert peeked.sealed in again.until(peeked.version + 1).lines()


def test_c9_the_retry_of_a_lost_answer_has_the_same_bytes_until_the_look_is_over(server: Server, listen: Listen):
    peeked = Peeked(server, listen)
    again = peeked.post(1, "use_peek", slot=3)
    assert (again.status_code, again.content) == (200, peeked.answer.content)
    assert again.headers["idempotent-replayed"] == "true"
    other = peeked.post(1, "use_peek", slot=2)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")
    for slot in (3, 2):
        body = {"type": "hatchatul.use_peek", "slot": slot}
        new = peeked.table.post(
            "/moves", peeked.table.seats[1], body, headers={"Idempotency-Key": f"another-look-at-{slot}"}
        )
        assert (new.status_code, new.json()["code"], new.json()["ruling"]) == (409, "refused", "H-32")
        assert peeked.salt not in new.content
    peeked.play(1, "end_turn")
    late = peeked.post(1, "use_peek", slot=3)
    assert (late.status_code, late.headers["idempotent-replayed"]) == (200, "true")
    assert late.content == peeked.answer.content.replace(peeked.line, peeked.sealed)
    assert peeked.salt not in late.content


def test_a_call_to_the_table_by_the_creators_seat_ends_its_look_everywhere(server: Server):
    deck = stacked([3, 5, 6], 2, rows=IN_TURN)
    table = server.table("hatchatul", rules={**NO_CLOCK, "max_turns_per_round": None}, sandbox={"decks": [deck]})
    table.start()
    for seat, move in ((1, "skip"), (0, "peek_start")):
        assert table.post("/moves", table.seats[seat], {"type": f"hatchatul.{move}"}).status_code == 200
    assert len(table.get("/view", table.seats[0]).json()["view"]["shown"]) == 2
    before = table.get("/view", table.seats[0]).json()["version"]
    assert table.post("/last-round", table.seats[0]).status_code == 200
    view = table.get("/view", table.seats[0])
    assert view.json()["view"]["shown"] == []
    assert table.get(f"/view?at={before}", table.seats[0]).json()["view"]["shown"] == []
    assert b"outer_cards_shown" not in table.get("/events", table.seats[0]).content


def test_the_clocks_move_for_a_seat_ends_its_look_everywhere(server: Server, listen: Listen):
    peeked = Peeked(server, listen, turn_timeout_s=2)
    seat = peeked.table.seats[1]
    assert "view" in peeked.telling(seat)
    peeked.table.moves(0, after=peeked.version, wait=10)
    assert peeked.telling(seat) == set()


def test_once_its_round_is_open_everybody_reads_the_look_where_it_lay(server: Server, listen: Listen):
    peeked = Peeked(server, listen)
    table = peeked.table
    for path in ("/view?as=seat:1", "/view?as=open", "/seats/1/history"):
        closed = table.get(path, table.seats[0])
        assert (closed.status_code, closed.json()["ruling"]) == (409, "G-05"), path
    peeked.play(1, "knock")
    peeked.play(0, "draw_stock", "throw", "end_turn")
    for who in table.seats:
        for path in ("/events?limit=1000", "/seats/1/history?limit=1000"):
            assert peeked.line in table.get(path, who).content
        assert peeked.salt not in table.get("/seats/0/history?limit=1000", who).content
        then = table.get(f"/view?at={peeked.version}&as=seat:1", who).json()["view"]
        assert then["shown"] == [{"slot": 3, "card": 0}]
        open_view = table.get(f"/view?at={peeked.version}&as=open", who).json()["view"]
        assert open_view["seats"][1]["shown"] == [{"slot": 3, "card": 0}]
    assert decode(peeked.line).seq == peeked.version


@pytest.mark.parametrize("game", GAMES)
def test_before_any_round_is_open_nobody_looks_from_anothers_place(server: Server, game: str):
    table = server.table(game)
    for started in (False, True):
        if started:
            table.start()
        for who in (*table.seats, table.host, None):
            for eye in ("open", *(f"seat:{n}" for n, token in enumerate(table.seats) if token != who)):
                for at in ("", "at=1&"):
                    closed = table.get(f"/view?{at}as={eye}", who)
                    assert (closed.status_code, closed.json()["ruling"]) == (409, "G-05"), (started, eye, at)
        for n, token in enumerate(table.seats):
            assert table.get(f"/view?as=seat:{n}", token).json()["seat"] == n


def test_h_07_with_the_memory_aid_a_look_stays_with_its_seat(server: Server, listen: Listen):
    peeked = Peeked(server, listen, 4, memory_aid=True)
    peeked.play(1, "end_turn")
    assert peeked.telling(peeked.table.seats[1]) == NOW - {"view", "hello"}
    assert peeked.telling(peeked.table.seats[0]) == set()
    view = peeked.table.get("/view", peeked.table.seats[1]).json()["view"]
    assert (view["shown"], view["known"]) == ([], [None, None, 0, None])


WRONG: list[tuple[str, Any]] = [
    ("one card more", [*stacked([3]), 9]),
    ("one card less", stacked([3])[:-1]),
    ("a card twice", [*stacked([3])[:-1], stacked([3])[0]]),
    ("numbers as text", [str(card) for card in stacked([3])]),
    ("a card of no game", [*stacked([3])[:-1], "queen"]),
]


@pytest.mark.parametrize("deck", [deck for _, deck in WRONG], ids=[name for name, _ in WRONG])
def test_a_sandbox_deck_that_is_not_the_pack_is_422(server: Server, deck: Any):
    body = {"game": "hatchatul", "seats": 2, "sandbox": {"decks": [deck]}}
    answer = server.http.post("/v1/games", json=body, headers=bearer(server.admin))
    assert (answer.status_code, answer.json()["code"]) == (422, "deck-invalid")
    assert answer.json()["errors"][0]["pointer"] == "/sandbox/decks"


@pytest.mark.parametrize("card", [-1, 100, 1.5, True, None, ["peek"]], ids=str)
def test_what_is_no_card_at_all_is_400(server: Server, card: Any):
    body = {"game": "hatchatul", "seats": 2, "sandbox": {"decks": [[card, *stacked([3])[1:]]]}}
    answer = server.http.post("/v1/games", json=body, headers=bearer(server.admin))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-value")
