"""How far away each seat is, as all processes on one database know it: what is known here is told, the rest is heard.

Whose card is held is told with it, for where it is held may be another process than where that seat grabs (T-54).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import structlog

from domain.times import later
from service.grabs.published import KNOWN_MAX, Published
from service.grabs.races import RACES
from service.grabs.turned import TurnedCards
from service.store.port import Unavailable
from service.store.rows import LatencyRow
from service.tables.registry import Registry

log = structlog.get_logger(__name__)
TICK_SECONDS = 0.25
"""How often what is news is told: all tables in one statement, and none where there is none."""
AWAY_SECONDS = 1.0
CHANGE_MS = 5
"""A figure that differs by less is no news."""
AGAIN_SECONDS = 2.0
"""What is no news is told again after so long, as a sign of life."""
HEARD_SECONDS_MAX = 6
"""What was told longer ago counts no more: three signs of life are missing."""


class Known(NamedTuple):
    """What is known here of a seat: its latency figure, and for grabs of which version at last its card is held."""

    rtt_ms: int | None
    held: int | None


class Distances:
    """Told by a task of its own, never by a command, a ping or a socket; heard where grabs are read anyway.

    With one process (`registry.several` false) nothing is written or read.
    """

    def __init__(
        self,
        registry: Registry,
        published: Published,
        turned: TurnedCards,
        process: str,
        now: Callable[[], str],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.registry, self.published, self.turned, self.now, self.sleep = registry, published, turned, now, sleep
        self.process = process
        """An id of this process among those on the database."""
        self._told: dict[tuple[str, int], tuple[Known, float]] = {}
        self._heard: OrderedDict[str, list[LatencyRow]] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    # --- what others know

    async def hear(self, game: str) -> None:
        """Learn what the other processes know of a table's seats. Raises Unavailable."""
        if not self.registry.several:
            return
        since = later(self.now(), seconds=-HEARD_SECONDS_MAX)
        rows = await self.registry.store.latencies(game, self.process, since)
        self._heard[game] = rows
        self._heard.move_to_end(game)
        if len(self._heard) > KNOWN_MAX:
            self._heard.popitem(last=False)

    def rtt_ms(self, game: str, seat: int) -> int:
        """The seat's latency figure, others' as of when they were last heard: the least of all; 0 without any."""
        figures = (row.rtt_ms for row in self._heard.get(game, ()) if row.seat == seat and row.rtt_ms is not None)
        return self.published.rtt_ms(game, seat, min(figures, default=None))

    def held(self, game: str, seat: int) -> int | None:
        """For grabs of which version at last another process holds a card of this seat, as of when it was heard."""
        versions = (row.held for row in self._heard.get(game, ()) if row.seat == seat and row.held is not None)
        return max(versions, default=None)

    # --- what is known here

    async def run(self) -> None:
        """Tell what is news, until cancelled; a store that is away is no trouble to any socket."""
        while True:
            await self.sleep(TICK_SECONDS if await self.tell_now() else AWAY_SECONDS)

    async def tell_now(self) -> bool:
        """Tell what is news at once; whether that could be done."""
        if not self.registry.several:
            return True
        try:
            async with self._one_at_a_time:
                await self._tell(asyncio.get_running_loop().time())
        except Unavailable as away:
            log.warning("latency figures not told to other processes", why=str(away))
        except Exception:
            log.exception("latency figures not told to other processes")
        else:
            return True
        return False

    async def _tell(self, time: float) -> None:
        here, at = self._here(), self.now()
        news = {seat: known for seat, known in here.items() if self._is_news(seat, known, time)}
        gone = [seat for seat in self._told if seat not in here]
        rows = [LatencyRow(game, seat, self.process, *known, at) for (game, seat), known in news.items()]
        await self.registry.store.tell_latencies(self.process, rows, gone)
        self._told |= {seat: (known, time) for seat, known in news.items()}
        for seat in gone:
            del self._told[seat]

    def _here(self) -> dict[tuple[str, int], Known]:
        """All that is known here of seats that race."""
        figures, held = dict(self.published.figures()), dict(self.turned.held())
        known = {seat: Known(figures.get(seat), held.get(seat)) for seat in figures.keys() | held.keys()}
        return {seat: one for seat, one in known.items() if one != Known(None, None) and self._races(seat[0])}

    def _races(self, game: str) -> bool:
        """Whether seats race at this table; one that is not in memory just now may be such a table."""
        live = self.registry.known(game)
        return live is None or live.table is None or live.table.game.name in RACES

    def _is_news(self, seat: tuple[str, int], known: Known, time: float) -> bool:
        if seat not in self._told:
            return True
        told, at = self._told[seat]
        if time - at >= AGAIN_SECONDS or told.held != known.held:
            return True
        if told.rtt_ms is None or known.rtt_ms is None:
            return told.rtt_ms != known.rtt_ms
        return abs(told.rtt_ms - known.rtt_ms) >= CHANGE_MS
