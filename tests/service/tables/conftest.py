"""A service without its HTTP: tables over a real store, with a clock that tests move."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from domain.times import later
from service.auth import Minter
from service.callers import Host, Key, SeatHolder
from service.dealer import SecretDealer
from service.store.opening import open_store
from service.tables.answers import Answer, Idempotency, OpenRequest, SitRequest
from service.tables.bots import Bots
from service.tables.tables import Tables
from service.tables.timers import Timers
from tests.playing import START
from tests.service.store.conftest import Place, on_postgres, on_sqlite, place

__all__ = ["Place", "on_postgres", "on_sqlite", "place"]

KEY = Key("key-1", ("play",))


class House:
    """One process of the service: tables, bots and clocks over a store."""

    def __init__(self, store: Any, *, several: bool = True) -> None:
        self.time = START
        self.store = store
        self.tables = Tables(store, Minter(bytes(32)), SecretDealer(), lambda: self.time, several=several)
        self.bots = Bots(self.tables)
        self.timers = Timers(self.tables, self.bots.wake)
        self.tables.followers += [self.bots.follow, self.timers.follow]

    def wait(self, seconds: float) -> None:
        self.time = later(self.time, milliseconds=int(seconds * 1000))

    async def open(self, seats: int = 2, game: str = "shithead", **how: Any) -> Answer:
        from domain.games import GAMES

        idem = how.pop("idem", None)
        rules = GAMES[game].rules(**how.pop("rules", {}))
        return await self.tables.open(KEY, OpenRequest(game=game, rules=rules, seats=seats, **how), idem)

    async def started(self, seats: int = 2, bots: int = 0, **how: Any) -> tuple[str, list[SeatHolder], Host]:
        """A table with its seats taken (bots last), started."""
        game = (await self.open(seats, **how)).game
        host = Host(game, KEY.id)
        holders = []
        for n in range(seats - bots):
            answer = await self.tables.sit(game, KEY, SitRequest(), None)
            holders.append(SeatHolder(game, answer.extra["seat"], KEY.id))
            assert answer.extra["seat"] == n
        for _ in range(bots):
            await self.tables.sit(game, host, SitRequest(bot="normal"), None)
        from domain.table.moves import Start

        await self.tables.host(game, host, Start(), None)
        return game, holders, host


def idem(key: str, fingerprint: str = "f") -> Idempotency:
    return Idempotency(key, fingerprint)


Story = Callable[[House], Awaitable[None]]


@pytest.fixture
def tell(place: Place) -> Callable[..., None]:
    """Tell stories one after the other, each in a process of its own over the same store."""

    def telling(*stories: Story) -> None:
        def at_home(story: Story) -> Callable[[Any], Awaitable[None]]:
            return lambda store: story(House(store))

        place.run(*map(at_home, stories))

    return telling


__all__ += ["KEY", "House", "idem", "open_store", "tell"]
