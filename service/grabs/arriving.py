"""Grabs that have come and are in no book yet: what is read for them takes time, and no card is turned up meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from service.grabs.seats import OfSeats


class Arriving:
    """One such grab."""

    def __init__(self, over: Callable[[], None]) -> None:
        self._over = over
        self.known = asyncio.Event()
        """Set when it is in the book, or was refused."""

    def done(self) -> None:
        """It is in the book, or refused; said again, it is no news."""
        if not self.known.is_set():
            self._over()
            self.known.set()


class ArrivingGrabs:
    """Those of all tables at this process."""

    def __init__(self) -> None:
        self._grabs = OfSeats[Arriving]()

    def begin(self, game: str, seat: int) -> Arriving:
        """Such a grab has come from this seat."""
        return self._grabs.begin(game, seat, Arriving)

    def at(self, game: str, but: int | None) -> list[Arriving]:
        """Those at a table, without those of the seat `but`."""
        return [one for (at, seat), all_of in self._grabs.all() if at == game and seat != but for one in all_of]
