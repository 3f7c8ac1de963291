"""`kupa serve` as a process of its own, which tests kill in mid-load and start again on the same data and port."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

import httpx

from tests.postgres import die_with_parent, free_port

START_SECONDS_MAX = 60.0
"""Far above the target: other tests run at the same time."""
SERVER_KEY = "5e" * 32
UNLIMITED = "1000000000"
SETTINGS = {
    "KUPA_SERVER_KEY": SERVER_KEY,
    "KUPA_FIRST_TABLE": "0",
    "KUPA_OPENS_PER_MINUTE": UNLIMITED,
    "KUPA_TOKENS_PER_MINUTE": UNLIMITED,
    "KUPA_FAILURES_PER_MINUTE": UNLIMITED,
}


class Service:
    """One `kupa serve` with its data folder; `where` is empty for SQLite, else KUPA_DATABASE_URL and the like."""

    def __init__(self, folder: Path, **where: str) -> None:
        self.folder, self.port = folder, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("KUPA_", "PG"))}
        own = {"KUPA_DATA_DIR": str(folder), "KUPA_PORT": str(self.port)}
        self.environment = {**clean, **SETTINGS, **own, **where}
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start it; returns once it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "service.cli", "serve"],
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,  # noqa: PLW1509  (no other thread runs here)
            )
        until = time.monotonic() + START_SECONDS_MAX
        while not self.ready():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < until, f"not ready after {START_SECONDS_MAX} s: {self.said()}"
            time.sleep(0.02)

    def ready(self) -> bool:
        try:
            return httpx.get(f"{self.base}/health/ready", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """SIGKILL to it and to the processes that it started."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
            self.process = None

    def stop(self) -> int:
        """End it as an operator would; its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(30)
        self.process = None
        return code

    def interrupt(self) -> int:
        """Ctrl-C in its terminal, which reaches the processes that it started too; its exit code."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGINT)
        code = self.process.wait(30)
        self.process = None
        return code

    def said(self) -> str:
        return (self.folder.parent / f"{self.folder.name}.log").read_text()

    def admin(self) -> str:
        """The operator's key, which the first start wrote."""
        return (self.folder / "admin.key").read_text().strip()


class Table:
    """A started table and the tokens of its seats."""

    def __init__(self, game: str, seats: list[str]) -> None:
        self.game, self.seats = game, seats
        self.path = f"/v1/games/{game}"


NO_CLOCK = {"turn_timeout_s": 0, "ready_timeout_s": 0, "swap_timeout_s": 0}


def opened(base: str, key: str, *, seats: int = 2, bots: int = 0, rules: dict[str, Any] | None = None) -> Table:
    """A table of Shithead without end, its seats taken (bots last), started. Without `rules` no clock runs."""
    with httpx.Client(base_url=base, timeout=30) as http:

        def post(path: str, token: str, body: Any = None) -> dict[str, Any]:
            answer = http.post(path, json=body, headers=bearer(token))
            assert answer.is_success, answer.text
            given: dict[str, Any] = answer.json()
            return given

        wanted = {"rounds": None, **(rules or NO_CLOCK)}
        made = post("/v1/games", key, {"game": "shithead", "seats": seats, "rules": wanted})
        path, host = f"/v1/games/{made['id']}", made["host_token"]
        tokens = [post(f"{path}/seats", key, {"player": f"player {n}"})["seat_token"] for n in range(seats - bots)]
        for _ in range(bots):
            post(f"{path}/seats", host, {"bot": "easy"})
        post(f"{path}/start", host)
        return Table(made["id"], tokens)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
