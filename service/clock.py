"""The only clock: everything else gets its time as an argument."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache

from domain.times import text

NANOSECONDS = 1_000_000_000


def now() -> str:
    """The time as RFC 3339 text with six decimals."""
    seconds, nanoseconds = divmod(time.time_ns(), NANOSECONDS)
    return f"{_second(seconds)}{nanoseconds // 1_000:06d}Z"


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    """All of the text that thousands of moves in one second have in common."""
    return text(datetime.fromtimestamp(seconds, UTC))[:-7]
