"""Group commit: what is waiting goes into one transaction, and each sender is answered on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

from service.store.batching import BATCH_MAX, Fate, next_batch
from service.store.port import Unavailable, Unit, Unsettled
from service.store.threads import spawn

WAITING_MAX = 4_096
WAIT_SECONDS_MAX = 5.0


class Sender:
    """A unit, the future of whoever sent it, and how long they wait (a time of the loop's clock)."""

    __slots__ = ("answer", "unit", "until")

    def __init__(self, unit: Unit, answer: asyncio.Future[None], until: float) -> None:
        self.unit = unit
        self.answer = answer
        self.until = until


class Committer:
    """Batches on the loop that opened it, and one thread that writes them with `write`, one after the other.

    All that is sent in one turn of the loop goes together, and so does all that is sent while a batch is written. The
    thread is woken once a batch: woken for each unit, it would take turns with the loop over every one of them.
    """

    def __init__(
        self,
        write: Callable[[Sequence[Unit]], list[Fate]],
        *,
        waiting_max: int = WAITING_MAX,
        wait_seconds_max: float = WAIT_SECONDS_MAX,
        batch_max: int = BATCH_MAX,
        start: Callable[[str, Callable[[], None]], Any] = spawn,
    ) -> None:
        self._write = write
        self._waiting_max = waiting_max
        self._wait_seconds_max = wait_seconds_max
        self._batch_max = batch_max
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[Sender, None] = {}  # in order of arrival; a dict, so that any of them can leave
        self._unanswered: dict[Sender, None] = {}  # those and the ones at work, in order of `until`
        self._patience: asyncio.TimerHandle | None = None
        """One timer for all: a timer for each would cost as much as queueing does."""
        self._batches: SimpleQueue[Sequence[Sender] | None] = SimpleQueue()
        """For the thread: at most one batch, or None for the end."""
        self._busy = False
        self._closing = False
        self._thread: Thread | None = start("kupa-committer", self._run)

    async def commit(self, unit: Unit) -> None:
        """Queue the unit; returns when it is durable, raises what became of it otherwise (port.Store.commit)."""
        if self._closing:
            raise Unavailable("the store is closed")
        if len(self._waiting) >= self._waiting_max:
            raise Unavailable(f"{self._waiting_max} units are waiting already")
        sender = Sender(unit, self._loop.create_future(), self._loop.time() + self._wait_seconds_max)
        self._waiting[sender] = self._unanswered[sender] = None
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._send)
        if self._patience is None:
            self._patience = self._loop.call_at(sender.until, self._look_for_late)
        try:
            await sender.answer
        finally:
            del self._unanswered[sender]

    def _send(self) -> None:
        """Hand the thread what waits; with nothing it is at rest, or at its end."""
        batch = next_batch(self._waiting, self._batch_max)
        for sender in batch:
            del self._waiting[sender]
        self._busy = bool(batch)
        if batch:
            self._batches.put(batch)
        elif self._closing:
            self._batches.put(None)

    def _sent(self, batch: Sequence[Sender], fates: Sequence[Fate]) -> None:
        """A batch is through: the next one goes off before anybody hears of this one."""
        self._send()
        answer(batch, fates)

    def _look_for_late(self) -> None:
        """Give up those whose time is over, and come again when the next one's is."""
        self._patience = None
        for sender in self._unanswered:
            if sender.until > self._loop.time():
                self._patience = self._loop.call_at(sender.until, self._look_for_late)
                return
            self._give_up(sender)

    def _give_up(self, sender: Sender) -> None:
        if sender.answer.done():
            return
        waits = sender in self._waiting
        self._waiting.pop(sender, None)
        late = Unavailable("the store did not come to it in time") if waits else Unsettled("the store is silent")
        sender.answer.set_exception(late)

    def _run(self) -> None:
        while self.step():
            pass

    def step(self) -> bool:
        """Wait for a batch, write it, and have its senders answered; False once closed and empty."""
        batch = self._batches.get()
        if batch is None:
            return False
        try:
            fates = self._write([sender.unit for sender in batch])
        except BaseException as fault:  # noqa: BLE001  (a thread that dies would leave every later sender waiting)
            fates = [RuntimeError(f"the committer failed: {fault!r}") for _ in batch]
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._sent, batch, fates)
        return True

    async def close(self) -> None:
        """Write what is waiting, then end the thread."""
        self._closing = True
        if not self._busy:
            self._send()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        if self._patience is not None:
            self._patience.cancel()


def answer(batch: Sequence[Sender], fates: Sequence[Fate]) -> None:
    """Tell each sender what became of its unit; some have gone meanwhile."""
    for sender, fate in zip(batch, fates, strict=True):
        if sender.answer.done():
            continue
        if fate is None:
            sender.answer.set_result(None)
        else:
            sender.answer.set_exception(fate)
