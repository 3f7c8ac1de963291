"""Nothing is sent before it is committed, and everything that is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from domain.table.moves import CallLastRound
from service.callers import Host, Reader
from service.feeds import framing
from service.problems import Problem
from service.store.port import Unavailable, Unit
from tests.service.streams.conftest import KEY, Process, Tell


class Held:
    """A store whose commits wait, and fail if they are told to."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = asyncio.Event()
        self.fail: Exception | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, unit: Unit) -> None:
        self.waiting.set()
        await self.gate.wait()
        if self.fail is not None:
            raise self.fail
        await self._store.commit(unit)


def test_pitfall_i5_nothing_is_sent_before_it_is_committed_and_nothing_of_what_failed(tell: Tell):
    async def story(outer: Process) -> None:
        store = Held(outer.store)
        here = Process(store, several=False)
        table = await here.table()
        sitting = len(await table.lines())
        reader = await here.watch(table.game, after=sitting)
        store.gate.clear()
        store.waiting.clear()
        starting = asyncio.create_task(table.start())
        await store.waiting.wait()
        await reader.until(lambda reader: reader.told.count("heartbeat") >= 2)
        assert reader.seqs == []
        store.gate.set()
        version = await starting
        await reader.until_line(version)
        store.fail = Unavailable("told to fail")
        with pytest.raises(Problem):
            await table.move()
        with pytest.raises(Problem):
            await here.tables.host(table.game, Host(table.game, KEY.id), CallLastRound(), None)
        store.fail = None
        heartbeats = reader.told.count("heartbeat")
        await reader.until(lambda reader: reader.told.count("heartbeat") > heartbeats + 1)
        assert reader.seqs == list(range(sitting + 1, version + 1))
        last = await table.move()
        await reader.until_line(last)
        assert reader.seqs == list(range(sitting + 1, last + 1))
        await here.background.stop()

    tell(story)


def test_pitfall_i5_who_hears_a_line_reads_a_view_at_least_as_new(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table(rounds=1000)
        await table.start()
        stream = await here.streams.open(table.game, Reader(), None, 0, framing.EVENTS)
        tries = 0

        async def moving() -> None:
            while tries < 500:
                await table.move()

        moves = asyncio.create_task(moving())
        async for message in stream.messages():
            view = await here.tables.view(table.game, Reader())
            seqs = [int(line[4:]) for line in message.split(b"\n") if line.startswith(b"id: ")]
            tries += len(seqs)
            assert not seqs or view.version >= seqs[-1]
            if tries >= 500:
                break
        await moves
        stream.close()

    tell(story)


def test_lines_whose_commit_was_not_acknowledged_come_with_the_next_look(tell: Tell):
    async def story(outer: Process) -> None:
        class Silent(Held):
            async def commit(self, unit: Unit) -> None:
                await self._store.commit(unit)
                if self.fail is not None:
                    raise self.fail

        store = Silent(outer.store)
        here = Process(store, several=False)
        table = await here.table()
        reader = await here.watch(table.game, after=0)
        store.fail = Unavailable("written, and then silence")
        with pytest.raises(Problem):
            await table.start()
        await reader.until_line(len(await table.lines()))
        assert reader.seqs == list(range(1, len(await table.lines()) + 1))
        await here.background.stop()

    tell(story)
