"""A winning hand laid open: its melds, with the tile and the face at each place (K-23)."""

from __future__ import annotations

from typing import Literal

from domain.kishpa.melds import (
    LONG_MIN,
    PLACES,
    PLACES_WRAPPED,
    Laid,
    Shape,
    count,
    is_seven_pairs,
    lay,
)
from domain.kishpa.pack import DOLLS, Meld, in_order, number

Supply = dict[str, list[str]]
"""The tiles not yet laid, by the face they show."""


def arrangement(
    tiles: tuple[str, ...], joker: str, *, wrap: bool = False, seven_pairs: bool = False
) -> tuple[Meld, ...] | None:
    """One way to lay `tiles` as a winning hand; None if there is none. The same tiles always lie the same way."""
    counted = count(tiles, joker)
    supply, wilds = _supply(tiles, joker)
    laid = lay(counted, set(), wrap=wrap)
    if laid is not None:
        return _melds(laid, supply, wilds, PLACES_WRAPPED if wrap else PLACES)
    if seven_pairs and is_seven_pairs(counted):
        return _pairs(supply, wilds)
    return None


def _supply(tiles: tuple[str, ...], joker: str) -> tuple[Supply, list[str]]:
    supply: Supply = {}
    wilds = [tile for tile in tiles if tile == joker]
    for tile in in_order(tiles):
        if tile != joker:
            supply.setdefault(joker if tile in DOLLS else tile, []).append(tile)
    return supply, wilds


def laid_melds(laid: Laid, tiles: tuple[str, ...], joker: str) -> tuple[Meld, ...]:
    """Melds that were found among `tiles`, each place with its tile and the face that it stands for."""
    return tuple(_in_turn(laid, *_supply(tiles, joker)))


def _in_turn(laid: Laid, supply: Supply, wilds: list[str]) -> list[Meld]:
    melds = []
    while laid:
        shape, laid = laid
        melds.append(_meld(shape, supply, wilds))
    return melds


def _melds(laid: Laid, supply: Supply, wilds: list[str], last: int) -> tuple[Meld, ...]:
    melds = _in_turn(laid, supply, wilds)
    long = next(place for place, meld in enumerate(melds) if meld.kind == "run" and len(meld.faces) >= LONG_MIN)
    melds[long] = _lengthened(melds[long], wilds, last)
    return tuple(melds)


def _meld(shape: Shape, supply: Supply, wilds: list[str]) -> Meld:
    """The meld with its tiles: those that show the face before wilds, as the search had it."""
    kind: Literal["run", "set"] = "run" if shape.faces[0][0] == shape.faces[1][0] else "set"
    return Meld(kind, tuple((supply.get(face) or wilds).pop(0) for face in shape.faces), shape.faces)


def _lengthened(run: Meld, wilds: list[str], last: int) -> Meld:
    """The run with the wilds that were left over, at its high end while there is room."""
    colour, first = run.faces[0][0], number(run.faces[0])
    tiles, faces = list(run.tiles), list(run.faces)
    while wilds:
        if first + len(faces) <= last:
            tiles.append(wilds.pop())
            faces.append(f"{colour}{(first + len(faces) - 1) % 13 + 1}")
        else:
            first -= 1
            tiles.insert(0, wilds.pop())
            faces.insert(0, f"{colour}{first}")
    return Meld("run", tuple(tiles), tuple(faces))


def _pairs(supply: Supply, wilds: list[str]) -> tuple[Meld, ...]:
    pairs = []
    for face, tiles in supply.items():
        pair = tiles if len(tiles) > 1 else [*tiles, wilds.pop()]
        pairs.append(Meld("pair", tuple(pair), (face, face)))
    if wilds:
        pairs.append(Meld("pair", tuple(wilds), (wilds[0], wilds[0])))
    return tuple(pairs)
