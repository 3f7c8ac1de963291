"""Grabs that lie undecided: kept in the order of their arrival, gone with their judgement, and no line of any table."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from service.store.batching import next_batch
from service.store.port import KeyTaken, LinesTaken, Unit
from tests.service.store.units import AT, LATER, directory_row, full_unit, grab_row, key_row, lines_of, new_game


def grab(game: str, name: str, **changes: Any) -> Unit:
    return Unit(game=game, at=AT, grabs=(grab_row(game, name, **changes),))


def test_grabs_are_kept_in_the_order_of_their_arrival_and_move_nothing(place):
    async def story(store):
        game, other = new_game(), new_game()
        await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 1), directory=directory_row(game, 1)))
        before = await store.directory(game), await store.position()
        units = [grab(game, f"{game}{n}", seat=n % 4, arrived=LATER if n else AT) for n in range(9)]
        await asyncio.gather(*(store.commit(unit) for unit in (*units, grab(other, other))))
        assert await store.grabs(game) == [row for unit in units for row in unit.grabs]
        assert len(await store.grabs(other)) == 1
        assert (await store.directory(game), await store.position()) == before
        assert await store.version(game) == 1

    place.run(story)


def test_a_judgement_takes_its_grabs_with_it_and_leaves_the_others(place):
    async def story(store):
        game = new_game()
        for name in "abc":
            await store.commit(grab(game, game + name))
        await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 1), judged=(game + "a", game + "c")))
        assert [row.id for row in await store.grabs(game)] == [game + "b"]
        await store.commit(Unit(game=game, at=AT, judged=(game + "b", game + "b", "never-was")))
        assert await store.grabs(game) == []

    place.run(story)


def test_a_judgement_that_comes_second_leaves_every_grab(place):
    async def story(store):
        game = new_game()
        await store.commit(grab(game, game))
        await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 1)))
        with pytest.raises(LinesTaken):
            await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 1, seed="other"), judged=(game,)))
        assert len(await store.grabs(game)) == 1

    place.run(story)


def test_a_key_that_is_taken_keeps_the_grab_out(place):
    async def story(store):
        game = new_game()
        key = key_row(game, "key-of-a-grab-0001", 0, 0, status=202)
        first = replace(grab(game, game + "a"), idempotency=key)
        await store.commit(first)
        await store.commit(first)  # its answer was lost on the way
        with pytest.raises(KeyTaken):
            await store.commit(replace(grab(game, game + "b"), idempotency=replace(key, fingerprint="e" * 64)))
        assert [row.id for row in await store.grabs(game)] == [game + "a"]

    place.run(story)


def test_the_same_grab_sent_again_is_written_once(place):
    async def story(store):
        game = new_game()
        await asyncio.gather(*(store.commit(grab(game, game)) for _ in range(2)))
        assert len(await store.grabs(game)) == 1

    place.run(story)


def test_tables_with_old_grabs_are_found(place):
    async def story(store):
        old, new = new_game(), new_game()
        for name in "ab":
            await store.commit(grab(old, old + name))
        await store.commit(grab(new, new, arrived=LATER))
        assert await store.undecided(AT) == []
        assert await store.undecided(LATER) == [old]
        assert sorted(await store.undecided("2027-01-01T00:00:00.000000Z")) == sorted([old, new])

    place.run(story)


class Waits:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit


def test_grabs_wait_for_no_other_unit_of_their_table():
    game = new_game()
    waiting = [Waits(unit) for unit in (full_unit(game), grab(game, "a"), Unit(game=game, at=AT), grab(game, "b"))]
    waiting[0].unit = replace(waiting[0].unit, grabs=())
    assert [waiting.index(one) for one in next_batch(waiting)] == [0, 1, 3]
