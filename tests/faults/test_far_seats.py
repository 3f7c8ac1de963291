"""A seat far away is judged the same whichever of two servers has its socket, takes its grab in, or decides."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx
import psycopg
import pytest

from tests import postgres
from tests.api.test_grabs import SLOW_SECONDS, Slow, feed, moment
from tests.api.test_socket import Player, tell
from tests.api.totem import TotemTable, bearer
from tests.faults.conftest import Place
from tests.faults.serving import Service

BETWEEN_MS = 40
BELIEVED_MS = 20
"""Without a figure a seat is given so much, and one that is believed BETWEEN_MS later has one."""
GIVEN_MS = 60
"""At least, with a figure."""
TOLD_SECONDS = 1.0
"""After so long every process knows a figure."""
TRIES = 10
"""On a busy machine two grabs may come at other times than they were sent."""
GONE_SECONDS_MAX = 8.0


async def far_away(base: str, table: TotemTable, seat: int) -> Player:
    player = await Slow.at(base, table, table.seats[seat])
    while player.pings < 4:  # noqa: ASYNC110 - nobody is told
        await asyncio.sleep(0.02)
    await asyncio.sleep(2 * SLOW_SECONDS + TOLD_SECONDS)
    return player


async def grabbed(http: httpx.AsyncClient, table: TotemTable, seat: int, **more: Any) -> str:
    move = {"type": "totem.grab", "reveal": 2, **more}
    answer = await http.post(f"{table.path}/moves", json=move, headers=bearer(table.seats[seat]))
    assert answer.status_code == 200, answer.text
    return str(answer.json()["grab"]["answer"])


async def raced(socket_at: Service, near_at: Service, far_at: Service) -> bool | None:
    """Whether seat 0, far away, wins with a grab that comes later and answers faster; None if the times went astray."""
    table = TotemTable(socket_at.base, socket_at.admin()).start(flips=2)
    far = await far_away(socket_at.base, table, 0)
    async with httpx.AsyncClient(base_url=near_at.base) as near, httpx.AsyncClient(base_url=far_at.base) as other:
        for http in (near, other):
            await http.get(table.path)
        first = asyncio.create_task(grabbed(near, table, 1))
        await asyncio.sleep(BETWEEN_MS / 1_000)
        answers = (await grabbed(other, table, 0, reaction_ms=0), await first)
    far.leave()
    lines = await asyncio.to_thread(feed, table)
    came = {grab["seat"]: moment(grab["arrived"]) for line in lines for grab in line["data"].get("grabs", ())}
    if not BELIEVED_MS + 5 < (came[0] - came[1]) * 1_000 < GIVEN_MS - 15:
        return None
    return answers == ("won", "lost")


@pytest.mark.parametrize("near", [0, 1])
@pytest.mark.parametrize("far", [0, 1])
def test_a_seat_far_away_wins_by_its_reaction_at_whichever_of_two_servers(on_postgres: Place, near: int, far: int):
    with on_postgres.service() as one, on_postgres.service("other") as two:

        async def story() -> None:
            for _ in range(TRIES):
                won = await raced(one, (one, two)[near], (one, two)[far])
                if won is not None:
                    assert won
                    return
            pytest.fail("the grabs never came as they were sent")

        tell(story)
    TotemTable.close_all()


def figures(url: str, table: TotemTable) -> list[tuple[int, int]]:
    """Seat and figure, as they lie in the database; those too that count no more."""
    return [*postgres.execute(url, f"SELECT seat, rtt_ms FROM kupa.latencies WHERE game = '{table.id}'")]


async def until_figures(url: str, table: TotemTable, *seats: int) -> None:
    until = time.monotonic() + GONE_SECONDS_MAX
    while [seat for seat, _ in await asyncio.to_thread(figures, url, table)] != [*seats]:
        assert time.monotonic() < until, figures(url, table)
        await asyncio.sleep(0.05)


def test_a_figure_goes_with_its_socket_and_with_its_server(on_postgres: Place):
    assert on_postgres.url is not None
    url = on_postgres.url
    with on_postgres.service() as one, on_postgres.service("other") as two:
        table = TotemTable(two.base, one.admin()).start(flips=2)

        async def story() -> None:
            far = await far_away(one.base, table, 0)
            await until_figures(url, table, 0)
            far.leave()
            await until_figures(url, table)
            await far_away(one.base, table, 0)
            await until_figures(url, table, 0)
            await asyncio.to_thread(one.kill)
            assert len(figures(url, table)) == 1, "nobody took it back"
            await asyncio.sleep(GONE_SECONDS_MAX)
            async with httpx.AsyncClient(base_url=two.base) as http:
                assert await grabbed(http, table, 1) == "won"
            judged = [line for line in await asyncio.to_thread(feed, table) if line["type"] == "totem.grabs_judged"]
            assert {one["seat"]: one["rtt_ms"] for one in judged[0]["data"]["silent"]} == {0: 0, 2: 0}

        tell(story)
    TotemTable.close_all()


def test_sockets_go_on_while_the_database_is_away_and_figures_are_told_after_it(server: postgres.Server, tmp_path: Any):
    with postgres.database(server.url()) as url, Place(tmp_path, url).service() as service:
        table = TotemTable(service.base, service.admin()).start(flips=2)

        async def story() -> None:
            player = await Player.at(service.base, table, table.seats[0])
            await player.next("hello")
            await asyncio.to_thread(server.stop)
            pings = player.pings
            await asyncio.sleep(4.5)
            assert player.pings >= pings + 2
            assert player.closed is None
            await asyncio.to_thread(server.start)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("DELETE FROM kupa.latencies")
            await until_figures(url, table, 0)
            assert player.closed is None
            player.leave()

        tell(story)
        assert "latency figures not told" in service.said()
    TotemTable.close_all()
