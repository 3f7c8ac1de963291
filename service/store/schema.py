"""The schema's versions: numbered SQL files, each run once, and a newer schema than ours refused."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import psycopg
from psycopg.rows import tuple_row

FILE_NAME = re.compile(r"(\d{4})\.(sqlite|postgres)\.sql")
LOCK_SECONDS_MAX = 30
MIGRATION_LOCK = 0x6B757061
"""The advisory lock that one migrating process holds: "kupa" in hex."""

Dialect = Literal["sqlite", "postgres"]


class SchemaNewer(Exception):
    """The database was written by a newer release; this one must not touch it."""


class SchemaOlder(Exception):
    """The database awaits `kupa migrate`."""


def migrations(dialect: Dialect) -> dict[int, str]:
    """The SQL of every version for this database, oldest first."""
    found: dict[int, str] = {}
    for file in resources.files("service.store").joinpath("migrations").iterdir():
        name = FILE_NAME.fullmatch(file.name)
        if name and name[2] == dialect:
            found[int(name[1])] = file.read_text(encoding="utf-8")
    return dict(sorted(found.items()))


def missing(dialect: Dialect, present: int, *, run: bool = True) -> dict[int, str]:
    """What must run on a database of version `present` (0 = empty).

    Raises SchemaNewer, and SchemaOlder where something must run and may not.
    """
    known = migrations(dialect)
    latest = max(known)
    if present > latest:
        raise SchemaNewer(f"the database has schema {present}, this release knows schemas up to {latest}")
    if present < latest and not run:
        raise SchemaOlder(f"the database has schema {present} and needs {latest}: run `kupa migrate`")
    return {version: sql for version, sql in known.items() if version > present}


def migrate_sqlite(file: Path | str, *, run: bool = True) -> list[int]:
    """Bring the file's schema up to date and return the versions that ran; several processes may call it at once.

    With `run` false nothing is changed. Raises SchemaNewer, and SchemaOlder where something would have to run.
    """
    if run:
        Path(file).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    elif not Path(file).exists():
        raise SchemaOlder(f"{file} is not there yet; `kupa migrate` makes it")
    with closing(sqlite3.connect(file, isolation_level=None, timeout=LOCK_SECONDS_MAX)) as database:
        steps = missing("sqlite", _sqlite_version(database), run=run)
        if not steps:
            return []
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("BEGIN IMMEDIATE")
        steps = missing("sqlite", _sqlite_version(database))  # another process may have been faster
        for version, sql in steps.items():
            for statement in statements(sql):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {version}")
        database.execute("COMMIT")
        return list(steps)


def _sqlite_version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def migrate_postgres(connection: psycopg.Connection[Any], *, run: bool = True) -> list[int]:
    """The same for a PostgreSQL database; `connection` is in autocommit mode."""
    with connection.cursor(row_factory=tuple_row) as cursor:
        if not missing("postgres", _postgres_version(cursor), run=run):
            return []
        with connection.transaction():
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            steps = missing("postgres", _postgres_version(cursor))
            for version, sql in steps.items():
                cursor.execute(sql.encode())
                cursor.execute("INSERT INTO kupa.schema_version (version) VALUES (%s)", (version,))
        return list(steps)


def _postgres_version(cursor: psycopg.Cursor[Any]) -> int:
    # Not `to_regclass`: it may answer from a cache that is older than the advisory lock.
    there = cursor.execute("SELECT FROM pg_tables WHERE schemaname = 'kupa' AND tablename = 'schema_version'")
    if there.fetchone() is None:
        return 0
    latest = cursor.execute("SELECT COALESCE(MAX(version), 0) FROM kupa.schema_version").fetchone()
    return int(latest[0]) if latest else 0


def statements(sql: str) -> Iterator[str]:
    """The single statements of a script; sqlite3's own `executescript` would commit before the first."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
