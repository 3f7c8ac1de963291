"""The schema's versions: numbered SQL files, each run once, and a newer schema than ours refused."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Literal

type_of_file = re.compile(r"(\d{4})\.(sqlite|postgres)\.sql")

Dialect = Literal["sqlite", "postgres"]


class SchemaNewer(Exception):
    """The database was written by a newer release; this one must not touch it."""


class SchemaOlder(Exception):
    """The database awaits `kupa migrate`."""


def migrations(dialect: Dialect) -> dict[int, str]:
    """The SQL of every version for this database, oldest first."""
    found: dict[int, str] = {}
    for file in resources.files("service.store").joinpath("migrations").iterdir():
        name = type_of_file.fullmatch(file.name)
        if name and name[2] == dialect:
            found[int(name[1])] = file.read_text(encoding="utf-8")
    return dict(sorted(found.items()))


def missing(dialect: Dialect, present: int) -> dict[int, str]:
    """What must run on a database of version `present` (0 = empty). Raises SchemaNewer."""
    known = migrations(dialect)
    latest = max(known)
    if present > latest:
        raise SchemaNewer(f"the database has schema {present}, this release knows schemas up to {latest}")
    return {version: sql for version, sql in known.items() if version > present}


def migrate_sqlite(file: Path | str, *, run: bool = True) -> list[int]:
    """Bring the file's schema up to date and return the versions that ran; several processes may call it at once.

    With `run` false nothing is changed. Raises SchemaNewer, and SchemaOlder where something would have to run.
    """
    with closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as database:
        if run:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("BEGIN IMMEDIATE")
        steps = missing("sqlite", database.execute("PRAGMA user_version").fetchone()[0])
        if steps and not run:
            raise SchemaOlder(f"{file} awaits `kupa migrate` (schema {max(steps)})")
        for version, sql in steps.items():
            for statement in statements(sql):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {version}")
        if run:
            database.execute("COMMIT")
        return list(steps)


def statements(sql: str) -> Iterator[str]:
    """The single statements of a script; sqlite3's own `executescript` would commit before the first."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
