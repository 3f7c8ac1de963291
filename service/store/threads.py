"""Where threads are started: the committer's, SQLite's watcher of other processes, a worker's watcher of its parent."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread


def spawn(name: str, run: Callable[[], None]) -> Thread:
    """Start `run` in a thread that does not keep the process alive."""
    thread = Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread
