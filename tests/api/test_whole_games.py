"""Whole games through the socket: many bots, every house rule, and a feed that folds to the view it belongs to."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import msgspec
import pytest

from domain.game import Whisper, type_of
from domain.games import GAMES
from domain.lines import NO_LINE, decode, entry_of, line_hash
from domain.table.view import empty_view, see
from service.tables.live import EVENTS, MOVES
from tests.api.server import Seated, Server

Json = dict[str, Any]
END_SECONDS_MAX = 60
HOUSE_RULES = {
    "seven_lower": True,
    "ten_on_seven": True,
    "eight_skips": True,
    "three_transparent": True,
    "three_mode": "mirror",
    "four_sees_through_threes": True,
    "jump_in": True,
    "combine_last_hand": True,
    "voluntary_pickup_blind": True,
    "pickup_adds_open_card": True,
    "open_with_lowest": True,
    "no_special_finish": True,
    "start_tie": "most_threes",
    "next_dealer": "rotate",
    "drinking": True,
    "show_full_pile": False,
    "rounds": 2,
}


def played_out(table: Seated) -> Json:
    """The table resource once the table is over."""
    until = time.monotonic() + END_SECONDS_MAX
    while time.monotonic() < until:
        resource: Json = table.get("", table.host).json()
        if resource["status"] == "ended":
            return resource
        time.sleep(0.05)
    raise AssertionError("the game did not end")


def feed(table: Seated, token: str | None = None, limit: int = 97) -> list[bytes]:
    """Every item of a feed, page by page, as its bytes stand in the answer."""
    items: list[bytes] = []
    after: str | None = "0"
    while after is not None:
        answer = table.get("/events", token, params={"after": after, "limit": limit})
        assert answer.status_code == 200, answer.text
        page = answer.json()
        items += [
            json.dumps(item, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()
            for item in page["items"]
        ]
        after = page["next"]
    return items


def at_one_version(table: Seated) -> tuple[Json, list[bytes]]:
    """Seat 0's view and its feed, read while the table stood still: bots play on, and a look may end in between."""
    for _ in range(100):
        shown = table.get("/view", table.seats[0]).json()
        items = feed(table, table.seats[0])
        if len(items) == shown["version"] == table.get("/view", table.seats[0]).json()["version"]:
            return shown, items
        time.sleep(0.05)
    raise AssertionError("the table never stood still")


def test_six_bots_finish_a_game_with_two_packs(server: Server):
    table = server.table(people=0, bots=6, rules={"rounds": 1})
    table.start()
    ended = played_out(table)
    assert len(ended["seats"]) == 6
    dealt = next(json.loads(item) for item in feed(table) if b'"shithead.dealt"' in item)
    assert dealt["data"]["decks"] == 2
    assert dealt["data"]["stock"] == 104 - 54
    result = ended["results"][0]
    assert result["cause"] == "stalemate" or len(result["places"]) == 5


def test_five_bots_finish_two_rounds_with_every_house_rule_on(server: Server):
    table = server.table(people=0, bots=5, rules=HOUSE_RULES)
    table.start()
    ended = played_out(table)
    assert len(ended["results"]) == 2
    assert {name: ended["rules"][name] for name in HOUSE_RULES} == HOUSE_RULES
    told = {json.loads(item)["type"] for item in feed(table)}
    assert {"shithead.blind_turned", "shithead.pile_burnt", "shithead.sips_taken"} <= told


@pytest.mark.parametrize("game", GAMES)
def test_the_feed_read_by_a_seat_verifies_link_by_link_and_folds_to_that_seats_view(server: Server, game):
    table = server.table(game, people=1, bots=2)
    table.start()
    for _ in range(12):
        listed = table.moves(0)
        if table.status() == "ended":
            break
        if listed["items"]:
            table.post("/moves", table.seats[0], listed["items"][0])
        else:
            table.moves(0, after=listed["version"], wait=2)
    shown, items = at_one_version(table)
    head, heard, sealed = NO_LINE, [], 0
    created = decode(items[0])
    rules, size = created.data["rules"], created.data["seats"]
    for seq, item in enumerate(items, start=1):
        read = json.loads(item)
        assert read["seq"] == seq
        if read.get("sealed"):
            head, sealed = read["hash"], sealed + 1
            continue
        assert read["prev"] == head
        head = line_hash(item)
        heard.append(entry_of(decode(item), EVENTS, MOVES).event)
    assert head == shown["head"]
    assert (sealed > 0) == (shown["status"] != "ended"), "only the end opens everything"
    view = empty_view(GAMES[game], msgspec.convert(rules, GAMES[game].rules), size, 0)
    for event in heard:
        if not (isinstance(event, Whisper) and event.to != 0):
            view = see(view, event)
    folded = msgspec.json.decode(msgspec.json.encode(view.inner))
    folded.pop("game", None)
    expected = dict(shown["view"])
    expected.pop("game", None)
    assert folded == expected
    assert type_of(heard[0]) == "table.created"


def test_once_the_round_is_over_everybody_reads_everything_and_the_hashes_still_hold(server: Server):
    table = server.table(people=1, bots=2)
    table.start()
    before = [json.loads(item) for item in feed(table)]
    sealed = {item["seq"]: item["hash"] for item in before if item.get("sealed")}
    assert len(sealed) >= 5
    table.server.http.request("DELETE", f"{table.url}/seats/0", headers={"Authorization": f"Bearer {table.seats[0]}"})
    played_out(table)
    after = feed(table)
    assert not [item for item in after if b'"sealed"' in item]
    for seq, hash_ in sealed.items():
        assert line_hash(after[seq - 1]) == hash_
    opened = table.get("/view", params={"at": 20, "as": "open"})
    assert opened.status_code == 200
    assert httpx.codes.is_success(table.get("/view", params={"at": 20, "as": "seat:0"}).status_code)


def test_a_round_that_still_runs_shows_nobody_the_whole_or_another_seat(server: Server):
    table = server.table(people=2)
    table.start()
    for token in (None, table.seats[0], table.host):
        for as_ in ("open", "seat:1"):
            answer = table.get("/view", token, params={"as": as_})
            assert (answer.status_code, answer.json()["ruling"]) == (409, "G-05")
