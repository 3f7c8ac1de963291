"""A server is killed while grabs lie undecided: whoever serves next judges them, once, and every key has its answer."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from tests.api.test_grabs import feed
from tests.api.test_socket import Player, tell
from tests.api.totem import TotemTable, bearer
from tests.faults.conftest import LONG, Place
from tests.faults.serving import Service

TABLES = 10 if LONG else 3
SLOW_SECONDS = 0.14
RULES = {"settle_ms": 700, "dead_heat_ms": 0}
GRAB = b'{"type":"totem.grab","reveal":2}'
CARDS = 80


class Slow(Player):
    """A seat far away: decisions wait for it."""

    async def _pong(self, number: int) -> None:
        await asyncio.sleep(SLOW_SECONDS)
        await self.socket.say({"type": "pong", "n": number})


def key(table: TotemTable, seat: int) -> str:
    return f"{table.id}-{seat}"


async def kill_with_grabs_pending(service: Service, tables: list[TotemTable]) -> None:
    """Two seats of each table grab, and the server dies before it is time to judge them."""
    slow = [await Slow.at(service.base, table, table.seats[2]) for table in tables]
    while any(player.pings < 4 for player in slow):  # noqa: ASYNC110 - nobody is told
        await asyncio.sleep(0.02)
    await asyncio.sleep(2 * SLOW_SECONDS)
    for table in tables:
        for seat in (1, 0):
            player = await Player.at(service.base, table, table.seats[seat])
            await player.next("hello")
            frame = f'{{"type":"move","key":"{key(table, seat)}","move":{GRAB.decode()}}}'
            await player.socket.say(frame)
    await asyncio.sleep(0.02)
    await asyncio.to_thread(service.kill)


async def asked_again(base: str, tables: list[TotemTable]) -> None:
    """The same requests at a server that lives: one winner a table, and the lines say what was answered."""
    async with httpx.AsyncClient(base_url=base, timeout=20) as http:

        async def grab(table: TotemTable, seat: int) -> Any:
            headers = {**bearer(table.seats[seat]), "Idempotency-Key": key(table, seat)}
            headers["Content-Type"] = "application/json"
            answer = await http.post(f"{table.path}/moves", content=GRAB, headers=headers)
            assert answer.status_code == 200, answer.text
            return answer.json()

        for table in tables:
            table.http.close()
            table.http = httpx.Client(base_url=base, timeout=20)
            table.clients.append(table.http)
            given = await asyncio.gather(*(grab(table, seat) for seat in (0, 1)))
            again = await asyncio.gather(*(grab(table, seat) for seat in (0, 1)))
            assert [answer["grab"] for answer in given] == [answer["grab"] for answer in again]
            judged = [line for line in await asyncio.to_thread(feed, table) if line["type"] == "totem.grabs_judged"]
            outcomes = {grab["seat"]: grab["outcome"] for line in judged for grab in line["data"]["grabs"]}
            assert sum(len(line["data"]["grabs"]) for line in judged) == 2, "each grab was judged once"
            assert outcomes == {seat: answer["grab"]["outcome"] for seat, answer in enumerate(given)}
            assert sorted(answer["grab"]["answer"] for answer in given) in (["late", "won"], ["lost", "won"])
            board = table.get("/view").json()["view"]["board"]
            assert sum(board["draws"]) + sum(board["ups"]) + board["pot"] == CARDS


def test_the_other_of_two_servers_judges_what_a_killed_one_left(on_postgres: Place):
    with on_postgres.service() as one, on_postgres.service("other") as two:
        tables = [TotemTable(one.base, one.admin(), rules=RULES).start(flips=2) for _ in range(TABLES)]

        async def story() -> None:
            await kill_with_grabs_pending(one, tables)
            await asked_again(two.base, tables)

        tell(story)
    TotemTable.close_all()


def test_a_server_that_is_started_again_judges_what_it_left(place: Place):
    with place.service() as service:
        tables = [TotemTable(service.base, service.admin(), rules=RULES).start(flips=2) for _ in range(TABLES)]

        async def story() -> None:
            await kill_with_grabs_pending(service, tables)
            await asyncio.to_thread(service.start)
            await asked_again(service.base, tables)

        tell(story)
    TotemTable.close_all()
