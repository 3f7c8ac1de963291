"""Who turns a card up has let pass what lies there: while his card is held he grabs for it no more (T-54).

Without this a held card would tell its seat that somebody had grabbed, in time to grab as well and to lie about when.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Turned:
    """One move of a seat that waits for grabs if any lie undecided, from its arrival to its answer."""

    def __init__(self, left: Callable[[Turned], None]) -> None:
        self._left = left
        self.held = False
        self.known = asyncio.Event()
        """Set when it is known whether the move is held."""

    def hold(self) -> None:
        """Grabs lie undecided: it waits."""
        self.held = True
        self.known.set()

    def done(self) -> None:
        """It is answered."""
        self._left(self)
        self.known.set()


class TurnedCards:
    """The moves of all seats, at all tables, that this process has and that grabs make wait."""

    def __init__(self) -> None:
        self._moves: dict[tuple[str, int], list[Turned]] = {}

    def begin(self, game: str, seat: int) -> Turned:
        """Such a move has come from this seat."""
        moves = self._moves.setdefault((game, seat), [])

        def left(move: Turned) -> None:
            moves.remove(move)
            if not moves and self._moves.get((game, seat)) is moves:
                del self._moves[game, seat]

        moves.append(move := Turned(left))
        return move

    async def holds(self, game: str, seat: int) -> bool:
        """Whether a move of the seat is held, once that is known of all that came before now."""
        for move in [*self._moves.get((game, seat), ())]:
            await move.known.wait()
        return any(move.held for move in self._moves.get((game, seat), ()))
