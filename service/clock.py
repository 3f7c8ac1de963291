"""The only clock: everything else gets its time as an argument."""

from __future__ import annotations

from datetime import UTC, datetime

from domain.times import text


def now() -> str:
    """The time as RFC 3339 text with six decimals."""
    return text(datetime.now(UTC))
