"""Stepping through a table: forwards and backwards, through any seat's eyes or with all open, two side by side."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from service.terminal.direction import LTR, POP, Fixed
from service.terminal.keyboard import END, Keyboard
from service.terminal.look import Eye, Look
from service.terminal.screen import Picture, Screen
from service.terminal.trouble import Trouble
from service.terminal.words import Language, Voice

LEAP = 10


class Replay:
    """A person stepping through a recording."""

    def __init__(self, look: Look, lang: Language, console: Console, *, at: int, eyes: list[Eye]) -> None:
        self.look, self.lang, self.at, self.eyes = look, lang, at, eyes
        self.screen = Screen(console, lang)
        self.notice = None if look.recording.vouched else self._unvouched()
        self.number = ""

    def run(self) -> None:
        """Obey keys until the person has seen enough."""
        with Keyboard() as keyboard, self.screen:
            while True:
                self.screen.show(self.picture())
                key = keyboard.key()
                if key in ("q", END):
                    return
                if key is not None:
                    self._pressed(key)

    def _unvouched(self) -> Text:
        """Each line is vouched for by the next, the last one by nothing in a file."""
        voice, last = self.look.voice(self.lang, self.eyes[0]), self.look.recording.version
        en = f"Every line holds by the next one; nothing vouches for the last, {last}. --head HASH checks it."
        he = f"כל שורה נבדקת לפי הבאה אחריה; לאחרונה, {last}, אין ערב: {LTR}--head HASH{POP} בודק אותה."
        return Text(voice.pick(en, he), "yellow")

    def _pressed(self, key: str) -> None:
        self.notice = None
        if self.number and (key.isdigit() or key == "enter"):
            self._typed(key)
        elif key == "g":
            self.number = " "
        elif key in STEPS:
            self._go(STEPS[key](self))
        elif key in ("o", "s") or key.isdigit():
            self._see([*self.eyes[1:], _eye(key)] if len(self.eyes) > 1 else [_eye(key)])
        elif key == "b":
            self._see(self.eyes[:1] if len(self.eyes) > 1 else [self.eyes[0], self.eyes[0]])
        if key != "g" and not key.isdigit():
            self.number = ""

    def _typed(self, key: str) -> None:
        """A version, digit by digit, until Enter."""
        if key != "enter":
            self.number += key
        elif self.number.strip():
            self._go(int(self.number))
            self.number = ""

    def _go(self, version: int) -> None:
        at = min(max(version, 1), self.look.recording.version)
        self._change(at, self.eyes)

    def _see(self, eyes: list[Eye]) -> None:
        self._change(self.at, eyes)

    def _change(self, at: int, eyes: list[Eye]) -> None:
        try:
            for eye in eyes:
                self.look.check(at, eye)
        except Trouble as trouble:
            self.notice = Text(" ".join(trouble.said(self.lang)).strip(), "red")
            return
        self.at, self.eyes = at, eyes
        if at == self.look.recording.version and not self.look.recording.vouched:
            self.notice = self._unvouched()

    def picture(self) -> Picture:
        """What is to be seen now."""
        voice = self.look.voice(self.lang, self.eyes[0])
        log = [self._entry(n, voice) for n in range(max(1, self.at - 2 * self.screen.console.height), self.at + 1)]
        return Picture(
            title=self._title(), board=self._boards(), log=log, notice=self.notice, asked=self._keys(voice), choices=[]
        )

    def _entry(self, version: int, voice: Voice) -> Text:
        style = "bold" if version == self.at else "dim"
        return Text.assemble((f"{version:>4} ", style), self.look.told(version, self.eyes[0], voice))

    def _boards(self) -> RenderableType:
        grid = Grid.grid(padding=(0, 3))
        boards = []
        for eye in self.eyes:
            voice = self.look.voice(self.lang, eye)
            name = voice.line(Text(_name(eye, voice), "bold magenta"))
            boards.append(Group(name, self.look.board(self.at, eye, voice)))
        grid.add_row(*boards)
        return Fixed(grid) if self.screen.rtl else grid

    def _title(self) -> Text:
        recording = self.look.recording
        line = recording.raw[self.at - 1]
        name = self.look.talk.titles[self.lang]
        held = self.look.voice(self.lang, self.eyes[0]).held
        when = held(f"{line.get('at', '')} {line.get('by', '')}")
        place = f" · {held(recording.id)} · {held(f'{self.at}/{recording.version}')} · {when}"
        return Text.assemble((name, "bold"), place)

    def _keys(self, voice: Voice) -> Text:
        if self.number:
            return Text(voice.pick(f"to version:{self.number}_  (Enter)", f"לגרסה:{self.number}_  (Enter)"))
        return Text(
            voice.pick(
                "←→ line  ↑↓ move  PgUp/PgDn ten  Home/End  g number  d decisive move  0-9 seat  o open  s spectator"
                "  b beside  q quit",
                f"{LTR}←→{POP} שורה  {LTR}↑↓{POP} מהלך  PgUp/PgDn עשר  Home/End  g מספר  d מהלך מכריע"
                "  0-9 מושב  o הכול גלוי  s צופה  b זה לצד זה  q יציאה",
            ),
            "dim",
        )


def _eye(key: str) -> Eye:
    return "open" if key == "o" else None if key == "s" else int(key)


def _name(eye: Eye, voice: Voice) -> str:
    if eye == "open":
        return voice.pick("everything open", "הכול גלוי")
    return voice.pick("spectator", "צופה") if eye is None else voice.pick(f"seat {eye}", f"מושב {eye}")


def _after(places: list[int], at: int) -> int:
    """The next of `places`, or the first again after the last."""
    return next((n for n in places if n > at), places[0] if places else at)


STEPS: dict[str, Callable[[Replay], int]] = {
    "right": lambda replay: replay.at + 1,
    "left": lambda replay: replay.at - 1,
    " ": lambda replay: replay.at + 1,
    "down": lambda replay: next((n for n in replay.look.commands() if n > replay.at), replay.look.recording.version),
    "up": lambda replay: max((n for n in replay.look.commands() if n < replay.at), default=1),
    "page down": lambda replay: replay.at + LEAP,
    "page up": lambda replay: replay.at - LEAP,
    "home": lambda _replay: 1,
    "end": lambda replay: replay.look.recording.version,
    "d": lambda replay: _after(replay.look.decisive(), replay.at),
}
"""Where each key leads, as a version."""
