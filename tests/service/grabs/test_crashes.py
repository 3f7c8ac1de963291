"""Grabs that lie undecided when a process dies are judged by whoever comes next, and every key has one answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from service.callers import SeatHolder
from service.problems import Problem
from tests.service.grabs.conftest import Court, Match, cards, said
from tests.service.tables.conftest import KEY, idem

GRAB = "key-of-a-grab-0001"


def at_table(house: Court, game: str, seats: int = 3) -> Match:
    return Match(house, game, [SeatHolder(game, seat, KEY.id) for seat in range(seats)])


async def die_with_grabs_pending(house: Court, *seats: int, **rules: Any) -> str:
    """Grabs are committed, and nobody lives to judge them."""
    match = await house.matched(**rules)
    setattr(house.tables.desk.judging, "keep", lambda _book: None)  # noqa: B010 - a method, taken away
    for seat in seats:
        task = match.grab(seat, idem=idem(f"{GRAB}{seat}"))
        while len(await house.store.grabs(match.game)) <= seats.index(seat):  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.001)
        task.cancel()
    return match.game


def test_the_sweep_judges_what_a_dead_process_left(tell):
    kept: dict[str, Any] = {}

    async def before(house: Court) -> None:
        kept["game"] = await die_with_grabs_pending(house, 1, 0, dead_heat_ms=0)

    async def after(house: Court) -> None:
        match = at_table(house, kept["game"])
        await asyncio.sleep(1.1)
        await house.timers.sweep_once()
        [one, two] = await asyncio.gather(match.grab(1, idem=idem(f"{GRAB}1")), match.grab(0, idem=idem(f"{GRAB}0")))
        assert (said(one), said(two)) == ("won", "lost")
        assert one.replayed
        assert two.replayed
        assert one.events == two.events
        assert await cards(match) == 80
        assert await house.store.grabs(match.game) == []
        assert len(await match.lines("totem.grabs_judged")) == 1

    tell(before, after)


def test_a_key_sent_again_after_the_crash_brings_the_judgement_about(tell):
    kept: dict[str, Any] = {}

    async def before(house: Court) -> None:
        kept["game"] = await die_with_grabs_pending(house, 0)

    async def after(house: Court) -> None:
        match = at_table(house, kept["game"])
        again = await match.grab(0, idem=idem(f"{GRAB}0"))
        assert (said(again), again.replayed) == ("won", True)
        once_more = await match.grab(0, idem=idem(f"{GRAB}0"))
        assert (once_more.extra, once_more.events, once_more.version) == (again.extra, again.events, again.version)
        with pytest.raises(Problem) as other:
            await match.grab(0, idem=idem(f"{GRAB}0", "another body"))
        assert other.value.code == "idempotency-key-reused"

    tell(before, after)


def test_a_flip_after_the_crash_finds_the_grabs_first(tell):
    kept: dict[str, Any] = {}

    async def before(house: Court) -> None:
        kept["game"] = await die_with_grabs_pending(house, 0)

    async def after(house: Court) -> None:
        match = at_table(house, kept["game"])
        with pytest.raises(Problem) as refused:
            await match.turn_up(2)
        assert refused.value.ruling == "T-10"
        [judged] = await match.lines("totem.grabs_judged")
        assert judged["data"]["verdict"] == "duel"
        assert len(await match.lines("totem.card_turned_up")) == 2

    tell(before, after)


def test_a_grab_after_the_crash_is_judged_with_those_from_before(tell):
    kept: dict[str, Any] = {}

    async def before(house: Court) -> None:
        kept["game"] = await die_with_grabs_pending(house, 0, dead_heat_ms=0)

    async def after(house: Court) -> None:
        match = at_table(house, kept["game"])
        assert said(await match.grab(1)) in ("lost", "late")
        [judged] = await match.lines("totem.grabs_judged")
        assert judged["data"]["seat"] == 0

    tell(before, after)


def test_twins_get_the_same_answer(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(2)
        answers = await asyncio.gather(*(match.grab(0, idem=idem(GRAB)) for _ in range(3)))
        assert {said(answer) for answer in answers} == {"won"}
        assert {answer.events for answer in answers} == {answers[0].events}
        assert sorted(answer.replayed for answer in answers) == [False, True, True]
        [judged] = await match.lines("totem.grabs_judged")
        assert len(judged["data"]["grabs"]) == 1

    tell(story)


def test_a_key_that_a_flip_used_is_no_key_for_a_grab(tell):
    async def story(house: Court) -> None:
        match = await house.dealt()
        await match.turn_up(0, idem=idem(GRAB, "the flip"))
        with pytest.raises(Problem) as used:
            await match.grab(0, reveal=1, idem=idem(GRAB, "the grab"))
        assert used.value.code == "idempotency-key-reused"
        assert said(await match.grab(0, reveal=1, idem=idem(GRAB + "x", "the grab"))) == "foul"
        with pytest.raises(Problem) as used:
            await match.turn_up(0, idem=idem(GRAB + "x", "the flip"))
        assert used.value.code == "idempotency-key-reused"

    tell(story)


def test_two_processes_give_each_grab_one_answer_and_each_duel_one_winner(on_postgres):
    async def story(store: Any) -> None:
        one, two = Court(store), Court(store)
        for turn in range(8):
            match = await one.matched(dead_heat_ms=0)
            match.slow(2)
            here, there = (one.tables, two.tables) if turn % 2 else (two.tables, one.tables)
            grabs = [match.grab(0, tables=here), match.grab(1, tables=there), match.grab(2, tables=here)]
            answers = [said(answer) for answer in await asyncio.gather(*grabs)]
            judged = await match.lines("totem.grabs_judged")
            outcomes = [grab["outcome"] for line in judged for grab in line["data"]["grabs"]]
            assert len(outcomes) == 3
            assert answers.count("won") + answers.count("foul") == 1 + outcomes[1:].count("foul")
            assert sum(line["data"]["verdict"] == "duel" for line in judged) <= 1
            assert await cards(match) == 80
            assert await store.grabs(match.game) == []

    on_postgres.run(story)


def test_when_one_of_two_processes_dies_the_other_judges_its_grabs(on_postgres):
    async def story(store: Any) -> None:
        one, two = Court(store), Court(store)
        game = await die_with_grabs_pending(one, 0, dead_heat_ms=0)
        match = at_table(two, game)
        rival = await match.grab(1)
        assert said(rival) in ("lost", "late")
        [judged] = await match.lines("totem.grabs_judged")
        assert judged["data"]["seat"] == 0
        assert await cards(match) == 80

    on_postgres.run(story)
