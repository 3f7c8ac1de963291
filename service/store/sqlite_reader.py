"""Reading SQLite from the event loop: single rows on the loop itself, longer answers in a thread."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from service.store.port import Unavailable
from service.store.reads import Question

T = TypeVar("T")
BUSY_SECONDS_MAX = 0.5
"""Only while another process repairs the log after a crash does a reader wait at all."""


class SQLiteReader:
    """A row found by its key takes about 8 µs and a hop to another thread 40, so single rows stay on the loop.

    In WAL mode a reader waits for no writer. Answers of many rows (300 lines: 200 µs) would hold the loop up and go
    to a thread. Measured by tests/bench/store.py.
    """

    def __init__(self, file: Path) -> None:
        self._here, self._aside = (
            sqlite3.connect(
                f"{file.resolve().as_uri()}?mode=ro",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
                timeout=BUSY_SECONDS_MAX,
            )
            for _ in range(2)
        )
        self._thread = ThreadPoolExecutor(1, "kupa-reader")

    async def one(self, question: Question[T]) -> T | None:
        try:
            row = self._here.execute(question.sql, question.values).fetchone()
        except sqlite3.OperationalError as fault:
            raise Unavailable(str(fault)) from fault
        return None if row is None else question.row(row)

    async def all(self, question: Question[T]) -> list[T]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._all, question)

    def _all(self, question: Question[T]) -> list[T]:
        try:
            return [question.row(row) for row in self._aside.execute(question.sql, question.values)]
        except sqlite3.OperationalError as fault:
            raise Unavailable(str(fault)) from fault

    async def leads(self, _job: str) -> bool:
        """The one process that writes does every job."""
        return True

    async def others(self) -> int:
        """And there is no other."""
        return 0

    async def close(self) -> None:
        await asyncio.to_thread(self._thread.shutdown)
        self._here.close()
        self._aside.close()
