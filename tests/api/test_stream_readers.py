"""Live feeds and what is committed meanwhile; readers who stop reading, and who vanish."""

from __future__ import annotations

import time

from tests.api.served import HEARTBEAT_SECONDS, PER_TOKEN, Served, without_heartbeats
from tests.api.server import Seated


def test_pitfall_i5_who_hears_a_line_reads_a_state_as_new_in_500_tries(served: Served):
    table = served.table(people=0, bots=3, rules={"rounds": 1000})
    table.start()
    tries = 0
    with served.follow(table, query="?after=0") as stream:
        while tries < 500:
            stream.read(5)
            newest = stream.seqs[-1] if stream.seqs else 0
            tries += 1
            answer = table.get("/view")
            assert answer.status_code == 200
            assert answer.json()["version"] >= newest
        assert stream.seqs == list(range(1, stream.seqs[-1] + 1))
    table.end()


def test_a_refused_move_sends_nothing(served: Served, table: Seated):
    version = table.start()["version"]
    with served.follow(table, table.seats[0], f"?after={version}") as stream:
        refused = table.post("/moves", table.seats[0], {"type": "shithead.pick_up"})
        assert refused.status_code == 409
        stream.until(lambda: stream.body.count(b":\n\n") >= 2)
        assert without_heartbeats(stream.body) == b""


def test_pitfall_i7_one_reader_stops_reading_for_10_000_lines_and_nobody_else_notices(served: Served):
    table = served.table(people=0, bots=5, rules={"rounds": 1000})
    before = served.memory()
    with served.follow(table, query="?after=0", slow=True) as slow, served.follow(table, query="?after=0") as quick:
        assert slow.status == 200
        table.start()
        longest, last = 0.0, time.monotonic()
        while not quick.seqs or quick.seqs[-1] < 10_000:
            quick.body = quick.body[-100_000:]
            quick.read(10)
            longest, last = max(longest, time.monotonic() - last), time.monotonic()
        assert longest < 2
        assert served.memory() - before < 60 * 1024 * 1024
        slow.to_the_end()
        assert not slow.finished, "it was cut off, not ended"
        seen = slow.seqs
        assert seen == list(range(1, len(seen) + 1))
        assert len(slow.body) < 1024 * 1024
    with served.follow(table, query=f"?after={seen[-1]}") as again:
        again.until(lambda: again.seqs[-1:] >= [seen[-1] + 1_000])
        assert again.seqs == list(range(seen[-1] + 1, again.seqs[-1] + 1))
    table.end()


def test_readers_who_vanish_leave_nothing_open(served: Served, table: Seated):
    streams = [served.follow(table, token) for token in (*table.seats, table.host) for _ in range(PER_TOKEN)]
    assert {stream.status for stream in streams} == {200}
    for stream in streams:
        stream.socket.close()
    time.sleep(2 * HEARTBEAT_SECONDS)
    again = [served.follow(table, token) for token in (*table.seats, table.host) for _ in range(PER_TOKEN)]
    assert {stream.status for stream in again} == {200}
    for stream in again:
        stream.socket.close()
