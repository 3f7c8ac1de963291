"""The rows by which processes tell each other how far away seats are, in SQL that both databases take."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from service.store.reads import Question, Values
from service.store.rows import LatencyRow

AT_ONCE_MAX = 100
"""Rows in one statement."""
COLUMNS = ", ".join(f'"{field}"' for field in LatencyRow.__struct_fields__)


def _done(_row: object) -> int:
    return 1


def told(rows: Sequence[LatencyRow]) -> Question[int]:
    """Writes these rows over what the same process said of the same seats; at most AT_ONCE_MAX."""
    marks, values = list[str](), Values()
    for number, row in enumerate(rows):
        marks.append(", ".join(f":{field}{number}" for field in row.__struct_fields__))
        values |= {f"{field}{number}": value for field, value in msgspec.structs.asdict(row).items()}
    sql = (
        f"INSERT INTO latencies ({COLUMNS}) VALUES ({'), ('.join(marks)})"  # noqa: S608  (names of ours)
        ' ON CONFLICT ("game", "seat", "process") DO UPDATE SET'
        ' "rtt_ms" = excluded."rtt_ms", "held" = excluded."held", "at" = excluded."at" RETURNING 1'
    )
    return Question(sql, values, _done)


def gone(process: str, seats: Sequence[tuple[str, int]]) -> Question[int]:
    """Drops what a process said of these seats (table, seat); at most AT_ONCE_MAX."""
    marks, values = list[str](), Values(process=process)
    for number, (game, seat) in enumerate(seats):
        marks.append(f'("game" = :game{number} AND "seat" = :seat{number})')
        values |= {f"game{number}": game, f"seat{number}": seat}
    sql = f'DELETE FROM latencies WHERE "process" = :process AND ({" OR ".join(marks)}) RETURNING 1'  # noqa: S608
    return Question(sql, values, _done)


def heard(game: str, process: str, after: str) -> Question[LatencyRow]:
    """What other processes than this one said of the seats of a table since `after`."""
    sql = f'SELECT {COLUMNS} FROM latencies WHERE "game" = :game AND "process" <> :process AND "at" > :after'  # noqa: S608
    return Question(sql, {"game": game, "process": process, "after": after}, lambda stored: LatencyRow(*stored))


def stale(before: str) -> Question[int]:
    """Drops what was said before then, by processes that live no more."""
    return Question('DELETE FROM latencies WHERE "at" < :before RETURNING 1', {"before": before}, _done)
