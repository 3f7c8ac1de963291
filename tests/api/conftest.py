"""The servers of these tests: the application in this process, and `kupa serve` in one of its own."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.api.served import BOUNDS, Served
from tests.api.server import Seated, Server, settings


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(settings(tmp_path_factory.mktemp("kupa"))) as running:
        yield running


@pytest.fixture(scope="session")
def http(server: Server) -> httpx.Client:
    return server.http


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`kupa serve` itself, for what depends on the server in front of the application."""
    with Served(tmp_path_factory.mktemp("served"), **BOUNDS) as running:
        yield running


@pytest.fixture
def table(served: Served) -> Seated:
    """A table there with two people at it."""
    return served.table()
