"""No gap and no repeat where the backlog meets what is live; snapshots, cursors, and the end."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from domain.lines import sealed
from service.callers import Host, Reader
from service.feeds import framing
from service.feeds.feeds import KEPT_LINES_MAX
from service.feeds.streams import Bounds
from service.problems import Problem
from tests.service.streams.conftest import KEY, Process, Tell, Watching
from tests.service.streams.wire import Wire


def framed(lines: list[bytes], after: int = 0) -> bytes:
    return b"".join(b"id: %d\ndata: %b\n\n" % (n, line) for n, line in enumerate(lines, 1) if n > after)


@pytest.mark.parametrize("processes", [1, 2])
def test_readers_who_come_while_lines_are_committed_miss_none_and_hear_none_twice(tell: Tell, processes: int):
    async def story(here: Process, there: Process | None = None) -> None:
        table = await here.table()
        await table.start()
        watching: list[Watching] = []
        for n in range(30):
            await table.move(there if there and n % 2 else None)
            places = [(process, after) for process in (here, there or here) for after in (0, n % 12)]
            watching += [await process.watch(table.game, table.tokens[n % 2], after) for process, after in places]
        version = len(lines := await table.lines())
        for one in watching:
            await one.until_line(version)
            first = one.seqs[0]
            assert one.seqs == list(range(first, version + 1))
            assert all(line in (lines[seq - 1], sealed(seq, lines[seq - 1])) for seq, line in one.lines)
            await one.leave()
        assert {one.seqs[0] for one in watching} == {n % 12 + 1 for n in range(30)}

    tell(story, processes, Bounds(heartbeat_seconds=0.2, per_token=1_000))


def test_lines_come_as_they_are_stored_byte_for_byte(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table()
        reader = await here.watch(table.game, after=0)
        bare = await here.watch(table.game, after=0, form=framing.LINES)
        version = await table.start()
        await reader.until_line(version)
        heard = [line if b'"salt"' not in line else sealed(n, line) for n, line in enumerate(await table.lines(), 1)]
        assert reader.raw == framed(heard)
        await bare.until(lambda bare: bare.raw.count(b"\n") >= version)
        assert bare.raw.rstrip(b"\n") == b"\n".join(heard)

    tell(story)


def test_without_a_cursor_a_snapshot_comes_and_then_what_follows_it(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table()
        await table.start()
        reader = await here.watch(table.game, table.tokens[1])
        view = await here.tables.view(table.game, Reader(table.holder(1)))
        await reader.until(lambda reader: bool(reader.raw))
        assert reader.raw == b"event: hello\ndata: " + msgspec.json.encode(view.body) + b"\n\n"
        version = await table.move()
        await reader.until_line(version)
        assert reader.seqs == list(range(view.version + 1, version + 1))

    tell(story)


def test_a_reader_far_behind_reads_from_the_store_and_then_goes_on_live(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table(rounds=1000)
        await table.start()
        early = await here.watch(table.game, after=0)
        version = 0
        while version < 2 * KEPT_LINES_MAX:
            version = await table.move()
        late = await here.watch(table.game, after=0)
        await late.until_line(version)
        version = await table.move()
        for reader in (early, late):
            await reader.until_line(version)
            assert reader.seqs == list(range(1, version + 1))

    tell(story)


def test_a_cursor_past_the_head_is_told_so_and_begins_anew(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table()
        version = len(lines := await table.lines())
        reader = await here.watch(table.game, after=version + 1)
        await reader.until(lambda reader: b"hello" in reader.raw)
        live = await here.tables.registry.get(table.game)
        assert reader.raw.startswith(
            b'event: reset\ndata: {"head":"%b","version":%d}\n\n' % (live.head.encode(), version)
        )
        assert reader.told[:2] == ["reset", "hello"]
        await table.start()
        await reader.until_line(version + 1)
        assert reader.seqs[0] == version + 1
        with pytest.raises(Problem) as caught:
            await here.watch(table.game, after=len(lines) + 100, form=framing.LINES)
        assert caught.value.code == "cursor-invalid"
        await reader.leave()
        assert here.streams.open_now == 0

    tell(story)


def test_a_cursor_from_another_process_that_is_ahead_is_no_reset(tell: Tell):
    async def story(here: Process, there: Process) -> None:
        table = await here.table()
        idle = await there.watch(table.game, after=0)
        assert there.streams.tail is not None
        there.streams.tail.rest()  # as if it had not looked yet
        version = await table.start()
        reader = await there.watch(table.game, after=version)
        await reader.until(lambda reader: bool(reader.raw))
        assert reader.told == ["heartbeat"]
        await idle.until_line(version)

    tell(story, 2)


@pytest.mark.parametrize("how", ["follow to it", "come after it"])
def test_the_end_of_the_table_ends_its_feed(tell: Tell, how: str):
    async def story(here: Process) -> None:
        table = await here.table()
        reader = await here.watch(table.game, after=0) if how == "follow to it" else None
        bare = await here.watch(table.game, form=framing.LINES)
        from domain.table.moves import Void

        answer = await here.tables.host(table.game, Host(table.game, KEY.id), Void(), None)
        reader = reader or await here.watch(table.game, after=answer.version)
        for one in (reader, bare):
            await one.until(lambda one: one.done.is_set())
        end = b'event: end\ndata: {"head":"%b","version":%d}\n\n' % (answer.head.encode(), answer.version)
        assert reader.raw.endswith(end)
        assert reader.told == ["end"]
        assert reader.seqs == (list(range(1, answer.version + 1)) if how == "follow to it" else [])
        assert bare.raw.rstrip(b"\n").split(b"\n")[-1] == (await table.lines())[-1]

    tell(story)


def test_a_service_that_stops_finishes_its_streams_and_opens_no_other(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table()
        wire = Wire()
        serving = await wire.serve(here, table)
        await wire.sent_something()
        here.streams.end()
        await asyncio.wait_for(serving, 5)
        assert wire.messages[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
        with pytest.raises(Problem) as caught:
            await here.watch(table.game)
        assert caught.value.code == "unavailable"

    tell(story)
