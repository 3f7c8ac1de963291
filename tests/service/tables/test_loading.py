"""A table that is being loaded: whoever finds it in memory finds all of it."""

from __future__ import annotations

import asyncio
from typing import Any

from service.callers import Reader
from tests.service.tables.conftest import House


def test_who_asks_while_a_table_is_loaded_is_answered(tell):
    kept: dict[str, str] = {}

    async def before(house: House) -> None:
        kept["game"], _, _ = await house.started(2)

    async def after(house: House) -> None:
        ask, calls = house.store.directory, 0

        async def slowly(game: str) -> Any:
            nonlocal calls
            calls += 1
            if calls > 1:
                await asyncio.sleep(0.2)
            return await ask(game)

        house.tables.store.directory = slowly  # type: ignore[method-assign]
        first = asyncio.create_task(house.tables.resource(kept["game"], Reader()))
        await asyncio.sleep(0.1)
        second = await house.tables.resource(kept["game"], Reader())
        assert second == await first

    tell(before, after)
