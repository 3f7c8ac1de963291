"""Readers who do not read, or go away: cut off, freed, and in nobody's way."""

from __future__ import annotations

import asyncio

from service.feeds.streams import Bounds
from tests.service.streams.conftest import Process, Tell
from tests.service.streams.wire import Wire


def test_pitfall_i7_who_does_not_read_is_cut_off_at_the_stated_size_and_holds_nobody_up(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table(rounds=1000)
        await table.start()
        other = await here.watch(table.game)
        wire = Wire(full=True)
        serving = await wire.serve(here, table)
        version, waited = 0, 0
        before = len(await table.lines())
        await wire.sent_something()
        while not serving.done():
            version = await table.move()
            await other.until_line(version)  # nobody else waits
            waited = sum(map(len, (await table.lines())[before:]))
            assert waited < 2 * 65_536
        assert waited > 65_536 - 1_000
        assert wire.messages[-1]["type"] == "http.response.start"  # nothing more, and no proper end
        assert here.streams.open_now == 1
        again = await here.watch(table.game, after=before)
        await again.until_line(version)
        assert again.seqs == list(range(before + 1, version + 1))

    tell(story, bounds=Bounds(buffer_bytes=65_536, heartbeat_seconds=0.2))


def test_who_takes_nothing_for_too_long_is_cut_off_at_a_silent_table_too(tell: Tell, monkeypatch):
    monkeypatch.setattr("service.feeds.streams.STALLED_SECONDS_MAX", 0.3)

    async def story(here: Process) -> None:
        table = await here.table()
        idle, wire = Wire(), Wire(full=True)
        reading, serving = await idle.serve(here, table), await wire.serve(here, table)
        await asyncio.wait_for(serving, 5)
        assert not reading.done()
        idle.hang_up()
        await asyncio.wait_for(reading, 5)

    tell(story, bounds=Bounds(heartbeat_seconds=0.1))


def test_who_goes_away_leaves_nothing_behind(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table()
        tasks = len(asyncio.all_tasks())
        for full in (False, True) * 5:
            wire = Wire(full=full)
            serving = await wire.serve(here, table)
            await wire.sent_something()
            wire.hang_up()
            await asyncio.wait_for(serving, 5)
        assert here.streams.open_now == 0
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == tasks

    tell(story)
