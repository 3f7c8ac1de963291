"""One table's grabs that lie undecided, as this process knows them, and which of them may be judged when."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from domain.times import later
from service.grabs.races import GRABS_JUDGED_MAX, Race, Rival
from service.problems import Problem
from service.store.rows import GrabRow
from service.tables.answers import Answer

PER_SEAT_MAX = 4


class Post:
    """A grab whose sender waits here for its answer."""

    def __init__(self, row: GrabRow) -> None:
        self.row = row
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def tell(self, answer: Answer) -> None:
        """Answer it, once."""
        if not self.answer.done():
            self.answer.set_result(answer)

    async def waited(self, seconds: float) -> Answer:
        """Its answer. Raises Problem if there is none after so long; it may yet come."""
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(self.answer)
        except TimeoutError:
            raise Problem("request-in-progress", "This grab is not judged yet.", retry_after=1) from None


class Coming:
    """A grab that is being committed."""

    def __init__(self, row: GrabRow) -> None:
        self.row, self.here = row, asyncio.Event()


class Book:
    """`rows` are committed, `coming` on their way; `posts` wait here for their answers."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.rows: list[GrabRow] = []
        self.coming: dict[str, Coming] = {}
        self.posts: dict[str, Post] = {}
        self.news = asyncio.Event()
        """Set when a grab came or the table moved on."""
        self.turn = asyncio.Event()
        """The next time that grabs come or go, or the table moves on; another event for each time."""
        self.clear = asyncio.Event()
        """Set while nothing lies undecided."""
        self.clear.set()
        self.keeper: Any = None

    @property
    def undecided(self) -> bool:
        """Whether grabs wait to be judged."""
        return bool(self.rows or self.coming)

    @property
    def version(self) -> int:
        """The last version of the table at which one of them was taken in; 0 without any."""
        return max((row.version for row in self._all()), default=0)

    def _all(self) -> tuple[GrabRow, ...]:
        return (*self.rows, *(one.row for one in self.coming.values()))

    def of_seat(self, seat: int) -> int:
        """How many grabs of this seat wait."""
        return sum(row.seat == seat for row in self._all())

    def come(self, row: GrabRow) -> Post:
        """A grab is about to be committed."""
        post = self.posts[row.id] = Post(row)
        self.coming[row.id] = Coming(row)
        self.clear.clear()
        return post

    def came(self, row: GrabRow, *, kept: bool) -> None:
        """It is committed, or was not taken in."""
        self.coming.pop(row.id).here.set()
        if not kept:
            self.posts.pop(row.id, None)
        elif all(known.id != row.id for known in self.rows):
            self.rows.append(row)
        self.look()

    def know(self, rows: Sequence[GrabRow]) -> None:
        """These are the grabs that lie undecided."""
        self.rows = list(rows)
        self.look()

    def look(self) -> None:
        """Something has changed."""
        if self.undecided:
            self.clear.clear()
        else:
            self.clear.set()
        self.news.set()
        self.turn.set()
        self.turn = asyncio.Event()

    def drop_answered(self) -> None:
        """Forget who has an answer."""
        self.posts = {one: post for one, post in self.posts.items() if not post.answer.done()}

    def close(self) -> None:
        """Nobody keeps it any more: let go of whoever waits."""
        self.clear.set()
        self.turn.set()

    async def all_come(self) -> None:
        """Wait for the grabs that are on their way now."""
        for coming in list(self.coming.values()):
            await coming.here.wait()


class Next(Struct, frozen=True):
    """The grabs that are judged next, and when: `due` None is at once."""

    rows: tuple[GrabRow, ...]
    due: str | None


def next_judgement(
    race: Race,
    state: Any,
    rows: Sequence[GrabRow],
    others: Callable[[Sequence[GrabRow]], Sequence[Rival]],
    grace_ms: int,
) -> Next | None:
    """What is to be judged next of the grabs that lie undecided; None without any.

    A grab that cannot count is judged by itself and at once, whatever else lies there: if it had to wait, its sender
    would learn that somebody grabbed. Of its own seat's grabs he knows.
    """
    rows = tuple(rows[:GRABS_JUDGED_MAX])
    if not rows:
        return None
    vain = tuple(row for row in rows if race.due(state, race.judging(state, (row,), others((row,)))) is None)
    if vain:
        return Next(vain, None)
    due = race.due(state, race.judging(state, rows, others(rows)))
    return Next(rows, later(due, milliseconds=grace_ms) if due is not None else None)
