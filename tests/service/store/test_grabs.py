"""Grabs that lie undecided: kept in the order of their arrival, gone with their judgement, and no line of any table."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from service.store.batching import next_batch
from service.store.port import KeyTaken, LinesTaken, Unit
from service.store.rows import PLAY_ENDS
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
        await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 1), judged=(game + "a",)))
        await store.commit(first)  # lost so long that it is judged by now
        assert await store.grabs(game) == []

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


def end_of_play(game: str, seq: int, topic: str = "table.round_ended", **more: Any) -> Unit:
    lines = tuple(replace(line, type=topic) for line in lines_of(game, seq))
    return Unit(game=game, at=AT, lines=lines, **more)


@pytest.mark.parametrize("topic", PLAY_ENDS)
def test_play_does_not_end_over_a_grab_that_the_end_does_not_take_along(place, topic):
    async def story(store):
        game = new_game()
        for name in "ab":
            await store.commit(grab(game, game + name))
        for judged in ((), (game + "a",)):
            with pytest.raises(LinesTaken):
                await store.commit(end_of_play(game, 8, topic, judged=judged))
        assert len(await store.grabs(game)) == 2
        assert await store.version(game) == 0
        await store.commit(end_of_play(game, 8, topic, judged=(game + "a", game + "b")))
        assert await store.grabs(game) == []

    place.run(story)


@pytest.mark.parametrize("topic", PLAY_ENDS)
def test_a_grab_that_was_accepted_before_play_ended_comes_too_late(place, topic):
    async def story(store):
        game = new_game()
        await store.commit(end_of_play(game, 8, topic))
        key = key_row(game, "key-of-a-late-grab", 7, 7, status=202)
        with pytest.raises(LinesTaken):
            await store.commit(replace(grab(game, game), idempotency=key))
        assert await store.grabs(game) == []
        assert await store.idempotency(key.caller, key.key) is None
        await store.commit(grab(game, game, version=8))  # in the next round
        assert len(await store.grabs(game)) == 1

    place.run(story)


def test_of_a_grab_and_an_end_at_the_same_moment_one_is_told_to_look_again(place):
    async def story(store):
        for order in (1, -1):
            game, other = new_game(), new_game()
            units = [grab(game, game), end_of_play(game, 8), grab(other, other)][::order]
            fates = await asyncio.gather(*(store.commit(unit) for unit in units), return_exceptions=True)
            assert [type(fate) for fate in fates if fate] == [LinesTaken]
            assert len(await store.grabs(game)) + await store.version(game) in (1, 8)
            assert len(await store.grabs(other)) == 1

    place.run(story)


def test_a_table_ends_whatever_lies_undecided_at_another(place):
    async def story(store):
        game, other = new_game(), new_game()
        await store.commit(grab(other, other))
        await store.commit(end_of_play(game, 8))
        assert len(await store.grabs(other)) == 1

    place.run(story)
