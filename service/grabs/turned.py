"""Who turns a card up has let pass what lies there: while his card is held he grabs for it no more (T-54).

Without this a held card would tell its seat that somebody had grabbed, in time to grab as well and to lie about when.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator

from service.grabs.seats import OfSeats


class Turned:
    """One move of a seat that waits for grabs if any lie undecided, from its arrival to its answer."""

    def __init__(self, over: Callable[[], None]) -> None:
        self._over = over
        self.held: int | None = None
        """The last version of the table at which a grab was taken in that it waits for."""
        self.known = asyncio.Event()
        """Set when it is known whether the move is held."""

    def hold(self, version: int) -> None:
        """Grabs lie undecided that were taken in at this version at last: it waits."""
        self.held = version
        self.known.set()

    def done(self) -> None:
        """It is answered."""
        self._over()
        self.known.set()


class TurnedCards:
    """The moves of all seats, at all tables, that this process has and that grabs make wait."""

    def __init__(self) -> None:
        self._moves = OfSeats[Turned]()

    def begin(self, game: str, seat: int) -> Turned:
        """Such a move has come from this seat."""
        return self._moves.begin(game, seat, Turned)

    async def holds(self, game: str, seat: int) -> bool:
        """Whether a move of the seat is held, once that is known of all that came before now."""
        for move in self._moves.of(game, seat):
            await move.known.wait()
        return _held(self._moves.of(game, seat)) is not None

    def held(self) -> Iterator[tuple[tuple[str, int], int]]:
        """Each seat (table, seat) a move of which is held here, and for grabs of which version at last."""
        for seat, moves in self._moves.all():
            version = _held(moves)
            if version is not None:
                yield seat, version


def _held(moves: Iterable[Turned]) -> int | None:
    return max((move.held for move in moves if move.held is not None), default=None)
