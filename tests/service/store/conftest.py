"""The stores that every test of this folder runs on."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from service.store.opening import open_store
from service.store.store import KupaStore

Story = Callable[[KupaStore], Awaitable[None]]


class Place:
    """A database of the test's own, and how to open it."""

    def __init__(self, kind: str, where: dict[str, Any]) -> None:
        self.kind = kind
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

    @property
    def lines_table(self) -> str:
        return {"sqlite": "stored_events"}[self.kind]

    def refuse_inserts(self, table: str) -> None:
        """From now on no row can be inserted into this table."""
        self.execute(f"CREATE TRIGGER told BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'told to fail'); END")

    def execute(self, *statements: str) -> list[Any]:
        """Run SQL behind the store's back; the rows of the last statement."""
        return run_sql(self, statements)


def run_sql(place: Place, statements: tuple[str, ...]) -> list[Any]:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(place.where["data_dir"] / "kupa.sqlite3", isolation_level=None)) as database:
        return [database.execute(statement).fetchall() for statement in statements][-1]


@pytest.fixture(params=["sqlite"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place("sqlite", {"data_dir": tmp_path / "data"})
