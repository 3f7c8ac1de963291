"""The tables in memory: loaded once, kept while they are used, caught up with others, forgotten when too many."""

from __future__ import annotations

from collections import OrderedDict

import structlog

from domain.table.state import Table
from domain.table.view import TableView
from service.problems import Problem
from service.store.port import Store
from service.tables.live import Live, Mind, fold, fresh_view, read
from service.tables.snapshots import Unusable, put_back

log = structlog.get_logger(__name__)
LIVE_TABLES_MAX = 10_000


class Registry:
    """Live tables by id. A table that somebody holds the lock of is never forgotten.

    `several`: other processes may write to the same store.
    """

    def __init__(self, store: Store, most: int = LIVE_TABLES_MAX, *, several: bool = False) -> None:
        self.store, self.most, self.several = store, most, several
        self._tables: OrderedDict[str, Live] = OrderedDict()

    def adopt(self, game: str, live: Live) -> None:
        """Keep a table that was just opened here."""
        self._tables[game] = live
        self._shrink()

    def known(self, game: str) -> Live | None:
        """The table if it is in memory."""
        return self._tables.get(game)

    def forget(self, game: str) -> None:
        """Drop a table from memory; the next use loads it again."""
        self._tables.pop(game, None)

    async def get(self, game: str) -> Live:
        """The table, loaded from its lines if need be. Raises Problem not-found."""
        live = self._tables.get(game)
        if live is None:
            live = self._tables[game] = Live()
            self._shrink()
        self._tables.move_to_end(game)
        if live.table is None:
            async with live.lock:
                if live.table is None:
                    await self._load(game, live)
        return live

    async def current(self, game: str, live: Live) -> Table:
        """The table's state, read again if it was reset; the caller holds the table's lock."""
        if live.table is None:
            await self._load(game, live)
        assert live.table is not None
        return live.table

    async def fresh(self, game: str) -> Live:
        """The table as of now, whichever process moved it last. Raises Problem not-found."""
        live = await self.get(game)
        if self.several and await self.store.version(game) > (live.table.version if live.table else 0):
            async with live.lock:
                await self.behind(game, live)
        return live

    async def behind(self, game: str, live: Live) -> bool:
        """Catch up if another process has written; whether one had. The caller holds the table's lock."""
        before = (await self.current(game, live)).version
        if self.several and await self.store.version(game) > before:
            await self.catch_up(game, live)
        return live.table is not None and live.table.version > before

    async def _load(self, game: str, live: Live) -> None:
        directory = await self.store.directory(game)
        if directory is None:
            self._tables.pop(game, None)
            raise Problem("not-found", "There is no such table.")
        live.directory = directory  # before the table, for who finds that in memory asks for no lock
        live.take_seats(await self.store.seats(game))
        if not await self._from_snapshot(game, live):
            live.load(await self.store.lines(game))
        live.directory = await self.store.directory(game)

    async def _from_snapshot(self, game: str, live: Live) -> bool:
        """Load from the last snapshot and the lines after it; False if there is none to be used."""
        kept = await self.store.snapshot(game)
        if kept is None:
            return False
        seq, body = kept
        lines = await self.store.lines(game, after=seq - 1)
        try:
            put_back(live, body, lines[0] if lines else None)
        except Unusable as fault:
            log.warning("snapshot not used, lines folded instead", table=game, seq=seq, why=str(fault))
            return False
        live.load(lines[1:])
        return True

    async def catch_up(self, game: str, live: Live) -> None:
        """Fold what another process has written meanwhile. The caller holds the table's lock."""
        assert live.table is not None
        lines = await self.store.lines(game, after=live.table.version)
        if lines:
            live.take_seats(await self.store.seats(game))
            live.load(lines)
            live.directory = await self.store.directory(game)

    async def view(self, game: str, live: Live, seat: int | None) -> TableView:
        """The view of a seat (None: a spectator) as of now; the caller holds the table's lock."""
        if seat not in live.views:
            assert live.table is not None
            entries = [read(stored.line) for stored in await self.store.lines(game)]
            live.views[seat] = fold(fresh_view(live.table, seat), live.table, entries)
        return live.views[seat]

    async def mind(self, game: str, live: Live, seat: int) -> Mind:
        """What the bot at `seat` remembers; the caller holds the table's lock."""
        if seat not in live.minds:
            assert live.table is not None
            again = Live()
            again.minds[seat] = Mind(live.table, seat)
            again.load(await self.store.lines(game))
            live.minds[seat] = again.minds[seat]
        return live.minds[seat]

    def _shrink(self) -> None:
        while len(self._tables) > self.most:
            oldest = next((game for game, live in self._tables.items() if not live.lock.locked()), None)
            if oldest is None:
                return
            del self._tables[oldest]
