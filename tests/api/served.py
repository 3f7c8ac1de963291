"""`kupa serve` in a process of its own, with the server that operators run; it can be killed and started again."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

import httpx

from service.first import ADMIN_KEY
from service.web.operations import NDJSON
from tests.api.raw import Raw
from tests.api.server import UNLIMITED, Seated, Server

START_SECONDS_MAX = 20.0
HEARTBEAT_SECONDS = 0.4
PER_TOKEN = 4
BOUNDS = {"stream_heartbeat_s": HEARTBEAT_SECONDS, "stream_buffer_bytes": 65_536, "streams_per_token": PER_TOKEN}
"""What live feeds may hold in the tests, so that limits are soon reached."""


class Served(Server):
    """A running `kupa serve` on a free port; settings are given by their variables without `KUPA_`."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.folder = folder
        limits = dict.fromkeys(("opens_per_minute", "tokens_per_minute", "failures_per_minute"), UNLIMITED)
        given = {"data_dir": folder, "port": self.port, "first_table": 0, **limits, **settings}
        clean = {name: value for name, value in os.environ.items() if not name.startswith("KUPA_")}
        self.environment = {**clean, **{f"KUPA_{name.upper()}": str(value) for name, value in given.items()}}
        self.base = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.begin()
        self.admin = (self.folder / ADMIN_KEY).read_text().strip()
        self.http = httpx.Client(base_url=self.base, timeout=20)
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()
        self.stop(signal.SIGKILL)

    def begin(self) -> None:
        """Start it and wait until it answers."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "serve"], env=self.environment, stdout=subprocess.DEVNULL
        )
        until = time.monotonic() + START_SECONDS_MAX
        while not self._ready():
            assert self.process.poll() is None, "it ended"
            assert time.monotonic() < until, "it did not start in time"
            time.sleep(0.02)

    def _ready(self) -> bool:
        try:
            return httpx.get(f"{self.base}/health/ready").status_code == 200
        except httpx.TransportError:
            return False

    def stop(self, number: int) -> int:
        """Send it a signal and wait for its end: the exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout=15)

    def memory(self) -> int:
        """Bytes that it holds in memory."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def follow(self, table: Seated, token: str | None = None, query: str = "", **headers: Any) -> Raw:
        """Open a live feed on a socket of its own."""
        headers.setdefault("Accept", "text/event-stream")
        return Raw(self.port, f"{table.url}/events{query}", token, **headers)


def stored(table: Seated, token: str | None = None) -> list[bytes]:
    """Every line or sealed entry as NDJSON gives it."""
    return table.get("/events", token, headers={"Accept": NDJSON}).content.splitlines()


def framed(lines: list[bytes], after: int = 0) -> bytes:
    return b"".join(b"id: %d\ndata: %b\n\n" % (n, line) for n, line in enumerate(lines, 1) if n > after)


def without_heartbeats(body: bytes) -> bytes:
    return re.sub(rb"(?<=\n\n):\n\n|^:\n\n", b"", body)


def play(table: Seated, version: int) -> int:
    """Let seats make moves until the table is past `version`."""
    while True:
        for seat in range(len(table.seats)):
            listed = table.moves(seat)
            if listed["items"]:
                move = listed["items"][-1 if listed["version"] % 3 else 0]
                made = table.post("/moves", table.seats[seat], move)
                assert made.status_code == 200, made.text
                if made.json()["version"] >= version:
                    return int(made.json()["version"])
                break
