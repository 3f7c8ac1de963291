"""The picture: the board, what happened, and the keys, fitted to the terminal; or plain lines, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from msgspec import Struct, field
from rich.align import Align
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.control import Control
from rich.rule import Rule
from rich.screen import Screen as FullScreen
from rich.segment import Segment
from rich.text import Text

from service.terminal.direction import LTR, Directed, Fixed, paragraph
from service.terminal.words import Language

BOARD_LINES_MIN = 3
"""What many keys leave of the board."""


class Picture(Struct, kw_only=True):
    """What is to be seen now. Of `log` a full terminal shows as much as fits, a plain one each entry once."""

    title: Text
    board: RenderableType
    log: Sequence[Text] = ()
    notice: Text | None = None
    asked: Text | None = None
    choices: Sequence[Text] = field(default_factory=list)


class Lines:
    """Lines that are rendered already."""

    def __init__(self, lines: list[list[Segment]]) -> None:
        self.lines = lines

    def __rich_console__(self, _console: Console, _options: ConsoleOptions) -> RenderResult:
        for line in self.lines:
            yield from line
            yield Segment.line()


class Screen:
    """Shows pictures: on the whole terminal, or (`plain`, or no terminal) as lines that scroll."""

    def __init__(self, console: Console, lang: Language, *, plain: bool = False) -> None:
        self.console, self.rtl = console, lang == "he"
        self.full = console.is_terminal and not plain
        self._told = 0
        self._last = ""

    def __enter__(self) -> Self:
        if self.full:
            self.console.set_alt_screen(enable=True)
            self.console.show_cursor(show=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.full:
            self.console.set_alt_screen(enable=False)
            self.console.show_cursor(show=True)

    def show(self, picture: Picture) -> None:
        """Show this picture in place of the last."""
        if self.full:
            self._show_full(picture)
        else:
            self._show_plain(picture)

    def aside(self, part: RenderableType) -> RenderableType:
        """`part` on the side where this language begins; text in one direction, line by line."""
        if not self.rtl:
            return part
        return paragraph(part) if isinstance(part, Text) else Align.right(part)

    def _show_full(self, picture: Picture) -> None:
        """Title and keys always fit; the board gets what they leave, and the log what the board leaves."""
        head = Group(self.aside(picture.title), Rule(style="dim"))
        keys = self._lines(Group(*self._below(picture)), self.console.height - self._height(head) - BOARD_LINES_MIN)
        room = self.console.height - self._height(head) - len(keys)
        board = self._lines(Group(self.aside(picture.board), Rule(style="dim")), room)
        log = self._fitting(picture.log, room - len(board))
        self.console.control(Control.home())
        self.console.print(FullScreen(Group(head, Lines(board), *log, Lines(keys))), end="")

    def _lines(self, part: RenderableType, most: int) -> list[list[Segment]]:
        """The first lines of `part`, rendered, at most so many."""
        return self.console.render_lines(part)[: max(most, 0)]

    def _below(self, picture: Picture) -> list[RenderableType]:
        parts: list[RenderableType] = [Rule(style="dim")]
        if picture.notice:
            parts.append(self.aside(picture.notice))
        if picture.asked:
            parts.append(self.aside(picture.asked))
        if picture.choices:
            parts.append(self._keys(picture.choices))
        return parts

    def _keys(self, choices: Sequence[Text]) -> RenderableType:
        if not self.rtl:
            return Columns(choices, padding=(0, 3))
        # Each key stands to the right of its move, on every terminal.
        keys = [Directed(choice, LTR) for choice in choices]
        return self.aside(Fixed(Columns(keys, padding=(0, 3), right_to_left=True, align="right")))

    def _fitting(self, log: Sequence[Text], room: int) -> list[RenderableType]:
        """The last entries that fit into so many lines, then empty lines for the rest."""
        shown: list[RenderableType] = []
        for entry in reversed(log):
            part = self.aside(entry)
            height = self._height(part)
            if height > room:
                break
            shown.insert(0, part)
            room -= height
        return [*shown, *(Text() for _ in range(room))]

    def _height(self, part: RenderableType) -> int:
        return len(self.console.render_lines(part, pad=False))

    def _show_plain(self, picture: Picture) -> None:
        """Only what is new: entries of the log, and board and keys when they changed."""
        for entry in picture.log[self._told :]:
            self.console.print(self.aside(entry))
        self._told = len(picture.log)
        with self.console.capture() as captured:
            self.console.print(self.aside(picture.board), *self._below(picture), sep="\n")
        if picture.asked and captured.get() != self._last:
            self._last = captured.get()
            self.console.print(self.aside(picture.board), *self._below(picture), sep="\n")
