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

STORY_SECONDS_MAX = 60
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


class Still(Court):
    """A house in which time stands still until a test lets it go on (`wait`): so nothing falls due by itself."""

    def __init__(self, store: Any, *, several: bool = True) -> None:
        self._time = clock.now()
        super().__init__(store, several=several)

    @property
    def time(self) -> str:
        return self._time

    @time.setter
    def time(self, time: str) -> None:
        self._time = max(self._time, time)


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
            link = self.tables.published.connect(self.game, seat)
            for _ in range(5):
                link.ping(rtt)


def said(answer: Answer) -> str:
    """What a grab was answered."""
    return str(answer.extra["grab"]["answer"])


async def cards(match: Match) -> int:
    """How many cards there are at the table."""
    state = await match.state()
    return sum(len(pile) for pile in GAMES["totem"].zones(state).values())


async def lie_undecided(match: Match, count: int) -> None:
    """Wait until so many grabs are committed."""
    async with asyncio.timeout(10):
        while len(await match.house.store.grabs(match.game)) < count:  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.001)


Story = Callable[[Any], Awaitable[None]]


@pytest.fixture
def tell(place: Place) -> Callable[..., None]:
    """Tell stories one after the other, each in a process of its own over the same store."""
    return telling(place, Court)


@pytest.fixture
def tell_still(place: Place) -> Callable[..., None]:
    """The same in houses in which time stands still."""
    return telling(place, Still)


def telling(place: Place, kind: type[Court]) -> Callable[..., None]:
    def tell(*stories: Story) -> None:
        def at_court(story: Story) -> Callable[[Any], Awaitable[None]]:
            return lambda store: asyncio.wait_for(
                story(kind(store, several=place.kind == "postgres")), STORY_SECONDS_MAX
            )

        place.run(*map(at_court, stories))

    return tell
