"""What can be read of tables: resource, view, legal moves, feed; each as the asker may hear it now."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from domain.gate import Caller
from domain.table.state import Ended, Voided, now
from domain.table.view import options
from service.callers import Host, Key, Mint, Reader, SeatHolder, Spectator, Who
from service.problems import Fault, Problem
from service.store.port import Store
from service.tables.answers import Page, Viewed
from service.tables.history import Heard, History, heard, stored_commands
from service.tables.live import Live
from service.tables.registry import Registry
from service.tables.views import past_view, some_round_open, viewed
from service.tables.writing import marked, resource

MIN_VERSION_WAIT_SECONDS = 2.0
MOVES_WAIT_SECONDS_MAX = 30.0
ASK_SECONDS = 0.1
"""How often somebody who waits asks for what other processes wrote."""


class Reads:
    """The reading half of `Tables`."""

    registry: Registry
    store: Store
    mint: Mint

    async def resource(self, game: str, reader: Reader) -> dict[str, Any]:
        """The table resource: what everybody may know."""
        live = await self._readable(game, reader)
        assert live.table is not None
        assert live.directory is not None
        return resource(live.table, live.head, live.directory)

    async def events(self, game: str, reader: Reader, after: int, limit: int) -> Page:
        """A page of the feed: lines, or sealed entries where the reader may not hear."""
        live = await self._readable(game, reader)
        caller = reader_audience(game, live, reader.who)
        lines = await self.store.lines(game, after=after, limit=limit)
        assert live.table is not None
        version, head = live.table.version, live.head
        # Nothing is served beyond the version that this process has folded: the gate needs the table as of then.
        items = [line for line in lines if line.seq <= version]
        more = bool(items) and items[-1].seq < version
        return Page(items=live.hear(items, caller), next=items[-1].seq if more else None, version=version, head=head)

    async def history(self, game: str, reader: Reader, seat: int, after: int, limit: int) -> History:
        """What `seat` had heard, command by command: to itself all of it, to others what is open (G-05, G-06).

        Raises Problem not-found for no such seat, refused while no round is open to somebody else.
        """
        live = await self._readable(game, reader)
        caller, table = reader_audience(game, live, reader.who), live.table
        assert table is not None
        if not 0 <= seat < table.size:
            raise Problem("not-found", "There is no such seat.")
        if caller.seat != seat:
            some_round_open(table, caller)
        moment = now(table)
        version, head = table.version, live.head
        items: list[Heard] = []
        async for command in stored_commands(self.store, game, after, version):
            found = heard(command, seat, caller, moment)
            if found is None or len(items) == limit:
                more = found is not None
                return History(items=tuple(items), next=items[-1].version if more else None, version=version, head=head)
            items.append(found)
        return History(items=tuple(items), next=None, version=version, head=head)

    async def moves(self, game: str, who: SeatHolder, after: int | None, wait: float) -> dict[str, Any]:
        """The seat's legal moves, each ready to be sent; waits until the table is past `after`, at most `wait` s."""
        live = await self._readable(game, Reader(who))
        if who.game != game:
            raise Problem("wrong-role", "This token is for another table.")
        if after is not None:
            await self._past(game, live, after, min(wait, MOVES_WAIT_SECONDS_MAX))
        async with live.lock:
            table = await self.registry.current(game, live)
            view = await self.registry.view(game, live, who.seat)
            return {
                "version": table.version,
                "head": live.head,
                "items": [msgspec.to_builtins(move) for move in options(view)],
                "next": None,
                **marked(table),
            }

    async def view(
        self, game: str, reader: Reader, at: int | None = None, as_: str | None = None, min_version: int | None = None
    ) -> Viewed:
        """The table as the reader (or, once opened, as another seat or everybody) sees it at version `at`."""
        live = await self._readable(game, reader)
        if min_version is not None:
            await self._past(game, live, min_version - 1, MIN_VERSION_WAIT_SECONDS)
            if live.table is None or live.table.version < min_version:
                raise Problem("unavailable", f"The table has not reached version {min_version}.", retry_after=1)
        caller = reader_audience(game, live, reader.who)
        async with live.lock:
            table = await self.registry.current(game, live)
            if at is not None and not 1 <= at <= table.version:
                raise _no_version(at, table.version)
            if as_ is None and at in (None, table.version):
                view = await self.registry.view(game, live, caller.seat)
                return viewed(table, live.head, caller.seat, view)
            lines = await self.store.lines(game, limit=at or table.version)
        return past_view(table, lines, caller, as_)

    async def _past(self, game: str, live: Live, version: int, seconds: float) -> None:
        """Wait until the table is past `version`, at most so long. What other processes write is asked for."""
        pause = ASK_SECONDS if self.registry.several else None
        try:
            async with asyncio.timeout(seconds):
                while live.table is None or live.table.version <= version:
                    await _changed(live, pause)
                    live = await self.registry.fresh(game)
        except TimeoutError:
            return

    async def _readable(self, game: str, reader: Reader) -> Live:
        live = await self.registry.fresh(game)
        may_know(live, reader.who, reader.invite, self.mint)
        return live


def may_know(live: Live, who: Who, invite: str | None, mint: Mint) -> None:
    """Raises Problem not-found for a private table that the asker has no part in."""
    directory, table = live.directory, live.table
    assert directory is not None
    assert table is not None
    if directory.visibility == "public":
        return
    match who:
        case Host(game=game) | SeatHolder(game=game) if game == table.id:
            return
        case Key(id=key, scopes=scopes) if (
            key == directory.owner or key in live.held or {"audit", "referee"} & {*scopes}
        ):
            return
        case _ if invite and directory.invite and mint.digest(invite) == directory.invite:
            return
        case _:
            raise Problem("not-found", "There is no such table.")


def no_conflict(live: Live, key: Key) -> None:
    """Raises Problem conflict-of-interest for a key that holds or held a seat at this table while it runs (G-10)."""
    assert live.table is not None
    if key.id in live.held and not isinstance(live.table.phase, Ended | Voided):
        raise Problem(
            "conflict-of-interest",
            "This key holds or held a seat here: read with that seat's token, or with none, as a spectator.",
        )


def reader_audience(game: str, live: Live, who: Who) -> Caller:
    """What a reader may hear: a seat of this table its own, an auditor finished rounds, anybody else the public."""
    match who:
        case SeatHolder(seat=seat) if who.game == game:
            return Caller(seat)
        case Key(scopes=scopes) if "audit" in scopes:
            no_conflict(live, who)
            return Caller(audit=True)
        case Key() | Host() | SeatHolder() | Spectator():
            return Caller()


async def _changed(live: Live, seconds: float | None) -> None:
    """Wait until the table moves in this process, at most so long (None: for ever)."""
    try:
        async with asyncio.timeout(seconds):
            await live.change()
    except TimeoutError:
        return


def _no_version(at: int, version: int) -> Problem:
    errors = (Fault("at", "query", f"1 to {version}"),)
    return Problem("invalid-value", f"There is no version {at} of this table.", errors=errors, version=version)
