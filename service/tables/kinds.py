"""Which game each table plays: it never changes, so it is asked for once."""

from __future__ import annotations

from collections import OrderedDict

from service.problems import Problem
from service.store.port import Store

TABLES_KNOWN_MAX = 100_000


class Kinds:
    """The game of a table by its id."""

    def __init__(self, store: Store, most: int = TABLES_KNOWN_MAX) -> None:
        self._store, self._most = store, most
        self._known: OrderedDict[str, str] = OrderedDict()

    async def of(self, game: str) -> str:
        """The name of the game. Raises Problem not-found."""
        kind = self._known.get(game)
        if kind is None:
            row = await self._store.directory(game)
            if row is None:
                raise Problem("not-found", "There is no such table.")
            kind = self._known[game] = row.kind
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        return kind
