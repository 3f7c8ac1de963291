"""One statement that writes a whole batch on SQLite, as `kupa.commit_units` does on PostgreSQL.

sqlite3 lets other threads run while a statement runs, and waits for its turn after each. Row by row that is a wait for
the event loop several times a move; so the rows of a batch go in as JSON, all tables in one statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import UUID

import msgspec
from eventsourcing.persistence import DataError

from service.store.port import Unit
from service.store.rows import DirectoryRow, PlayerRow, SeatRow
from service.store.side_rows import BYTES, TABLES, Row, columns, rows, values

LINES = "stored_events"
_ZERO_BYTE = re.compile(r"(?<!\\)(\\\\)*\\u0000")


def replaced(row: type[Row], *key: str) -> str:
    """The tail of an insert that replaces the row with the same key."""
    fields = [field for field in row.__struct_fields__ if field not in key]
    keys = ", ".join(f'"{field}"' for field in key)
    return f"ON CONFLICT ({keys}) DO UPDATE SET " + ", ".join(f'"{field}" = excluded."{field}"' for field in fields)


SAME_PLAYER = " AND ".join(
    f"p.\"{field}\" = json_extract(r.value, '$[{place}]')" for place, field in enumerate(PlayerRow.__struct_fields__)
)
TAILS = {
    # A seat that was freed does not come back.
    "seats": replaced(SeatRow, "game", "seat", "since") + ' WHERE seats."until" IS NULL',
    # A row of an older version must not overwrite what a newer one said.
    "directory": replaced(DirectoryRow, "game") + " WHERE excluded.version >= directory.version",
    # The same player again is no news; another player for the same label is somebody who was faster.
    "players": f"AND NOT EXISTS (SELECT 1 FROM players p WHERE {SAME_PLAYER})",  # noqa: S608  (names of ours)
}
"""How the insert of a table ends. Of an idempotency key the insert is the check: no row may be there."""


def insert(table: str, names: str, size: int, bytes_at: Sequence[int]) -> str:
    """The statement that inserts what the batch has for a table: a JSON array of arrays, each the values of a row."""
    cells = [f"json_extract(r.value, '$[{place}]')" for place in range(size)]
    for place in bytes_at:
        cells[place] = f"CAST({cells[place]} AS BLOB)"
    # (The WHERE is there for the ON of an ON CONFLICT, which would be read as a join's.)
    return (
        f'INSERT INTO {table} ({names}) SELECT {", ".join(cells)} FROM json_each(NEW."{table}") AS r '  # noqa: S608  (names of ours)
        f"WHERE true {TAILS.get(table, '')};"
    )


def side(table: str, row: type[Row]) -> str:
    """The insert of a table of side rows."""
    return insert(table, columns(row), len(row.__struct_fields__), BYTES.get(row, ()))


PARTS = (LINES, *TABLES)
STATEMENTS = (
    insert(LINES, "originator_id, originator_version, topic, state", 4, [3]),
    *(side(table, row) for table, row in TABLES.items()),
)
MADE_READY = (
    "PRAGMA synchronous=FULL",  # some builds of SQLite have a lesser default in WAL mode
    "PRAGMA wal_autocheckpoint=4000",  # 16 MB: a busy page is copied home once for some dozen batches, not for three
    "PRAGMA cache_size=-16000",  # 16 MB: a full batch fits, and none of it is spilled before its commit
    f"CREATE TEMP VIEW IF NOT EXISTS batch AS SELECT {', '.join(f'NULL AS {part}' for part in PARTS)}",
    f"CREATE TEMP TRIGGER IF NOT EXISTS batch_written INSTEAD OF INSERT ON batch BEGIN {' '.join(STATEMENTS)} END",
)
"""What a connection is told before it first writes. It sees the view and its trigger alone."""
WRITE = f"INSERT INTO batch VALUES ({', '.join('?' * len(PARTS))})"  # noqa: S608  (marks only)


def parameters(units: Sequence[Unit]) -> list[str | None]:
    """What WRITE takes: the rows of each table as JSON."""
    lines = [(UUID(unit.game).hex, line.seq, line.type, line.line.decode()) for unit in units for line in unit.lines]
    found = rows(units)
    return [
        _json(lines),
        *(_json([values(row) for row in found[table]]) if table in found else None for table in TABLES),
    ]


def _json(of: Sequence[tuple[object, ...]]) -> str:
    """Raises DataError for a text with a zero byte, as PostgreSQL does: here it would end the text, and nobody hear."""
    text = msgspec.json.encode(of).decode()
    if "\\u0000" in text and _ZERO_BYTE.search(text):
        raise DataError("a zero byte is no text")
    return text
