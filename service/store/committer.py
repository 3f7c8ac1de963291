"""Group commit: what is waiting goes into one transaction, and each sender is answered on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
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
    """One thread that writes what is sent with `write`, batch after batch, and a loop that tells each sender.

    All that is sent while a batch is written goes into the next one, which the thread takes by itself: it never waits
    for the loop, which is busy with those who will send next. Only when it rests does the loop wake it, and then at the
    end of a turn, so that what is sent in one turn goes together.
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
        self._lock = Lock()
        """Held for a moment by whoever looks at the three below, on the loop or in the thread."""
        self._waiting: dict[Sender, None] = {}  # in order of arrival; a dict, so that any of them can leave
        self._resting = False
        self._closing = False
        self._wakes: SimpleQueue[None] = SimpleQueue()
        """For the thread: at most one, once it rests."""
        self._unanswered: dict[Sender, None] = {}  # those waiting and the ones at work, in order of `until`
        self._patience: asyncio.TimerHandle | None = None
        """One timer for all: a timer for each would cost as much as queueing does."""
        self._thread: Thread | None = start("kupa-committer", self._run)

    async def commit(self, unit: Unit) -> None:
        """Queue the unit; returns when it is durable, raises what became of it otherwise (port.Store.commit)."""
        if self._closing:
            raise Unavailable("the store is closed")
        if len(self._waiting) >= self._waiting_max:
            raise Unavailable(f"{self._waiting_max} units are waiting already")
        sender = Sender(unit, self._loop.create_future(), self._loop.time() + self._wait_seconds_max)
        self._unanswered[sender] = None
        with self._lock:
            self._waiting[sender] = None
            if self._resting:
                self._resting = False
                self._loop.call_soon(self._wakes.put, None)  # so that all that is sent in this turn goes together
        if self._patience is None:
            self._patience = self._loop.call_at(sender.until, self._look_for_late)
        try:
            await sender.answer
        finally:
            del self._unanswered[sender]

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
        with self._lock:
            waits = sender in self._waiting
            self._waiting.pop(sender, None)
        late = Unavailable("the store did not come to it in time") if waits else Unsettled("the store is silent")
        sender.answer.set_exception(late)

    def _run(self) -> None:
        while self.step():
            pass

    def step(self) -> bool:
        """Wait until something is sent, write a batch, and have its senders answered; False once closed and empty."""
        while not (batch := self._next()):
            if self._closing:
                return False
            self._wakes.get()
        try:
            fates = self._write([sender.unit for sender in batch])
        except BaseException as fault:  # noqa: BLE001  (a thread that dies would leave every later sender waiting)
            fates = [RuntimeError(f"the committer failed: {fault!r}") for _ in batch]
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(answer, batch, fates)
        return True

    def _next(self) -> Sequence[Sender]:
        """Take what goes next; with nothing, rest until woken."""
        with self._lock:
            batch = next_batch(self._waiting, self._batch_max)
            for sender in batch:
                del self._waiting[sender]
            self._resting = not batch and not self._closing
        return batch

    async def close(self) -> None:
        """Write what is waiting, then end the thread."""
        with self._lock:
            self._closing = True
            if self._resting:
                self._resting = False
                self._wakes.put(None)
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
