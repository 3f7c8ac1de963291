"""The live feed over a real socket, from the server that operators run: bytes, cursors, cuts."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from domain.lines import line_hash
from service.web.operations import NDJSON
from tests.api.served import HEARTBEAT_SECONDS, PER_TOKEN, Served, framed, play, stored, without_heartbeats
from tests.api.server import Seated, bearer


def test_an_event_stream_is_hello_then_lines_then_end_byte_for_byte(served: Served, table: Seated):
    view = table.get("/view", table.seats[0])
    with served.follow(table, table.seats[0]) as stream:
        hello = b"event: hello\ndata: " + view.content + b"\n\n"
        stream.until(lambda: len(stream.body) >= len(hello))
        table.start()
        void = table.http.post(f"{table.url}/void", headers=bearer(served.admin))
        assert void.status_code == 403, "a key that sits at the table is no referee"
        referee = served.key("referee", "play")
        over = table.http.post(f"{table.url}/void", headers=bearer(referee)).json()
        body = without_heartbeats(stream.to_the_end())
        assert stream.finished
    lines = stored(table, table.seats[0])
    end = b'event: end\ndata: {"head":"%b","version":%d}\n\n' % (over["head"].encode(), over["version"])
    assert body.startswith(hello)
    assert body.endswith(end)
    events = body.removeprefix(hello).removesuffix(end).split(b"\n\n")[:-1]
    assert len(events) == over["version"] - view.json()["version"]
    for n, event in enumerate(events, view.json()["version"] + 1):
        id_, data = event.split(b"\n")
        assert id_ == b"id: %d" % n
        line = data.removeprefix(b"data: ")
        # What was sealed when it was sent has been opened since, and must be what was sealed.
        assert line in (lines[n - 1], b'{"hash":"%b","sealed":true,"seq":%d}' % (line_hash(lines[n - 1]).encode(), n))


def test_the_same_bytes_come_in_all_three_forms(served: Served, table: Seated):
    table.start()
    lines = stored(table, table.seats[1])
    pages = table.get("/events", table.seats[1])
    assert pages.content == b'{"items":[' + b",".join(lines) + b'],"next":null}'
    with served.follow(table, table.seats[1], "?after=0") as stream:
        stream.until(lambda: len(stream.body) >= len(framed(lines)))
        assert without_heartbeats(stream.body) == framed(lines)


def test_the_headers_keep_everybody_on_the_way_from_holding_it_back(served: Served, table: Seated):
    with served.follow(table) as stream:
        assert stream.status == 200
        assert stream.header("content-type") == "text/event-stream; charset=utf-8"
        assert stream.header("cache-control") == "no-store"
        assert stream.header("x-accel-buffering") == "no"
        assert stream.header("vary") == "Authorization"
        assert stream.header("access-control-allow-origin") == "*"
        assert stream.header("content-length") is None


def test_a_silent_stream_says_with_a_comment_that_it_lives(served: Served, table: Seated):
    version = table.get("").json()["version"]
    with served.follow(table, query=f"?after={version}") as stream:
        started = time.monotonic()
        stream.until(lambda: len(stream.body) >= 9)
        assert stream.body == b":\n\n" * 3
        assert 3 * HEARTBEAT_SECONDS <= time.monotonic() - started + 0.01 < 6 * HEARTBEAT_SECONDS


def test_ndjson_ends_at_the_head_and_goes_on_only_when_it_is_to_follow(served: Served, table: Seated):
    lines = stored(table)
    assert table.get("/events", headers={"Accept": NDJSON}).content == b"\n".join(lines) + b"\n"
    with served.follow(table, query="?follow=true&after=2", Accept=NDJSON) as stream:
        rest = b"".join(line + b"\n" for line in lines[2:])
        stream.until(lambda: len(stream.body) > len(rest))
        assert stream.body == rest + b"\n", "an empty line is its heartbeat"
        assert stream.header("content-type") == NDJSON
        version = table.start()["version"]
        stream.until(lambda: b'"seq":%d' % version in stream.body)
        assert [line for line in stream.body.split(b"\n") if line] == stored(table)[2:]


def test_head_opens_no_stream(served: Served, table: Seated):
    for _ in range(3 * PER_TOKEN):
        answer = table.http.head(f"{table.url}/events", headers={"Accept": "text/event-stream", **bearer(table.host)})
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize("sent", ["", "-1", "01", "x", "1.0", "9007199254740992", "99999999999999999999", "1,2"])
def test_a_malformed_last_event_id_is_400(table: Seated, sent: str):
    for media in ("text/event-stream", NDJSON, "application/json"):
        answer = table.get("/events", headers={"Accept": media, "Last-Event-ID": sent})
        assert (answer.status_code, answer.json()["code"]) == (400, "cursor-invalid")
        assert answer.json()["errors"][0]["pointer"] == "Last-Event-ID"


def test_last_event_id_and_after_mean_the_same_and_must_not_differ(served: Served, table: Seated):
    both = table.get("/events?after=2", headers={"Last-Event-ID": "3"})
    assert (both.status_code, both.json()["code"]) == (400, "cursor-invalid")
    lines = stored(table)
    asked: list[dict[str, Any]] = [
        {"query": "?after=2"},
        {"Last_Event_ID": "2"},
        {"query": "?after=2", "Last_Event_ID": "2"},
    ]
    for how in asked:
        with served.follow(table, **how) as stream:
            stream.until_bytes(len(framed(lines, 2)))
            assert without_heartbeats(stream.body) == framed(lines, 2)
    page = table.get("/events", headers={"Last-Event-ID": "2"}).json()["items"]
    assert [item["seq"] for item in page] == list(range(3, len(lines) + 1))


def test_a_cursor_past_the_head_is_reset_or_400_where_only_lines_are_told(served: Served, table: Seated):
    with served.follow(table, Last_Event_ID="900") as stream:
        stream.until(lambda: stream.body.count(b"\n\n") >= 2)
        now = table.get("").json()
        reset = b'event: reset\ndata: {"head":"%b","version":%d}\n\n' % (now["head"].encode(), now["version"])
        assert stream.body.startswith(reset + b"event: hello\ndata: {")
    bare = table.get("/events?follow=true&after=900", headers={"Accept": NDJSON})
    assert (bare.status_code, bare.json()["code"]) == (400, "cursor-invalid")
    assert table.get("/events?follow=true").status_code == 400, "pages follow nothing"


def test_pitfall_i1_what_happens_while_the_line_is_cut_comes_with_the_next_one(served: Served, table: Seated):
    version = table.start()["version"]
    with served.follow(table, table.seats[0], "?after=0") as stream:
        stream.until(lambda: stream.seqs[-1:] == [version])
        seen = stream.seqs
    version = play(table, version + 20)
    with served.follow(table, table.seats[0], Last_Event_ID=str(seen[-1])) as stream:
        stream.until(lambda: stream.seqs[-1:] == [version])
        assert seen + stream.seqs == list(range(1, version + 1))
    with served.follow(table, table.seats[0]) as stream:
        stream.until(lambda: b"\n\n" in stream.body)
        assert json.loads(stream.body.split(b"\n")[1].removeprefix(b"data: "))["version"] == version


def test_a_killed_server_starts_again_and_the_feed_goes_on_where_it_broke(tmp_path: Path):
    with Served(tmp_path / "data") as running:
        table = running.table()
        version = play(table, table.start()["version"] + 10)
        with running.follow(table, table.seats[0], "?after=0") as stream:
            stream.until(lambda: stream.seqs[-1:] == [version])
            seen = stream.seqs
            running.stop(signal.SIGKILL)
            stream.to_the_end()
            assert not stream.finished, "a reader can tell that it was cut"
        running.begin()
        version = play(table, version + 10)
        with running.follow(table, table.seats[0], Last_Event_ID=str(seen[-1])) as stream:
            stream.until(lambda: stream.seqs[-1:] == [version])
            assert seen + stream.seqs == list(range(1, version + 1))
            assert running.stop(signal.SIGTERM) == 0, "it does not wait for streams that never end"
            stream.to_the_end()
            assert stream.finished
