"""When what happened was made known, and how far away each seat is, as measured in this process."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator

from domain.totem.arbitration import PINGS_KEPT, lower_quartile
from service.grabs.seats import OfSeats

KNOWN_MAX = 20_000
"""Tables (and seats) that are remembered; the one that nothing was told of for longest is forgotten first."""
MOMENTS_MAX = 64
UNANSWERED_MAX = 4
"""Pings in a row that a socket may leave unanswered; then it is dead, or far away, and its figure counts no more."""


class Moments:
    """At which moment lines, named by the time in them, were made known: the last so many, and what is said first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[Hashable, deque[tuple[str, str]]] = OrderedDict()

    def note(self, whom: Hashable, line_at: str, at: str) -> None:
        """The lines of `line_at` were made known to `whom` at `at`."""
        moments = self._known.setdefault(whom, deque(maxlen=MOMENTS_MAX))
        self._known.move_to_end(whom)
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        if all(known != line_at for known, _ in moments):
            moments.append((line_at, at))

    def when(self, whom: Hashable, line_at: str) -> str | None:
        """When the lines of `line_at` were made known to `whom`; None if not here."""
        return next((at for known, at in self._known.get(whom, ()) if known == line_at), None)


class Link:
    """An open socket of a seat, and the round trips of its last pings in ms."""

    def __init__(self, over: Callable[[], None]) -> None:
        self._over = over
        self._pings: deque[int] = deque(maxlen=PINGS_KEPT)
        self._unanswered = 0

    def asked(self) -> None:
        """A ping is on its way."""
        self._unanswered += 1

    def ping(self, milliseconds: int) -> None:
        """A round trip took so long."""
        self._unanswered = 0
        self._pings.append(milliseconds)

    def close(self) -> None:
        """It is no more, and what it measured counts no more."""
        self._over()

    @property
    def rtt_ms(self) -> int | None:
        """Its latency figure; None before its first pong, and while it answers no more (a line cut without a word)."""
        if not self._pings or self._unanswered > UNANSWERED_MAX:
            return None
        return lower_quartile(tuple(self._pings))


class Published:
    """No seat can put off the moment from which its reactions count: who looks late gains nothing by it.

    What this process wrote is known to all seats when it begins to push it, whether or not they listen. What another
    process wrote is known to a seat when this one pushes it to a feed of that seat which is open already.
    """

    def __init__(self, most: int = KNOWN_MAX) -> None:
        self._all, self._some = Moments(most), Moments(most)
        self._links = OfSeats[Link]()

    def wrote(self, game: str, line_at: str, at: str) -> None:
        """This process wrote the lines of `line_at`, and pushes them at `at`."""
        self._all.note(game, line_at, at)

    def pushed(self, game: str, seat: int, line_at: str, at: str) -> None:
        """The lines of `line_at`, written by another process, are pushed at `at` to a feed of this seat."""
        self._some.note((game, seat), line_at, at)

    def when(self, game: str, seat: int, since: str | None) -> str | None:
        """When the line written at `since` was made known to the seat; None if this process did not do it."""
        if since is None:
            return None
        return self._all.when(game, since) or self._some.when((game, seat), since)

    def connect(self, game: str, seat: int) -> Link:
        """A socket of the seat that is open from now on."""
        return self._links.begin(game, seat, Link)

    def rtt_ms(self, game: str, seat: int, elsewhere: int | None = None) -> int:
        """The seat's latency figure: the least of its open sockets', one at another process too; 0 without any ping."""
        figures = (_least(self._links.of(game, seat)), elsewhere)
        return min((figure for figure in figures if figure is not None), default=0)

    def figures(self) -> Iterator[tuple[tuple[str, int], int | None]]:
        """Each seat (table, seat) with an open socket here, and its figure by those; None before its first pong."""
        return ((seat, _least(links)) for seat, links in self._links.all())


def _least(links: Iterable[Link]) -> int | None:
    return min((link.rtt_ms for link in links if link.rtt_ms is not None), default=None)
