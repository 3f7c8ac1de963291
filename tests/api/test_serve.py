"""`kupa serve` as an operator starts it: a first start with a table to try, later starts, and what is refused."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import httpx
import pytest
from click.testing import CliRunner

from service.cli import main
from service.settings import Settings, SettingsInvalid, described, from_environment, variable

START_SECONDS_MAX = 30.0
"""Far above the target, which a benchmark holds: here other tests run at the same time."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Process:
    """A running `kupa serve`."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.port = int(environment.setdefault("KUPA_PORT", str(free_port())))
        self.base = f"http://127.0.0.1:{self.port}"
        clean = {name: value for name, value in os.environ.items() if not name.startswith("KUPA_")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "serve"],
            env={**clean, "KUPA_DATA_DIR": str(folder), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def ready(self) -> None:
        until = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < until:
            assert self.process.poll() is None, self.said()
            try:
                if httpx.get(f"{self.base}/health/ready").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.02)
        pytest.fail("it did not start in time")

    def said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.read()

    def stop(self) -> str:
        """End it as an operator would; what it printed."""
        self.process.send_signal(signal.SIGTERM)
        said = self.said()
        assert self.process.wait(timeout=10) == 0, said
        return said


def refused(folder: Path, **environment: str) -> str:
    """What a start says that is refused."""
    running = Process(folder, **environment).process
    said, _ = running.communicate(timeout=START_SECONDS_MAX)
    assert running.returncode == 1, said
    return said


@contextmanager
def serving(folder: Path, **environment: str) -> Iterator[Process]:
    running = Process(folder, **environment)
    try:
        running.ready()
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
        running.process.communicate()


def read_until(stream: IO[str], word: str) -> list[str]:
    """The lines up to the first that has `word`."""
    lines = [stream.readline()]
    while lines[-1] and word not in lines[-1]:
        lines.append(stream.readline())
    return lines


def test_a_first_start_prints_lines_that_play_a_first_move_when_pasted(tmp_path: Path):
    with serving(tmp_path / "data") as running:
        first = running.process.stdout
        assert first is not None
        lines = read_until(first, "openapi.json")
        pasted = "".join(line for line in lines if re.match(r"SEAT=|curl ", line))
        assert pasted.count("curl") == 6
        done = subprocess.run(["sh", "-c", pasted], capture_output=True, text=True, timeout=60, check=True)
        assert '"type":"shithead.ready"' in done.stdout
        assert '"type":"shithead.seat_readied"' in done.stdout
        assert "/problems/" not in done.stdout
        assert len(httpx.get(f"{running.base}/v1/games").json()["items"]) == 1
        for comment in (line for line in lines if line.startswith("#")):
            assert re.fullmatch(r"# [A-Za-z ,]+\n", comment), (
                "nothing that zsh, which takes it for a command, would obey"
            )
        assert "Kupa serves" in lines[0]
        assert running.stop() == ""


def test_later_starts_keep_the_table_and_open_no_other(tmp_path: Path):
    folder = tmp_path / "data"
    with serving(folder) as running:
        key = (folder / "admin.key").read_text()
        assert running.stop()
    with serving(folder) as again:
        tables = httpx.get(f"{again.base}/v1/games").json()["items"]
        assert [table["name"] for table in tables] == ["Welcome"]
        assert (folder / "admin.key").read_text() == key
        answer = httpx.get(f"{again.base}/v1/keys", headers={"Authorization": f"Bearer {key.strip()}"})
        assert len(answer.json()["items"]) == 1
        assert "SEAT=" not in again.stop()


def test_keys_are_for_their_owner_alone(tmp_path: Path):
    with serving(tmp_path / "data", KUPA_FIRST_TABLE="0") as running:
        for name in ("admin.key", "server.key"):
            assert stat.S_IMODE((tmp_path / "data" / name).stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
        assert httpx.get(f"{running.base}/v1/games").json()["items"] == []


def test_beyond_loopback_the_operators_key_must_be_put_away_or_allowed(tmp_path: Path):
    folder = tmp_path / "data"
    assert "KUPA_ALLOW_ADMIN_KEY" in refused(folder, KUPA_HOST="0.0.0.0")
    with serving(folder, KUPA_HOST="0.0.0.0", KUPA_ALLOW_ADMIN_KEY="1"):
        pass
    (folder / "admin.key").rename(tmp_path / "put-away")
    with serving(folder, KUPA_HOST="0.0.0.0") as running:
        key = (tmp_path / "put-away").read_text().strip()
        assert httpx.get(f"{running.base}/v1/keys", headers={"Authorization": f"Bearer {key}"}).status_code == 200
        assert not (folder / "admin.key").exists()


def test_a_second_server_on_the_same_folder_or_port_is_refused(tmp_path: Path):
    with serving(tmp_path / "data", KUPA_FIRST_TABLE="0") as running:
        for folder, port, word in (("data", free_port(), "Another kupa"), ("other", running.port, "KUPA_PORT")):
            assert word in refused(tmp_path / folder, KUPA_PORT=str(port))
        assert not (tmp_path / "other").exists(), "nothing was begun"


def test_a_wrong_setting_is_named(tmp_path: Path):
    assert "KUPA_FIRST_TABLE" in refused(tmp_path, KUPA_FIRST_TABLE="perhaps")


@pytest.mark.parametrize("arguments", [["serve", "--help"], ["--help"]])
def test_help_lists_every_setting_with_its_default(arguments: list[str]):
    shown = " ".join(CliRunner().invoke(main, arguments).output.split())
    for name, default, meaning in described():
        assert f"{name} ({default})" in shown
        assert meaning


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({"KUPA_PORT": "0"}, "KUPA_PORT"),
        ({"KUPA_PORT": "http"}, "KUPA_PORT"),
        ({"KUPA_SERVER_KEY": "secret"}, "KUPA_SERVER_KEY"),
        ({"KUPA_WORKERS": "2"}, "KUPA_WORKERS"),
        ({"KUPA_SANDBOX": "maybe"}, "KUPA_SANDBOX"),
    ],
)
def test_a_setting_that_cannot_be_obeyed_is_an_error_that_names_it(environment: dict[str, str], name: str):
    with pytest.raises(SettingsInvalid, match=name):
        from_environment(environment)


def test_settings_are_read_from_their_variables_and_empty_ones_do_not_count():
    given = {"KUPA_HOST": "::1", "KUPA_PORT": "9", "KUPA_SANDBOX": "0", "KUPA_DATA_DIR": "", "OTHER": "x"}
    assert from_environment(given) == Settings(host="::1", port=9, sandbox=False)
    assert from_environment({}) == Settings()
    assert variable("data_dir") == "KUPA_DATA_DIR"


def test_secrets_are_not_printed_with_the_settings():
    text = repr(Settings(server_key="ab" * 32, database_url="postgresql://u:hidden@h/d"))
    assert "abab" not in text
    assert "hidden" not in text


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("localhost", True), ("127.8.8.8", True), ("::1", True), ("0.0.0.0", False), ("kupa.example", False)],
)
def test_only_this_machine_is_loopback(host: str, loopback: bool):
    assert Settings(host=host).loopback is loopback


@pytest.mark.parametrize("command", ["migrate", "serve"])
def test_a_database_of_a_newer_release_is_refused_with_a_sentence(tmp_path: Path, command: str):
    where = {"KUPA_DATA_DIR": str(tmp_path), "KUPA_PORT": str(free_port())}
    assert CliRunner().invoke(main, ["migrate"], env=where).exit_code == 0
    with closing(sqlite3.connect(tmp_path / "kupa.sqlite3")) as database:
        database.execute("PRAGMA user_version = 99")
    done = CliRunner().invoke(main, [command], env=where)
    assert isinstance(done.exception, SystemExit), done.exception
    assert "schema 99" in done.output


def test_migrate_can_be_run_again_and_again(tmp_path: Path):
    for _ in range(2):
        done = CliRunner().invoke(main, ["migrate"], env={"KUPA_DATA_DIR": str(tmp_path / "data")})
        assert (done.exit_code, done.output) == (0, "The database is up to date.\n")
