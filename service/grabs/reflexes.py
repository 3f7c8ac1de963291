"""Bots that race: each looks at a reveal once, and grabs, if at all, after as long as a person would take."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import structlog

from service.callers import SeatHolder
from service.grabs.judging import Spawn
from service.grabs.races import RACES
from service.problems import Problem
from service.store.port import Unavailable
from service.tables.answers import Idempotency
from service.tables.live import Live
from service.tables.playing import Playing

log = structlog.get_logger(__name__)
FASTEST_MS = 120
"""No bot is faster, whatever its game says: people are not."""


class Seen(NamedTuple):
    """A reveal of a table."""

    round: int
    reveal: int


class Reflexes:
    """After each reveal asks every bot at the table, from what it heard alone, and hands in its grab in time."""

    def __init__(self, tables: Playing, spawn: Spawn, sleep: Callable[[float], Awaitable[None]]) -> None:
        self.tables, self.spawn, self.sleep = tables, spawn, sleep
        self._seen: WeakKeyDictionary[Live, Seen] = WeakKeyDictionary()
        self._reacting: dict[tuple[str, int], Any] = {}

    def follow(self, game: str, live: Live) -> None:
        """A table moved on: if a card was turned up, its bots look at it."""
        table = live.table
        race = RACES.get(table.game.name) if table is not None else None
        if table is None or race is None:
            return
        seen = Seen(table.round, race.reveal(table.state))
        if seen.reveal == 0 or self._seen.get(live) == seen:
            return
        self._seen[live] = seen
        for seat in race.playing(table.state):
            sitter = table.seats[seat]
            if sitter is not None and sitter.bot is not None:
                self._reacting[game, seat] = self.spawn(self._react(game, seat, seen))

    async def done(self, game: str, seat: int) -> None:
        """Wait until a bot has reacted to the last reveal, or let it pass: nobody turns a card up while he grabs."""
        reacting = self._reacting.get((game, seat))
        if reacting is not None:
            await reacting

    async def _react(self, game: str, seat: int, seen: Seen) -> None:
        try:
            reaction = await self._reaction(game, seat, seen)
            if reaction is not None:
                await self.sleep(max(reaction, FASTEST_MS) / 1_000)
                await self._grab(game, seat, seen, max(reaction, FASTEST_MS))
        except (Problem, Unavailable) as problem:
            log.info("a bot's grab came to nothing", table=game, seat=seat, problem=str(problem))

    async def _reaction(self, game: str, seat: int, seen: Seen) -> int | None:
        """After how many ms it grabs; None if it does not, or the table has moved on."""
        registry = self.tables.registry
        live = await registry.get(game)
        async with live.lock:
            table = await registry.current(game, live)
            race, sitter = RACES[table.game.name], table.seats[seat]
            if Seen(table.round, race.reveal(table.state)) != seen or sitter is None or sitter.bot is None:
                return None
            view, mind = await registry.view(game, live, seat), await registry.mind(game, live, seat)
            return race.reaction(sitter.bot, mind.memory, view.inner, self.tables.dealer.below)

    async def _grab(self, game: str, seat: int, seen: Seen, reaction: int) -> None:
        """Grab, unless there is nothing more to grab for: somebody was faster, or another card lies there."""
        live = await self.tables.registry.fresh(game)
        table = live.table
        assert table is not None
        race = RACES[table.game.name]
        if Seen(table.round, race.reveal(table.state)) != seen or race.is_settled(table.state):
            return
        owner = live.seats[seat].owner
        key = Idempotency(f"bot:{game}:{seen.round}:{seen.reveal}:{seat}", "bot")
        move = race.bots_grab(table.state, reaction)
        await self.tables.move(game, SeatHolder(game, seat, owner), move, key, None)
