"""Many writers at once: what is waiting goes in together, losers lose alone, and nobody waits for ever."""

import asyncio
import threading
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from service.store.committer import Committer
from service.store.opening import open_store
from service.store.port import KeyTaken, LinesTaken, Unavailable, Unit, Unsettled
from tests.service.store.units import AT, full_unit, key_row, lines_of, new_game


def test_a_hundred_tables_go_in_together(place):
    async def story(store):
        write, sizes = store.committer._write, []

        def counted(units):
            sizes.append(len(units))
            return write(units)

        store.committer._write = counted
        units = [full_unit(new_game()) for _ in range(100)]
        await asyncio.gather(*map(store.commit, units))
        assert sum(sizes) == 100
        assert len(sizes) <= 3  # the first may leave alone, before the others have come
        for unit in units:
            assert await store.lines(unit.game) == list(unit.lines)
            assert await store.directory(unit.game) == unit.directory

    place.run(story)


def test_of_racing_twins_with_one_key_one_is_written(place):
    async def story(store):
        for n in range(20):
            game = new_game()
            twins = [
                Unit(game=game, at=AT, lines=lines_of(game, 1 + k), idempotency=key_row(game, f"k{n}", 1 + k, 1 + k))
                for k in range(2)
            ]
            fates = await asyncio.gather(*map(store.commit, twins), return_exceptions=True)
            assert fates[0] is None
            assert isinstance(fates[1], KeyTaken)
            assert await store.version(game) == 1

    place.run(story)


def test_twins_that_open_two_tables_with_one_key_open_one(place):
    async def story(store):
        units = [
            Unit(game=game, at=AT, lines=lines_of(game, 1), idempotency=key_row(game, "opening", caller="key:k1"))
            for game in (new_game(), new_game())
        ]
        fates = await asyncio.gather(*map(store.commit, units), return_exceptions=True)
        assert [type(fate) for fate in fates] == [type(None), KeyTaken]
        assert [await store.version(unit.game) for unit in units] == [1, 0]

    place.run(story)


def test_of_two_processes_writing_one_seq_one_wins_and_their_other_tables_do_not_suffer(place):
    async def story(store):
        other = await open_store(**place.where)
        try:
            for _ in range(20):
                game, bystander = new_game(), new_game()
                ours = Unit(game=game, at=AT, lines=lines_of(game, 1, 3, seed="our-seed-0000000"))
                theirs = Unit(game=game, at=AT, lines=lines_of(game, 1, 2, seed="their-seed-00000"))
                beside = Unit(game=bystander, at=AT, lines=lines_of(bystander, 1))
                commits = (store.commit(ours), other.commit(theirs), other.commit(beside))
                fates = await asyncio.gather(*commits, return_exceptions=True)
                assert fates.pop() is None
                assert Counter(map(type, fates)) == {type(None): 1, LinesTaken: 1}
                winner = ours if fates[0] is None else theirs
                assert await store.lines(game) == list(winner.lines)
                assert await other.lines(game) == list(winner.lines)
                assert await store.version(bystander) == 1
        finally:
            await other.close()

    place.run(story)


def test_what_is_committed_is_read_at_once(place):
    async def story(store):
        game = new_game()
        for seq in range(1, 101):
            unit = replace(full_unit(game, seq, 1), ledger=())
            await store.commit(unit)
            assert await store.version(game) == seq
            assert (await store.directory(game)).version == seq

    place.run(story)


def test_closing_commits_what_is_waiting_and_refuses_what_comes_after(place):
    units = [full_unit(new_game()) for _ in range(10)]

    async def close_at_once(store):
        commits = [asyncio.ensure_future(store.commit(unit)) for unit in units]
        await asyncio.sleep(0)
        await store.committer.close()
        await asyncio.gather(*commits)
        with pytest.raises(Unavailable):
            await store.commit(full_unit(new_game()))

    async def read(store):
        for unit in units:
            assert await store.version(unit.game) == 3

    place.run(close_at_once, read)


class Gate:
    """A database that takes a batch and keeps it until the gate opens."""

    def __init__(self):
        self.entered = threading.Event()
        self.opened = threading.Event()
        self.batches = []

    def write(self, units):
        self.batches.append(units)
        self.entered.set()
        assert self.opened.wait(10)
        return [None for _ in units]


def unit() -> Unit:
    game = new_game()
    return Unit(game=game, at=AT, lines=lines_of(game, 1))


def behind_a_gate(story, **limits: Any):
    """Tell `story` with a committer whose first batch is already under way."""

    async def run():
        gate = Gate()
        committer = Committer(gate.write, **limits)
        first = asyncio.ensure_future(committer.commit(unit()))
        await asyncio.to_thread(gate.entered.wait, 10)
        try:
            await story(committer, gate, first)
        finally:
            gate.opened.set()
            await asyncio.gather(first, return_exceptions=True)
            await committer.close()

    asyncio.run(run())


def test_what_waits_while_a_batch_is_written_goes_into_the_next_one():
    async def story(committer, gate, first):
        waiting = [asyncio.ensure_future(committer.commit(unit())) for _ in range(30)]
        await asyncio.sleep(0)
        gate.opened.set()
        await asyncio.gather(first, *waiting)
        assert [len(batch) for batch in gate.batches] == [1, 30]

    behind_a_gate(story)


def test_a_full_queue_refuses_at_once():
    async def story(committer, gate, first):
        waiting = [asyncio.ensure_future(committer.commit(unit())) for _ in range(8)]
        await asyncio.sleep(0)
        with pytest.raises(Unavailable, match="8 units are waiting"):
            await committer.commit(unit())
        gate.opened.set()
        await asyncio.gather(first, *waiting)
        await committer.commit(unit())

    behind_a_gate(story, waiting_max=8)


def test_who_waits_too_long_is_told_and_its_unit_is_never_written():
    async def story(committer, gate, first):
        late = unit()
        with pytest.raises(Unavailable) as told:
            await committer.commit(late)
        assert type(told.value) is Unavailable
        gate.opened.set()
        with pytest.raises(Unsettled):  # under way when the patience ended, so nobody knows
            await first
        await committer.commit(unit())
        assert late not in [one for batch in gate.batches for one in batch]

    behind_a_gate(story, wait_seconds_max=0.1)


def test_each_waits_for_as_long_as_the_others_whenever_it_came():
    async def story(committer, gate, first):
        loop = asyncio.get_running_loop()

        async def waited() -> float:
            since = loop.time()
            with pytest.raises(Unavailable):
                await committer.commit(unit())
            return loop.time() - since

        early = asyncio.ensure_future(waited())
        await asyncio.sleep(0.06)
        late = asyncio.ensure_future(waited())
        assert min(await early, await late) >= 0.1
        gate.opened.set()
        with pytest.raises(Unsettled):
            await first
        await asyncio.sleep(0.15)  # nobody waits now: the clock that looks for the late stands still
        await committer.commit(unit())

    behind_a_gate(story, wait_seconds_max=0.1)


def test_a_sender_that_goes_away_harms_nobody_and_its_unit_is_written():
    async def story(committer, gate, first):
        gone, stays = unit(), unit()
        leaving = asyncio.ensure_future(committer.commit(gone))
        staying = asyncio.ensure_future(committer.commit(stays))
        await asyncio.sleep(0)
        leaving.cancel()
        gate.opened.set()
        await asyncio.gather(first, staying)
        assert gate.batches[1] == [gone, stays]

    behind_a_gate(story)


def test_a_committer_whose_database_raises_goes_on():
    async def story():
        faults = iter([ValueError("a bug"), KeyboardInterrupt()])

        def write(units):
            fault = next(faults, None)
            if fault:
                raise fault
            return [None for _ in units]

        committer = Committer(write)
        for _ in range(2):
            with pytest.raises(RuntimeError, match="the committer failed"):
                await committer.commit(unit())
        await committer.commit(unit())
        await committer.close()

    asyncio.run(story())


def test_batches_can_be_stepped_through_without_any_thread():
    async def story():
        batches = []

        def write(units):
            batches.append(units)
            return [None for _ in units]

        committer = Committer(write, start=lambda _name, _run: None)
        game = new_game()
        units = [Unit(game=game, at=AT, lines=lines_of(game, 1 + n)) for n in range(2)] + [unit()]
        commits = [asyncio.ensure_future(committer.commit(one)) for one in units]
        for _ in range(2):
            await asyncio.sleep(0.01)  # the loop sends a batch in its next turn, once it has heard of the last one
            committer.step()
        await asyncio.gather(*commits)
        assert batches == [[units[0], units[2]], [units[1]]]

    asyncio.run(story())
