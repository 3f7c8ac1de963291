"""Who may follow a table, for how long, and how many at once."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from domain.times import text
from tests.api.served import HEARTBEAT_SECONDS, PER_TOKEN, Served
from tests.api.server import Seated, bearer


def test_pitfall_i3_a_stream_ends_with_its_token_and_a_new_token_loses_nothing(served: Served, table: Seated):
    with served.follow(table, table.seats[0], "?after=0") as stream:
        stream.until(lambda: len(stream.seqs) >= 5)
        renewed = table.post("/seats/0/token", table.key).json()["seat_token"]
        stream.to_the_end(5)
        assert stream.finished
        assert stream.seqs == list(range(1, 6))
    with served.follow(table, table.seats[0], Last_Event_ID="5") as refused:
        assert refused.status == 401
    version = table.start()["version"]
    with served.follow(table, renewed, Last_Event_ID="5") as stream:
        stream.until(lambda: stream.seqs[-1:] == [version])
        assert stream.seqs == list(range(6, version + 1))
        assert b'"to":0,' in stream.body


def test_pitfall_i3_a_key_that_expires_or_is_revoked_ends_its_stream(served: Served, table: Seated):
    expires = text(datetime.now(UTC) + timedelta(seconds=1))
    with served.follow(table, served.key("audit", expires=expires)) as stream:
        stream.to_the_end(1 + 3 * HEARTBEAT_SECONDS)
        assert stream.finished
    made = served.http.post("/v1/keys", json={"scopes": ["audit"]}, headers=bearer(served.admin)).json()
    with served.follow(table, made["key"]) as stream:
        stream.until(lambda: bool(stream.body))
        served.http.delete(f"/v1/keys/{made['id']}", headers=bearer(served.admin))
        stream.to_the_end(HEARTBEAT_SECONDS / 2)
        assert stream.finished


def test_a_freed_seat_and_an_auditor_who_sits_down_hear_no_more(served: Served):
    table = served.table(seats_more=1)
    auditor = served.key("audit", "play")
    with served.follow(table, table.seats[0]) as seat, served.follow(table, auditor) as audit:
        for stream in (seat, audit):
            stream.until_bytes(1)
        assert table.http.delete(f"{table.url}/seats/0", headers=bearer(table.host)).status_code == 200
        seat.to_the_end(5)
        assert table.post("/seats", auditor, {}).status_code == 201
        audit.to_the_end(5)
        assert seat.finished
        assert audit.finished


def test_streams_a_token_are_bounded(served: Served, table: Seated):
    held = [served.follow(table, table.seats[0]) for _ in range(PER_TOKEN)]
    assert [stream.status for stream in held] == [200] * PER_TOKEN
    with served.follow(table, table.seats[0]) as more:
        assert more.status == 429
        assert more.header("retry-after") == "1"
        more.until(lambda: b"too-many-streams" in more._raw)
    with served.follow(table, table.seats[1]) as other:
        assert other.status == 200
    for stream in held:
        stream.socket.close()
    until = time.monotonic() + 5
    while (again := served.follow(table, table.seats[0])).status == 429:
        again.socket.close()
        assert time.monotonic() < until
    again.socket.close()


def test_a_private_table_is_followed_by_its_own_and_the_invited_only(served: Served):
    table = served.table(visibility="private")
    stranger = served.table().seats[0]
    for token, invite, status in (
        (None, None, 404),
        (stranger, None, 404),
        (None, "x" * 48, 404),
        (None, table.invite, 200),
        (stranger, table.invite, 200),
        (table.seats[0], None, 200),
        (table.host, None, 200),
    ):
        with served.follow(table, token, **({"Kupa_Invite": invite} if invite else {})) as stream:
            assert stream.status == status
