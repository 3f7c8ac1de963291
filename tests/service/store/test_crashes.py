"""Killed in the middle: everything acknowledged is there, nothing twice, no hole, and no unit by halves."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from domain.lines import NO_LINE, decode, line_hash
from service.store.port import Unavailable
from tests.service.store.load import LINES_A_UNIT, TABLES
from tests.service.store.units import full_unit, new_game

ROOT = Path(__file__).resolve().parents[3]
ACKNOWLEDGED = 150


@pytest.mark.parametrize("round_", range(2))
def test_a_process_killed_in_mid_load_leaves_whole_units_and_all_it_acknowledged(place, round_):
    acknowledged = load_and_kill(place)
    assert len(acknowledged) == TABLES
    if place.kind == "postgres":
        wait_for_quiet(place)

    async def look(store):
        written = 0
        for game, seq in acknowledged.items():
            lines = await store.lines(game)
            assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
            assert len(lines) >= seq
            assert len(lines) - seq in {0, LINES_A_UNIT}  # one more may have been written and not yet answered for
            prev = NO_LINE
            for line in lines:
                assert decode(line.line).prev == prev
                prev = line_hash(line.line)
            units = len(lines) // LINES_A_UNIT
            assert (await store.directory(game)).version == len(lines)
            assert len(await store.seats(game)) == len(await store.ledger(game)) == units
            written += units
        positions = await store.tail(0, 100_000)
        assert len({(one.game, one.seq) for one in positions}) == len(positions) == written * LINES_A_UNIT
        assert len(await store.outbox(0, 100_000)) == written
        return written

    place.run(look)
    [(keys,)] = place.execute("SELECT COUNT(*) FROM idempotency")
    [(lines,)] = place.execute(f"SELECT COUNT(*) FROM {place.lines_table}")
    assert keys * LINES_A_UNIT == lines


def test_a_process_that_hangs_with_the_lock_makes_the_store_unavailable_and_nothing_is_written(place):
    async def story(store):
        unit = full_unit(new_game())
        with place.holding_the_lock():
            started = time.monotonic()
            with pytest.raises(Unavailable) as told:
                await store.commit(unit)
            assert type(told.value) is Unavailable  # not Unsettled: it is known that nothing was written
            assert time.monotonic() - started < 5
            assert await store.version(unit.game) == 0
        await store.commit(unit)
        assert await store.version(unit.game) == 3

    place.run(story)


def load_and_kill(place) -> dict[str, int]:
    """Let a process load the store until enough is acknowledged, kill it; the last acknowledged seq by table."""
    where = msgspec.json.encode({name: str(value) for name, value in place.where.items()}).decode()
    with subprocess.Popen(
        [sys.executable, "-m", "tests.service.store.load", where], stdout=subprocess.PIPE, cwd=ROOT, text=True
    ) as process:
        assert process.stdout
        said = [process.stdout.readline() for _ in range(ACKNOWLEDGED)]
        process.send_signal(signal.SIGKILL)
        said += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    last: dict[str, int] = {}
    for game, seq in map(str.split, said):
        assert int(seq) > last.get(game, 0)
        last[game] = int(seq)
    return last


def wait_for_quiet(place) -> None:
    """The server goes on with the statement of a client that is gone; look when it is through."""
    others = (
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND backend_type = 'client backend'"
    )
    patience = time.monotonic() + 10
    while place.execute(others) != [(0,)]:
        assert time.monotonic() < patience
        time.sleep(0.02)
