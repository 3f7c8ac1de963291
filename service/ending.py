"""Hearing that the service is told to stop: not before its server can, and before that waits for endless answers."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

STOPPING = (signal.SIGTERM, signal.SIGINT)
UP_SECONDS = 0.1
"""From the end of a worker's start to when its server surely waits for signals; its loop does not run in between."""


_holding = threading.Event()


def hold_stops() -> None:
    """Until `heed_stops`, signals to stop wait: a worker of the server that hears one while it starts hangs."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    _holding.set()


def heed_stops() -> None:
    """From when this process is up, hear what `hold_stops` held back, and what comes; called as its start ends.

    A worker hears only what its server tells it (SIGTERM). Ctrl-C reaches it from the terminal as well, and of two
    signals at once the second finds it in the first one's lock: it hung until it was killed.
    """
    loop = asyncio.get_running_loop()
    if _holding.is_set():
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    loop.call_later(UP_SECONDS, signal.pthread_sigmask, signal.SIG_UNBLOCK, STOPPING)


@contextmanager
def told_to_stop(call: Callable[[], None]) -> Iterator[None]:
    """While within, a signal to stop has the running event loop call `call`, beside what the server does with it.

    Handlers added to the loop are reached by its wakeup, not by the handler that is replaced here. Only the main
    thread of a process hears signals; elsewhere (a server in a thread of the tests) nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before: dict[int, Any] = {number: signal.getsignal(number) for number in STOPPING}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(call)
        if callable(before[number]):
            before[number](number, frame)

    for number in STOPPING:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number in STOPPING:
            signal.signal(number, before[number] or signal.SIG_DFL)
