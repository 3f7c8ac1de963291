"""When each seat was told of what happened, and how far away it is: measured here, and known in this process only."""

from __future__ import annotations

from collections import OrderedDict, deque

from domain.totem.arbitration import PINGS_KEPT, lower_quartile

SEATS_MAX = 20_000
"""Seats that are remembered; the one not told of anything for longest is forgotten first."""
TOLD_MAX = 64


class Told:
    """One seat: which lines (by their time) it was told of at which moment, oldest first, and its last pings in ms."""

    __slots__ = ("moments", "pings")

    def __init__(self) -> None:
        self.moments: deque[tuple[str, str]] = deque(maxlen=TOLD_MAX)
        self.pings: deque[int] = deque(maxlen=PINGS_KEPT)


class Published:
    """Whatever brings a line to a seat first counts: a feed, a socket, an answer, a view."""

    def __init__(self, most: int = SEATS_MAX) -> None:
        self._most = most
        self._seats: OrderedDict[tuple[str, int], Told] = OrderedDict()

    def tell(self, game: str, seat: int, line_at: str, at: str) -> None:
        """The seat is told, at `at`, of all lines up to the one written at `line_at`."""
        moments = self._seat(game, seat).moments
        if not moments or moments[-1][0] < line_at:
            moments.append((line_at, at))

    def ping(self, game: str, seat: int, milliseconds: int) -> None:
        """A round trip to the seat took so long."""
        self._seat(game, seat).pings.append(milliseconds)

    def when(self, game: str, seat: int, since: str | None) -> str | None:
        """When the seat was first told of the line written at `since`; None if not here, or not yet."""
        told = self._seats.get((game, seat))
        if told is None or since is None or (len(told.moments) == TOLD_MAX and told.moments[0][0] > since):
            return None
        return next((at for line_at, at in told.moments if line_at >= since), None)

    def rtt_ms(self, game: str, seat: int) -> int:
        """The seat's latency figure: 0 without any ping."""
        told = self._seats.get((game, seat))
        return lower_quartile(tuple(told.pings)) if told else 0

    def _seat(self, game: str, seat: int) -> Told:
        told = self._seats.setdefault((game, seat), Told())
        self._seats.move_to_end((game, seat))
        if len(self._seats) > self._most:
            self._seats.popitem(last=False)
        return told
