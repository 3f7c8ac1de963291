"""Times as fixed-width RFC 3339 text, so that they sort and compare as strings."""

from datetime import UTC, datetime, timedelta


def text(moment: datetime) -> str:
    """A moment in UTC as `YYYY-MM-DDTHH:MM:SS.ffffffZ`: the one function that writes a time."""
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return utc.isoformat(timespec="microseconds")[:26] + "Z"


def later(at: str, *, seconds: int = 0, milliseconds: int = 0) -> str:
    """The time so much after `at`."""
    return text(datetime.fromisoformat(at) + timedelta(seconds=seconds, milliseconds=milliseconds))


def deadline(at: str, seconds: int) -> str | None:
    """When a clock of so many seconds started at `at` runs out; None for 0, no clock (G-07)."""
    return later(at, seconds=seconds) if seconds else None
