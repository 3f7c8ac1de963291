"""The schema is made once, whoever comes first, and a newer one is left alone."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from uuid import UUID

import msgspec
import psycopg
import pytest

from service.store.opening import open_store
from service.store.port import Unit
from service.store.schema import SchemaNewer, SchemaOlder, migrate_postgres, migrate_sqlite, migrations, statements
from service.store.sqlite import SQLiteLines
from tests.service.store.units import AT, full_unit, grab_row, lines_of, new_game

ROOT = Path(__file__).resolve().parents[3]
OPENS = """
import asyncio, sys, msgspec
from service.store.opening import open_store
async def main():
    store = await open_store(**msgspec.json.decode(sys.argv[1]))
    await store.close()
asyncio.run(main())
"""


async def nothing(store):
    """Only so that the store is opened."""


def test_both_databases_have_the_same_versions_without_a_hole():
    assert list(migrations("sqlite")) == list(migrations("postgres")) == list(range(1, len(migrations("sqlite")) + 1))


def test_four_processes_that_start_on_nothing_all_come_up(place):
    where = msgspec.json.encode({name: str(value) for name, value in place.where.items()}).decode()
    processes = [
        subprocess.Popen([sys.executable, "-c", OPENS, where], cwd=ROOT, stderr=subprocess.PIPE) for _ in range(4)
    ]
    said = [process.communicate(timeout=60)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, said
    place.run(nothing)


def test_opening_again_changes_nothing(place):
    unit = full_unit(new_game())

    async def write(store):
        await store.commit(unit)

    async def read(store):
        assert await store.lines(unit.game) == list(unit.lines)

    place.run(write, nothing, read)


def test_a_newer_schema_is_refused_and_left_alone(place):
    place.run(nothing)
    place.execute(*place.newer)
    with pytest.raises(SchemaNewer, match="schema 99"):
        place.run(nothing)
    with pytest.raises(SchemaNewer):
        asyncio.run(open_store(**place.where, migrate=False))


def test_without_migrating_an_empty_database_is_refused_and_stays_empty(place):
    with pytest.raises(SchemaOlder, match="kupa migrate"):
        asyncio.run(open_store(**place.where, migrate=False))
    with pytest.raises(SchemaOlder):
        asyncio.run(open_store(**place.where, migrate=False))
    place.run(nothing)

    async def open_only():
        store = await open_store(**place.where, migrate=False)
        await store.close()

    asyncio.run(open_only())


def test_a_store_needs_a_place():
    with pytest.raises(ValueError, match="data folder"):
        asyncio.run(open_store())


def test_migrating_says_what_it_ran(tmp_path, on_postgres):
    file = tmp_path / "kupa.sqlite3"
    assert migrate_sqlite(file) == list(migrations("sqlite"))
    assert migrate_sqlite(file) == []
    with psycopg.connect(on_postgres.where["database_url"], autocommit=True) as connection:
        assert migrate_postgres(connection) == list(migrations("postgres"))
        assert migrate_postgres(connection) == []


def test_a_migration_that_fails_leaves_nothing_behind(tmp_path, monkeypatch, on_postgres):
    broken = "CREATE TABLE half (id integer);\nCREATE TABLE nonsense (;\n"
    monkeypatch.setattr("service.store.schema.migrations", lambda _dialect: {1: broken})
    file = tmp_path / "kupa.sqlite3"
    with pytest.raises(sqlite3.OperationalError):
        migrate_sqlite(file)
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == []
    with psycopg.connect(on_postgres.where["database_url"], autocommit=True) as connection:
        with pytest.raises(psycopg.errors.SyntaxError):
            migrate_postgres(connection)
        assert connection.execute("SELECT to_regclass('half')").fetchone() == (None,)


def test_a_grab_that_an_older_release_left_behind_after_its_play_goes_and_others_stay(place):
    ended, going = new_game(), new_game()

    async def before(store):
        for game in (ended, going):
            await store.commit(Unit(game=game, at=AT, grabs=(grab_row(game, game),)))
            await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 8)))

    async def after(store):
        assert await store.grabs(ended) == []
        assert len(await store.grabs(going)) == 1

    place.run(before)
    stored = UUID(ended).hex if place.kind == "sqlite" else ended
    script = migrations(place.kind)[4]
    place.execute(
        f"UPDATE {place.lines_table} SET topic = 'table.voided' WHERE originator_id = '{stored}'",
        *(statements(script) if place.kind == "sqlite" else (script,)),
        "SELECT 1",
    )
    place.run(after)


def test_a_script_is_taken_apart_without_cutting_a_trigger():
    parts = list(statements(migrations("sqlite")[1]))
    assert sum("CREATE TRIGGER" in part for part in parts) == 2
    assert all(part.rstrip().endswith(";") for part in parts)


def test_the_data_folder_is_closed_to_others_and_commits_reach_the_disk(tmp_path):
    folder = tmp_path / "data 100%? #1"

    async def story():
        store = await open_store(data_dir=folder)
        recorder = store.app.recorder
        assert isinstance(recorder, SQLiteLines)
        with recorder.datastore.get_connection(commit=True) as connection:
            assert pragma(connection, "journal_mode") == "wal"
            pragma(connection, "synchronous=OFF")  # as some builds of SQLite would have it
            assert pragma(connection, "synchronous") == 0
        game = new_game()
        await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 1)))
        assert await store.version(game) == 1
        with recorder.datastore.get_connection(commit=True) as connection:
            assert pragma(connection, "synchronous") == 2
        await store.close()

    asyncio.run(story())
    assert folder.stat().st_mode & 0o077 == 0


def pragma(connection, text):
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA {text}")
    row = cursor.fetchone()
    return row and row[0]
