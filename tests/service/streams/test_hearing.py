"""Who hears what over a live feed: audiences, rounds that open, tokens that die."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from domain.lines import sealed
from service.callers import Host, Reader
from service.feeds import framing
from service.feeds.framing import Framing
from service.feeds.streams import Bounds
from service.problems import Problem
from tests.service.streams.conftest import KEY, Process, Tell, Watching


def only_lines(watching: Watching) -> bytes:
    return b"".join(b"id: %d\ndata: %b\n\n" % line for line in watching.lines)


def test_a_line_is_framed_once_an_audience_however_many_listen(tell: Tell):
    async def story(here: Process) -> None:
        made: list[int] = []

        def counting(seq: int, line: bytes) -> bytes:
            made.append(seq)
            return framing.EVENTS.line(seq, line)

        form = Framing(framing.EVENTS.media, counting, framing.EVENTS.told, framing.EVENTS.heartbeat)
        table = await here.table()
        before = len(await table.lines())
        readers = [await here.watch(table.game, token, form=form) for token in (*table.tokens, *[None] * 20)]
        version = await table.start()
        for reader in readers:
            await reader.until_line(version)
        assert sorted(made) == sorted([*range(before + 1, version + 1)] * 3)
        assert len({only_lines(reader) for reader in readers}) == 3

    tell(story)


def test_each_seat_hears_its_own_and_nobody_anothers(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table()
        readers = [await here.watch(table.game, token, after=0) for token in (*table.tokens, None)]
        version = await table.start()
        lines = await table.lines()
        for seat, reader in enumerate(readers):
            await reader.until_line(version)
            own = b'"to":%d,' % seat
            for seq, line in reader.lines:
                stored = lines[seq - 1]
                hears = b'"salt"' not in stored or own in stored
                assert line == (stored if hears else sealed(seq, stored))
        assert any(b'"to":0,' in line for line in lines)

    tell(story)


def test_lines_that_open_when_a_round_ends_are_not_sent_again_and_come_open_to_who_resumes(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table()
        reader = await here.watch(table.game, after=0)
        await table.start()
        live = await here.tables.registry.get(table.game)
        while live.table is not None and not live.table.opened:
            await table.move()
        version = len(lines := await table.lines())
        await reader.until_line(version)
        assert reader.seqs == list(range(1, version + 1))
        hidden = [n for n, line in enumerate(lines, 1) if b'"salt"' in line]
        heard = dict(reader.lines)
        assert all(heard[n] == sealed(n, lines[n - 1]) for n in hidden[:5])
        again = await here.watch(table.game, after=0)
        await again.until_line(version)
        opened = live.table.opened if live.table else frozenset()
        now_open = {n for n in hidden if msgspec.json.decode(lines[n - 1])["round"] in opened}
        assert now_open
        assert {n for n, line in again.lines if line == lines[n - 1]} >= now_open
        ended = [msgspec.json.decode(line) for line in lines if b'"opened":' in line]
        ranges = [range(first, last + 1) for end in ended for first, last in end["data"]["opened"]]
        assert sorted(n for opening in ranges for n in opening) == sorted(now_open)

    tell(story)


def test_a_look_is_told_live_and_is_sealed_again_for_who_resumes_after_it(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table(2, "hatchatul")
        await table.start()
        early = await here.watch(table.game, table.tokens[0], after=0)
        moves = withdrawn = 0
        while moves < 40 and not await table.over():
            moves += 1
            version = await table.move()
            await early.until_line(version)
            page = await here.tables.events(table.game, Reader(table.holder(0)), 0, 1_000)
            late = await here.watch(table.game, table.tokens[0], after=0)
            await late.until_line(page.version)
            assert only_lines(late) == b"".join(framing.EVENTS.line(n, item) for n, item in enumerate(page.items, 1))
            await late.leave()
            live, again = dict(early.lines), dict(late.lines)
            gone = {n for n in live if again[n] == sealed(n, live[n])}
            opened = {n for n in live if live[n] == sealed(n, again[n])}
            assert all(live[n] == again[n] for n in live.keys() - gone - opened)
            withdrawn = max(withdrawn, len(gone))
        assert withdrawn > 0

    tell(story)


@pytest.mark.parametrize("processes", [1, 2])
def test_pitfall_i3_a_renewed_token_ends_the_old_stream_with_no_private_line_after(tell: Tell, processes: int):
    async def story(here: Process, there: Process | None = None) -> None:
        there = there or here
        table = await here.table()
        old = await here.watch(table.game, table.tokens[0], after=0)
        sitting = len(await table.lines())
        await old.until_line(sitting)
        renewed = await there.tables.renew_token(table.game, KEY, 0, None)
        there.auth.forget(game=table.game)
        version = await table.start()
        await old.until(lambda old: old.done.is_set())
        lines = await table.lines()
        assert any(b'"to":0,' in line for line in lines[sitting:])
        assert not any(b'"to":0,' in line for _, line in old.lines)
        again = await here.watch(table.game, renewed.extra["seat_token"], after=old.seqs[-1])
        await again.until_line(version)
        assert old.seqs + again.seqs == list(range(1, version + 1))
        assert any(b'"to":0,' in line for _, line in again.lines)

    tell(story, processes)


def test_a_revoked_token_ends_a_silent_stream_at_once(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table()
        held, other = [await here.watch(table.game, token) for token in table.tokens]
        free = await here.watch(table.game)
        await here.tables.leave(table.game, Host(table.game, KEY.id), 0, None)
        here.auth.forget(game=table.game)
        async with asyncio.timeout(0.15):  # sooner than a heartbeat
            await held.until(lambda held: held.done.is_set())
        version = len(await table.lines())
        for reader in (other, free):
            await reader.until_line(version)
            assert not reader.done.is_set()

    tell(story, bounds=Bounds(heartbeat_seconds=5))


def test_streams_are_bounded_for_each_token_and_come_back_when_they_are_closed(tell: Tell):
    async def story(here: Process) -> None:
        table = await here.table()
        held = [await here.watch(table.game, table.tokens[0]) for _ in range(2)]
        with pytest.raises(Problem) as caught:
            await here.watch(table.game, table.tokens[0])
        assert caught.value.code == "too-many-streams"
        others = [await here.watch(table.game, table.tokens[1]), await here.watch(table.game)]
        with pytest.raises(Problem) as caught:
            await here.watch(table.game)
        assert caught.value.code == "unavailable"
        for one in (*held, *others):
            await one.leave()
        assert here.streams.open_now == 0
        await (await here.watch(table.game, table.tokens[0])).leave()

    tell(story, bounds=Bounds(per_token=2, most=4))
