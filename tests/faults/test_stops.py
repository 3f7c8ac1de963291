"""A stop has an end, whoever holds a connection."""

import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from service.serving import STOP_SECONDS_MAX
from tests.faults.conftest import Place
from tests.faults.serving import Service

SWIFT_SECONDS = 8.0
"""Well above what an unhurried stop takes, and below the patience after which a server kills its workers."""


@pytest.mark.parametrize("settled", [0.0, 0.3, 2.5])
@pytest.mark.parametrize("stop", [Service.stop, Service.interrupt])
def test_several_workers_stop_swiftly_those_too_that_are_still_starting(
    on_postgres: Place, settled: float, stop: Callable[[Service], int]
):
    with on_postgres.service(KUPA_WORKERS="2") as service:
        time.sleep(settled)  # it answers as soon as one of its workers is up
        begun = time.monotonic()
        assert stop(service) == 0
        assert time.monotonic() - begun < SWIFT_SECONDS


def test_who_holds_back_half_a_body_or_half_a_head_does_not_hold_up_a_stop(tmp_path: Path):
    with Service(tmp_path / "data") as service:
        port = int(service.base.rpartition(":")[2])
        head = f"POST /v1/games HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {service.admin()}\r\n"
        body = "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"
        with socket.create_connection(("127.0.0.1", port)) as one, socket.create_connection(("127.0.0.1", port)) as two:
            one.sendall((head + body).encode())
            two.sendall(head.encode())
            time.sleep(0.3)
            begun = time.monotonic()
            assert service.stop() == 0
            assert time.monotonic() - begun < STOP_SECONDS_MAX + 5


def test_a_worker_that_hears_of_a_stop_twice_at_once_stops(on_postgres: Place):
    """Ctrl-C: the terminal's signal and the one of the process that started the workers, in the same moment."""
    for turn in range(4):
        with on_postgres.service(f"twice{turn}", KUPA_WORKERS="2") as service:
            time.sleep(2.0)  # both are up
            assert service.process is not None
            parent = service.process.pid
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
                for child in children:
                    os.kill(int(child), number)
            began = time.monotonic()
            service.stop()
            assert time.monotonic() - began < SWIFT_SECONDS
