from __future__ import annotations

import json
from contextlib import closing
from itertools import islice
from typing import Any
from urllib.parse import parse_qs, urlsplit

from service.terminal.connection import Connection
from service.terminal.following import Pages, Stream, follower, messages
from tests.terminal.small_server import CUT, Asked, Says, small_server

LINES: list[dict[str, Any]] = [{"seq": n, "type": "table.ended" if n == 9 else "a.b", "data": {}} for n in range(1, 10)]


def page(asked: Asked, size: int = 4) -> Says:
    after = int(parse_qs(urlsplit(asked.path).query).get("after", ["0"])[0])
    items = LINES[after : after + size]
    more = bool(items) and items[-1]["seq"] < len(LINES)
    return Says(body={"items": items, "next": str(items[-1]["seq"]) if more else None})


def sse(*lines: dict) -> bytes:
    return b"".join(b"id: %d\ndata: %s\n\n" % (line["seq"], json.dumps(line).encode()) for line in lines)


def streamed(asked: Asked) -> bool:
    return asked.headers["accept"] == "text/event-stream"


def heard(way, after: int = 0) -> list[int]:
    return [line["seq"] for batch in way.lines(after) for line in batch]


def line_to(url: str) -> Connection:
    return Connection(url, sleep=lambda _seconds: None)


def test_pages_bring_every_line_once_and_end_with_the_table():
    with small_server(lambda asked, _count: page(asked)) as server, closing(line_to(server.url)) as line:
        assert heard(Pages(line, "x", seated=True)) == list(range(1, 10))
        assert heard(Pages(line, "x", seated=False), after=5) == [6, 7, 8, 9]


def test_a_seat_waits_for_news_by_a_long_poll_of_its_moves():
    def answer(asked: Asked, _count: int) -> Says:
        if "/moves" in asked.path:
            return Says(body={"version": 9, "items": []})
        return Says(body={"items": LINES[:2], "next": None}) if "after=0" in asked.path else page(asked)

    with small_server(answer) as server, closing(line_to(server.url)) as line:
        assert heard(Pages(line, "x", seated=True)) == list(range(1, 10))
        assert [asked.path for asked in server.asked if "/moves" in asked.path] == ["/v1/games/x/moves?after=2&wait=20"]


def test_a_stream_that_breaks_off_in_a_line_is_resumed_behind_the_last_whole_one():
    def answer(asked: Asked, count: int) -> Says:
        if not streamed(asked):
            return Says(body={"items": [], "next": None})
        if count == 0:
            return Says(chunks=(b": hello\n\n", sse(*LINES[:3]), sse(LINES[3])[:20]), cut=True)
        after = int(asked.headers["last-event-id"])
        return Says(chunks=(sse(*LINES[after:]), b"event: end\ndata: {}\n\n"))

    def answered(asked: Asked, _count: int) -> Says:
        return answer(asked, sum(map(streamed, server.asked)) - 1)

    with small_server(answered) as server, closing(line_to(server.url)) as line:
        assert heard(Stream(line, "x", sleep=lambda _seconds: None)) == list(range(1, 10))
        assert [asked.headers["last-event-id"] for asked in server.asked if streamed(asked)] == ["0", "3"]


def test_i1_lines_that_fell_while_the_stream_was_down_come_in_order_and_none_twice():
    def answer(asked: Asked, _count: int) -> Says:
        if streamed(asked):
            first = sum(map(streamed, server.asked)) == 1
            return Says(chunks=(sse(*LINES[:2]),), cut=True) if first else CUT
        return page(asked)

    with small_server(answer) as server, closing(line_to(server.url)) as line:
        assert heard(Stream(line, "x", sleep=lambda _seconds: None)) == list(range(1, 10))


def test_lines_that_a_server_sends_again_are_dropped():
    def answer(_asked: Asked, _count: int) -> Says:
        return Says(chunks=(sse(*LINES[:5]), sse(*LINES[2:]), b"event: end\ndata: {}\n\n"))

    with small_server(answer) as server, closing(line_to(server.url)) as line:
        assert heard(Stream(line, "x")) == list(range(1, 10))


def test_without_a_live_stream_pages_do():
    def answer(asked: Asked, _count: int) -> Says:
        return Says(406, {"code": "not-acceptable", "detail": "No."}) if streamed(asked) else page(asked)

    with small_server(answer) as server, closing(line_to(server.url)) as line:
        assert heard(follower(line, "x", seated=True)) == list(range(1, 10))


def test_heartbeats_and_the_hello_are_no_lines():
    chunks = (b": beat\n\n", b'event: hello\ndata: {"version": 4}\n\n', sse(LINES[8]), b"event: end\ndata: {}\n\n")
    with small_server(lambda _asked, _count: Says(chunks=chunks)) as server, closing(line_to(server.url)) as line:
        assert list(islice(Stream(line, "x").lines(8), 9)) == [[], [], [LINES[8]]]


def test_server_sent_events_are_read_by_their_framing():
    text = ["id: 3", "data: {", "data: }", "", ": beat", "event:end", "data:1", "", "data: never finished"]
    assert list(messages(iter(text))) == [("message", "{\n}"), ("comment", "beat"), ("end", "1")]
