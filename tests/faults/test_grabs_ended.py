"""A table is voided while grabs lie undecided, over HTTP: one answer each, the feed says the same, whoever dies."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

import httpx

from tests.api.test_grabs import feed
from tests.api.test_socket import Player, tell
from tests.api.totem import TotemTable, bearer
from tests.faults.conftest import LONG, Place
from tests.faults.serving import Service
from tests.faults.test_grabs import GRAB, SLOW_SECONDS, Slow, key

TABLES = 12 if LONG else 4
GRABBING = (0, 1)
RULES = {"dead_heat_ms": 0}


def referee(service: Service) -> str:
    made = httpx.post(f"{service.base}/v1/keys", json={"scopes": ["referee"]}, headers=bearer(service.admin()))
    assert made.status_code == 201, made.text
    return str(made.json()["key"])


def opened(service: Service, count: int) -> list[TotemTable]:
    return [TotemTable(service.base, service.admin(), rules=RULES).start(flips=2) for _ in range(count)]


async def far_away(services: Sequence[Service], tables: Sequence[TotemTable]) -> list[Player]:
    """Seat 2 of each table has a long way at every service, so that decisions wait for it."""
    slow = [await Slow.at(one.base, table, table.seats[2]) for table in tables for one in services]
    while any(player.pings < 4 for player in slow):  # noqa: ASYNC110 - nobody is told
        await asyncio.sleep(0.02)
    await asyncio.sleep(2 * SLOW_SECONDS)
    return slow


async def grab(http: httpx.AsyncClient, base: str, table: TotemTable, seat: int) -> httpx.Response:
    headers = {**bearer(table.seats[seat]), "Idempotency-Key": key(table, seat), "Content-Type": "application/json"}
    return await http.post(f"{base}{table.path}/moves", content=GRAB, headers=headers)


async def void(http: httpx.AsyncClient, base: str, table: TotemTable, token: str) -> httpx.Response:
    headers = {**bearer(token), "Idempotency-Key": f"the-end-of-{table.id}"}
    return await http.post(f"{base}{table.path}/void", headers=headers)


def moved_to(base: str, table: TotemTable) -> None:
    table.http.close()
    table.http = httpx.Client(base_url=base, timeout=20)
    table.clients.append(table.http)


async def agreed(table: TotemTable, answers: Sequence[httpx.Response]) -> list[str]:
    """The outcomes of the grabs that were taken in: as they were answered, and as the feed has them, once each."""
    lines = await asyncio.to_thread(feed, table)
    assert lines[-1]["type"] == "table.voided"
    judged = [line for line in lines if line["type"] == "totem.grabs_judged"]
    told = [(grab["seat"], grab["outcome"]) for line in judged for grab in line["data"]["grabs"]]
    taken = [(seat, answer.json()) for seat, answer in enumerate(answers) if answer.status_code == 200]
    assert sorted(told) == [(seat, body["grab"]["outcome"]) for seat, body in taken]
    for answer in answers:
        if answer.status_code != 200:
            assert (answer.status_code, answer.json()["ruling"] in ("T-38", "G-12")) == (409, True), answer.text
    for _, body in taken:
        assert [line for line in body["events"] if line in judged], "it was answered with the line that says so"
    return [outcome for _, outcome in told]


def test_grabs_that_lie_undecided_when_a_referee_voids_the_table_are_void_by_answer_and_by_feed(place: Place):
    """On PostgreSQL the grabs come to one server, and the end to another."""
    with contextlib.ExitStack() as running:
        one = running.enter_context(place.service())
        two = running.enter_context(place.service("other")) if place.url else one
        tables, token, outcomes = opened(one, TABLES), referee(one), list[str]()

        async def story() -> None:
            await far_away(list(dict.fromkeys((one, two))), tables)
            async with httpx.AsyncClient(timeout=20) as http:
                for table in tables:
                    rival = await Player.at(two.base, table, table.seats[1])
                    await rival.next("hello")
                    grabs = [asyncio.create_task(grab(http, one.base, table, seat)) for seat in GRABBING]
                    await asyncio.sleep(0.03)
                    assert (await void(http, two.base, table, token)).status_code == 200
                    answers = await asyncio.gather(*grabs)
                    outcomes.extend(await agreed(table, answers))
                    heard = await rival.line("totem.grabs_judged")
                    assert all(heard in answer.json()["events"] for answer in answers)
                    again = [await grab(http, two.base, table, seat) for seat in GRABBING]
                    assert [answer.json()["grab"] for answer in again] == [answer.json()["grab"] for answer in answers]

        tell(story)
        assert outcomes.count("voided") > TABLES, "most of them lay undecided"
    TotemTable.close_all()


def test_a_socket_at_another_server_than_the_one_that_ends_the_table_hears_its_answer_before_it_closes(
    on_postgres: Place,
):
    with on_postgres.service() as one, on_postgres.service("other") as two:
        table, token = opened(one, 1)[0], referee(one)

        async def story() -> None:
            await far_away((one, two), (table,))
            players = [await Player.at(two.base, table, table.seats[seat]) for seat in GRABBING]
            for player in players:
                await player.next("hello")
                await player.move({"type": "totem.grab", "reveal": 2})
            await asyncio.sleep(0.03)
            async with httpx.AsyncClient(timeout=20) as http:
                assert (await void(http, one.base, table, token)).status_code == 200
            for player in players:
                assert await player.next("closed") == 1000
                answer = await asyncio.wait_for(player.next("answer"), 0.1)
                assert answer["body"]["grab"]["answer"] in ("void", "won", "lost")

        tell(story)
    TotemTable.close_all()


async def die_amid(service: Service, tables: list[TotemTable], token: str) -> None:
    """At each table two seats grab and a referee ends it; the service is killed in the middle of all that."""
    await far_away([service], tables)
    async with httpx.AsyncClient(timeout=5) as http:

        async def ends(number: int, table: TotemTable) -> None:
            grabs = [asyncio.create_task(grab(http, service.base, table, seat)) for seat in GRABBING]
            await asyncio.sleep(0.01 + 0.005 * number)
            await asyncio.gather(void(http, service.base, table, token), *grabs, return_exceptions=True)

        amid = [asyncio.create_task(ends(number, table)) for number, table in enumerate(tables)]
        await asyncio.sleep(0.03)
        await asyncio.to_thread(service.kill)
        await asyncio.gather(*amid)


async def taken_up(base: str, tables: list[TotemTable], token: str) -> None:
    """The same requests at a service that lives."""
    async with httpx.AsyncClient(timeout=20) as http:
        for table in tables:
            moved_to(base, table)
            ended, *answers = await asyncio.gather(
                void(http, base, table, token), *(grab(http, base, table, seat) for seat in GRABBING)
            )
            assert ended.status_code == 200, ended.text
            await agreed(table, answers)
            again = [await grab(http, base, table, seat) for seat in GRABBING]
            assert [one.json().get("grab") for one in again] == [one.json().get("grab") for one in answers]


def test_a_server_killed_while_a_table_with_grabs_is_voided_leaves_no_grab_without_its_answer(place: Place):
    with place.service() as service:
        tables, token = opened(service, TABLES), referee(service)

        async def story() -> None:
            await die_amid(service, tables, token)
            await asyncio.to_thread(service.start)
            await taken_up(service.base, tables, token)

        tell(story)
    TotemTable.close_all()


def test_another_server_ends_the_tables_of_one_that_was_killed_with_grabs_undecided(on_postgres: Place):
    with on_postgres.service() as one, on_postgres.service("other") as two:
        tables, token = opened(one, TABLES), referee(one)

        async def story() -> None:
            await die_amid(one, tables, token)
            await taken_up(two.base, tables, token)

        tell(story)
    TotemTable.close_all()
