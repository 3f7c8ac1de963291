"""Running the service: what is looked at before it listens, what is printed, and the server itself."""

from __future__ import annotations

import asyncio
import fcntl
import gc
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from shlex import quote

from granian import Granian
from granian.constants import Interfaces
from granian.server.embed import Server
from msgspec.structs import replace

from service.app import create_app
from service.ending import hold_stops
from service.first import ADMIN_KEY, FirstTable, Prepared, prepare
from service.settings import Settings, from_environment
from service.store.threads import spawn
from service.web.edge import Edge

try:
    import uvloop
except ImportError:  # Windows, PyPy
    LOOP: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
else:
    LOOP = uvloop.new_event_loop  # a fifth less processor time for a move

BACKLOG = 1_024
STOP_SECONDS_MAX = 10
"""How long a stop waits for answers under way; who holds a connection must not hold the service."""
FAREWELL_SECONDS = 0.1
"""Between the signal to stop and the server's own end, which would cut off streams and sockets in mid-farewell."""
PARENT_SECONDS = 0.5
"""How often a worker looks whether the process that started it is still there."""
LOCK = "serving.lock"
COLLECT_AFTER = (50_000, 20, 100)
"""New values before the youngest are collected, and how many times that before the older ones are."""


class Refuses(Exception):
    """The service will not start like this; the text says why, and what to do."""


def serve(settings: Settings, say: Callable[[str], None]) -> None:
    """Prepare, say what there is, and serve until told to stop."""
    _check_port(settings)
    with alone(settings):
        _serve(settings, say)


@contextmanager
def alone(settings: Settings) -> Iterator[None]:
    """Hold the data folder: SQLite has one writing process. Raises Refuses if another holds it."""
    try:
        settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (settings.folder / LOCK).touch()
    except OSError as fault:
        raise Refuses(f"Cannot write in {settings.folder}: {fault.strerror}. See KUPA_DATA_DIR.") from None
    with (settings.folder / LOCK).open("a") as file:
        try:
            if not settings.database_url:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refuses(f"Another kupa serves {settings.folder}; stop it, or set KUPA_DATA_DIR.") from None
        yield


def _serve(settings: Settings, say: Callable[[str], None]) -> None:
    exposed = not settings.loopback and not settings.allow_admin_key
    prepared = asyncio.run(prepare(replace(settings, first_table=settings.first_table and not exposed)))
    key_file = settings.folder / ADMIN_KEY
    if exposed and key_file.exists():
        raise Refuses(
            f"{settings.host} can be reached from elsewhere, and the key that may do everything still lies in "
            f"{key_file}.\nMove it to a safe place (it stays valid), or set KUPA_ALLOW_ADMIN_KEY=1."
        )
    for line in greeting(settings, prepared):
        say(line)
    if settings.workers == 1:
        with asyncio.Runner(loop_factory=LOOP) as runner:
            runner.run(_here(settings))
    else:
        _many(settings)


def _check_port(settings: Settings) -> None:
    """The server shares its port with others of its kind, so somebody else's must be noticed before."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as fault:
        raise Refuses(f"Cannot listen on {settings.host}:{settings.port}: {fault.strerror}. See KUPA_PORT.") from None


def settle() -> None:
    """Spare the collector what lives as long as the process, and let it come by less often.

    Live tables are many small values without cycles. By default the collector looks at all of them every few hundred
    moves, which took a tenth of the processor and made the slowest answers slower still.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


async def _here(settings: Settings) -> None:
    """Serve in this process, so that nothing is left over when it dies."""
    settle()
    server = Server(
        create_app(settings),
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        backlog=BACKLOG,
        log_enabled=False,
    )
    loop = asyncio.get_running_loop()
    served = asyncio.ensure_future(server.serve())

    def stop() -> None:
        loop.call_later(FAREWELL_SECONDS, server.stop)
        loop.call_later(STOP_SECONDS_MAX, served.cancel)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    with suppress(asyncio.CancelledError):
        await served


def _many(settings: Settings, target: str = "service.serving:application") -> None:
    """Serve `target` in several processes, which meet in PostgreSQL only."""
    Granian(
        target,
        factory=True,
        address=settings.host,
        port=settings.port,
        workers=settings.workers,
        respawn_failed_workers=True,
        interface=Interfaces.ASGI,
        backlog=BACKLOG,
        log_enabled=False,
        workers_kill_timeout=STOP_SECONDS_MAX,
    ).serve()


def application() -> Edge:
    """What each process of the server runs."""
    hold_stops()
    settle()
    end_with(os.getppid())
    return create_app(from_environment(os.environ))


def end_with(parent: int) -> None:
    """Stop this process when `parent` is gone: killed, it cannot tell its workers to, and they would keep its port."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(STOP_SECONDS_MAX)
        os._exit(1)

    spawn("kupa-parent", watch)


def base_url(settings: Settings) -> str:
    """Where a client on this machine finds the service."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - compared, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def greeting(settings: Settings, prepared: Prepared) -> Iterator[str]:
    """The lines that the start prints."""
    base, key_file = base_url(settings), settings.folder / ADMIN_KEY
    yield f"Kupa serves {base}  (Ctrl-C stops it)"
    if prepared.first:
        yield f"A key that may do everything was written to {key_file}; keep it to yourself."
    if prepared.table is not None:
        yield from _first_moves(base, str(key_file.resolve()), prepared.table)


def _first_moves(base: str, key_file: str, table: FirstTable) -> Iterator[str]:
    """Lines that play a first move when they are pasted into another shell, and what each of them shows.

    The comments have no sign that a shell obeys: an interactive zsh takes them for commands that it cannot find, and
    would wait for the end of a quotation.
    """
    url = f"{base}/v1/games/{table.game}"
    sit = json.dumps({"player": "me"})
    ready = json.dumps({"type": "shithead.ready"})
    seat = '-H "Authorization: Bearer $SEAT"'
    yield ""
    yield "A table of Shithead is open: two bots, and a seat for you. Paste these into another shell, line by line:"
    yield ""
    yield "# sit down, the seat token of the answer is kept in SEAT"
    yield (
        f"""SEAT=$(curl -s {url}/seats -H "Authorization: Bearer $(cat {quote(key_file)})" """
        f"""-H 'Content-Type: application/json' -d '{sit}' | grep -o 'kupa_seat_[0-9a-f_-]*')"""
    )
    yield "# start, as the host, and the round is dealt"
    yield f"curl -s -X POST {url}/start -H 'Authorization: Bearer {table.host_token}'"
    yield "# your view, with your hand, the open cards of all, and how many lie blind"
    yield f"curl -s {url}/view {seat}"
    yield "# your legal moves, each ready to be sent, swaps of a hand card for an open one, and being ready"
    yield f"curl -s {url}/moves {seat}"
    yield "# be ready, as the bots are, and play begins with cards to lay when it is your turn"
    yield f"curl -s {url}/moves {seat} -H 'Content-Type: application/json' -d '{ready}'"
    yield f'curl -s "{url}/moves?after=0&wait=20" {seat}'
    yield ""
    yield f"The rest is at {base}/ and {base}/v1/openapi.json"
