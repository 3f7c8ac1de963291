"""Playing at a table: a seat's move, a referee's, and what the table does by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from domain.game import Move
from domain.gate import Caller
from domain.table.decide import decide
from domain.table.moves import Act
from domain.table.recording import Step
from domain.table.state import Table
from service.callers import Host, Key, Mint, SeatHolder
from service.dealer import Dealer
from service.grabs.desk import Desk
from service.grabs.judging import Spawn
from service.grabs.published import Published
from service.grabs.races import GRABS, HELD, RACES
from service.problems import Problem
from service.store.port import Store
from service.store.rows import StoredLine
from service.tables.answers import Answer, Idempotency
from service.tables.commands import Commander, Order
from service.tables.live import Live, written_at
from service.tables.reads import Reads, may_know, no_conflict
from service.tables.writing import Plan, with_commit

TRIES_IN_RACES = 12


class Playing(Reads, Commander):
    """The playing half of `Tables`. Grabs that race others' are handed in at a desk of their own (`grabs/desk.py`)."""

    def __init__(
        self,
        store: Store,
        mint: Mint,
        dealer: Dealer,
        now: Callable[[], str],
        *,
        several: bool = False,
        spawn: Spawn = asyncio.create_task,
    ) -> None:
        super().__init__(store, mint, dealer, now, several=several)
        self.published = Published()
        self.desk = Desk(self, self.published, spawn)
        self.listeners.append(self.wrote)

    def tries(self, table: Table) -> int:
        """Grabs come in bursts, and none of them may keep play from ending."""
        return TRIES_IN_RACES if table.game.name in RACES else super().tries(table)

    def wrote(self, game: str, live: Live, lines: Sequence[StoredLine]) -> None:
        """This process has written `lines` and pushes them now: from now on every seat may react to them."""
        if lines and known(live).game.name in RACES:
            self.published.wrote(game, written_at(lines[-1].line), self.now())

    def pushed(self, live: Live, seats: Iterable[int], lines: Iterable[StoredLine]) -> None:
        """Lines that another process wrote are pushed now to open feeds of these seats."""
        table = known(live)
        if table.game.name in RACES:
            at = self.now()
            for line_at in dict.fromkeys(written_at(line.line) for line in lines):
                for seat in seats:
                    self.published.pushed(table.id, seat, line_at, at)

    async def move(
        self,
        game: str,
        who: SeatHolder,
        move: Move,
        idem: Idempotency | None,
        if_match: int | None,
        arrived: str | None = None,
    ) -> Answer:
        """One move of a seat, by the rules of its game; `arrived` is when it came to this process (None: now)."""
        at_table(game, who)
        if type(move) in GRABS:
            return await self.desk.take(game, who, move, idem, if_match, arrived or self.now())
        came = asyncio.get_running_loop().time()

        async def plan(live: Live, at: str) -> Plan:
            made = await self.whole(live, f"seat:{who.seat}", move, at)
            if type(move) in HELD:
                await self.desk.holding.hold(game, live, came, type(move), who.seat)
            return made

        order = Order(caller=caller_of(who), audience=Caller(who.seat), idem=idem, if_match=if_match)
        return await self.desk.holding.patiently(game, order, plan, who.seat if type(move) in HELD else None)

    async def load(self, game: str, who: SeatHolder, idem: Idempotency | None) -> Answer:
        """One load of tokens from the bank for a seat, at any time (K-80)."""
        at_table(game, who)
        table = (await self.registry.get(game)).table
        if table is None or table.game.tokens is None:
            raise Problem("invalid-value", "This table is not played for tokens.")
        return await self.move(game, who, table.game.tokens.load(), idem, None)

    async def referee(self, game: str, who: Key, move: Move, idem: Idempotency | None) -> Answer:
        """A move that a referee makes at this game: a foul reported or taken back, a grip entered."""
        live = await self.registry.get(game)
        may_know(live, who, None, self.mint)
        if "referee" not in who.scopes:
            raise Problem("scope-missing", "This key is no referee.")
        no_conflict(live, who)
        if type(move) not in known(live).game.referee_moves:
            raise Problem("invalid-value", "A referee has no such move at this game.")
        await self.desk.holding.decided(game)

        async def plan(live: Live, at: str) -> Plan:
            return await self.whole(live, by(who), move, at)

        return await self.desk.holding.patiently(game, Order(caller=caller_of(who), idem=idem), plan)

    async def act(self, game: str) -> Answer | None:
        """Let the table do what is due; None if nothing is (a late, early or repeated call is harmless)."""
        came = asyncio.get_running_loop().time()

        async def plan(live: Live, at: str) -> Plan:
            made = await self.whole(live, "table", Act(), at)
            await self.desk.holding.hold(game, live, came)
            return made

        try:
            return await self.desk.holding.patiently(game, Order(caller=f"table:{game}"), plan)
        except Problem as problem:
            if problem.code == "refused":
                return None
            raise

    async def whole(self, live: Live, giver: str, move: Move, at: str) -> Plan:
        """What the command writes: its step, the commit of a round after it, and the end of grabs whose play it ends.

        Raises Refused, and Held while grabs are to be judged first.
        """

        def take(table: Table) -> Step:
            return with_commit(decide(table, giver, move, at), self.dealer)

        return await self.desk.judging.whole(live, at, take)


def known(live: Live) -> Table:
    """The table, which whoever holds its lock has loaded."""
    assert live.table is not None
    return live.table


def caller_of(who: Key | Host | SeatHolder) -> str:
    """For whom a request's key is kept: a seat's caller is its place, not its token."""
    match who:
        case Key(id=key):
            return f"key:{key}"
        case Host(game=game):
            return f"host:{game}"
        case SeatHolder(game=game, seat=seat):
            return f"seat:{game}:{seat}"


def audience(game: str, who: Key | Host | SeatHolder) -> Caller:
    """What the asker may hear at a table."""
    return Caller(who.seat) if isinstance(who, SeatHolder) and who.game == game else Caller()


def at_table(game: str, who: Host | SeatHolder) -> None:
    """Raises Problem wrong-role for the token of another table."""
    if who.game != game:
        raise Problem("wrong-role", "This token is for another table.")


def by(who: Host | SeatHolder | Key) -> str:
    """How a line names who gave its command."""
    match who:
        case Host():
            return "host"
        case SeatHolder(seat=seat):
            return f"seat:{seat}"
        case Key(id=key):
            return f"referee:{key}"
