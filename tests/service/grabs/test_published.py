"""From when a seat's reaction counts: from when a reveal was pushed, to all alike, however late a seat looks."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from domain.times import later
from service.callers import Reader
from service.feeds.framing import EVENTS
from service.grabs.published import MOMENTS_MAX, Published
from service.problems import Problem
from tests.service.grabs.conftest import Court, Match, Still, lie_undecided
from tests.service.store.units import AT
from tests.service.streams.conftest import Process

SEAT = ("table", 1)


def at(ms: int) -> str:
    return later(AT, milliseconds=ms)


def test_what_this_process_wrote_is_known_to_all_from_when_it_was_pushed():
    published = Published()
    published.wrote("table", at(0), at(4))
    published.wrote("table", at(0), at(90))
    published.pushed(*SEAT, at(0), at(30))
    assert {published.when("table", seat, at(0)) for seat in range(4)} == {at(4)}
    assert published.when("another", 1, at(0)) is None
    assert published.when("table", 1, at(1)) is None
    assert published.when("table", 1, None) is None


def test_what_another_process_wrote_is_known_to_the_seats_it_was_pushed_to():
    published = Published()
    published.pushed(*SEAT, at(0), at(15))
    published.pushed(*SEAT, at(0), at(140))
    assert published.when(*SEAT, at(0)) == at(15)
    assert published.when("table", 2, at(0)) is None


def test_only_so_much_is_remembered():
    published = Published(most=2)
    for ms in range(MOMENTS_MAX + 1):
        published.wrote("table", at(ms), at(ms))
    assert published.when("table", 0, at(0)) is None
    assert published.when("table", 0, at(MOMENTS_MAX)) == at(MOMENTS_MAX)
    for game in ("one", "two"):
        published.wrote(game, at(0), at(0))
    assert published.when("table", 0, at(MOMENTS_MAX)) is None


def test_a_latency_figure_is_that_of_an_open_socket_and_gone_with_it():
    published = Published()
    assert published.rtt_ms(*SEAT) == 0
    link = published.connect(*SEAT)
    assert published.rtt_ms(*SEAT) == 0
    for ms in (80, 20, 90, 70):
        link.ping(ms)
    assert published.rtt_ms(*SEAT) == 20
    link.close()
    assert published.rtt_ms(*SEAT) == 0
    assert published.connect(*SEAT).rtt_ms is None


def test_a_socket_that_answers_no_more_says_nothing_of_its_seat():
    """A seat that moved to another network leaves a socket behind that nobody has closed."""
    published = Published()
    left, moved = published.connect(*SEAT), published.connect(*SEAT)
    for _ in range(5):
        for link, ms in ((left, 2), (moved, 140)):
            link.asked()
            link.ping(ms)
    assert published.rtt_ms(*SEAT) == 2
    for _ in range(5):
        left.asked()
        moved.asked()
        moved.ping(140)
    assert published.rtt_ms(*SEAT) == 140
    left.ping(3)
    assert published.rtt_ms(*SEAT) <= 3


def test_of_two_sockets_the_nearer_one_counts():
    published = Published()
    far, near = published.connect(*SEAT), published.connect(*SEAT)
    far.ping(300)
    assert published.rtt_ms(*SEAT) == 300
    near.ping(10)
    assert published.rtt_ms(*SEAT) == 10
    near.close()
    assert published.rtt_ms(*SEAT) == 300


LOOKS = ("view", "events", "moves", "a move that is refused")


@pytest.mark.parametrize("look", LOOKS)
def test_who_looks_late_on_purpose_gains_nothing(tell_still, look: str):
    async def story(house: Still) -> None:
        match = await house.matched(3)
        before = await pending(match, 0, 0.3)
        house.wait(0.2)
        match = await house.matched(3)
        await looked(house, match, look, late=0.15)
        assert before == await pending(match, 0, 0.15)

    tell_still(story)


async def looked(house: Still, match: Match, look: str, late: float) -> None:
    """Seat 0 looks so many seconds after the reveal."""
    house.wait(late)
    tables, who = match.tables, match.seats[0]
    if look == "view":
        await tables.view(match.game, Reader(who))
    elif look == "events":
        await tables.events(match.game, Reader(who), 0, 100)
    elif look == "moves":
        await tables.moves(match.game, who, 0, 1.0)
    else:
        with pytest.raises(Problem, match="refused"):
            await match.turn_up(0)


async def pending(match: Match, seat: int, wait: float) -> tuple[int, int]:
    """What was measured of a grab, so many seconds later: published and elapsed ms."""
    match.house.wait(wait)
    match.slow(2)
    grab = match.grab(seat)
    await lie_undecided(match, 1)
    [row] = await match.house.store.grabs(match.game)
    match.house.wait(1)
    await grab
    return row.published_ms, row.elapsed_ms


def test_a_seat_counts_from_when_another_process_pushes_to_its_open_feed(on_postgres):
    async def story(store: Any) -> None:
        one, two = Court(store), Process(store, several=True)
        match = await one.dealt()
        seat, late, watching = match.seats[0], match.seats[1], []
        watching.append(await two.streams.open(match.game, Reader(seat), None, 0, EVENTS))
        await match.turn_up(0)
        since = (await match.lines("totem.card_turned_up"))[-1]["at"]
        known = two.tables.published.when
        async with asyncio.timeout(10):
            while known(match.game, seat.seat, since) is None:  # noqa: ASYNC110 - nobody is told
                await asyncio.sleep(0.005)
        watching.append(await two.streams.open(match.game, Reader(late), None, 0, EVENTS))
        await asyncio.sleep(0.1)
        assert known(match.game, late.seat, since) is None, "who opens it later counts from the line"
        assert one.tables.published.when(match.game, late.seat, since) is not None
        for stream in watching:
            stream.close()
        await two.background.stop()

    on_postgres.run(story)


def test_a_feed_that_is_opened_where_the_table_is_stale_gains_nothing(on_postgres):
    async def story(store: Any) -> None:
        one, two = Court(store), Process(store, several=True)
        match = await one.dealt()
        await two.tables.registry.get(match.game)
        await match.turn_up(0)
        since = (await match.lines("totem.card_turned_up"))[-1]["at"]
        stream = await two.streams.open(match.game, Reader(match.seats[1]), None, 0, EVENTS)
        await asyncio.sleep(0.3)
        assert two.tables.published.when(match.game, 1, since) is None
        stream.close()
        await two.background.stop()

    on_postgres.run(story)
