"""A real server on a free port with an empty data folder, and clients that speak HTTP to it."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Self

import httpx
import pytest
import uvicorn

from service.app import create_app
from service.first import ADMIN_KEY, prepare
from service.settings import Settings


class Server:
    """The application behind a socket, in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        asyncio.run(prepare(settings))
        self.settings = settings
        self.app = create_app(settings)
        config = uvicorn.Config(self.app, host="127.0.0.1", port=0, log_config=None, lifespan="on")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run)

    def __enter__(self) -> Self:
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not start"
        self.port = self.server.servers[0].sockets[0].getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join()

    @property
    def admin_key(self) -> str:
        return (self.settings.folder / ADMIN_KEY).read_text().strip()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = Settings(
        data_dir=str(tmp_path_factory.mktemp("kupa")),
        first_table=False,
        opens_per_minute=1_000_000,
        tokens_per_minute=1_000_000,
        failures_per_minute=1_000_000,
    )
    with Server(settings) as running:
        yield running


@pytest.fixture(scope="session")
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.base, timeout=10) as client:
        yield client
