"""Tables and lines of the commands that print and end: in Hebrew from the right, each cell in its own direction."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from typing import Literal

from rich.align import Align
from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from service.terminal.direction import Fixed, cell, tell
from service.terminal.words import Language

PIPED_LETTERS = 200
"""The width of what goes to no terminal."""


def output() -> Console:
    """Standard output, wide where it is no terminal."""
    return Console(width=None if sys.stdout.isatty() else PIPED_LETTERS)


def grid(
    titles: Sequence[str],
    lang: Language,
    *,
    wide: str | None = None,
    left: Collection[str] = (),
    overflow: Literal["ellipsis", "fold"] = "ellipsis",
) -> Grid:
    """An empty table with these columns, in reading order. `wide` may be broken; those of `left` are no numbers."""
    made = Grid(box=None, pad_edge=False)
    for title in titles if lang == "en" else titles[::-1]:
        made.add_column(
            title if lang == "en" else cell(title),
            header_style="bold",
            no_wrap=title != wide,
            justify="left" if lang == "en" and title in left else "right",
            overflow=overflow,
        )
    return made


def row(cells: Sequence[str | Text], lang: Language) -> Sequence[RenderableType]:
    """Cells in reading order, each in its own direction."""
    return cells if lang == "en" else [cell(content) for content in cells[::-1]]


def put(console: Console, made: Grid, lang: Language) -> None:
    """Print a table, in Hebrew on the right side of a terminal."""
    if lang == "he":
        console.print(Align.right(Fixed(made)) if console.is_terminal else Fixed(made))
    else:
        console.print(made)


def say(console: Console, text: Text, lang: Language) -> None:
    """Print a line."""
    if lang == "he":
        tell(console, text)
    else:
        console.print(text)
