"""How long the tests of this folder run, and the databases behind the services that they break."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from domain.table.state import Table
from service.store.opening import open_store
from tests import postgres
from tests.faults.histories import check
from tests.faults.players import Told
from tests.faults.serving import Service

LONG = os.environ.get("KUPA_SOAK") == "1"
"""`make soak`: minutes instead of seconds."""
DURABLE = ("jit=off", "shared_buffers=64MB")
"""What the tests' fast server leaves out, and what a killed server must not lose: every acknowledged commit."""


class Place:
    """A database, and services on it; `where` names it as the settings of a service do."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        self.folder, self.url = folder, url

    def service(self, name: str = "data", **more: str) -> Service:
        where = {"KUPA_DATABASE_URL": self.url} if self.url else {}
        return Service(self.folder / name, **where, **more)

    def tables(self, games: Sequence[str], told: Sequence[Told]) -> dict[str, Table]:
        """Each table as it stands, after all its lines, and all that was told of it, were checked."""
        return asyncio.run(self._tables(games, told))

    async def _tables(self, games: Sequence[str], told: Sequence[Told]) -> dict[str, Table]:
        where: dict[str, Any] = {"database_url": self.url} if self.url else {"data_dir": self.folder / "data"}
        store = await open_store(**where)
        try:
            return {game: check(await store.lines(game), [one for one in told if one.game == game]) for game in games}
        finally:
            await store.close()


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def on_postgres(tmp_path: Path) -> Iterator[Place]:
    with postgres.database() as url:
        yield Place(tmp_path, url)


@pytest.fixture(params=["on_sqlite", "on_postgres"])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def server() -> Iterator[postgres.Server]:
    """A PostgreSQL of the test's own, to be killed."""
    found = postgres.binaries()
    assert found is not None, "no PostgreSQL found"
    own = postgres.Server(found, DURABLE)
    try:
        yield own
    finally:
        own.close()
