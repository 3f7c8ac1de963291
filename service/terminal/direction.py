"""Which way a line runs: the marks that fix it, so that it reads the same on terminals that know of bidi and others.

A terminal that reorders right-to-left text does so line by line. Each line printed in Hebrew is therefore enclosed by
marks of direction, and so is each cell of a table: cells stay where they are put, and only what is in them is
reordered. The marks have no width. Terminals hang them on the cell before; the first column stays free for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.text import Text

LTR, RTL, POP = "\u2066", "\u2067", "\u2069"
"""What begins a left-to-right and a right-to-left piece, whatever stands around it, and what ends either."""
STAYS = {LTR: "\u200e", RTL: "\u200f"}
"""By direction, a letter of no width: spaces before it are no longer the end of the line, where they would be moved."""
_MARKS = re.compile("[\u200e\u200f\u2066-\u2069]")
_HEBREW = re.compile("[\u0590-\u05ff]")


def base_of(text: str) -> str:
    """The mark for text that stands alone: right to left if there is Hebrew in it."""
    return RTL if _HEBREW.search(text) else LTR


def held(text: object) -> str:
    """A number with its sign, an id, a name: kept in its own direction wherever it stands."""
    return f"{base_of(str(text))}{text}{POP}"


class Directed:
    """Text whose every line, broken where it must be, runs in one direction.

    `margin` columns stay free on the left. The lines stand on the right if `right`, else as their surroundings say.
    """

    def __init__(self, text: Text, base: str | None = None, *, margin: int = 0, right: bool = False) -> None:
        self.text, self.base, self.margin, self.right = text, base or base_of(text.plain), margin, right

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        right = self.right or options.justify == "right"
        for line in self._lines(console, options):
            free = options.max_width - line.cell_len if right else self.margin
            yield from Text.assemble(" " * free, line).render(console, "\n")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        least, most = Measurement.get(console, options, self.text)
        return Measurement(least + self.margin, most + self.margin).with_maximum(options.max_width)

    def _lines(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        width = max(options.max_width - self.margin, 1)
        text = self.text
        if unmarked(text.plain)[-1:].isspace():
            text = text.copy().append(STAYS[self.base])
        wrapped = text.wrap(console, width, overflow=options.overflow, no_wrap=options.no_wrap)
        opened: list[str] = []
        for number, line in enumerate(wrapped, start=1):
            if number < len(wrapped):
                line.rstrip()
            yield self._enclosed(line, opened)

    def _enclosed(self, line: Text, opened: list[str]) -> Text:
        """The line between marks; pieces that go on from the line before (`opened`) are begun again, and ended."""
        begun = "".join(opened)
        for letter in line.plain:
            if letter in (LTR, RTL):
                opened.append(letter)
            elif letter == POP and opened:
                opened.pop()
        return Text.assemble(self.base, begun, line, POP * len(opened), POP)


class Fixed:
    """A part whose lines run from left to right as a whole, whatever is in them: tables, keys, boards side by side."""

    def __init__(self, part: RenderableType) -> None:
        self.part = part

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in console.render_lines(self.part, options.update(width=max(options.max_width - 1, 1)), pad=False):
            yield Segment(f" {LTR}")
            yield from line
            yield Segment(POP)
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        least, most = Measurement.get(console, options, self.part)
        return Measurement(least + 1, most + 1).with_maximum(options.max_width)


def unmarked(text: str) -> str:
    """Text without marks of direction, as when it was copied from a screen that had them."""
    return _MARKS.sub("", text)


def tell(console: Console, text: Text) -> None:
    """Print a line on the right side of a terminal; where there is none, unbroken from the first column on."""
    line = paragraph(text) if console.is_terminal else Text.assemble(base_of(text.plain), text, POP)
    console.print(line, soft_wrap=not console.is_terminal)


def cell(content: str | Text) -> Directed:
    """What stands in one column, in its own direction."""
    return Directed(Text(content) if isinstance(content, str) else content)


def paragraph(text: Text) -> Directed:
    """Lines of their own on the right side of the terminal."""
    return Directed(text, margin=1, right=True)
