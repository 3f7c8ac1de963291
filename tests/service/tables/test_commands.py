"""The one-way road of a command: accepted, refused, stale, repeated, interrupted; on both stores."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from domain.lines import NO_LINE, line_hash
from domain.shithead.moves import PickUp, Play, Ready
from domain.table.moves import Start
from service.callers import Host, Reader, SeatHolder
from service.problems import Problem
from service.store.port import Unavailable
from service.tables.answers import SitRequest
from tests.service.tables.conftest import KEY, House, idem


async def lines(house: House, game: str) -> list[bytes]:
    return [stored.line for stored in await house.store.lines(game)]


async def problem(work) -> Problem:
    with pytest.raises(Problem) as raised:
        await work
    return raised.value


def test_a_table_is_opened_with_its_first_commitment_and_a_chain_of_lines(tell):
    async def story(house: House) -> None:
        answer = await house.open()
        stored = await lines(house, answer.game)
        assert [json.loads(line)["type"] for line in stored] == [
            "table.created",
            "table.seed_drawn",
            "table.round_committed",
        ]
        assert json.loads(stored[0])["prev"] == NO_LINE
        assert all(json.loads(b)["prev"] == line_hash(a) for a, b in pairwise(stored))
        assert (answer.version, answer.head) == (3, line_hash(stored[-1]))
        assert answer.events[0] == stored[0]
        assert json.loads(answer.events[1]) == {"hash": line_hash(stored[1]), "sealed": True, "seq": 2}

    tell(story)


def test_the_state_is_there_again_after_a_restart(tell):
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        game, seats, _ = await house.started(3)
        await house.tables.move(game, seats[1], Ready(), None, None)
        kept["game"] = game
        kept["view"] = (await house.tables.view(game, Reader(seats[1]))).body

    async def after(house: House) -> None:
        game = kept["game"]
        assert (await house.tables.view(game, Reader(SeatHolder(game, 1, KEY.id)))).body == kept["view"]
        await house.tables.move(game, SeatHolder(game, 0, KEY.id), Ready(), None, None)

    tell(before, after)


def test_a_refusal_changes_nothing_and_names_its_clause(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        before = await lines(house, game)
        no = await problem(house.tables.move(game, seats[0], PickUp(), None, None))
        assert (no.code, no.ruling, no.version) == ("refused", "S-39", len(before))
        assert await lines(house, game) == before

    tell(story)


def test_the_same_key_gives_the_same_answer_once(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        first = await house.tables.move(game, seats[0], Ready(), idem("one-key"), None)
        again = await house.tables.move(game, seats[0], Ready(), idem("one-key"), None)
        assert not first.replayed
        assert again.replayed
        assert (first.status, first.version, first.head, first.events) == (
            again.status,
            again.version,
            again.head,
            again.events,
        )

    tell(story)


def test_a_key_is_one_callers_own(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        await house.tables.move(game, seats[0], Ready(), idem("a-key"), None)
        other = await house.tables.move(game, seats[1], Ready(), idem("a-key"), None)
        assert not other.replayed

    tell(story)


def test_a_key_for_another_body_is_told_so(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        await house.tables.move(game, seats[0], Ready(), idem("a-key"), None)
        no = await problem(house.tables.move(game, seats[0], PickUp(), idem("a-key", "other"), None))
        assert no.code == "idempotency-key-reused"

    tell(story)


def test_a_stored_refusal_is_given_again_even_when_the_move_would_be_fine_by_now(tell):
    async def story(house: House) -> None:
        game = (await house.open(3)).game
        host = Host(game, KEY.id)
        no = await problem(house.tables.host(game, host, Start(), idem("start-it")))
        assert no.code == "refused"
        for _ in range(3):
            await house.tables.sit(game, KEY, SitRequest(), None)
        again = await problem(house.tables.host(game, host, Start(), idem("start-it")))
        assert (again.code, again.detail, again.version) == (no.code, no.detail, no.version)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert (await house.tables.host(game, host, Start(), idem("start-once-more"))).status == 200

    tell(story)


def test_a_replay_gives_the_same_tokens_again_although_only_their_hashes_are_kept(tell, place):
    async def story(house: House) -> None:
        opened = await house.open(idem=idem("open-a-table"))
        again = await house.open(idem=idem("open-a-table"))
        assert again.extra == opened.extra
        assert again.game == opened.game
        sat = await house.tables.sit(opened.game, KEY, SitRequest(), idem("sit-down"))
        twice = await house.tables.sit(opened.game, KEY, SitRequest(), idem("sit-down"))
        assert twice.extra == sat.extra
        assert (await house.tables.resource(opened.game, Reader()))["version"] == sat.version
        secret = sat.extra["seat_token"].rsplit("_", 1)[1]
        for table in ("tokens", "idempotency"):
            assert secret not in repr(place.execute(f"SELECT * FROM {table}"))

    tell(story)


def test_a_stale_version_is_refused_with_the_current_one(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        version = (await house.tables.resource(game, Reader()))["version"]
        await house.tables.move(game, seats[0], Ready(), None, version)
        no = await problem(house.tables.move(game, seats[1], Ready(), None, version))
        assert (no.code, no.version) == ("version-stale", version + 1)
        assert (await house.tables.move(game, seats[1], Ready(), None, version + 1)).version > version + 1

    tell(story)


def test_the_key_is_looked_up_before_the_version(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        version = (await house.tables.resource(game, Reader()))["version"]
        first = await house.tables.move(game, seats[0], Ready(), idem("guarded"), version)
        for expected in (version, version + 1, None):
            again = await house.tables.move(game, seats[0], Ready(), idem("guarded"), expected)
            assert again.replayed
            assert again.version == first.version

    tell(story)


def test_racing_twins_are_one_request(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        work = [house.tables.move(game, seats[0], Ready(), idem("twins"), None) for _ in range(8)]
        answers = await asyncio.gather(*work)
        assert [answer.replayed for answer in answers].count(False) == 1
        assert len({(answer.version, answer.head, answer.events) for answer in answers}) == 1

    tell(story)


def test_everybody_acting_at_once_is_answered_and_nothing_is_lost(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started(5)
        answers = await asyncio.gather(*(house.tables.move(game, seat, Ready(), None, None) for seat in seats))
        assert len({answer.version for answer in answers}) == 5
        stored = await lines(house, game)
        readied = [json.loads(line) for line in stored if b"seat_readied" in line]
        assert sorted(line["data"]["seat"] for line in readied) == [0, 1, 2, 3, 4]
        assert [json.loads(line)["seq"] for line in stored] == list(range(1, len(stored) + 1))

    tell(story)


def test_two_processes_write_one_table_and_the_second_decides_again(tell):
    async def story(house: House) -> None:
        other = House(house.store)
        game, seats, _ = await house.started(4)
        assert (await other.tables.resource(game, Reader()))["status"] == "running"
        other.wait(0.001)
        await house.tables.move(game, seats[0], Ready(), None, None)
        await other.tables.move(game, seats[1], Ready(), None, None)
        await house.tables.move(game, seats[2], Ready(), None, None)
        other.wait(0.001)
        no = await problem(other.tables.move(game, seats[2], Ready(), None, None))
        assert no.ruling == "S-02"
        await other.tables.move(game, seats[3], Ready(), None, None)
        stored = await lines(house, game)
        assert all(json.loads(b)["prev"] == line_hash(a) for a, b in pairwise(stored))

    tell(story)


def test_twins_on_two_processes_are_one_request(tell):
    async def story(house: House) -> None:
        other = House(house.store)
        game, seats, _ = await house.started(3)
        await other.tables.resource(game, Reader())
        other.wait(0.001)
        first, second = await asyncio.gather(
            house.tables.move(game, seats[0], Ready(), idem("far-twins"), None),
            other.tables.move(game, seats[0], Ready(), idem("far-twins"), None),
        )
        assert {first.replayed, second.replayed} == {True, False}
        assert (first.version, first.events) == (second.version, second.events)

    tell(story)


def test_a_caller_who_goes_away_loses_nothing(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        work = asyncio.create_task(house.tables.move(game, seats[0], Ready(), idem("and-gone"), None))
        await asyncio.sleep(0)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        again = await house.tables.move(game, seats[0], Ready(), idem("and-gone"), None)
        stored = await lines(house, game)
        assert again.version == len(stored)
        assert len([line for line in stored if b"seat_readied" in line]) == 1

    tell(story)


def test_a_store_that_cannot_write_is_503_and_the_table_goes_on_later(tell, monkeypatch):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        before = await lines(house, game)
        commit = house.store.commit

        async def away(_unit: object) -> None:
            raise Unavailable

        monkeypatch.setattr(house.store, "commit", away)
        no = await problem(house.tables.move(game, seats[0], Ready(), None, None))
        assert (no.code, no.retry_after is not None) == ("unavailable", True)
        monkeypatch.setattr(house.store, "commit", commit)
        assert await lines(house, game) == before
        assert (await house.tables.move(game, seats[0], Ready(), None, None)).version == len(before) + 1

    tell(story)


def test_a_crash_between_writing_and_answering_is_no_second_move(tell, monkeypatch):
    """The lines are stored and the program fails before it takes them over: the next use reads them again."""

    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        commit = house.store.commit

        async def then_fail(unit: object) -> None:
            await commit(unit)
            raise RuntimeError("gone")

        monkeypatch.setattr(house.store, "commit", then_fail)
        with pytest.raises(RuntimeError):
            await house.tables.move(game, seats[0], Ready(), idem("half-done"), None)
        monkeypatch.setattr(house.store, "commit", commit)
        again = await house.tables.move(game, seats[0], Ready(), idem("half-done"), None)
        assert again.replayed
        stored = await lines(house, game)
        assert again.version == len(stored)

    tell(story)


def test_nobody_gets_the_table_of_another(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        other, strangers, host = await house.started()
        for work in (
            house.tables.move(game, strangers[0], Ready(), None, None),
            house.tables.moves(game, strangers[0], None, 0),
            house.tables.leave(game, strangers[0], 0, None),
            house.tables.leave(game, seats[0], 1, None),
            house.tables.host(game, host, Start(), None),
        ):
            assert (await problem(work)).code == "wrong-role"
        assert (
            await problem(house.tables.resource("0190b6a4-1111-7abc-8def-00000000ffff", Reader()))
        ).code == "not-found"
        assert other != game

    tell(story)


def test_a_freed_seats_token_dies_and_a_new_one_replaces_an_old(tell):
    async def story(house: House) -> None:
        game = (await house.open()).game
        sat = await house.tables.sit(game, KEY, SitRequest(), None)
        token_id = sat.extra["seat_token"].split("_")[2]
        assert (await house.store.token(token_id)).revoked is None
        renewed = await house.tables.renew_token(game, KEY, 0, None)
        assert renewed.events == ()
        assert (await house.store.token(token_id)).revoked is not None
        token_id = renewed.extra["seat_token"].split("_")[2]
        await house.tables.leave(game, Host(game, KEY.id), 0, None)
        assert (await house.store.token(token_id)).revoked is not None
        assert (await problem(house.tables.renew_token(game, KEY, 0, None))).code == "not-found"

    tell(story)


def test_one_person_keeps_one_id_and_guests_are_strangers(tell):
    async def story(house: House) -> None:
        first, second = (await house.open(3)).game, (await house.open(3)).game
        for game in (first, second):
            await house.tables.sit(game, KEY, SitRequest(player="anna"), None)
            await house.tables.sit(game, KEY, SitRequest(), None)
        seats = [(await house.tables.resource(game, Reader()))["seats"] for game in (first, second)]
        assert seats[0][0]["player"] == seats[1][0]["player"]
        assert seats[0][1]["player"] != seats[1][1]["player"]
        no = await problem(house.tables.sit(first, KEY, SitRequest(player="anna"), None))
        assert no.ruling == "G-15"
        assert b"anna" not in b"".join(await lines(house, first))

    tell(story)


def test_a_full_table_is_full(tell):
    async def story(house: House) -> None:
        game = (await house.open()).game
        for _ in range(2):
            await house.tables.sit(game, KEY, SitRequest(), None)
        assert (await problem(house.tables.sit(game, KEY, SitRequest(), None))).code == "table-full"

    tell(story)


def test_a_process_that_is_behind_catches_up_before_it_reads_or_refuses(tell):
    async def story(house: House) -> None:
        other = House(house.store)
        game, seats, _ = await house.started(2, rules={"swap_timeout_s": 0, "turn_timeout_s": 0})
        assert (await other.tables.resource(game, Reader()))["to_act"] == [0, 1]
        for seat in seats:
            await house.tables.move(game, seat, Ready(), None, None)
        here = (await house.tables.resource(game, Reader()))["to_act"]
        assert (await other.tables.resource(game, Reader()))["to_act"] == here
        mover = here[0]
        listed = (await other.tables.moves(game, seats[mover], None, 0))["items"]
        await house.tables.move(game, seats[mover], _play(listed[0]), None, None)
        follower = (await house.tables.resource(game, Reader()))["to_act"][0]
        answer = await other.tables.move(game, seats[follower], PickUp(), None, None)
        assert (await house.tables.resource(game, Reader()))["version"] == answer.version

    tell(story)


def test_who_waits_at_one_process_hears_of_moves_at_another(tell):
    async def story(house: House) -> None:
        other = House(house.store)
        game, seats, _ = await house.started(2)
        version = (await other.tables.resource(game, Reader()))["version"]
        waiting = asyncio.create_task(other.tables.moves(game, seats[0], version, 5))
        await asyncio.sleep(0.05)
        await house.tables.move(game, seats[1], Ready(), None, None)
        assert (await waiting)["version"] == version + 1
        viewed = await other.tables.view(game, Reader(seats[0]), min_version=version + 1)
        assert viewed.version == version + 1
        no = await problem(other.tables.view(game, Reader(seats[0]), min_version=version + 9))
        assert no.code == "unavailable"

    tell(story)


def _play(listed: dict[str, Any]) -> Any:
    return msgspec.convert(listed, Play)


def test_a_key_gets_its_answer_although_its_request_would_now_be_refused_in_another_way(tell):
    async def story(house: House) -> None:
        game = (await house.open()).game
        await house.tables.sit(game, KEY, SitRequest(), None)
        renewed = await house.tables.renew_token(game, KEY, 0, idem("renewed-key-0001"))
        await house.tables.leave(game, Host(game, KEY.id), 0, None)
        assert (await problem(house.tables.renew_token(game, KEY, 0, None))).code == "not-found"
        again = await house.tables.renew_token(game, KEY, 0, idem("renewed-key-0001"))
        assert (again.replayed, again.extra, again.status) == (True, renewed.extra, renewed.status)
        other = await problem(house.tables.renew_token(game, KEY, 0, idem("renewed-key-0001", "another body")))
        assert other.code == "idempotency-key-reused"

    tell(story)


def test_nobody_waits_for_a_table_longer_than_is_promised(tell, monkeypatch):
    monkeypatch.setattr("service.tables.live.WAIT_SECONDS_MAX", 0.1)
    monkeypatch.setattr("service.tables.live.WAITING_MAX", 3)

    async def story(house: House) -> None:
        game, seats, _ = await house.started(2)
        live = await house.tables.registry.get(game)
        async with live.lock:
            begun = asyncio.get_running_loop().time()
            moves = [house.tables.move(game, seats[0], Ready(), None, None) for _ in range(4)]
            looks = [house.tables.view(game, Reader(seats[1])) for _ in range(2)]
            told = await asyncio.gather(*map(problem, (*moves, *looks)))
            assert asyncio.get_running_loop().time() - begun < 2
        assert [one.code for one in told] == ["unavailable"] * 6
        assert {one.retry_after for one in told} == {1}
        assert (await house.tables.move(game, seats[0], Ready(), None, None)).status == 200

    tell(story)
