"""Limits: generous, said in headers, and never in the way of a seat that plays."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.problems import Problem
from service.web.limits import CALLERS_COUNTED_MAX, WAITING_PER_CALLER_MAX, Bucket, Waiting
from tests.api.server import Server, bearer, settings

OPEN = {"game": "shithead", "seats": 2}


def test_a_bucket_gives_its_quota_and_fills_up_again():
    bucket = Bucket("opens", 3)
    assert [bucket.take("a", 0.0).left for _ in range(3)] == [2, 1, 0]
    with pytest.raises(Problem) as limited:
        bucket.take("a", 0.0)
    assert (limited.value.code, limited.value.retry_after) == ("rate-limited", 20)
    assert bucket.take("b", 0.0).left == 2, "another caller has their own"
    with pytest.raises(Problem):
        bucket.take("a", 19.0)
    assert bucket.take("a", 39.1).left == 0, "asking in vain costs nothing"
    assert bucket.take("a", 10_000.0).left == 2, "and it never holds more than its quota"


def test_a_bucket_keeps_only_so_many_callers():
    bucket = Bucket("opens", 1)
    for caller in range(CALLERS_COUNTED_MAX + 1):
        bucket.take(str(caller), 0.0)
    assert bucket.take("0", 0.0).left == 0, "the one unused for longest was forgotten"


def test_waiting_requests_are_counted_and_given_back():
    waiting = Waiting(most=2)
    with waiting.one("a"), waiting.one("a"):
        with waiting.one("b"):
            pass
        with pytest.raises(Problem, match="too-many-streams"), waiting.one("a"):
            pass
    with waiting.one("a"):
        pass


def test_opening_tables_is_limited_and_says_so_before_it_is(tmp_path: Path):
    with Server(settings(tmp_path, opens_per_minute=2)) as server:
        answers = [server.http.post("/v1/games", json=OPEN, headers=bearer(server.admin)) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert answers[0].headers["RateLimit"].startswith('"opens";r=1;t=')
        assert answers[0].headers["RateLimit-Policy"] == '"opens";q=2;w=60'
        limited = answers[2]
        assert (limited.json()["code"], limited.headers["content-type"]) == ("rate-limited", "application/problem+json")
        assert 1 <= int(limited.headers["Retry-After"]) <= 30
        assert limited.headers["RateLimit"].startswith('"opens";r=0;t=')


def test_failing_with_tokens_is_limited_and_who_has_a_good_one_goes_on(tmp_path: Path):
    with Server(settings(tmp_path, failures_per_minute=3)) as server:
        failed = [server.http.get("/v1/games", headers=bearer("guess")).status_code for _ in range(5)]
        assert failed == [401, 401, 401, 429, 429]
        assert server.http.get("/v1/keys", headers=bearer(server.admin)).status_code == 200
        assert server.http.get("/v1/games").status_code == 200


def test_sitting_and_new_tokens_are_limited_and_playing_is_not(tmp_path: Path):
    with Server(settings(tmp_path, tokens_per_minute=3)) as server:
        table = server.table(people=2)
        renewals = [table.post("/seats/0/token", table.key) for _ in range(2)]
        assert [answer.status_code for answer in renewals] == [201, 429]
        table.seats[0] = renewals[0].json()["seat_token"]
        table.start()
        for _ in range(100):
            assert table.post("/moves", table.seats[0], {"type": "shithead.pick_up"}).status_code == 409
            assert table.get("/moves", table.seats[0]).status_code == 200


def test_a_seat_may_have_so_many_requests_waiting_and_no_more(server: Server):
    table = server.table()
    table.start()
    version = table.get("").json()["version"]
    wait = {"after": version, "wait": 3}
    with ThreadPoolExecutor(WAITING_PER_CALLER_MAX + 2) as pool:
        answers = list(
            pool.map(lambda _: table.get("/moves", table.seats[0], params=wait), range(WAITING_PER_CALLER_MAX + 2))
        )
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [200] * WAITING_PER_CALLER_MAX + [429] * 2
    assert {answer.json()["code"] for answer in answers if answer.is_error} == {"too-many-streams"}
    assert table.get("/moves", table.seats[0], params={**wait, "wait": 1}).status_code == 200
