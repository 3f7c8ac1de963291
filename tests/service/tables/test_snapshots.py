"""Snapshots: a table loaded from one is the table loaded from its lines; any other is not taken up."""

from __future__ import annotations

import asyncio
import os
import pickle
from typing import Any

import msgspec
import pytest
import structlog

from domain.game import Game
from domain.lines import line_hash
from service.tables import snapshots
from service.tables.live import Live, Mind, fold, fresh_view, read
from service.tables.registry import Registry
from service.tables.snapshots import Snapshot, Snapshots, Unusable, put_back, release, sha256, taken
from tests.service.tables.conftest import House


async def a_game_of_bots(house: House) -> str:
    game, _, _ = await house.started(3, bots=3)
    async with asyncio.timeout(30):
        while house.bots._driving:  # noqa: ASYNC110 - nothing tells the tests when bots have finished
            await asyncio.sleep(0.01)
    return game


async def loaded(house: House, game: str) -> Live:
    """The table, loaded by a process that has not seen it."""
    live = await Registry(house.store).get(game)
    assert live.table is not None
    return live


def from_lines(lines: list[Any]) -> Live:
    """The table after `lines`, with a bot's memory kept from the first of them on."""
    opened, live = Live(), Live()
    opened.load(lines[:1])
    assert opened.table is not None
    live.minds[1] = Mind(opened.table, 1)
    live.load(lines)
    return live


def test_a_table_loaded_from_any_snapshot_is_the_table_loaded_from_its_lines(tell):
    async def story(house: House) -> None:
        game = await a_game_of_bots(house)
        lines = await house.store.lines(game)
        assert len(lines) > 60
        for seq in range(5, len(lines), 17):
            before = from_lines(lines[:seq])
            assert before.table is not None
            entries = [read(stored.line) for stored in lines[:seq]]
            before.views = {n: fold(fresh_view(before.table, n), before.table, entries) for n in (0, None)}
            again = Live()
            put_back(again, taken(before), lines[seq - 1])
            again.load(lines[seq:])
            whole = from_lines(lines)
            assert whole.table is not None
            assert (again.table, again.head) == (whole.table, whole.head)
            assert again.minds[1].memory == whole.minds[1].memory
            all_entries = [read(stored.line) for stored in lines]
            for n in (0, None):
                assert again.views[n] == fold(fresh_view(whole.table, n), whole.table, all_entries)

    tell(story)


def test_a_follower_keeps_one_at_the_end_of_a_round_and_the_next_process_takes_it_up(tell, monkeypatch):
    monkeypatch.setattr(snapshots, "LINES_BETWEEN", 20)
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        work: list[asyncio.Task[None]] = []
        follower = Snapshots(house.store, spawn=lambda todo: work.append(asyncio.ensure_future(todo)))
        house.tables.followers.append(follower.follow)
        kept["game"] = await a_game_of_bots(house)
        await asyncio.gather(*work)
        assert len(work) > 2

    async def after(house: House) -> None:
        game = kept["game"]
        lines = await house.store.lines(game)
        seq, _ = await house.store.snapshot(game)
        assert seq == len(lines), "the round's end is the newest"
        reads: list[int] = []
        monkeypatch.setattr(house.store, "lines", _counting(house.store.lines, reads))
        live = await loaded(house, game)
        assert live.table == from_lines(lines).table
        assert reads == [1], "one line was read, not the whole game"

    tell(before, after)


def _counting(lines: Any, reads: list[int]) -> Any:
    async def counted(*args: Any, **more: Any) -> Any:
        found = await lines(*args, **more)
        reads.append(len(found))
        return found

    return counted


def forged(of: bytes, **changed: Any) -> bytes:
    if "state" in changed:
        changed = {"digest": sha256(changed["state"]), **changed}
    kept = msgspec.msgpack.decode(of, type=Snapshot)
    return msgspec.msgpack.encode(msgspec.structs.replace(kept, **changed))


def with_one_bit_another(good: bytes, bit: int) -> bytes:
    damaged = bytearray(good)
    damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)


class Evil:
    def __reduce__(self) -> Any:
        return (os.getcwd, ())


WRONG = {
    "cut": lambda good: good[: len(good) // 2],
    "alien": lambda _: b"something else altogether",
    "empty": lambda _: b"",
    "of another release": lambda good: forged(good, release="0" * 64),
    "of another version of the rules": lambda good: forged(good, rules=99),
    "of another history": lambda good: forged(good, head="ab" * 32),
    "of another line": lambda good: forged(good, seq=4),
    "with a state cut short": lambda good: forged(good, state=msgspec.msgpack.decode(good, type=Snapshot).state[:-9]),
    "with code in it": lambda good: forged(good, state=pickle.dumps(Evil())),
    "with one bit of its state another": lambda good: with_one_bit_another(good, len(good) * 4),
    "of something that is no table": lambda good: forged(good, state=pickle.dumps(("x", {}, {}))),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_snapshot_that_is_not_right_is_left_alone_with_one_warning(tell, wrong):
    async def story(house: House) -> None:
        game, _, _ = await house.started(2)
        lines = await house.store.lines(game)
        await house.store.keep_snapshot(game, len(lines), WRONG[wrong](taken(await loaded(house, game))))
        with structlog.testing.capture_logs() as said:
            live = await loaded(house, game)
        assert live.table == from_lines(lines).table
        assert [entry["event"] for entry in said] == ["snapshot not used, lines folded instead"]

    tell(story)


def test_no_bit_of_a_snapshot_can_be_another(tell):
    async def story(house: House) -> None:
        game, _, _ = await house.started(2)
        lines = await house.store.lines(game)
        good = taken(await loaded(house, game))
        for bit in range(0, len(good) * 8, 7):
            live = Live()
            try:
                put_back(live, with_one_bit_another(good, bit), lines[-1])
            except Unusable:
                assert live.table is None
            else:
                assert live.table == from_lines(lines).table, f"bit {bit}"

    tell(story)


def test_the_release_is_a_hash_of_the_rules_source():
    assert len(release()) == 64
    assert release() == release()


def test_a_snapshot_names_its_game_and_holds_none_of_its_functions():
    reader = snapshots._Reader(__import__("io").BytesIO(b""))
    assert isinstance(reader.persistent_load("shithead"), Game)
    for module, name in (("domain.shithead.decide", "decide"), ("os", "system"), ("builtins", "eval")):
        with pytest.raises(pickle.UnpicklingError):
            reader.find_class(module, name)


def test_keeping_the_same_snapshot_twice_is_no_fault(tell):
    async def story(house: House) -> None:
        game, _, _ = await house.started(2)
        for body in (b"first", b"second"):
            await house.store.keep_snapshot(game, 9, body)
        assert await house.store.snapshot(game) == (9, b"first")
        lines = await house.store.lines(game)
        assert line_hash(lines[-1].line) == (await loaded(house, game)).head

    tell(story)
