"""A table at which somebody looks, and every surface on which that look may be served."""

from __future__ import annotations

import json
from typing import Any

from domain.hatchatul import moves as m
from domain.lines import sealed
from service.callers import Host, Key, Reader, SeatHolder
from service.tables.answers import Answer, Sandbox
from tests.domain.hatchatul.scenario import stacked
from tests.service.tables.conftest import House, idem

ROWS = [(9, 8, 7, 6), (1, 2, 0, 4)]
IN_TURN = [ROWS[seat][slot] for slot in range(4) for seat in (1, 0)]
DECK = stacked([3, "peek", 5, 4], 2, rows=IN_TURN)
NO_CLOCK = {"turn_timeout_s": 0, "peek_timeout_s": 0, "ready_timeout_s": 0, "rounds": None}
PEEK = idem("the-one-look-" + "x" * 8)
AUDITOR = Key("auditor", ("audit",))


class Peeked:
    """A table of two at which seat 1 has peeked at its slot 3, a 0; and whatever can be asked about that."""

    def __init__(self, house: House, game: str, seats: list[SeatHolder], host: Host, answer: Answer) -> None:
        self.house, self.game, self.seats, self.host, self.answer = house, game, seats, host, answer
        self.version, self.line = answer.version, answer.events[-1]

    def moved_to(self, house: House) -> Peeked:
        """The same table in another process."""
        return Peeked(house, self.game, self.seats, self.host, self.answer)

    async def move(self, seat: int, move: Any, key: Any = None) -> Answer:
        return await self.house.tables.move(self.game, self.seats[seat], move, key, None)

    async def served(self, who: Any) -> dict[str, bool]:
        """On which surfaces the line of that look is served to `who` now; the other bytes are its sealed entry."""
        tables, reader, seq = self.house.tables, Reader(who), self.version
        page = await tables.events(self.game, reader, 0, 1_000)
        found = {"feed": self._served(page.items[seq - 1])}
        if isinstance(who, SeatHolder):
            found["replay"] = who.seat == 1 and self._served((await self.move(1, m.UsePeek(3), PEEK)).events[-1])
        if who is self.seats[1]:
            told = await tables.history(self.game, reader, 1, 0, 1_000)
            heard = next(item.events for item in told.items if item.version == seq)
            found["history"] = self._served(heard[-1])
        head = await tables.view(self.game, reader)
        then = await tables.view(self.game, reader, at=seq)
        if head.version == seq:
            assert head.body == then.body
        found["view"] = [*head.body["view"]["shown"]] == [{"slot": 3, "card": 0}]
        found["view at"] = [*then.body["view"]["shown"]] == [{"slot": 3, "card": 0}]
        return found

    def _served(self, item: bytes) -> bool:
        assert item in (self.line, sealed(self.version, self.line))
        return item == self.line


async def peeked(house: House, **rules: Any) -> Peeked:
    how: dict[str, Any] = {"game": "hatchatul", "rules": {**NO_CLOCK, **rules}, "sandbox": Sandbox((DECK,))}
    game, seats, host = await house.started(2, **how)
    if not rules.get("open_outer"):
        for holder in seats:
            await house.tables.move(game, holder, m.Skip(), None, None)
    await house.tables.move(game, seats[1], m.DrawStock(), None, None)
    answer = await house.tables.move(game, seats[1], m.UsePeek(3), PEEK, None)
    shown = json.loads(answer.events[-1])
    assert (shown["type"], shown["to"], shown["data"]) == ("hatchatul.slot_shown", 1, {"slot": 3, "card": 0})
    return Peeked(house, game, seats, host, answer)


LOOKING = {"feed": True, "replay": True, "history": True, "view": True, "view at": True}
OVER = dict.fromkeys(LOOKING, False)


async def nobody_else(table: Peeked) -> None:
    for who in (table.seats[0], table.host, AUDITOR, Key("stranger", ("play",))):
        assert not any((await table.served(who)).values()), who
