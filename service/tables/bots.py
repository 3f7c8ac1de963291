"""Bots: clients of the same door as everybody, driven in this process (G-16)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import structlog

from domain.game import Move
from domain.table.due import awaited
from domain.table.state import Between, Table
from domain.table.view import options
from service.callers import SeatHolder
from service.grabs.races import GRABS
from service.grabs.reflexes import Reflexes
from service.problems import Problem
from service.store.port import Unavailable
from service.tables.answers import Idempotency
from service.tables.live import Live
from service.tables.tables import Tables

log = structlog.get_logger(__name__)
Spawn = Callable[[Coroutine[Any, Any, None]], Any]
Sleep = Callable[[float], Awaitable[None]]


class Bots:
    """Plays for every bot that a table waits for. Two drivers at one table do no harm: their keys are equal."""

    def __init__(self, tables: Tables, *, spawn: Spawn = asyncio.create_task, sleep: Sleep = asyncio.sleep) -> None:
        self.tables, self.spawn, self.sleep = tables, spawn, sleep
        self.reflexes = Reflexes(tables, spawn, sleep)
        self._driving: dict[str, Any] = {}

    def follow(self, game: str, live: Live) -> None:
        """A table moved on: drive it if it waits for a bot; who races looks at what was turned up."""
        self.reflexes.follow(game, live)
        if live.table is not None and waiting_bots(live.table):
            self.wake(game)

    def wake(self, game: str) -> None:
        """Drive a table unless it is driven already."""
        if game not in self._driving:
            self._driving[game] = self.spawn(self._drive(game))

    async def _drive(self, game: str) -> None:
        try:
            while await self._turn(game):
                pass
        except (Problem, Unavailable) as problem:  # the sweep finds the table again
            log.warning("bot stopped", table=game, problem=str(problem))
        finally:
            del self._driving[game]

    async def _turn(self, game: str) -> bool:
        """Play one move of one bot; False when the table waits for none."""
        live = await self.tables.registry.fresh(game)
        waiting = waiting_bots(live.table) if live.table else ()
        if not waiting:
            return False
        assert live.table is not None
        await self.sleep(live.table.rules.bot_delay_ms / 1_000)
        seat = waiting[0]
        await self.reflexes.done(game, seat)
        version, move = await self.choose(game, seat)
        if move is None:
            return seat not in waiting_bots(live.table)
        owner = live.seats[seat].owner
        idem = Idempotency(f"bot:{game}:{version}:{seat}", "bot")
        try:
            await self.tables.move(game, SeatHolder(game, seat, owner), move, idem, None)
        except Problem as no:
            if no.code != "refused" or no.version in (None, version):
                raise
        return True  # the table may have moved on before him

    async def choose(self, game: str, seat: int) -> tuple[int, Move | None]:
        """What the bot at `seat` would play now, from what it heard alone; None if it is not asked, or must wait.

        Grabs are no turn of his: he makes them by reflex.
        """
        registry = self.tables.registry
        live = await registry.get(game)
        async with live.lock:
            table = await registry.current(game, live)
            if seat not in waiting_bots(table):
                return table.version, None
            view = await registry.view(game, live, seat)
            mind = await registry.mind(game, live, seat)
            sitter = table.seats[seat]
            assert sitter is not None
            assert sitter.bot is not None
            if seat in blocked(table):
                return table.version, table.game.anytime[0]()
            offered = options(view)
            assert offered, f"the bot at seat {seat} is waited for and has no move"
            moves = [move for move in offered if type(move) not in GRABS]
            if not moves:
                return table.version, None
            bot = table.game.bot
            if len(moves) == 1 or view.between:
                return table.version, moves[-1]
            return table.version, bot.choose(sitter.bot, mind.memory, view.inner, moves, self.tables.dealer.below)


def blocked(table: Table) -> tuple[int, ...]:
    """The seats without whose help no round can start although all are ready: a bot short of tokens loads some."""
    everybody = isinstance(table.phase, Between) and set(table.phase.awaited) <= set(table.phase.ready)
    return table.game.blocked(table.state) if everybody and table.game.anytime else ()


def waiting_bots(table: Table) -> tuple[int, ...]:
    """The seats of the bots that the table waits for."""
    return tuple(n for n in awaited(table) if (seat := table.seats[n]) is not None and seat.bot is not None)
