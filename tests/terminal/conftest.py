"""A real server on a loopback port of its own, and a finished game played on it."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import Struct

from tests.terminal.terminal import KUPA

START_SECONDS = 20.0


class Server(Struct, frozen=True):
    """Where the service listens, and the key that may do everything."""

    port: int
    key_file: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def key(self) -> str:
        return self.key_file.read_text().strip()

    def call(self, method: str, path: str, token: str | None = None, **more: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = httpx.request(method, self.url + path, headers=headers, timeout=30, **more)
        assert answer.is_success, answer.text
        return answer.json()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("kupa-data")
    port = free_port()
    environment = {
        **os.environ,
        "KUPA_DATA_DIR": str(folder),
        "KUPA_PORT": str(port),
        "KUPA_HOST": "127.0.0.1",
        "KUPA_FIRST_TABLE": "0",
    }
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([KUPA, "serve"], env=environment, stdout=log, stderr=log)
    try:
        _wait_for(f"http://127.0.0.1:{port}/health/ready", process, folder / "log")
        yield Server(port, folder / "admin.key")
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()
        try:
            if httpx.get(url, timeout=1).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError(f"no server within {START_SECONDS} s: {log.read_text()}")


@pytest.fixture
def environment(server: Server, tmp_path: Path) -> dict[str, str]:
    """The environment of a person at a terminal who uses that server."""
    return {"KUPA_SERVER": server.url, "KUPA_KEY_FILE": str(server.key_file), "XDG_STATE_HOME": str(tmp_path / "state")}


class Played(Struct, frozen=True):
    """A finished game of a person against two bots, its lines as anybody may read them now, and the last one's hash."""

    game: str
    seat_token: str
    lines: list[bytes]
    head: str


@pytest.fixture(scope="session")
def played(server: Server) -> Played:
    """A whole game, each of whose moves was the first that was listed."""
    rules = {"turn_timeout_s": 0, "swap_timeout_s": 0}
    table = server.call("POST", "/v1/games", server.key, json={"game": "shithead", "seats": 3, "rules": rules})
    path, host = f"/v1/games/{table['id']}", table["host_token"]
    token = server.call("POST", f"{path}/seats", host, json={})["seat_token"]
    for _ in range(2):
        server.call("POST", f"{path}/seats", host, json={"bot": "normal"})
    server.call("POST", f"{path}/start", host)
    version = 0
    while server.call("GET", path)["status"] != "ended":
        listed = server.call("GET", f"{path}/moves?after={version}&wait=5", token)
        version = listed["version"]
        if listed["items"]:
            version = server.call("POST", f"{path}/moves", token, json=listed["items"][0])["version"]
    feed = httpx.get(f"{server.url}{path}/events", headers={"Accept": "application/x-ndjson"}, timeout=30)
    return Played(table["id"], token, feed.content.splitlines(), server.call("GET", path)["head"])
