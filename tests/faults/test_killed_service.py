"""SIGKILL of the service in mid-load: what was acknowledged is there, once; clocks go on."""

import asyncio
import random
import time

import httpx

from domain.times import later
from service import clock
from tests.faults.conftest import LONG, Place
from tests.faults.players import load
from tests.faults.serving import NO_CLOCK, opened
from tests.faults.watching import resource, until_it_moves, version_of

KILLS = 20 if LONG else 2
PLAYERS = 8
MOVES_BETWEEN_KILLS = 40
CLOCKED = {"swap_timeout_s": 1, "turn_timeout_s": 1, "ready_timeout_s": 1, "absent_after": 0}


def test_a_killed_service_has_every_acknowledged_move_once_and_its_clocks_go_on(place: Place):
    rng = random.Random(1)
    with place.service() as service:
        tables = [opened(service.base, service.admin()) for _ in range(PLAYERS)]
        alone = opened(service.base, service.admin(), rules=CLOCKED)

        async def story() -> tuple[list, list]:
            async with load([service.base], [[table] for table in tables]) as players:
                for _ in range(KILLS):
                    await players.more(MOVES_BETWEEN_KILLS)
                    await asyncio.sleep(rng.random() / 10)
                    service.kill()
                    service.start()
                await players.more(MOVES_BETWEEN_KILLS)
            return players.told, players.trouble

        told, trouble = asyncio.run(story())
        started = clock.now()
        until_it_moves(service.base, alone.path, version_of(service.base, alone.path))
    assert len(trouble) >= KILLS, "nobody was disturbed"
    assert all(one.what != "refused" for one in told), "a move that only its own player could spoil was refused"
    found = place.tables([table.game for table in (*tables, alone)], told)
    assert all(len([one for one in told if one.game == table.game]) > KILLS for table in tables)
    assert found[alone.game].at > started


def test_a_deadline_that_passed_while_the_service_was_down_is_kept_once(place: Place):
    with place.service() as service:
        table = opened(service.base, service.admin(), rules={**NO_CLOCK, "swap_timeout_s": 1})
        before = resource(service.base, table.path)
        assert before["due"]["what"] == "swap"
        service.kill()
        while clock.now() < later(before["due"]["at"], milliseconds=200):
            time.sleep(0.05)
        service.start()
        until_it_moves(service.base, table.path, before["version"])
        time.sleep(1.5)  # the sweep has come by again
        after = resource(service.base, table.path)
        with httpx.Client(base_url=service.base) as http:
            feed = http.get(f"{table.path}/events", params={"after": before["version"]}).json()["items"]
    assert [line["type"] for line in feed] == [
        "shithead.seat_readied",
        "shithead.seat_readied",
        "shithead.play_started",
        "shithead.turn_started",
    ]
    assert [line["data"]["seat"] for line in feed[:2]] == [0, 1]
    assert all(line["by"] == "table" for line in feed)
    assert after["version"] == before["version"] + 4
    place.tables([table.game], [])
