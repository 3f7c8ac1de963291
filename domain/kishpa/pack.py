"""The tiles: 104 numbered ones in four colours, two dolls, and which face follows which."""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct

COLOURS = "RBYK"
NUMBERS = range(1, 14)
COPIES = 2
DOLLS = ("DR", "DK")
FACES = tuple(f"{colour}{number}" for colour in COLOURS for number in NUMBERS)
"""The 52 faces of numbered tiles, red, blue, yellow, black, each 1 … 13."""

PACK = tuple(face for face in FACES for _ in range(COPIES)) + DOLLS
"""All 106 tiles in published order."""

ORDER = {tile: place for place, tile in enumerate((*FACES, *DOLLS))}
"""Every kind of tile by height: colour, then number, the dolls above all (K-30)."""

DOLL_OF_COLOUR = {"R": "DR", "K": "DK"}

Tile = Annotated[str, Meta(pattern=r"^([RBYK]([1-9]|1[0-3])|D[RK])\Z", examples=["R7", "K13", "DR"])]
"""A tile's name: colour letter (K = black) and number, or a doll. Equal tiles are one value (K-02)."""


class Meld(Struct, frozen=True):
    """Tiles laid together: `faces[i]` is what `tiles[i]` stands for, so a wild's value is written down."""

    kind: Literal["run", "set", "pair"]
    tiles: tuple[str, ...]
    faces: tuple[str, ...]


def colour(tile: str) -> str:
    """The colour letter of a numbered tile."""
    return tile[0]


def number(tile: str) -> int:
    """The number of a numbered tile, 1 … 13."""
    return int(tile[1:])


def joker_of(kishpa: str) -> str:
    """The face after the kishpa, in its colour; 1 follows 13 (K-09, K-11)."""
    return f"{colour(kishpa)}{number(kishpa) % 13 + 1}"


def one_of(kishpa: str) -> str:
    """The 1 of the kishpa's colour."""
    return f"{colour(kishpa)}1"


def in_order(tiles: Iterable[str]) -> tuple[str, ...]:
    """Tiles from the lowest to the highest, equal ones together."""
    return tuple(sorted(tiles, key=ORDER.__getitem__))


def without(tiles: tuple[str, ...], tile: str) -> tuple[str, ...]:
    """`tiles` less one copy of `tile`, which must be there."""
    place = tiles.index(tile)
    return tiles[:place] + tiles[place + 1 :]
