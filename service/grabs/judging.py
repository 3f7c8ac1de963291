"""When the grabs of a table are judged, and by whom: whichever process is first, at the moment it is due."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from typing import Any
from weakref import WeakSet

import structlog

from domain.table.decide import decide
from domain.table.recording import Step
from domain.table.state import Table
from domain.times import later
from service.grabs.book import Book, Next, next_judgement
from service.grabs.closing import Take, closing, voids_grabs
from service.grabs.company import Company
from service.grabs.distances import Distances
from service.grabs.final import final, looked_up, mark_of
from service.grabs.races import RACES, Race, Rival
from service.problems import Problem
from service.store.port import Unavailable
from service.store.rows import GrabRow, StoredLine
from service.tables.commands import Commander, Order
from service.tables.live import Live
from service.tables.writing import Plan, with_commit

log = structlog.get_logger(__name__)
GRACE_MS = 10
"""While other processes are on the database, for grabs that they received in time and are still committing."""
LATE_MS = 1_000
"""A grab that lies for so long is judged by whoever sweeps."""
ASK_SECONDS = 0.25
AWAY_SECONDS = 0.5

Spawn = Callable[[Coroutine[Any, Any, None]], Any]


class Held(Exception):
    """Grabs lie undecided, the last of a version: this waits for their judgement, and is then to be tried again.

    Without a version nothing is known to lie there; something may be on its way.
    """

    def __init__(self, until: asyncio.Event, version: int | None) -> None:
        super().__init__("grabs lie undecided")
        self.until, self.version = until, version


class Judging:
    """The books of the tables at which grabs lie undecided, each kept by a task until nothing is left in it."""

    def __init__(self, commander: Commander, distances: Distances, company: Company, spawn: Spawn) -> None:
        self.commander, self.distances, self.company, self.spawn = commander, distances, company, spawn
        self.registry, self.store = commander.registry, commander.store
        self.books: dict[str, Book] = {}
        self._looked: WeakSet[Live] = WeakSet()
        """Tables in memory of whose grabs this process knows all that were there before it."""
        commander.listeners.append(self.heard)

    def book(self, game: str) -> Book:
        """The table's book."""
        return self.books.setdefault(game, Book(game))

    def keep(self, book: Book) -> None:
        """See to it that what lies in the book is judged."""
        if book.keeper is None:
            book.keeper = self.spawn(self._keep(book))

    async def look(self, game: str, live: Live) -> Book | None:
        """Learn of grabs that this process does not know of: left by one that died, or taken in by another."""
        if self.registry.several or live not in self._looked:
            await self.adopt(game)
            self._looked.add(live)
        return self.books.get(game)

    async def adopt(self, game: str) -> None:
        """Judge here what lies undecided at this table."""
        rows = await self._rows(game)
        if rows or game in self.books:
            book = self.book(game)
            book.know(rows)
            self.keep(book)

    async def _rows(self, game: str) -> list[GrabRow]:
        """The table's grabs that lie undecided, read while none came or went here: what did might be wrong in it."""
        before = self._turn(game)
        rows = await self.store.grabs(game)
        while (now := self._turn(game)) is not before:
            before = now
            rows = await self.store.grabs(game)
        return rows

    def _turn(self, game: str) -> asyncio.Event | None:
        """Another one each time that grabs come or go at this table."""
        book = self.books.get(game)
        return book.turn if book is not None else None

    async def undecided(self, game: str) -> list[GrabRow]:
        """The table's grabs that lie undecided, those too that were on their way here; under the table's lock.

        Before, this process learns how far away the others know its seats to be.
        """
        if game in self.books:
            await self.books[game].all_come()
        await self.distances.hear(game)
        return await self._rows(game)

    async def whole(self, live: Live, at: str, take: Take) -> Plan:
        """The plan of a command; if it voids grabs, with the end of whatever lies undecided (`closing`).

        Raises Refused, and Held while a decision is due: that one is made first.
        """
        table = live.table
        assert table is not None
        step, race = take(table), RACES.get(table.game.name)
        if race is None or not voids_grabs(race, step):
            return Plan(entries=step.entries, table=step.table)
        rows = await self.undecided(table.id)
        if rows:
            book = self.book(table.id)
            book.know(rows)
            self.keep(book)
            if self.overdue(live, book):
                raise Held(book.turn, book.version)
        return closing(race, table, rows, at, take)

    async def sweep(self) -> None:
        """Take over what lies undecided for too long: after a crash, all of it."""
        for game in await self.store.undecided(later(self.commander.now(), milliseconds=-LATE_MS)):
            await self.adopt(game)

    def overdue(self, live: Live, book: Book) -> bool:
        """Whether a judgement is due."""
        found = self._next(live, book)
        return found is not None and (found.due is None or found.due <= self.commander.now())

    async def _keep(self, book: Book) -> None:
        """Judge what lies in a book when it is time, and close it when nothing is left."""
        try:
            while book.undecided or book.posts:
                try:
                    await self._kept(book)
                except (Problem, Unavailable) as fault:
                    log.warning("grabs not judged yet", table=book.game, why=str(fault))
                    await asyncio.sleep(AWAY_SECONDS)
                except Exception:  # (whatever it is, grabs lie here and their senders wait)
                    log.exception("grabs not judged", table=book.game)
                    await asyncio.sleep(AWAY_SECONDS)
        finally:
            book.keeper = None
            self.books.pop(book.game, None)
            book.close()

    async def _kept(self, book: Book) -> None:
        """One step: judge, or wait for what comes next."""
        book.news.clear()
        live = await self.registry.get(book.game)
        if self.overdue(live, book):
            await self._judge(book)
        elif not await _news(book, self._seconds(self._next(live, book))):
            if not book.undecided:  # who waits here has a grab that nothing is known of
                book.know(await self._rows(book.game))
            await self._answer_others(book)

    def _next(self, live: Live, book: Book) -> Next | None:
        table = live.table
        if table is None:  # it is read again by whoever judges
            return Next((), None) if book.rows else None
        race, grace = RACES[table.game.name], 0 if self.company.alone else GRACE_MS
        return next_judgement(race, table.state, book.rows, lambda rows: self._rivals(race, live, rows), grace)

    def _rivals(self, race: Race, live: Live, rows: Sequence[GrabRow]) -> list[Rival]:
        """The seats that may still be first, with what is known of them here."""
        table = live.table
        assert table is not None
        since, grabbed = race.since(table.state), {row.seat for row in rows}
        when, rtt_ms = self.distances.published.when, self.distances.rtt_ms
        seats = [seat for seat in race.playing(table.state) if seat not in grabbed]
        return [Rival(seat, when(table.id, seat, since), rtt_ms(table.id, seat)) for seat in seats]

    def _seconds(self, found: Next | None) -> float:
        """How long there is nothing to do, unless something changes."""
        if found is None or found.due is None:
            return ASK_SECONDS
        wait = datetime.fromisoformat(found.due) - datetime.fromisoformat(self.commander.now())
        return max(wait.total_seconds(), 0.0)

    async def _judge(self, book: Book) -> None:
        """One judgement by the table; its unit takes the grabs away."""

        async def plan(live: Live, at: str) -> Plan:
            rows, table = await self.undecided(book.game), live.table
            book.know(rows)
            found = self._next(live, book)
            assert table is not None
            if found is None or (found.due is not None and found.due > at):
                raise Held(book.turn, book.version)
            race = RACES[table.game.name]
            move = race.judging(table.state, found.rows, self._rivals(race, live, found.rows))

            def take(table: Table) -> Step:
                return with_commit(decide(table, "table", move, at), self.commander.dealer)

            step = take(table)
            if not voids_grabs(race, step):
                return Plan(entries=step.entries, table=step.table, judged=tuple(row.id for row in found.rows))
            others = [row for row in rows if row not in found.rows]
            return closing(race, table, others, at, take, judged=found.rows)

        try:
            await self.commander.run(book.game, Order(caller=f"table:{book.game}"), plan)
        except Held:
            pass
        else:
            book.know(await self._rows(book.game))
        await self._answer_others(book)

    def heard(self, game: str, live: Live, lines: Sequence[StoredLine]) -> None:
        """This process committed `lines`: whose grab they judge is answered now."""
        book = self.books.get(game)
        if book is not None:
            for post in book.posts.values():
                told = final(live, lines, mark_of(post.row))
                if told is not None:
                    post.tell(told)
            book.drop_answered()
            book.look()

    async def _answer_others(self, book: Book) -> None:
        """Answer those whose grab was judged by another process."""
        waiting = {row.id for row in book.rows} | book.coming.keys()
        for post in [post for one, post in book.posts.items() if one not in waiting]:
            told = await looked_up(self.registry, book.game, post.row.version, mark_of(post.row))
            if told is not None:
                post.tell(told)
        book.drop_answered()


async def _news(book: Book, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await book.news.wait()
    except TimeoutError:
        return False
    return True
