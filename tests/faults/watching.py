"""Looking at a table from outside, without a token."""

import time

import httpx

MOVE_SECONDS_MAX = 15.0


def until_it_moves(base: str, path: str, version: int) -> None:
    """Wait until the table is past `version` without anybody's move."""
    until = time.monotonic() + MOVE_SECONDS_MAX
    while version_of(base, path) <= version:
        assert time.monotonic() < until, "the table's clock stands still"
        time.sleep(0.05)


def version_of(base: str, path: str) -> int:
    return int(resource(base, path)["version"])


def resource(base: str, path: str) -> dict:
    answer = httpx.get(f"{base}{path}", timeout=10)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())
