"""What waits while grabs lie undecided, and what does not."""

from __future__ import annotations

import asyncio

import pytest

from service.grabs import holding
from service.problems import Problem
from service.store.opening import open_store
from tests.service.grabs.conftest import Court, Match, lie_undecided, said
from tests.service.tables.conftest import idem


def test_a_flip_waits_for_the_decision_and_is_judged_on_the_table_after_it(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(1, rtt=125)
        grab = match.grab(0)
        await asyncio.sleep(0.01)
        flip = asyncio.create_task(match.turn_up(2))
        await asyncio.sleep(0.05)
        assert not flip.done()
        assert said(await grab) == "won"
        with pytest.raises(Problem) as refused:
            await flip  # the turn is the loser's now
        assert refused.value.ruling == "T-10"

    tell(story)


def test_a_flip_waits_for_a_grab_that_came_before_it_and_is_not_in_the_book_yet(tell, monkeypatch):
    async def story(house: Court) -> None:
        match = await house.matched()
        hear = house.tables.desk.distances.hear

        async def slowly(game: str) -> None:
            await asyncio.sleep(0.05)
            await hear(game)

        monkeypatch.setattr(house.tables.desk.distances, "hear", slowly)
        grab = match.grab(0)
        await asyncio.sleep(0.001)
        with pytest.raises(Problem):
            await match.turn_up(2)  # the turn is the loser's now
        assert said(await grab) == "won"

    tell(story)


def test_a_flip_out_of_turn_is_refused_as_fast_as_ever(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(1, rtt=125)
        grab = match.grab(0)
        await asyncio.sleep(0.01)
        with pytest.raises(Problem) as refused:
            await match.turn_up(1)
        assert refused.value.ruling == "T-10"
        assert not grab.done()
        assert said(await grab) == "won"

    tell(story)


def test_a_flip_out_of_turn_is_refused_as_fast_while_a_grab_comes(tell, monkeypatch):
    async def story(house: Court) -> None:
        match = await house.matched()
        read = asyncio.Event()

        async def waits(_: str) -> None:
            await read.wait()

        monkeypatch.setattr(house.tables.desk.distances, "hear", waits)
        grab = match.grab(0)
        await asyncio.sleep(0.01)
        with pytest.raises(Problem) as refused:
            await asyncio.wait_for(match.turn_up(1), 5)
        assert refused.value.ruling == "T-10"
        read.set()
        assert said(await grab) == "won"

    tell(story)


def test_a_flip_waits_for_a_grab_that_came_before_it_at_another_process(on_postgres, monkeypatch):
    async def story(store) -> None:
        house, second = Court(store), await open_store(**on_postgres.where)
        match = await house.matched()
        there = Match(Court(second), match.game, match.seats)
        await there.tables.registry.get(match.game)
        commit = second.commit

        async def slowly(unit):
            await asyncio.sleep(0.1)
            return await commit(unit)

        monkeypatch.setattr(second, "commit", slowly)
        monkeypatch.setattr(holding, "GRACE_MS", 500)
        grab = there.grab(0)
        await asyncio.sleep(0.001)
        with pytest.raises(Problem):
            await match.turn_up(2)  # the turn is the loser's now
        assert said(await grab) == "won"
        await second.close()

    on_postgres.run(story)


def test_the_clock_of_a_turn_waits_for_the_decision(tell):
    async def story(house: Court) -> None:
        match = await house.matched(turn_timeout_ms=600)
        clock = asyncio.create_task(house.timers.run())
        match.slow(1, rtt=125)
        await asyncio.sleep(0.53)
        grab = match.grab(0)
        answer = await grab
        assert said(answer) == "won"
        judged, flips = await match.lines("totem.grabs_judged"), await match.lines("totem.card_turned_up")
        assert [flip["seq"] for flip in flips if flip["seq"] < judged[0]["seq"]] == [flip["seq"] for flip in flips[:2]]
        clock.cancel()

    tell(story)


def test_leaving_does_not_wait_and_the_grab_of_the_leaver_falls_away(tell):
    async def story(house: Court) -> None:
        match = await house.matched(4)
        match.slow(2, rtt=125)
        gone, stays = match.grab(0), match.grab(1)
        await asyncio.sleep(0.01)
        await house.tables.leave(match.game, match.seats[0], 0, None)
        assert (await gone).extra["grab"]["outcome"] == "left"
        assert said(await stays) in ("late", "foul")

    tell(story)


async def in_turn_with_a_match(house: Court) -> Match:
    """Seats 0 and 1 match at reveal 3, it is the turn of seat 0, and a decision waits for seat 2."""
    match = await house.matched(dead_heat_ms=15)
    await match.turn_up(2)
    match.slow(2, rtt=125)
    return match


LIE = {"reaction_ms": 0, "fingers": 5, "grip_height": 0}


@pytest.mark.parametrize("wait", [0.0, 0.008])
@pytest.mark.parametrize("goes_away", [False, True])
def test_who_learns_by_his_held_card_that_somebody_grabbed_grabs_too_late(tell, wait: float, goes_away: bool):
    async def story(house: Court) -> None:
        match = await in_turn_with_a_match(house)
        await asyncio.sleep(0.2)
        honest = match.grab(1, 3)
        await lie_undecided(match, 1)
        flip = asyncio.create_task(match.turn_up(0))
        await asyncio.sleep(wait)
        assert not flip.done(), "it is held"
        if goes_away:
            flip.cancel()
        with pytest.raises(Problem) as refused:
            await match.grab(0, 3, **LIE)
        assert (refused.value.code, refused.value.ruling) == ("refused", "T-54")
        assert said(await honest) == "won"
        await asyncio.wait([flip])
        [judged] = await match.lines("totem.grabs_judged")
        assert [grab["seat"] for grab in judged["data"]["grabs"]] == [1]
        async with asyncio.timeout(5):
            while (await match.state()).board.reveal < 4:  # noqa: ASYNC110 - the loser's card, which was held
                await asyncio.sleep(0.001)

    tell(story)


def test_a_grab_from_before_one_s_own_card_counts_and_its_key_brings_its_answer(tell):
    async def story(house: Court) -> None:
        match = await in_turn_with_a_match(house)
        grab = match.grab(0, 3, idem("the-grab"))
        await lie_undecided(match, 1)
        flip = asyncio.create_task(match.turn_up(0))
        await asyncio.sleep(0.008)
        again = match.grab(0, 3, idem("the-grab"))
        assert said(await grab) == said(await again) == "won"
        with pytest.raises(Problem) as refused:
            await flip  # it is the loser's turn
        assert refused.value.ruling == "T-10"

    tell(story)


def test_who_turns_a_card_up_while_nothing_lies_undecided_grabs_as_ever(tell):
    async def story(house: Court) -> None:
        match = await house.dealt(3)
        await match.turn_up(0)
        flip = asyncio.create_task(match.turn_up(1))
        await asyncio.sleep(0)
        early = match.grab(1, 1)
        await flip
        assert (await early).extra["grab"] == {"answer": "void", "outcome": "old_reveal"}
        assert said(await match.grab(1, 2)) == "won"
        with pytest.raises(Problem):
            await match.turn_up(2)  # out of turn: refused, and nothing is held
        assert said(await match.grab(2, 2)) == "foul"

    tell(story)


def test_a_grab_committed_while_others_grabs_are_read_is_not_forgotten(on_postgres, monkeypatch):
    async def story(store) -> None:
        house = Court(store, several=True)
        match = await house.matched()
        match.slow(1, rtt=125)
        grabs, commit = store.grabs, store.commit

        async def read_early(game: str):
            rows = await grabs(game)
            await asyncio.sleep(0.06)
            return rows

        async def commit_late(unit):
            if unit.grabs:
                await asyncio.sleep(0.03)
            return await commit(unit)

        monkeypatch.setattr(store, "commit", commit_late)
        monkeypatch.setattr(store, "grabs", read_early)
        grab = match.grab(0)
        await on_its_way(house, match.game)
        with pytest.raises(Problem):
            await match.turn_up(2)
        assert said(await grab) == "won"

    on_postgres.run(story)


def test_a_grab_that_is_committed_while_it_is_read_what_is_left_after_a_judgement_is_judged_too(tell, monkeypatch):
    async def story(house: Court) -> None:
        match = await house.matched()
        grabs = house.store.grabs

        async def read_early(game: str):
            rows = await grabs(game)
            await asyncio.sleep(0.1)
            return rows

        monkeypatch.setattr(house.store, "grabs", read_early)
        assert (await match.grab(0, reveal=1)).extra["grab"]["outcome"] == "old_reveal"
        assert said(await asyncio.wait_for(match.grab(1), 10)) == "won"

    tell(story)


async def on_its_way(house: Court, game: str) -> None:
    """Return while a grab of the table is being committed."""
    books = house.tables.desk.judging.books
    for _ in range(5_000):
        if game in books and books[game].coming:
            return
        await asyncio.sleep(0.001)
    pytest.fail("no grab came")
