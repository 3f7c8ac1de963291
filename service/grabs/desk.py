"""Where grabs are handed in: committed and told to nobody, and answered when they are judged."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgspec

from domain.game import Refused
from domain.gate import Caller
from domain.table.decide import decide
from domain.table.state import Playing
from service.callers import SeatHolder
from service.grabs.arriving import Arriving, ArrivingGrabs
from service.grabs.book import PER_SEAT_MAX, Post
from service.grabs.company import Company
from service.grabs.distances import Distances
from service.grabs.final import Mark, looked_up
from service.grabs.holding import Holding
from service.grabs.judging import Judging, Spawn
from service.grabs.published import Published
from service.grabs.races import RACES, Arrival
from service.grabs.turned import TurnedCards
from service.problems import Problem
from service.store.port import KeyTaken, LinesTaken, Unavailable, Unit, Unsettled
from service.store.rows import GrabRow, IdempotencyRow
from service.tables.answers import Answer, Idempotency
from service.tables.commands import Commander, to_the_end
from service.tables.keyed import TWIN_WAIT_SECONDS, refusal
from service.tables.live import Live
from service.web.limits import Bucket

ACCEPTED = 202
"""The status of a key that came with a grab: its answer is read from the lines, for it had none yet."""
GRABS_PER_MINUTE = 600
ANSWER_SECONDS_MAX = 30.0
"""How long an answer is waited for, besides what a referee may take."""
TWIN_ASKS_SECONDS = 0.02


class Desk:
    """The one door for grabs, whoever sends them and however."""

    def __init__(self, commander: Commander, published: Published, spawn: Spawn) -> None:
        self.commander, self.published, self.turned = commander, published, TurnedCards()
        several = commander.registry.several
        process = commander.dealer.new_id() if several else ""
        self.distances = Distances(commander.registry, published, self.turned, process, commander.now)
        self.company = Company(commander.store, several=several)
        self.judging = Judging(commander, self.distances, self.company, spawn)
        self.bucket = Bucket("grabs", GRABS_PER_MINUTE)
        self.arriving = ArrivingGrabs()
        self.holding = Holding(commander, self.judging, self.turned, self.arriving, self.distances, self.company)

    async def take(
        self, game: str, who: SeatHolder, move: Any, idem: Idempotency | None, if_match: int | None, arrived: str
    ) -> Answer:
        """Take a grab in and wait for its one final answer. Raises Problem, for a refusal too."""
        self.bucket.take(f"{game}:{who.seat}", asyncio.get_running_loop().time())
        arriving = self.arriving.begin(game, who.seat)
        return await to_the_end(self._arrive(arriving, game, who.seat, move, arrived, idem, if_match))

    async def _arrive(self, arriving: Arriving, game: str, *asked: Any) -> Answer:
        try:
            return await self._take(arriving, game, *asked)
        finally:
            arriving.done()

    async def _take(
        self,
        arriving: Arriving,
        game: str,
        seat: int,
        move: Any,
        arrived: str,
        idem: Idempotency | None,
        if_match: int | None,
    ) -> Answer:
        caller = f"seat:{game}:{seat}"
        live, _ = await asyncio.gather(self.commander.registry.fresh(game), self.distances.hear(game))
        async with self.commander.keys.running(caller, idem):
            try:
                row, seconds = self._accepted(live, seat, move, arrived, if_match), _patience(live)
                await self._let_in(game, seat)
            except (Refused, Problem) as no:
                return await self._refused(live, caller, idem, arrived, no)
            try:
                post = await self._commit(live, row, caller, idem, arriving)
            except KeyTaken:
                return await self._again(caller, idem)
            except LinesTaken:
                return await self._too_late(live, row, caller, idem)
            return await post.waited(seconds)

    def _accepted(self, live: Live, seat: int, move: Any, arrived: str, if_match: int | None) -> GrabRow:
        """The grab with what the server measured of it. Raises Refused, Problem."""
        table = live.table
        assert table is not None
        if if_match not in (None, table.version):
            raise Problem("version-stale", f"The table is at version {table.version}.", version=table.version)
        race = RACES[table.game.name]
        if not isinstance(table.phase, Playing):
            decide(table, f"seat:{seat}", move, max(arrived, table.at))
        race.refuse(table.state, seat, move)
        told = self.published.when(table.id, seat, race.since(table.state))
        rtt_ms = self.distances.rtt_ms(table.id, seat)
        published_ms, elapsed_ms = race.measured(table.state, Arrival(seat, move, arrived, told, rtt_ms))
        return GrabRow(
            id=self.commander.dealer.new_id(),
            game=table.id,
            seat=seat,
            arrived=arrived,
            version=table.version,
            published_ms=published_ms,
            elapsed_ms=elapsed_ms,
            rtt_ms=rtt_ms,
            move=msgspec.json.encode(move),
        )

    async def _let_in(self, game: str, seat: int) -> None:
        """Raises Refused while a card of this seat is held, Problem if too many grabs of it lie undecided."""
        if await self.turned.holds(game, seat) or await self._held_elsewhere(game, seat):
            raise Refused("T-54", "the card that you have turned up is held: what lies there is past for you")
        book = self.judging.books.get(game)
        if book is not None and book.of_seat(seat) >= PER_SEAT_MAX:
            raise Problem("rate-limited", f"{PER_SEAT_MAX} grabs of this seat lie undecided.", retry_after=1)

    async def _held_elsewhere(self, game: str, seat: int) -> bool:
        """Whether another process holds a card of this seat: grabs lie undecided that lay there when it was held."""
        version = self.distances.held(game, seat)
        return version is not None and any(row.version <= version for row in await self.commander.store.grabs(game))

    async def _refused(
        self, live: Live, caller: str, idem: Idempotency | None, at: str, no: Refused | Problem
    ) -> Answer:
        """A key that was used before gets its answer; else the refusal is kept with it."""
        table = live.table
        assert table is not None
        problem = refusal(no, table.version) if isinstance(no, Refused) else no
        if idem is not None and await self.commander.store.idempotency(caller, idem.key):
            return await self._again(caller, idem)
        with suppress(KeyTaken):
            await self.commander.keys.refuse(caller, idem, table.id, at, problem)
            raise problem from None
        return await self._again(caller, idem)

    async def _too_late(self, live: Live, row: GrabRow, caller: str, idem: Idempotency | None) -> Answer:
        """Play ended before this grab was taken in."""
        async with live.lock:
            await self.commander.registry.behind(row.game, live)
        return await self._refused(live, caller, idem, row.arrived, Refused("T-38", "nothing is played any more"))

    async def _commit(
        self, live: Live, row: GrabRow, caller: str, idem: Idempotency | None, arriving: Arriving
    ) -> Post:
        """Make the grab durable; nothing is told to anybody."""
        book = self.judging.book(row.game)
        post, kept = book.come(row), False
        arriving.done()
        unit = Unit(game=row.game, at=row.arrived, idempotency=self._key(row, caller, idem), grabs=(row,))
        try:
            await self.commander.store.commit(unit)
            kept = True
        except Unsettled as gone:
            told = "The store fell silent; send this again with its key to learn what became of it."
            raise Problem("unavailable", told, retry_after=2) from gone
        except Unavailable as gone:
            told = "The service cannot store this now; nothing was changed."
            raise Problem("unavailable", told, retry_after=2) from gone
        finally:
            book.came(row, kept=kept)
            self.judging.keep(book)
        if not self.commander.registry.several:
            await self.judging.look(row.game, live)
        return post

    def _key(self, row: GrabRow, caller: str, idem: Idempotency | None) -> IdempotencyRow:
        """Every grab has a key, be it its id: sent again when the store fell silent, it is never taken in twice."""
        idem = idem or Idempotency(row.id, "")
        keys, extra = self.commander.keys, msgspec.structs.asdict(Mark(row.seat, row.arrived))
        span = (row.version, row.version)
        return keys.row(caller, idem, row.game, row.arrived, status=ACCEPTED, span=span, extra=extra)

    async def _again(self, caller: str, idem: Idempotency | None) -> Answer:
        """The answer of the request that used this key first; a grab's is waited for if need be."""
        assert idem is not None
        row = await self.commander.store.idempotency(caller, idem.key)
        assert row is not None, "a key that is taken has a row"
        if row.status != ACCEPTED or row.fingerprint != idem.fingerprint:
            kept = await self.commander.keys.replay(caller, idem, Caller())
            assert kept is not None
            return kept
        mark = msgspec.json.decode(row.extra, type=Mark)
        try:
            async with asyncio.timeout(TWIN_WAIT_SECONDS):
                while (told := await looked_up(self.commander.registry, row.game, row.first, mark)) is None:
                    await self.judging.adopt(row.game)
                    await asyncio.sleep(TWIN_ASKS_SECONDS)
        except TimeoutError:
            raise Problem("request-in-progress", "This grab is not judged yet.", retry_after=1) from None
        return msgspec.structs.replace(told, replayed=True)


def _patience(live: Live) -> float:
    """For how many seconds an answer is waited for."""
    assert live.table is not None
    return ANSWER_SECONDS_MAX + RACES[live.table.game.name].window_ms(live.table.state) / 1_000
