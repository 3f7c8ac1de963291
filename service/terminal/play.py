"""Playing at the terminal: see what happens, press the key of a legal move, and never mind the network."""

from __future__ import annotations

import time
from typing import Any

from rich.console import Console
from rich.text import Text

from service.terminal import places
from service.terminal.connection import Connection
from service.terminal.following import follower
from service.terminal.keyboard import END, Keyboard
from service.terminal.looks import Looks
from service.terminal.places import Place
from service.terminal.screen import Picture, Screen
from service.terminal.seated import Ears, Seated
from service.terminal.trouble import ServerSaid
from service.terminal.words import Language

MOVE_KEYS = "123456789abcdefghijklmoprstuvwxyz"
"""The keys of the first, second … legal move on a page; the letters left out have their own meaning."""
MORE, LEAVE = "n", "q"
ON_THIS_MACHINE = (
    "On this machine, another person adds --key KEY; the same key returns to its own seat.",
    "להצטרפות מהמחשב הזה מוסיפים \u2066--key KEY\u2069 עם מפתח אחר; אותו מפתח חוזר למושב שלו.",
)
"""How a second person joins where a seat is kept already."""
FOR_EVER = float("inf")
REDRAW_SECONDS = 1.0


class Player:
    """A person at a table: draws, listens, and sends what is pressed."""

    def __init__(self, place: Place, lang: Language, console: Console, *, plain: bool = False) -> None:
        self.line = Connection(
            place.server, place.seat_token, invite=place.invite, patience=FOR_EVER, told=self._line_is
        )
        # The ears have a connection of their own, so that waiting there never holds up a move.
        self.hearing = Connection(
            place.server, place.seat_token, invite=place.invite, patience=FOR_EVER, told=self._ears_are
        )
        self.keyboard = Keyboard()
        self.table = Seated(self.line, place, lang)
        self.screen = Screen(console, lang, plain=plain)
        self.log: list[Text] = []
        self.looks = Looks(place.seat)
        self.shown: dict[int, int] = {}
        """Where in the log each look is told, by its line."""
        self.notice: Text | None = None
        self.page = 0
        self.leaving = False
        self.connected = True
        self.shown_at = time.monotonic()

    def run(self) -> bool:
        """Play until the table is over (True) or the person goes (False)."""
        with self.keyboard, self.screen:
            ears = Ears(follower(self.hearing, self.table.place.game, seated=True), 0, self.keyboard.wake)
            self._take(ears.news(None))
            while not self.table.over:
                self.screen.show(self.picture())
                key = self.keyboard.key(REDRAW_SECONDS if self.table.seconds_left is not None else None)
                if key is not None and self._pressed(key):
                    return False
                self._take(ears.news())
        self._farewell()
        return True

    def close(self) -> None:
        """Let go of the connections."""
        self.line.close()
        self.hearing.close()

    def _take(self, lines: list[dict[str, Any]]) -> None:
        fresh = self.table.take(lines)
        if not fresh and self.table.position:
            return
        for line in fresh:
            self._hear(line)
        self.table.look()
        self.page = 0
        self.shown_at = time.monotonic()

    def _hear(self, line: dict[str, Any]) -> None:
        """Put a line into the log; where a look is over, what one was shown is covered again."""
        talk, voice = self.table.talk, self.table.voice
        for seq in self.looks.covered(line, talk.kind(line)):
            place = self.shown.pop(seq)
            self.log[place] = self._say("What you saw is covered again.", "מה שראית מכוסה שוב.", "dim")
        if talk.is_quiet(line):
            return
        if talk.is_look(line):
            self.looks.opened(line["seq"])
            self.shown[line["seq"]] = len(self.log)
        self.log.append(talk.tell(line, voice))

    def _pressed(self, key: str) -> bool:
        """Do what a key asks; True if the person leaves the terminal."""
        self.notice = None
        if key in (LEAVE, END):
            if self.leaving or key == END:
                return True
            self.leaving = True
            self.notice = self._say(
                "Press q again to leave the terminal; the table goes on.", "עוד q כדי לצאת; השולחן ממשיך."
            )
            return False
        self.leaving = False
        if key == MORE:
            self.page += 1
            return False
        moves = self._moves_here()
        if key in moves:
            self._make(moves[key])
        elif key.isprintable() and len(key) == 1:
            self.notice = self._say(f"{key} is no move now.", f"{self.table.voice.held(key)} אינו מהלך כרגע.")
        return False

    def _moves_here(self) -> dict[str, dict[str, Any]]:
        """The moves of this page by their keys."""
        keys = self.table.talk.keys
        own = {keys[move["type"]]: move for move in self.table.moves if move["type"] in keys}
        moves = [move for move in self.table.moves if move["type"] not in keys]
        pages = max(1, -(-len(moves) // len(MOVE_KEYS)))
        first = self.page % pages * len(MOVE_KEYS)
        return {**dict(zip(MOVE_KEYS, moves[first : first + len(MOVE_KEYS)], strict=False)), **own}

    def _named(self, key: str) -> str:
        return self.table.voice.pick("space", "רווח") if key == " " else key

    def _make(self, move: dict[str, Any]) -> None:
        since = int((time.monotonic() - self.shown_at) * 1000)
        try:
            self._take(self.table.move(self.table.talk.timed(move, since)))
        except ServerSaid as said:
            if said.code != "refused":
                raise
            clause = self.table.clause(said.ruling or "")
            self.notice = self._say(f"Not allowed: {said.detail} ", f"אסור: {clause} ", "bold red")
            held = self.table.voice.held
            self.notice.append(f"{held(f'[{said.ruling}]')} {self.table.voice.pick(clause, held(said.detail))}", "dim")
            self.table.look()

    def picture(self) -> Picture:
        """What is to be seen now."""
        table, voice = self.table, self.table.voice
        moves = self._moves_here()
        choices = [voice.keyed(self._named(key), table.talk.offer(move, voice)) for key, move in moves.items()]
        if len(table.moves) > len(MOVE_KEYS):
            choices.append(voice.keyed(MORE, voice.pick("more", "עוד")))
        return Picture(
            title=self._title(),
            board=table.talk.board(table.position["view"], voice),
            log=self.log,
            notice=self.notice
            if self.connected
            else self._say("No connection; trying again …", "אין חיבור; מנסה שוב …", "red"),
            asked=self._asked(),
            choices=choices,
        )

    def _title(self) -> Text:
        table, pick, held = self.table, self.table.voice.pick, self.table.voice.held
        place = table.place
        state = ("● ", "green" if self.connected else "red")
        name = table.talk.titles[self.table.lang]
        seat = pick(f"you are seat {place.seat}", f"מושב {place.seat} שלך")
        left = table.seconds_left
        clock = "" if left is None else pick(f" · {left} s", f" · {left} שניות")
        version = held(f"v{table.version}")
        leave = (f" · {held(LEAVE)}: {pick('leave', 'יציאה')}", "dim")
        return Text.assemble(state, (name, "bold"), f" · {held(place.game)} · {seat} · {version}{clock}", leave)

    def _asked(self) -> Text | None:
        table, voice = self.table, self.table.voice
        if table.position["status"] == "open":
            missing, place = table.seats - len(table.taken), table.place
            how = f"kupa play --table {place.game}{f' --invite {place.invite}' if place.invite else ''}"
            here = voice.pick(*ON_THIS_MACHINE)
            return self._say(
                f"Waiting for {missing} more: {how}\n{here}", f"ממתינים לעוד {missing}: {voice.held(how)}\n{here}"
            )
        if any(move["type"] not in table.talk.keys for move in table.moves):
            return self._say("Your move:", "התור שלך:", "bold yellow")
        to_act = [voice.who(seat).plain for seat in table.position["to_act"]]
        return (
            self._say(f"Waiting for {', '.join(to_act)}.", f"ממתינים: {', '.join(to_act)}.", "dim") if to_act else None
        )

    def _say(self, en: str, he: str, style: str = "") -> Text:
        return Text(self.table.voice.pick(en, he), style)

    def _line_is(self, up: bool) -> None:  # noqa: FBT001 - the connection tells up or down
        self.connected = up
        if self.table.position:
            self.screen.show(self.picture())

    def _ears_are(self, up: bool) -> None:  # noqa: FBT001 - the connection tells up or down
        self.connected = up
        self.keyboard.wake()

    def _farewell(self) -> None:
        """The last board and how it ended stay on the terminal."""
        table, console = self.table, self.screen.console
        places.forget(table.place)
        told = [text for line, text in zip(table.lines, map(self._tell, table.lines), strict=True) if _ends(line)]
        board = table.talk.board(table.position["view"], table.voice)
        console.print(self.screen.aside(board), Text(), *map(self.screen.aside, told), sep="\n")
        console.print(f"kupa replay {table.place.game}", style="dim", highlight=False)

    def _tell(self, line: dict[str, Any]) -> Text:
        return self.table.talk.tell(line, self.table.voice)


def _ends(line: dict[str, Any]) -> bool:
    return line.get("type") in ("table.round_ended", "table.ended", "table.voided")
