"""How far away a seat is, is known to every process on a database, and so is whose card is held."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from domain.times import later
from domain.totem.moves import TurnUp
from service.grabs import distances
from service.grabs.distances import HEARD_SECONDS_MAX
from service.problems import Problem
from service.store.port import Unavailable
from tests.postgres import execute
from tests.service.grabs.conftest import Court, Match, Still, lie_undecided, said

LONG_AGO = "2020-01-01T00:00:00.000000Z"
FAR_MS = 100
BETWEEN_MS = 30
"""The far grab comes so much later: more than a seat without a figure is given, and less than one with it is."""


async def on_both(houses: tuple[Still, Still], seconds: float) -> None:
    """Let time go on everywhere, and let everybody do what is due then."""
    for house in houses:
        house.wait(seconds)
    await asyncio.sleep(0.3)


async def far_seat(one: Still, two: Still, **rules: Any) -> Match:
    """Seats 0 and 1 match, and seat 0 sits far away at a socket of process one; process two knows the table."""
    match = await one.matched(dead_heat_ms=0, **rules)
    match.slow(0, rtt=FAR_MS)
    await one.tables.desk.distances.tell_now()
    await two.tables.registry.get(match.game)
    await on_both((one, two), 0.29)
    return match


def told_on(on_postgres: Any, story: Any) -> None:
    async def telling(store: Any) -> None:
        await asyncio.wait_for(story(Still(store), Still(store)), 60)

    on_postgres.run(telling)


@pytest.mark.parametrize("near_at", [0, 1])
@pytest.mark.parametrize("far_at", [0, 1])
def test_an_honest_seat_far_away_wins_whichever_process_its_grab_and_its_rival_s_come_to(
    on_postgres: Any, near_at: int, far_at: int
):
    async def story(one: Still, two: Still) -> None:
        houses = (one, two)
        match = await far_seat(one, two)
        near = match.grab(1, reaction_ms=290, tables=houses[near_at].tables)
        await lie_undecided(match, 1)
        await on_both(houses, BETWEEN_MS / 1_000)
        far = match.grab(0, reaction_ms=260, tables=houses[far_at].tables)
        await lie_undecided(match, 2)
        await on_both(houses, 0.2)
        assert [said(answer) for answer in await asyncio.gather(far, near)] == ["won", "lost"]
        [judged] = await match.lines("totem.grabs_judged")
        assert {grab["seat"]: grab["rtt_ms"] for grab in judged["data"]["grabs"]} == {0: FAR_MS, 1: 0}

    told_on(on_postgres, story)


def test_a_judgement_says_which_figures_of_silent_seats_it_waited_for(on_postgres: Any):
    async def story(one: Still, two: Still) -> None:
        match = await far_seat(one, two)
        near = match.grab(1, tables=two.tables)
        await lie_undecided(match, 1)
        await on_both((one, two), 1)
        assert said(await near) == "won"
        [judged] = await match.lines("totem.grabs_judged")
        assert {seat["seat"]: seat["rtt_ms"] for seat in judged["data"]["silent"]} == {0: FAR_MS, 2: 0}

    told_on(on_postgres, story)


def test_who_takes_over_the_grabs_of_another_process_waits_for_the_same_seats(on_postgres: Any):
    async def story(one: Still, two: Still) -> None:
        match = await far_seat(one, two)
        setattr(one.tables.desk.judging, "keep", lambda _book: None)  # noqa: B010 - a method, taken away
        near = match.grab(1)
        await lie_undecided(match, 1)
        await two.tables.desk.judging.adopt(match.game)
        await on_both((one, two), BETWEEN_MS / 1_000)
        assert len(await one.store.grabs(match.game)) == 1
        await on_both((one, two), 1)
        [judged] = await match.lines("totem.grabs_judged")
        assert {seat["seat"]: seat["rtt_ms"] for seat in judged["data"]["silent"]} == {0: FAR_MS, 2: 0}
        near.cancel()

    told_on(on_postgres, story)


def test_of_figures_at_several_processes_the_least_counts(on_postgres: Any):
    async def story(one: Still, two: Still) -> None:
        match = await far_seat(one, two)
        known = two.tables.desk.distances
        await known.hear(match.game)
        assert known.rtt_ms(match.game, 0) == FAR_MS
        link = two.tables.published.connect(match.game, 0)
        assert known.rtt_ms(match.game, 0) == FAR_MS, "no pong yet"
        link.ping(3)
        assert known.rtt_ms(match.game, 0) == 3
        await known.tell_now()
        await one.tables.desk.distances.hear(match.game)
        assert one.tables.desk.distances.rtt_ms(match.game, 0) == 3

    told_on(on_postgres, story)


def test_a_figure_goes_with_its_socket_and_with_a_process_that_says_nothing_more(on_postgres: Any):
    async def story(one: Still, two: Still) -> None:
        match = await one.matched()
        here, there = one.tables.desk.distances, two.tables.desk.distances

        async def heard() -> int:
            await there.hear(match.game)
            return there.rtt_ms(match.game, 0)

        link = one.tables.published.connect(match.game, 0)
        await here.tell_now()
        assert await heard() == 0
        link.ping(80)
        await here.tell_now()
        assert await heard() == 80
        link.close()
        await here.tell_now()
        assert await heard() == 0
        assert await one.store.latencies(match.game, "", LONG_AGO) == []
        one.tables.published.connect(match.game, 0).ping(70)
        await here.tell_now()
        two.wait(HEARD_SECONDS_MAX - 1)
        assert await heard() == 70
        two.wait(1)
        assert await heard() == 0, "it was told too long ago"

    told_on(on_postgres, story)


class Counting:
    """A store that counts what is told, and is away when it shall be."""

    def __init__(self, store: Any) -> None:
        self.store, self.told, self.away = store, list[int](), False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def tell_latencies(self, process: str, rows: Any, gone: Any = ()) -> None:
        if self.away:
            raise Unavailable("away")
        self.told += [len(rows)]
        await self.store.tell_latencies(process, rows, gone)


def test_what_is_no_news_is_told_again_now_and_then_and_never_once_a_ping(on_postgres: Any, monkeypatch: Any):
    async def story(one: Still, _two: Still) -> None:
        store = one.tables.registry.store = Counting(one.store)
        match, other = await one.matched(), await one.open(2)
        links = [one.tables.published.connect(match.game, seat) for seat in range(3)]
        one.tables.published.connect(other.game, 0).ping(50)
        here = one.tables.desk.distances
        for _ in range(20):
            for link in links:
                link.ping(60)
            await here.tell_now()
        assert [rows for rows in store.told if rows] == [3], "one statement, and none about a table without races"
        for milliseconds, rows in ((63, 0), (65, 1)):
            store.told.clear()
            for _ in range(20):
                links[0].ping(milliseconds)
            await here.tell_now()
            assert sum(store.told) == rows
        monkeypatch.setattr(distances, "AGAIN_SECONDS", 0.05)
        await asyncio.sleep(0.06)
        store.told.clear()
        await here.tell_now()
        assert store.told == [3], "a sign of life"

    told_on(on_postgres, story)


def test_one_process_alone_writes_nothing_and_reads_nothing(on_sqlite: Any):
    async def story(store: Any) -> None:
        house = Court(store, several=False)
        match = await house.matched()
        match.slow(2)
        for name in ("tell_latencies", "latencies", "others"):
            setattr(store, name, None)
        assert await house.tables.desk.distances.tell_now()
        assert said(await match.grab(0)) == "won"

    on_sqlite.run(story)


def test_a_store_that_is_away_is_told_when_it_comes_back(on_postgres: Any, monkeypatch: Any):
    monkeypatch.setattr(distances, "AWAY_SECONDS", 0.05)

    async def story(one: Still, two: Still) -> None:
        store = one.tables.registry.store = Counting(one.store)
        match = await one.matched()
        telling = asyncio.create_task(one.tables.desk.distances.run())
        store.away = True
        one.tables.published.connect(match.game, 0).ping(80)
        await asyncio.sleep(0.4)
        assert not telling.done()
        store.away = False
        known = two.tables.desk.distances
        async with asyncio.timeout(5):
            while known.rtt_ms(match.game, 0) != 80:
                await known.hear(match.game)
                await asyncio.sleep(0.02)
        telling.cancel()

    told_on(on_postgres, story)


def test_a_statement_that_fails_is_no_end_of_telling(on_postgres: Any):
    async def story(one: Still, _two: Still) -> None:
        match = await one.matched()
        one.tables.published.connect(match.game, 0).ping(80)
        url = on_postgres.where["database_url"]
        execute(url, "ALTER TABLE kupa.latencies RENAME TO gone")
        assert not await one.tables.desk.distances.tell_now()
        execute(url, "ALTER TABLE kupa.gone RENAME TO latencies")
        assert await one.tables.desk.distances.tell_now()
        assert len(await one.store.latencies(match.game, "", later(one.time, seconds=-1))) == 1

    told_on(on_postgres, story)


async def card_held_at_one(one: Still, two: Still) -> tuple[Match, asyncio.Task[Any], asyncio.Task[Any]]:
    """Seats 0 and 1 match, and it is the turn of seat 0: its card is held at one, for seat 1 has grabbed there."""
    match = await one.matched(dead_heat_ms=0)
    await match.turn_up(2)
    match.slow(2, rtt=125)
    await two.tables.registry.get(match.game)
    await on_both((one, two), 0.29)
    honest = match.grab(1, 3, reaction_ms=290)
    await lie_undecided(match, 1)
    flip = asyncio.create_task(match.turn_up(0))
    async with asyncio.timeout(5):
        while not await one.store.latencies(match.game, two.tables.desk.distances.process, LONG_AGO):  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    return match, honest, flip


def test_who_learns_at_one_process_that_somebody_grabbed_grabs_too_late_at_another(on_postgres: Any):
    async def story(one: Still, two: Still) -> None:
        match, honest, flip = await card_held_at_one(one, two)
        with pytest.raises(Problem) as refused:
            await match.grab(0, 3, tables=two.tables, reaction_ms=0, fingers=5, grip_height=0)
        assert (refused.value.code, refused.value.ruling) == ("refused", "T-54")
        await on_both((one, two), 1)
        assert said(await honest) == "won"
        assert (await flip).status == 200

    told_on(on_postgres, story)


def test_a_card_that_was_held_once_refuses_no_later_grab(on_postgres: Any):
    async def story(one: Still, two: Still) -> None:
        match, honest, flip = await card_held_at_one(one, two)
        await on_both((one, two), 1)
        await asyncio.gather(honest, flip)
        state = await match.state()
        rows = await one.store.latencies(match.game, two.tables.desk.distances.process, LONG_AGO)
        assert any(row.held is not None for row in rows), "the mark lies there still, as of a process that died"
        match.slow(1, rtt=125)
        rival = match.grab(2, state.board.reveal)
        await lie_undecided(match, 1)
        grab = match.grab(0, state.board.reveal, tables=two.tables)
        await lie_undecided(match, 2)
        await on_both((one, two), 1)
        await asyncio.gather(rival, grab)

    told_on(on_postgres, story)


def test_a_process_that_is_behind_holds_a_card_for_grabs_of_a_version_that_it_has_not_seen(on_postgres: Any):
    async def story(one: Still, two: Still) -> None:
        match = await one.matched(4, dead_heat_ms=0)
        for seat in (2, 3):
            await match.turn_up(seat)
        await two.tables.registry.get(match.game)
        await one.tables.leave(match.game, match.seats[3], 3, None)
        match.slow(2, rtt=125)
        await on_both((one, two), 0.29)
        state = await match.state()
        honest = match.grab(1, state.board.reveal, reaction_ms=290)
        await lie_undecided(match, 1)
        flip = asyncio.create_task(two.tables.move(match.game, match.seats[0], TurnUp(), None, None))
        async with asyncio.timeout(5):
            while not await one.store.latencies(match.game, one.tables.desk.distances.process, LONG_AGO):  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        with pytest.raises(Problem) as refused:
            await match.grab(0, state.board.reveal, reaction_ms=0)
        assert refused.value.ruling == "T-54"
        await on_both((one, two), 1)
        assert said(await honest) == "won"
        await asyncio.wait([flip])

    told_on(on_postgres, story)


def test_what_a_dead_process_said_goes_with_the_hourly_forgetting(on_postgres: Any):
    async def story(one: Still, _two: Still) -> None:
        match = await one.matched()
        match.slow(0)
        await one.tables.desk.distances.tell_now()

        async def forgotten() -> int:
            forgetting = asyncio.create_task(one.timers.forget())
            await asyncio.sleep(0.2)
            forgetting.cancel()
            return len(await one.store.latencies(match.game, "", LONG_AGO))

        assert await forgotten() == 1
        one.wait(HEARD_SECONDS_MAX + 1)
        assert await forgotten() == 0

    told_on(on_postgres, story)
