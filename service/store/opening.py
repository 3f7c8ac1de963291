"""Opens the store that the settings name: the SQLite file in the data folder, or a PostgreSQL database."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from service.store.application import FILE, Kupa, environment
from service.store.postgres import PostgresLines, with_patience
from service.store.postgres_reader import PostgresReader
from service.store.schema import migrate_postgres, migrate_sqlite
from service.store.sqlite import SQLiteLines
from service.store.sqlite_reader import SQLiteReader
from service.store.store import KupaStore


async def open_store(
    *, data_dir: Path | str | None = None, database_url: str | None = None, migrate: bool = True
) -> KupaStore:
    """The store at `database_url` if one is given, else in `data_dir` (made if it is missing).

    With `migrate` the schema is made or brought up to date first, by whoever comes first. Without it an older
    schema raises SchemaOlder. A newer one raises SchemaNewer in either case.
    """
    if database_url is not None:
        return await _open_postgres(database_url, migrate=migrate)
    if data_dir is None:
        raise ValueError("a data folder or a database URL is needed")
    return await _open_sqlite(Path(data_dir), migrate=migrate)


async def _open_sqlite(folder: Path, *, migrate: bool) -> KupaStore:
    app = await asyncio.to_thread(_sqlite_app, folder, migrate=migrate)
    assert isinstance(app.recorder, SQLiteLines)
    return KupaStore(app, app.recorder, SQLiteReader(folder / FILE))


def _sqlite_app(folder: Path, *, migrate: bool) -> Kupa:
    migrate_sqlite(folder / FILE, run=migrate)
    # Hidden lines of running rounds lie in it: nobody else on the machine may read them. Its log takes its mode.
    (folder / FILE).chmod(0o600)
    return Kupa(environment(data_dir=folder))


async def _open_postgres(url: str, *, migrate: bool) -> KupaStore:
    app = await asyncio.to_thread(_postgres_app, url, migrate=migrate)
    assert isinstance(app.recorder, PostgresLines)
    try:
        reader = await PostgresReader.open(url)
    except BaseException:
        await asyncio.to_thread(app.close)
        raise
    return KupaStore(app, app.recorder, reader)


def _postgres_app(url: str, *, migrate: bool) -> Kupa:
    with psycopg.connect(autocommit=True, **with_patience(conninfo_to_dict(url))) as connection:
        migrate_postgres(connection, run=migrate)
    return Kupa(environment(database_url=url))
