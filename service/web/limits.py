"""The bounds on what a caller may send, and how often; each has a name with its unit."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from service.problems import Problem

BODY_BYTES_MAX = 64 * 1024
BODY_SECONDS_MAX = 10
"""Within which all of a body must have come."""
JSON_DEPTH_MAX = 32
QUERY_BYTES_MAX = 2_048
WAIT_SECONDS_MAX = 30
PAGE_ITEMS_DEFAULT = 100
PAGE_ITEMS_MAX = 1_000
WAITING_PER_CALLER_MAX = 8
DECKS_BYTES_MAX = 24_000
"""The decks of a sandbox table as JSON: they lie in one event line, twice."""
CALLERS_COUNTED_MAX = 10_000
"""Buckets kept; the one unused for longest is forgotten first, which only ever favours its caller."""
WINDOW_SECONDS = 60


class Allowance(Struct, frozen=True):
    """What is left of a policy for one caller, as the RateLimit headers say it."""

    policy: str
    quota: int
    left: int
    seconds_to_next: int

    def headers(self) -> dict[str, str]:
        """`RateLimit` and `RateLimit-Policy`."""
        return {
            "RateLimit": f'"{self.policy}";r={self.left};t={self.seconds_to_next}',
            "RateLimit-Policy": f'"{self.policy}";q={self.quota};w={WINDOW_SECONDS}',
        }


class Bucket:
    """One policy: every caller has `quota` calls a minute, filled up steadily. Times are seconds of a steady clock."""

    def __init__(self, policy: str, quota: int) -> None:
        self.policy, self.quota = policy, quota
        self._callers: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, at: float) -> Allowance:
        """Count one call at `at`. Raises Problem rate-limited when the minute's calls are used up."""
        level, since = self._callers.pop(caller, (float(self.quota), at))
        level = min(float(self.quota), level + (at - since) * self.quota / WINDOW_SECONDS)
        allowed = level >= 1
        level -= allowed
        self._callers[caller] = (level, at)
        if len(self._callers) > CALLERS_COUNTED_MAX:
            self._callers.popitem(last=False)
        left = self._allowance(level)
        if not allowed:
            raise Problem(
                "rate-limited",
                f"At most {self.quota} a minute.",
                retry_after=left.seconds_to_next,
                headers=left.headers(),
            )
        return left

    def _allowance(self, level: float) -> Allowance:
        wait = max(0.0, 1 - level % 1) * WINDOW_SECONDS / self.quota
        return Allowance(self.policy, self.quota, int(level), max(1, math.ceil(wait)))


class Waiting:
    """How many requests of one caller are held open at this moment."""

    def __init__(self, most: int = WAITING_PER_CALLER_MAX) -> None:
        self.most = most
        self._open: dict[str, int] = {}

    @contextmanager
    def one(self, caller: str) -> Iterator[None]:
        """Hold one request open for `caller`. Raises Problem too-many-streams."""
        held = self._open.get(caller, 0)
        if held >= self.most:
            raise Problem(
                "too-many-streams", f"At most {self.most} streams or waiting requests a token.", retry_after=1
            )
        self._open[caller] = held + 1
        try:
            yield
        finally:
            left = self._open.pop(caller) - 1
            if left:
                self._open[caller] = left
