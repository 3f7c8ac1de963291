"""How far a hand is from winning: tiles to exchange for wished ones, and which tiles bring it nearer.

A wish is a tile of any face, even of one that is held twice already: what others hold is not known to a seat.
"""

from __future__ import annotations

from domain.kishpa.melds import LONG_MIN, PIECE_MAX, Counted, count, shapes_by_lowest
from domain.kishpa.pack import DOLLS, FACES

HAND = 14


def tiles_away(tiles: tuple[str, ...], joker: str, *, wrap: bool = False, seven_pairs: bool = False) -> int:
    """The fewest tiles of the hand to be exchanged for wished ones so that it wins; of fifteen, one more is thrown."""
    counted, spare = count(tiles, joker), max(0, len(tiles) - HAND)
    away = 0
    while not within(counted, away, away + spare, wrap=wrap):
        away += 1
    return min(away, _pairs_away(counted, spare)) if seven_pairs and len(tiles) >= HAND else away


def helping_tiles(
    tiles: tuple[str, ...], joker: str, *, wrap: bool = False, seven_pairs: bool = False
) -> tuple[str, ...]:
    """The tiles that, drawn to these fourteen, bring the hand nearer to winning; none if it is a win already."""
    away = tiles_away(tiles, joker, wrap=wrap, seven_pairs=seven_pairs)
    return tuple(tile for tile in (*FACES, *DOLLS) if _helps((*tiles, tile), joker, away, wrap, seven_pairs))


def _helps(tiles: tuple[str, ...], joker: str, away: int, wrap: bool, seven_pairs: bool) -> bool:  # noqa: FBT001 - table rules
    counted = count(tiles, joker)
    if away and within(counted, away - 1, away, wrap=wrap):
        return True
    return seven_pairs and _pairs_away(counted, 1) < away


def _pairs_away(counted: Counted, spare: int) -> int:
    """The same for seven pairs (K-24): each exchange turns a single into the wish that pairs with another."""
    singles = (counted.ones & ~counted.twos).bit_count()
    return max(0, singles - counted.wilds - spare + 1) // 2


def within(counted: Counted, wishes: int, throws: int, *, wrap: bool) -> bool:
    """Whether the tiles win with so many wished tiles more and just `throws` of their own thrown.

    The search lays a tile where a wish would do, so it may miss a way that wastes one: ask with fewer wishes first.
    """
    shapes = shapes_by_lowest(wrap=wrap)
    dead: set[tuple[int, int, int, int, bool]] = set()

    def search(ones: int, twos: int, wilds: int, throws: int, long: bool) -> bool:  # noqa: FBT001 - a part of the key
        if not ones:
            return not throws and (long or wilds >= LONG_MIN)
        key = (ones, twos, wilds, throws, long)
        if key in dead:
            return False
        low = ones & -ones
        for shape in shapes[min(wilds, PIECE_MAX - 1)][low]:
            missing = (shape.mask & ~ones).bit_count()
            if missing <= wilds:
                used = shape.mask & ones
                left = ones & ~used | twos & used, twos & ~used, wilds - missing
                if search(*left, throws, long or shape.is_long):
                    return True
        if throws and search(ones & ~low | twos & low, twos & ~low, wilds, throws - 1, long):
            return True
        dead.add(key)
        return False

    return search(counted.ones, counted.twos, counted.wilds + wishes, throws, False)
