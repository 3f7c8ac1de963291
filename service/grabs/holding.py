"""What waits while grabs lie undecided: cards that are turned up, and what comes after a decision that is due."""

from __future__ import annotations

import asyncio
from typing import Any

from domain.table.due import due
from service.grabs.arriving import ArrivingGrabs
from service.grabs.company import Company
from service.grabs.distances import Distances
from service.grabs.judging import GRACE_MS, Held, Judging
from service.grabs.races import RACES
from service.grabs.turned import Turned, TurnedCards
from service.tables.answers import Answer
from service.tables.commands import Commander, Order, Planner, to_the_end
from service.tables.live import Live


class Holding:
    """Holds moves up until the grabs that came before them are judged."""

    def __init__(
        self,
        commander: Commander,
        judging: Judging,
        turned: TurnedCards,
        arriving: ArrivingGrabs,
        distances: Distances,
        company: Company,
    ) -> None:
        self._commander, self._judging, self._turned = commander, judging, turned
        self._arriving, self._distances, self._company = arriving, distances, company

    async def patiently(self, game: str, order: Order, planner: Planner, turning: int | None = None) -> Answer:
        """Run a command whose plan may have to wait until grabs are judged (see `hold` and `Judging.whole`).

        `turning` is the seat whose move it is, if grabs hold that move. It is then carried to its end even when its
        sender goes away, and until then the seat does not grab.
        """
        if turning is None:
            return await self._patiently(game, order, planner)
        turned = self._turned.begin(game, turning)
        return await to_the_end(self._patiently(game, order, planner, turned))

    async def _patiently(self, game: str, order: Order, planner: Planner, turned: Turned | None = None) -> Answer:
        try:
            while True:
                try:
                    return await self._commander.run(game, order, planner)
                except Held as held:
                    if turned is not None and held.version is not None:
                        turned.hold(held.version)
                        await self._distances.tell_now()
                    await held.until.wait()
        finally:
            if turned is not None:
                turned.done()

    async def hold(
        self, game: str, live: Live, came: float, move: type[Any] | None = None, seat: int | None = None
    ) -> None:
        """Raise Held while grabs lie undecided that `move` (None: what is due) must wait for; under the table's lock.

        It came at `came` (a time of the loop's clock), from `seat`. It is asked of a move that would be accepted: a
        refusal tells nothing of grabs, and waiting would.
        """
        table = live.table
        assert table is not None
        race = RACES.get(table.game.name)
        if race is None or (move is not None and move not in race.held):
            return
        found = due(table)
        if move is None and (found is None or not race.holds(found)):
            return
        self._wait_for_others(came)
        await self._judging.look(game, live)
        for one in self._arriving.at(game, but=seat):  # (of its own seat's grabs, each would wait for the other)
            raise Held(one.known, table.version)
        book = self._judging.books.get(game)
        if book is not None and book.undecided:
            raise Held(book.clear, book.version)

    def _wait_for_others(self, came: float) -> None:
        """Raise Held while a grab that another process received before `came` may still be on its way."""
        loop = asyncio.get_running_loop()
        left = came + GRACE_MS / 1_000 - loop.time()
        if left > 0 and not self._company.alone:
            passed = asyncio.Event()
            loop.call_later(left, passed.set)
            raise Held(passed, None)

    async def decided(self, game: str) -> None:
        """Wait for a decision that is due: it is made before anything that comes after that moment."""
        if game not in self._judging.books:
            return
        live = await self._commander.registry.get(game)
        while (book := self._judging.books.get(game)) is not None and self._judging.overdue(live, book):
            await book.turn.wait()
