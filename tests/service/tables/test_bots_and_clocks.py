"""Bots and clocks: clients of the same door, across restarts."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from domain.table.state import Ended
from service.callers import Reader, SeatHolder
from tests.service.tables.conftest import KEY, House


async def until(condition, seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - nothing tells the tests when a bot has finished
            await asyncio.sleep(0.01)


def over(house: House, game: str) -> bool:
    live = house.tables.registry.known(game)
    return live is not None and live.table is not None and isinstance(live.table.phase, Ended)


def test_bots_alone_finish_a_game(tell):
    async def story(house: House) -> None:
        game, _, _ = await house.started(3, bots=3)
        await until(lambda: over(house, game))
        resource = await house.tables.resource(game, Reader())
        assert resource["status"] == "ended"
        assert resource["results"][0]["cause"] in ("played", "stalemate")

    tell(story)


def test_bots_go_on_after_a_restart(tell):
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        house.tables.followers.remove(house.bots.follow)
        kept["game"], _, _ = await house.started(2, bots=2)

    async def after(house: House) -> None:
        await house.timers.sweep_once()
        await until(lambda: over(house, kept["game"]))

    tell(before, after)


def test_a_bot_remembers_the_same_after_a_restart(tell):
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        game, _, _ = await house.started(3, bots=2)
        live = await house.tables.registry.get(game)
        await until(lambda: not house.bots._driving)
        async with live.lock:
            mind = await house.tables.registry.mind(game, live, 2)
        kept.update(game=game, memory=mind.memory)

    async def after(house: House) -> None:
        live = await house.tables.registry.get(kept["game"])
        async with live.lock:
            mind = await house.tables.registry.mind(kept["game"], live, 2)
        assert mind.memory == kept["memory"]

    tell(before, after)


def test_a_clock_acts_once_and_survives_a_restart(tell):
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        kept["game"], _, _ = await house.started(2)
        kept["due"] = (await house.tables.resource(kept["game"], Reader()))["due"]["at"]

    async def after(house: House) -> None:
        other = House(house.store)
        await house.timers.sweep_once()
        await other.timers.sweep_once()
        assert (await house.tables.resource(kept["game"], Reader()))["version"] == 12
        house.time = other.time = kept["due"]
        await asyncio.gather(*(h.timers.sweep_once() for h in (house, other)))
        await until(lambda: not house.timers._acting and not other.timers._acting)
        lines = [json.loads(stored.line) for stored in await house.store.lines(kept["game"])]
        readied = [line for line in lines if line["type"] == "shithead.seat_readied"]
        assert [line["data"] for line in readied] == [{"seat": 0, "by_clock": True}, {"seat": 1, "by_clock": True}]
        assert all(line["by"] == "table" for line in readied)

    tell(before, after)


def test_the_clocks_loop_acts_when_time_has_come(tell):
    async def story(house: House) -> None:
        loop = asyncio.create_task(house.timers.run())
        game, _, _ = await house.started(2, rules={"swap_timeout_s": 1})
        await asyncio.sleep(0.05)
        before = (await house.tables.resource(game, Reader()))["version"]
        house.wait(2)
        await asyncio.sleep(1.1)
        after = await house.tables.resource(game, Reader())
        assert after["version"] > before
        assert after["due"]["what"] != "swaps"
        loop.cancel()

    tell(story)


def test_moves_can_be_waited_for(tell):
    async def story(house: House) -> None:
        from domain.shithead.moves import Ready

        game, seats, _ = await house.started(2)
        now = await house.tables.moves(game, seats[0], None, 0)
        assert {"type": "shithead.ready"} in now["items"]
        waiting = asyncio.create_task(house.tables.moves(game, seats[0], now["version"], 5))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await house.tables.move(game, seats[1], Ready(), None, None)
        assert (await waiting)["version"] == now["version"] + 1
        patient = await house.tables.moves(game, SeatHolder(game, 0, KEY.id), now["version"] + 1, 0.05)
        assert patient["version"] == now["version"] + 1

    tell(story)


def test_k81_a_bot_short_of_tokens_loads_some_and_the_table_says_that_it_waits_for_it(tell):
    async def story(house: House) -> None:
        house.tables.followers.remove(house.bots.follow)
        game, _, _ = await house.started(2, bots=2, game="kishpa", rules={"starting_tokens": 3, "rounds": 12})
        waited: set[tuple[int, ...]] = set()
        async with asyncio.timeout(60):
            while (resource := await house.tables.resource(game, Reader()))["status"] == "running":
                waited.add(tuple(resource["to_act"]))
                await house.bots._turn(game)
        lines = [json.loads(stored.line) for stored in await house.store.lines(game)]
        loads = [line for line in lines if line["type"] == "kishpa.tokens_loaded"]
        assert loads, "somebody falls short in twelve rounds with three tokens"
        assert len(resource["results"]) == 12
        assert () not in waited, "while it runs the table always says for whom it waits"

    tell(story)
