"""Tables of Totem in a service whose clock is the real one, with a match on the table when a test wants it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from domain.games import GAMES
from domain.totem.moves import Grab, TurnUp
from service import clock
from service.callers import SeatHolder
from service.tables.answers import Answer, Sandbox
from tests.service.store.conftest import Place, on_postgres, on_sqlite, place
from tests.service.tables.conftest import House

__all__ = ["Place", "on_postgres", "on_sqlite", "place"]

CALM = {"min_flip_interval_ms": 0, "turn_timeout_ms": 0, "choice_timeout_ms": 0, "settle_ms": 0}
"""Table rules under which no clock runs."""
PAIR = ("s01-purple", "s01-green", "s02-purple", "s03-purple")
"""The first cards of seats 0 and 1 match; from seat 2 on they do not."""


class Court(House):
    """A house in which time is what it is."""

    @property
    def time(self) -> str:
        return clock.now()

    @time.setter
    def time(self, _: str) -> None:
        """It is set by nobody."""

    async def dealt(self, seats: int = 3, tops: Sequence[str] = PAIR, **rules: Any) -> Match:
        """A sandbox table whose seats will turn up `tops` one after the other."""
        made = GAMES["totem"].rules(**{**CALM, **rules})
        rest = [card for card in GAMES["totem"].pack(made, seats) if card not in tops]
        rest.sort(key=lambda card: not card.startswith("s"))  # arrows come late
        deck = (*tops[:seats], *rest, *tops[seats:])
        how: dict[str, Any] = {"rules": {**CALM, **rules}, "sandbox": Sandbox((deck,))}
        game, holders, _ = await self.started(seats, game="totem", **how)
        return Match(self, game, holders)

    async def matched(self, seats: int = 3, **rules: Any) -> Match:
        """The same with a match on the table: seats 0 and 1 have turned up the same symbol."""
        match = await self.dealt(seats, **rules)
        for seat in (0, 1):
            await match.turn_up(seat)
        return match


class Match:
    """One table of Totem and its seats."""

    def __init__(self, house: House, game: str, seats: list[SeatHolder]) -> None:
        self.house, self.tables, self.game, self.seats = house, house.tables, game, seats

    async def turn_up(self, seat: int, idem: Any = None) -> Answer:
        return await self.tables.move(self.game, self.seats[seat], TurnUp(), idem, None)

    def grab(
        self, seat: int, reveal: int = 2, idem: Any = None, tables: Any = None, **more: Any
    ) -> asyncio.Task[Answer]:
        """Hand a grab in; its answer comes when it is judged."""
        move = Grab(reveal, **more)
        return asyncio.create_task((tables or self.tables).move(self.game, self.seats[seat], move, idem, None))

    async def state(self) -> Any:
        live = await self.tables.registry.fresh(self.game)
        assert live.table is not None
        return live.table.state

    async def version(self) -> int:
        return int(await self.house.store.version(self.game))

    async def lines(self, kind: str = "") -> list[dict[str, Any]]:
        """The lines of the table whose type begins like this."""
        stored = [json.loads(line.line) for line in await self.house.store.lines(self.game)]
        return [line for line in stored if line["type"].startswith(kind)]

    def slow(self, *seats: int, rtt: int = 100) -> None:
        """Let it be known that these seats have a long way, so that a decision waits for them."""
        for seat in seats:
            for _ in range(5):
                self.tables.published.ping(self.game, seat, rtt)


def said(answer: Answer) -> str:
    """What a grab was answered."""
    return str(answer.extra["grab"]["answer"])


async def cards(match: Match) -> int:
    """How many cards there are at the table."""
    state = await match.state()
    return sum(len(pile) for pile in GAMES["totem"].zones(state).values())


Story = Callable[[Court], Awaitable[None]]


@pytest.fixture
def tell(place: Place) -> Callable[..., None]:
    """Tell stories one after the other, each in a process of its own over the same store."""

    def telling(*stories: Story) -> None:
        def at_court(story: Story) -> Callable[[Any], Awaitable[None]]:
            return lambda store: story(Court(store, several=place.kind == "postgres"))

        place.run(*map(at_court, stories))

    return telling
