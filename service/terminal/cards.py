"""French cards on a terminal: rank and drawn suit, in colour."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from service.terminal.direction import LTR, POP

GLYPHS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RED = frozenset("DH")
FACE_DOWN = "▒▒"


def face(card: str) -> Text:
    """A card as text, `10♦`, held left to right wherever it stands (so it reads the same inside Hebrew)."""
    rank, suit = card[:-1], card[-1:]
    style = "bold red" if suit in RED else "bold"
    return Text(f"{LTR}{rank}{GLYPHS.get(suit, suit)}{POP}", style)


def tile(card: str) -> Text:
    """A card as a little white piece of paper: for hands and the top of a pile."""
    text = face(card)
    colour = "red" if card[-1:] in RED else "black"
    return Text(f" {text.plain} ", f"bold {colour} on white")


def row(tiles: Iterable[Text]) -> Text:
    """Cards side by side."""
    return Text(" ").join(tiles)


def face_down(positions: Sequence[int]) -> Text:
    """So many cards with their backs up, each with its position."""
    return row(Text.assemble((FACE_DOWN, "blue"), (str(position), "dim")) for position in positions)
