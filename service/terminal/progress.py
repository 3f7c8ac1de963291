"""A progress bar for what takes longer than a moment, and none for what does not."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

T = TypeVar("T")
PATIENCE_SECONDS = 0.7
STRIDE = 64
"""How many items pass between two looks at the clock."""


def counted(items: Iterable[T], what: str, total: int | None, *, quiet: bool = False) -> Iterator[T]:
    """`items` one by one; a bar on standard error once they have taken a moment (never if `quiet` or no terminal)."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield from items
        return
    began, task = time.monotonic(), TaskID(0)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True)
    try:
        for count, item in enumerate(items, start=1):
            yield item
            if count % STRIDE:
                continue
            if bar.tasks:
                bar.update(task, completed=count)
            elif time.monotonic() - began > PATIENCE_SECONDS:
                bar.start()
                task = bar.add_task(what, total=total, completed=count)
    finally:
        bar.stop()
