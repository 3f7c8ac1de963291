"""A process that loads a store until it is killed; says `game seq` for each unit once it is acknowledged."""

import asyncio
import os
import sys

import msgspec
from msgspec.structs import replace

from domain.lines import NO_LINE, line_hash
from service.store.opening import open_store
from service.store.store import KupaStore
from tests.service.store.units import full_unit, lines_of, new_game

TABLES = 8
LINES_A_UNIT = 3


async def play(store: KupaStore, game: str) -> None:
    first, head = 1, NO_LINE
    while True:
        unit = full_unit(game, first, LINES_A_UNIT)
        lines = lines_of(game, first, LINES_A_UNIT, prev=head)
        await store.commit(replace(unit, lines=lines))
        first, head = first + LINES_A_UNIT, line_hash(lines[-1].line)
        os.write(1, f"{game} {first - 1}\n".encode())  # whole lines, unbuffered


async def main() -> None:
    store = await open_store(**msgspec.json.decode(sys.argv[1]))
    await asyncio.gather(*(play(store, new_game()) for _ in range(TABLES)))


if __name__ == "__main__":
    asyncio.run(main())
