"""A hand that is not complete yet, laid as far as it goes: for the eye of its player, never for a rule."""

from __future__ import annotations

from msgspec import Struct

from domain.kishpa.layout import arrangement, laid_melds
from domain.kishpa.melds import PIECE_MAX, Laid, count, shapes_by_lowest
from domain.kishpa.pack import Meld, in_order

Score = tuple[int, int]
"""Tiles laid, and of as many the way with more long runs and fewer wilds."""
HAND = 14


class Rack(Struct, frozen=True):
    """Melds that lie, and the tiles that fit nowhere yet, lowest first."""

    melds: tuple[Meld, ...]
    loose: tuple[str, ...]


def laid_out(tiles: tuple[str, ...], joker: str, *, wrap: bool = False) -> Rack:
    """The melds that take up most of `tiles`, each tile once; the same tiles always lie the same way.

    Fourteen tiles that win lie as the winning hand; wilds that no meld needs stay loose.
    """
    if len(tiles) == HAND and (won := arrangement(tiles, joker, wrap=wrap)) is not None:
        return Rack(won, ())
    melds = laid_melds(_most(tiles, joker, wrap=wrap), tiles, joker)
    loose = list(in_order(tiles))
    for tile in (tile for meld in melds for tile in meld.tiles):
        loose.remove(tile)
    return Rack(melds, tuple(loose))


def _most(tiles: tuple[str, ...], joker: str, *, wrap: bool) -> Laid:
    """The melds with the best score: the lowest face is laid in every way it can, or left."""
    counted, shapes = count(tiles, joker), shapes_by_lowest(wrap=wrap)
    known: dict[tuple[int, int, int], tuple[Score, Laid]] = {}

    def search(ones: int, twos: int, wilds: int) -> tuple[Score, Laid]:
        if not ones:
            return (0, 0), ()
        key = (ones, twos, wilds)
        if key in known:
            return known[key]
        low = ones & -ones
        best = search(ones & ~low | twos & low, twos & ~low, wilds)
        for shape in shapes[min(wilds, PIECE_MAX - 1)][low]:
            missing = (shape.mask & ~ones).bit_count()
            if missing > wilds:
                continue
            used = shape.mask & ones
            (laid, finer), rest = search(ones & ~used | twos & used, twos & ~used, wilds - missing)
            score = (laid + shape.mask.bit_count(), finer + (2 if shape.is_long else 0) - missing)
            if score > best[0]:
                best = score, (shape, rest)
        known[key] = best
        return best

    return search(counted.ones, counted.twos, counted.wilds)[1]
