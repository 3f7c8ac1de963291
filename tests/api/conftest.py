"""One server for all tests that need no other, with an empty data folder behind it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.api.server import Server, settings


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(settings(tmp_path_factory.mktemp("kupa"))) as running:
        yield running


@pytest.fixture(scope="session")
def http(server: Server) -> httpx.Client:
    return server.http
