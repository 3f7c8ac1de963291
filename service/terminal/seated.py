"""What one knows while sitting at a table: every line so far, the view, the legal moves, the clauses of its rules."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from service.terminal import opening
from service.terminal.connection import Connection
from service.terminal.following import OVER, Follower, Line
from service.terminal.games import talk_of
from service.terminal.places import Place
from service.terminal.table_words import TABLE_CLAUSES_HE
from service.terminal.words import Language, Voice, clean

BURST_SECONDS = 0.02
"""How long after a line the next may come and still be told together with it."""
News = list[Line] | Exception
LAST_ROUND = "table.last_round"
CALLS = {"kishpa.load": "loads", LAST_ROUND: "last-round"}
"""What is done by a call of its own, not by a move."""


class Seated:
    """One seat's side of a table over HTTP."""

    def __init__(self, connection: Connection, place: Place, lang: Language) -> None:
        self.connection, self.place, self.lang = connection, place, lang
        self.talk = talk_of(place.kind)
        self.lines: list[Line] = []
        self.bots: frozenset[int] = frozenset()
        self.taken: set[int] = set()
        self.seats = 0
        self.position: dict[str, Any] = {}
        self.moves: list[dict[str, Any]] = []
        self._clauses: dict[str, dict[str, Any]] | None = None

    @property
    def path(self) -> str:
        """The table's address."""
        return f"/v1/games/{self.place.game}"

    @property
    def version(self) -> int:
        """The seq of the last line heard."""
        return len(self.lines)

    @property
    def voice(self) -> Voice:
        """The voice that tells this seat what happens."""
        return self.talk.voice(self.lang, self.place.seat, self.bots)

    @property
    def over(self) -> bool:
        """Whether the table has ended, and all of it was heard."""
        return bool(self.lines) and self.lines[-1].get("type") in OVER

    @property
    def seconds_left(self) -> int | None:
        """Seconds until the table acts by itself, by the server's clock; None while none runs."""
        due = self.position.get("due")
        if not due:
            return None
        moment = datetime.fromisoformat(due["at"]) - timedelta(seconds=self.connection.skew)
        return max(0, round((moment - datetime.now(UTC)).total_seconds()))

    def take(self, lines: Iterable[Line]) -> list[Line]:
        """Add what follows the lines heard so far: nothing twice, nothing with a gap before it."""
        fresh = []
        for line in lines:
            if line["seq"] == self.version + 1:
                self.lines.append(line)
                self._learn(line)
                fresh.append(line)
        return fresh

    def _learn(self, line: Line) -> None:
        match line.get("type"):
            case "table.created":
                self.seats = line["data"]["seats"]
            case "table.seat_taken":
                seat = line["data"]["seat"]
                self.taken.add(seat)
                self.bots = self.bots | {seat} if line["data"].get("bot") else self.bots - {seat}
            case "table.seat_freed":
                self.taken.discard(line["data"]["seat"])
                self.bots = self.bots - {line["data"]["seat"]}
            case _:
                pass

    def look(self) -> None:
        """Read the view and the legal moves, no older than what was heard; start once everybody has come."""
        asked = {"min_version": self.version} if self.version else None
        self.position = self.connection.get(f"{self.path}/view", asked)
        if self.position["status"] == "open" and self.place.host_token and len(self.taken) == self.seats > 0:
            opening.start(self.connection, self.place)
        self.moves = self.connection.get(f"{self.path}/moves")["items"] + self._calls()

    def _calls(self) -> list[dict[str, Any]]:
        """What the game offers beside the listed moves; the last round's button only to who opened the table."""
        may_press = self.place.host_token is not None
        return [call for call in self.talk.calls(self.position) if call["type"] != LAST_ROUND or may_press]

    def move(self, move: dict[str, Any]) -> list[Line]:
        """Make a move; returns its lines, yet to be taken. Raises ServerSaid with the clause if the rules refuse it."""
        call = CALLS.get(move["type"])
        if call is None:
            answer = self.connection.post(f"{self.path}/moves", move)
        else:
            token = self.place.host_token if move["type"] == LAST_ROUND else None
            answer = self.connection.post(f"{self.path}/{call}", token=token)
        lines: list[Line] = answer.body["events"]
        return lines

    def clause(self, ruling: str) -> str:
        """The clause of the rules with this number, in the player's language: its first sentence, or its title."""
        hebrew = {**TABLE_CLAUSES_HE, **self.talk.clauses_he}
        if self.lang == "he" and ruling in hebrew:
            return hebrew[ruling]
        if self._clauses is None:
            book = self.connection.get(f"/v1/rulebooks/{self.place.kind}")
            self._clauses = {clause["id"]: clause for clause in book.get("clauses", ())}
        clause = self._clauses.get(ruling, {})
        words = clause.get("titles", {}).get("he") if self.lang == "he" else None
        return clean(words or clause.get("text", "").partition(". ")[0].strip())


class Ears:
    """A thread that follows the table and puts what it hears into a queue."""

    def __init__(self, follower: Follower, after: int, wake: Callable[[], None]) -> None:
        self.heard = queue.SimpleQueue[News]()
        self._follower, self._after, self._wake = follower, after, wake
        threading.Thread(target=self._listen, daemon=True, name="kupa-ears").start()

    def _listen(self) -> None:
        try:
            for lines in self._follower.lines(self._after):
                if lines:
                    self.heard.put(lines)
                    self._wake()
        except Exception as error:  # noqa: BLE001 - it is raised again by whoever reads the queue
            self.heard.put(error)
            self._wake()

    def news(self, seconds: float | None = 0.0) -> list[Line]:
        """What was heard since the last call; waits at most so long for the first of it (None: for ever)."""
        lines: list[Line] = []
        while True:
            try:
                # One command has several lines, and a live stream brings them one by one.
                wait = BURST_SECONDS if lines else seconds
                found = self.heard.get(block=wait != 0.0, timeout=wait)
            except queue.Empty:
                return lines
            if isinstance(found, Exception):
                raise found
            lines += found
