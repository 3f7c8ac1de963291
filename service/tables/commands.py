"""The one-way road of a command: lock, key, If-Match, rules, lines, commit, and only then the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import TypeVar

from msgspec import Struct

from domain.game import Refused
from domain.gate import Caller
from domain.lines import line_hash
from domain.table.state import Table
from service.callers import Mint
from service.dealer import Dealer
from service.ledger.rows import booked, standing_of
from service.problems import Problem
from service.store.port import KeyTaken, LinesTaken, Store, Unavailable, Unit, Unsettled
from service.store.rows import DirectoryRow, LedgerRow, StoredLine
from service.tables.answers import Answer, Idempotency
from service.tables.keyed import Keys, refusal
from service.tables.live import Live
from service.tables.registry import Registry
from service.tables.writing import NewLines, Plan, directory_row, marked, new_directory_row, numbered, resource

T = TypeVar("T")
TRIES = 3
"""How often a command is decided again after another process was first."""


class Order(Struct, frozen=True, kw_only=True):
    """One request on its way: for whom it is kept, who hears the answer, what version it expects."""

    caller: str
    audience: Caller = Caller()
    idem: Idempotency | None = None
    if_match: int | None = None


Planner = Callable[[Live, str], Awaitable[Plan]]
"""(the table under its lock, the time) -> what to write; raises Refused or Problem."""


class Commander:
    """Runs commands, one a table at a time. A table's state moves on only after the commit."""

    def __init__(
        self, store: Store, mint: Mint, dealer: Dealer, now: Callable[[], str], *, several: bool = False
    ) -> None:
        self.store, self.mint, self.dealer, self.now = store, mint, dealer, now
        self.registry = Registry(store, several=several)
        self.keys = Keys(self.registry, mint)
        self.followers: list[Callable[[str, Live], None]] = []
        """Told of each table that moved on, after the commit: clocks, bots. They never command here."""
        self.listeners: list[Callable[[str, Live, Sequence[StoredLine]], None]] = []
        """Told, after the commit, of the lines themselves: the live feeds."""

    async def run(self, game: str, order: Order, planner: Planner) -> Answer:
        """Carry one command through to its answer; it goes on to its end even when the caller goes away."""
        return await to_the_end(self._run(game, order, planner))

    def tries(self, table: Table) -> int:  # noqa: ARG002  (some tables are given more)
        """How often a command of this table is decided when others keep being first."""
        return TRIES

    async def _run(self, game: str, order: Order, planner: Planner) -> Answer:
        live = await self.registry.get(game)
        async with self.keys.running(order.caller, order.idem), live.lock:
            for _ in range(self.tries(await self.registry.current(game, live))):
                try:
                    return await self._once(game, live, order, planner)
                except LinesTaken:
                    await self.registry.catch_up(game, live)
                except KeyTaken:
                    return await self._replayed(order, live)
        raise Problem("table-busy", "Others keep moving at this table; try again.", retry_after=1)

    async def _once(self, game: str, live: Live, order: Order, planner: Planner) -> Answer:
        table = await self.registry.current(game, live)
        at = max(self.now(), table.at)
        try:
            _check_version(order, table)
            plan = await planner(live, at)
        except (Refused, Problem) as no:
            if await self.registry.behind(game, live):
                raise LinesTaken from None
            problem = refusal(no, table.version) if isinstance(no, Refused) else no
            again = await self._again(order, live) or await self._kept(live, order, at, problem)
            if again is not None:
                return again
            raise problem from None
        return await self._commit(game, live, order, plan, at)

    async def _again(self, order: Order, live: Live) -> Answer | None:
        """A key is looked up only before its request would be refused; on the accepting road the INSERT tells."""
        return await self.keys.replay(order.caller, order.idem, order.audience, live)

    async def _kept(self, live: Live, order: Order, at: str, problem: Problem) -> Answer | None:
        """Keep a refusal with its key; the answer of a twin elsewhere that was accepted meanwhile, if there is one."""
        assert live.table is not None
        try:
            await self.keys.refuse(order.caller, order.idem, live.table.id, at, problem)
        except KeyTaken:
            return await self.keys.replay(order.caller, order.idem, order.audience, live)
        return None

    async def _replayed(self, order: Order, held: Live | None = None) -> Answer:
        answer = await self.keys.replay(order.caller, order.idem, order.audience, held)
        assert answer is not None, "a key that is taken has a row"
        return answer

    async def _commit(self, game: str, live: Live, order: Order, plan: Plan, at: str) -> Answer:
        plan.extra |= marked(plan.table)
        if plan.repeats is not None:
            return await self._repeated(game, live, order, plan.repeats, at)
        new = numbered(game, plan.entries, live.head, self.dealer)
        old = live.directory
        assert old is not None
        assert live.table is not None
        directory = directory_row(old, plan.table, new.head) if new.lines else old
        ledger = tuple(booked(game, standing_of(live.table), plan.entries))
        unit = self._unit(order, plan, at, new, directory if new.lines else None, ledger)
        await self._write(live, unit)
        live.take_seats(plan.seats)
        live.directory = directory
        if new.lines:
            live.advance(plan.table, plan.entries, new.head)
            self._tell(game, live, new.lines)
        return self._answer(game, live, order, plan, unit)

    async def _repeated(self, game: str, live: Live, order: Order, seq: int, at: str) -> Answer:
        """The answer that was given when line `seq` was written; a key of its own is kept with it."""
        lines = await self.store.lines(game, after=seq - 1, limit=1)
        assert live.table is not None
        head, mark = line_hash(lines[0].line), marked(live.table)
        if order.idem is not None:
            extra = {**mark, "_version": seq, "_head": head}
            row = self.keys.row(order.caller, order.idem, game, at, status=HTTPStatus.OK, span=(seq, seq), extra=extra)
            await self._write(live, Unit(game=game, at=at, idempotency=row))
        events = live.hear(lines, order.audience)
        return Answer(status=HTTPStatus.OK, game=game, version=seq, head=head, events=events, extra=mark)

    async def create(self, order: Order, plan: Plan, owner: str, name: str | None, invite: str | None) -> Answer:
        """Write a new table, which `plan` holds whole."""
        return await to_the_end(self._create(order, plan, owner, name, invite))

    async def _create(self, order: Order, plan: Plan, owner: str, name: str | None, invite: str | None) -> Answer:
        game, live = plan.table.id, Live()
        new = numbered(game, plan.entries, live.head, self.dealer)
        directory = new_directory_row(plan.table, new.head, owner, name, invite)
        plan.extra |= resource(plan.table, new.head, directory)
        unit = self._unit(order, plan, plan.table.at, new, directory)
        async with self.keys.running(order.caller, order.idem):
            try:
                await self._write(live, unit)
            except KeyTaken:
                return await self._replayed(order)
        live.directory = directory
        live.advance(plan.table, plan.entries, new.head)
        self.registry.adopt(game, live)
        self._tell(game, live, new.lines)
        return self._answer(game, live, order, plan, unit)

    def _unit(
        self,
        order: Order,
        plan: Plan,
        at: str,
        new: NewLines,
        directory: DirectoryRow | None,
        ledger: tuple[LedgerRow, ...] = (),
    ) -> Unit:
        extra = self.keys.covered(plan.extra, plan.secrets)
        extra |= {"_version": plan.table.version, "_head": new.head, "_location": plan.location}
        game, lines = plan.table.id, new.lines
        span = (lines[0].seq, lines[-1].seq) if lines else (0, 0)
        row = self.keys.row
        idem = None
        if order.idem is not None:
            idem = row(order.caller, order.idem, game, at, status=plan.status, span=span, extra=extra)
        return Unit(
            game=game,
            at=at,
            lines=lines,
            idempotency=idem,
            directory=directory,
            tokens=plan.tokens,
            revoked=plan.revoked,
            players=plan.players,
            seats=plan.seats,
            ledger=ledger,
            judged=plan.judged,
        )

    async def _write(self, live: Live, unit: Unit) -> None:
        """Commit; when it is not certain what became of the unit, the table is read again before its next use."""
        try:
            await self.store.commit(unit)
        except (LinesTaken, KeyTaken):
            raise
        except Unsettled as gone:
            live.reset()
            told = "The store fell silent; read the table, or send this again with its key, to learn what became of it."
            raise Problem("unavailable", told, retry_after=2) from gone
        except Unavailable as gone:
            live.reset()
            told = "The service cannot store this now; nothing was changed."
            raise Problem("unavailable", told, retry_after=2) from gone
        except BaseException:
            live.reset()
            raise

    def _answer(self, game: str, live: Live, order: Order, plan: Plan, unit: Unit) -> Answer:
        return Answer(
            status=plan.status,
            game=game,
            version=plan.table.version,
            head=live.head,
            events=live.hear(unit.lines, order.audience),
            extra=self.keys.uncovered(self.keys.covered(dict(plan.extra), plan.secrets)),
            location=plan.location,
        )

    def _tell(self, game: str, live: Live, lines: Sequence[StoredLine]) -> None:
        for listener in self.listeners:
            listener(game, live, lines)
        for follower in self.followers:
            follower(game, live)


def _check_version(order: Order, table: Table) -> None:
    if order.if_match not in (None, table.version):
        raise Problem("version-stale", f"The table is at version {table.version}.", version=table.version)


async def to_the_end(work: Awaitable[T]) -> T:
    """A command that was begun is finished, whether or not somebody still waits for its answer."""
    return await asyncio.shield(asyncio.ensure_future(work))
