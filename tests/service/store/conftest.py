"""The places that every test of this folder runs at: SQLite and PostgreSQL."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from service.store.application import Kupa, environment
from service.store.opening import open_store
from service.store.store import KupaStore
from tests import postgres

Story = Callable[[KupaStore], Awaitable[None]]


class Place:
    """A database of the test's own; `where` is what `open_store` takes to open it."""

    kind: str
    newer: tuple[str, ...]
    """SQL after which the schema is that of a later release."""
    lines_table: str
    refusing: tuple[str, ...]
    """SQL after which no row can be inserted into {table}."""

    def __init__(self, **where: Any) -> None:
        self.where = where

    def run(self, *stories: Story) -> None:
        """Tell each story on a store that is opened for it and closed after it, one after the other."""
        for story in stories:
            asyncio.run(self._tell(story))

    async def _tell(self, story: Story) -> None:
        store = await open_store(**self.where)
        try:
            await story(store)
        finally:
            await store.close()

    @contextmanager
    def application(self) -> Iterator[Kupa]:
        """The same data as an application of the eventsourcing library."""
        app = Kupa(env=environment(**self.where))
        try:
            yield app
        finally:
            app.close()

    def execute(self, *statements: str) -> list[Any]:
        """Run SQL behind the store's back; the rows of the last statement."""
        raise NotImplementedError

    def holding_the_lock(self) -> AbstractContextManager[None]:
        """While it lasts another process holds the lock that every writer needs."""
        raise NotImplementedError

    def refuse_inserts(self, table: str) -> None:
        self.execute(*(statement.format(table=table) for statement in self.refusing))


class OnSQLite(Place):
    kind = "sqlite"
    newer = ("PRAGMA user_version = 99",)
    lines_table = "stored_events"
    refusing = ("CREATE TRIGGER told BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'told to fail'); END",)

    def execute(self, *statements: str) -> list[Any]:
        with closing(sqlite3.connect(self.where["data_dir"] / "kupa.sqlite3", isolation_level=None)) as database:
            return [database.execute(statement).fetchall() for statement in statements][-1]

    @contextmanager
    def holding_the_lock(self) -> Iterator[None]:
        with closing(sqlite3.connect(self.where["data_dir"] / "kupa.sqlite3", isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            yield


class OnPostgres(Place):
    kind = "postgres"
    newer = ("INSERT INTO schema_version (version) VALUES (99)",)
    lines_table = "kupa_events"
    refusing = (
        "CREATE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'told to fail'; END $$",
        "CREATE TRIGGER told BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION told()",
    )

    def execute(self, *statements: str) -> list[Any]:
        return postgres.execute(self.where["database_url"], "SET search_path TO kupa", *statements)

    @contextmanager
    def holding_the_lock(self) -> Iterator[None]:
        with psycopg.connect(self.where["database_url"]) as connection:
            connection.execute("LOCK TABLE kupa.kupa_events IN EXCLUSIVE MODE")
            yield


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Place:
    return OnSQLite(data_dir=tmp_path / "data")


@pytest.fixture
def on_postgres() -> Iterator[Place]:
    with postgres.database() as url:
        yield OnPostgres(database_url=url)


@pytest.fixture(params=["on_sqlite", "on_postgres"])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(request.param)
    return found
