"""What each seat has going on just now: kept while it lasts, and nothing kept of a seat with nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class OfSeats(Generic[T]):
    """Things of seats, oldest first; each is made with what to call when it is over."""

    def __init__(self) -> None:
        self._going: dict[tuple[str, int], list[T]] = {}

    def begin(self, game: str, seat: int, make: Callable[[Callable[[], None]], T]) -> T:
        """One more of this seat."""
        going = self._going.setdefault((game, seat), [])

        def over() -> None:
            going.remove(one)
            if not going:
                del self._going[game, seat]

        one = make(over)
        going.append(one)
        return one

    def of(self, game: str, seat: int) -> tuple[T, ...]:
        """Those of this seat now."""
        return tuple(self._going.get((game, seat), ()))

    def all(self) -> Iterator[tuple[tuple[str, int], tuple[T, ...]]]:
        """Those of each seat (table, seat) that has any now."""
        return ((seat, tuple(going)) for seat, going in self._going.items())
