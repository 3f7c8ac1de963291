"""Bots race like people: by reflex after each reveal, never faster than people are, through the same door."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec.structs import replace

from domain.table.moves import Start
from domain.table.state import Ended
from service.callers import Host
from service.grabs import races
from service.tables.answers import SitRequest
from service.tables.live import read
from tests.service.grabs.conftest import Court
from tests.service.tables.conftest import KEY

FAST = {
    "min_flip_interval_ms": 0,
    "countdown_ms": 0,
    "settle_ms": 0,
    "bot_delay_ms": 0,
    "symbols": 3,
    "turn_timeout_ms": 2_000,
}


async def with_bots(house: Court, strengths: tuple[str, ...], **rules: Any) -> str:
    game = (await house.open(len(strengths), game="totem", rules={**FAST, **rules})).game
    host = Host(game, KEY.id)
    for strength in strengths:
        await house.tables.sit(game, host, SitRequest(bot=strength), None)
    await house.tables.host(game, host, Start(), None)
    return game


async def over(house: Court, game: str) -> None:
    async with asyncio.timeout(60):
        while not await is_over(house, game):  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.02)


async def is_over(house: Court, game: str) -> bool:
    table = (await house.tables.registry.get(game)).table
    return table is not None and isinstance(table.phase, Ended)


def test_bots_alone_play_to_the_end_and_grab_as_people_do(on_sqlite):
    async def story(store: Any) -> None:
        house = Court(store, several=False)
        clock = asyncio.create_task(house.timers.run())
        game = await with_bots(house, ("hard", "normal", "easy"))
        await over(house, game)
        clock.cancel()
        lines = [line for line in await house.store.lines(game) if line.type == "totem.grabs_judged"]
        grabs = [grab for line in lines for grab in read(line.line).event.grabs]  # type: ignore[attr-defined]
        assert grabs, "they grabbed"
        assert all(grab.elapsed_ms >= 120 for grab in grabs)
        assert not any(grab.implausible for grab in grabs)
        assert {grab.outcome for grab in grabs} & {"won"}

    on_sqlite.run(story)


def test_a_bot_that_would_be_faster_than_people_is_held_back(on_sqlite, monkeypatch):
    eager = replace(races.RACES["totem"], reaction=lambda *_: 1)
    monkeypatch.setitem(races.RACES, "totem", eager)

    async def story(store: Any) -> None:
        house = Court(store, several=False)
        game = await with_bots(house, ("hard", "hard"), bot_delay_ms=0)
        async with asyncio.timeout(20):
            while not [line for line in await house.store.lines(game) if line.type == "totem.grabs_judged"]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        [judged, *_] = [line for line in await house.store.lines(game) if line.type == "totem.grabs_judged"]
        assert all(grab.elapsed_ms >= 120 for grab in read(judged.line).event.grabs)  # type: ignore[attr-defined]
        house.bots.reflexes.tables = None  # type: ignore[assignment]

    on_sqlite.run(story)
