"""Two tables that differ only where others cannot look: over HTTP they are one and the same to everybody else.

Seats 0 and 1 look, swap, use a Draw Two and reshuffle; in the second world their hidden cards, the seed and so the
reshuffled stock are others. Seat 2, a spectator and the host get the same on every surface at every version.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle
from typing import Any

import pytest

from domain.hatchatul.pack import PACK
from tests.api.server import Json, Seated, Server
from tests.api.surfaces import Listening, plain, surfaces, told

SEATS, OBSERVER = 6, 2
RULES: Json = {
    "turn_timeout_s": 0,
    "peek_timeout_s": 0,
    "ready_timeout_s": 0,
    "max_turns_per_round": None,
    "take_dead_action": True,
}
Command = tuple[int, Json]


def move(name: str, **fields: Any) -> Json:
    return {"type": f"hatchatul.{name}", **fields}


DRAW, END, THROW = move("draw_stock"), move("end_turn"), move("throw")
ROWS: dict[int, list[Any]] = {
    0: [0, 1, 2, 3],
    1: [4, 5, 6, 7],
    2: [8, 9, 9, 9],
    3: ["peek", 9, 8, "swap"],
    4: ["peek", 9, 9, "swap"],
    5: ["draw2", 9, 9, "draw2"],
}
STOCK: list[Any] = [5, "peek", 0, 1, 2, "swap", 0, 1, 2, 3, "draw2", 8]
"""The upcard, then what is drawn in turn; the 8 is kept, unseen by others. The rest of the pack follows."""
HIDDEN = [(0, 1), (0, 2), (1, 3), (1, 4)]
"""Seat and slot of the cards that change places in the second world: looked at, peeked at, swapped."""


def deck(rows: dict[int, list[Any]], stock: list[Any]) -> list[Any]:
    """A whole pack in dealing order, from the dealer's left: seat 0 deals."""
    dealt = [rows[seat][slot] for slot in range(4) for seat in (1, 2, 3, 4, 5, 0)]
    rest = list(PACK)
    for card in (*dealt, *stock):
        rest.remove(card)
    return [*dealt, *stock, *rest]


def worlds() -> tuple[list[Any], list[Any]]:
    """The same table twice; in the second each hidden card, the one drawn and kept included, lies elsewhere."""
    cards = [*(ROWS[seat][slot - 1] for seat, slot in HIDDEN), STOCK[-1]]
    assert len({*cards}) == len(cards)
    moved = cards[1:] + cards[:1]
    rows = {seat: [*row] for seat, row in ROWS.items()}
    for (seat, slot), card in zip(HIDDEN, moved, strict=False):
        rows[seat][slot - 1] = card
    return deck(ROWS, STOCK), deck(rows, [*STOCK[:-1], moved[-1]])


def script() -> Iterator[Command]:
    """Who does what, until a draw of the reshuffled stock was kept and another card taken from the pile."""
    yield from ((seat, move("peek_start" if seat <= OBSERVER else "skip")) for seat in range(SEATS))
    yield from ((1, DRAW), (1, move("use_peek", slot=3)), (1, END))
    yield from ((2, move("take_discard", slot=2)), (2, END))
    yield from idle(3, 4, 5)
    yield from ((0, DRAW), (0, move("use_swap", mine=2, seat=1, theirs=4)), (0, END))
    yield from ((1, move("take_discard", slot=2)), (1, END))
    yield from idle(2, 3, 4, 5)
    yield from ((0, DRAW), (0, move("use_draw_two")), (0, move("take_discard", slot=4)))
    yield from ((0, DRAW), (0, move("place", slot=3)), (0, END))
    drawn = len(STOCK) - 1
    seats = cycle((1, 2, 3, 4, 5, 0))
    for _ in range(len(PACK) - 4 * SEATS - 1 - drawn):
        yield from idle(next(seats))
    first = next(seats)
    yield from ((first, DRAW), (first, move("place", slot=1)), (first, END))  # here the pile becomes the stock
    second = next(seats)
    yield from ((second, move("take_discard", slot=1)), (second, END))
    third = next(seats)
    yield from ((third, DRAW), (third, move("place", slot=2)), (third, END))


def idle(*seats: int) -> Iterator[Command]:
    """Turns on which a card is drawn and thrown."""
    for seat in seats:
        yield from ((seat, DRAW), (seat, THROW), (seat, END))


class World:
    """One of the two tables, with everybody else listening."""

    def __init__(self, server: Server, cards: list[Any], seed: str, held: ExitStack) -> None:
        sandbox = {"decks": [cards], "server_seed": seed}
        self.table: Seated = server.table("hatchatul", people=SEATS, rules=RULES, sandbox=sandbox)
        readers: dict[str, str | None] = {
            "seat": self.table.seats[OBSERVER],
            "spectator": None,
            "host": self.table.host,
        }
        self.readers = readers
        self.listening = {who: held.enter_context(Listening(self.table, token)) for who, token in readers.items()}
        self.heard = 0
        self.table.start()

    def play(self, seat: int, body: Json) -> tuple[int, int]:
        """Make a move; its status and the version after it."""
        answer = self.table.post("/moves", self.table.seats[seat], body)
        assert answer.status_code == 200, answer.text
        return answer.status_code, int(answer.json()["version"])

    def glance(self, since: int) -> dict[str, Any]:
        """What everybody else can get at each version, and the refusals that the observer meets."""
        found: dict[str, Any] = {}
        paths = ("", "/view", f"/events?after={since}", f"/view?at={since}", "/seats/2/history", "/seats/0/history")
        for who, token in self.readers.items():
            found |= {f"{who} {path}": told(self.table.get(path, token)) for path in paths}
        seat = self.readers["seat"]
        found["moves"] = told(self.table.get("/moves", seat))
        for body in (move("waive"), move("use_swap", mine=1, seat=0, theirs=1), move("use_peek", slot=1)):
            refusal = self.table.post("/moves", seat, body)
            assert refusal.status_code == 409
            found[f"refusal {body}"] = told(refusal)
        return found

    def everything(self, version: int) -> dict[str, Any]:
        """What everybody else can get in all, at all versions up to this one."""
        found: dict[str, Any] = {}
        for who, token in self.readers.items():
            got = surfaces(self.table, token, SEATS, version)
            found |= {f"{who} {name}": told(answer) for name, answer in got.items()}
        return found

    def streamed(self, version: int) -> dict[str, bytes]:
        """What the live feeds brought, up to this version."""
        return {who: plain(feed.until(version).lines()) for who, feed in self.listening.items()}


@pytest.fixture(scope="module")
def both(server: Server) -> Iterator[tuple[World, World]]:
    first, second = worlds()
    with ExitStack() as held:
        yield World(server, first, "11" * 32, held), World(server, second, "22" * 32, held)


def test_hs_56_to_everybody_else_two_worlds_are_one_on_every_surface_at_every_version(both: tuple[World, World]):
    here, there = both
    before = int(here.table.get("").json()["version"])
    steps = list(script())
    assert here.everything(before) == there.everything(before)
    differed = set()
    for number, (seat, body) in enumerate(steps):
        version, other = here.play(seat, body), there.play(seat, body)
        assert version == other
        assert here.glance(before) == there.glance(before), f"after step {number}, {body}"
        own = [world.table.get("/view", world.table.seats[seat]).json()["view"]["shown"] for world in both]
        if own[0] != own[1]:
            differed.add(body["type"].removeprefix("hatchatul."))
        before = version[1]
    assert here.everything(before) == there.everything(before)
    assert here.streamed(before) == there.streamed(before)
    assert {"peek_start", "use_peek", "use_swap", "draw_stock"} <= differed, "those who looked saw two worlds"
    pages = here.table.get("/events?limit=1000").json()["items"]
    types = [line.get("type") for line in pages]
    for kind in ("peek_used", "cards_swapped", "draw_two_used", "stock_reshuffled"):
        assert types.count(f"hatchatul.{kind}") == 1, kind


def test_b3_the_reshuffled_stock_and_the_top_of_the_pile_add_up(both: tuple[World, World]):
    for world in both:
        lines = world.table.get("/events?limit=1000").json()["items"]
        shuffled = next(line["data"] for line in lines if line.get("type") == "hatchatul.stock_reshuffled")
        assert shuffled == {"count": 1, "cards": len(PACK) - 4 * SEATS - 1}
        view = world.table.get("/view").json()["view"]
        in_rows = sum(map(len, view["rows"]))
        assert view["stock"] + view["discard_count"] + in_rows == len(PACK)
        assert len({line.get("data", {}).get("id") for line in lines} - {None}) == 0, "no card has an id"
