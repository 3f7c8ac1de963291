"""SIGKILL of PostgreSQL under a live service: 503 meanwhile, nothing acknowledged is lost, and all goes on again."""

import asyncio
import signal
import time
from pathlib import Path

from tests import postgres
from tests.faults.conftest import LONG, Place
from tests.faults.players import load
from tests.faults.serving import opened

KILLS = 5 if LONG else 1
PLAYERS = 8
MOVES_BETWEEN_KILLS = 60
DOWN_SECONDS = 0.7
START_SECONDS_MAX = 20.0
RECOVERY_SECONDS_MAX = 15.0
"""From the database's return to the next acknowledged moves."""


def test_a_service_outlives_its_database(tmp_path: Path, server: postgres.Server):
    with postgres.database(server.url()) as url:
        place = Place(tmp_path, url)
        with place.service() as service:
            tables = [opened(service.base, service.admin()) for _ in range(PLAYERS)]

            async def story() -> tuple[list, list]:
                async with load([service.base], [[table] for table in tables]) as players:
                    for _ in range(KILLS):
                        await players.more(MOVES_BETWEEN_KILLS)
                        server.stop(signal.SIGKILL)
                        await asyncio.sleep(DOWN_SECONDS)
                        start_again(server)
                        async with asyncio.timeout(RECOVERY_SECONDS_MAX):
                            await players.more(MOVES_BETWEEN_KILLS)
                return players.told, players.trouble

            told, trouble = asyncio.run(story())
            assert service.stop() == 0
        assert set(trouble) == {"unavailable"}, "while the database is away, 503 and nothing else"
        assert all(one.what != "refused" for one in told)
        place.tables([table.game for table in tables], told)


def start_again(server: postgres.Server) -> None:
    """It does not start before the last process of the killed one has noticed that it is alone."""
    until = time.monotonic() + START_SECONDS_MAX
    while True:
        try:
            server.start()
        except RuntimeError:
            assert time.monotonic() < until, "PostgreSQL does not start again"
            time.sleep(0.1)
        else:
            return
