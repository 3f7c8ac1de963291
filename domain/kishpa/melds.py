"""The hand solver: whether tiles divide into runs and sets with a run of at least four, and what may be thrown.

Exact and without a rule of thumb: the lowest face not yet laid must lie in some meld, so each meld that could hold it
is tried, and what once failed is remembered. Two facts keep the search small (K-13, K-18):

* A run of seven or more splits into runs of three to six, one of them a four, so longer runs need not be tried.
* If a wild stands for a face of which a tile is still free, the two can change places: tiles are used before wilds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

from msgspec import Struct

from domain.kishpa.pack import COLOURS, DOLLS, FACES, NUMBERS, in_order

LANE = 16
"""Faces are bits, a lane of 16 for each colour, so that a shift by one is the next number of that colour."""
BIT = {face: 1 << (LANE * COLOURS.index(face[0]) + int(face[1:]) - 1) for face in FACES}
COLUMN = sum(1 << (LANE * lane) for lane in range(len(COLOURS)))
LANE_FULL = (1 << LANE) - 1
LONG_MIN = 4
"""The compulsory run (K-18)."""
PIECE_MAX = 6
PLACES, PLACES_WRAPPED = 13, 14
"""The places of a colour's runs; under `run_wrap=high_one` its 1 is place 14 as well (K-13)."""
WILDS_MAX = 2
PAIRED_TILES = 14


class Shape(Struct, frozen=True):
    """A meld as the search sees it: which faces it takes, and whether it is the compulsory run."""

    mask: int
    is_long: bool
    faces: tuple[str, ...]


class Counted(Struct, frozen=True):
    """Tiles as the search sees them: faces held at least once, faces held twice, and wilds."""

    ones: int
    twos: int
    wilds: int


Laid = tuple[Shape, "Laid"] | tuple[()]
"""Melds found, as a chain."""
Dead = set[tuple[int, int, int, bool]]
"""What cannot be laid: (ones, twos, wilds, a long run lies already)."""


def is_complete(tiles: Iterable[str], joker: str, *, wrap: bool = False, seven_pairs: bool = False) -> bool:
    """Whether `tiles` are a winning hand while `joker` is the joker's face (K-18, K-24)."""
    counted = count(tiles, joker)
    return (seven_pairs and is_seven_pairs(counted)) or lay(counted, set(), wrap=wrap) is not None


def winning_discards(
    tiles: tuple[str, ...], joker: str, *, wrap: bool = False, seven_pairs: bool = False
) -> tuple[str, ...]:
    """The tiles of a hand whose throwing leaves a winning hand, lowest first, equal ones once (K-25, K-65)."""
    counted = count(tiles, joker)
    misfits = () if seven_pairs else _misfits(counted, wrap=wrap)
    if len(misfits) > 1:
        return ()
    dead: Dead = set()
    found = []
    for tile in in_order(set(tiles)):
        if misfits and (tile == joker or face_bit(tile, joker) != misfits[0]):
            continue
        kept = less(counted, tile, joker)
        if (seven_pairs and is_seven_pairs(kept)) or lay(kept, dead, wrap=wrap) is not None:
            found.append(tile)
    return tuple(found)


def face_bit(tile: str, joker: str) -> int:
    """The face of a tile that is no joker: a doll has the joker's (K-10)."""
    return BIT[joker if tile in DOLLS else tile]


def count(tiles: Iterable[str], joker: str) -> Counted:
    """Tiles by face; a joker is a wild (K-09)."""
    ones = twos = wilds = 0
    for tile in tiles:
        if tile == joker:
            wilds += 1
        else:
            bit = face_bit(tile, joker)
            twos |= ones & bit
            ones |= bit
    return Counted(ones, twos, wilds)


def less(counted: Counted, tile: str, joker: str) -> Counted:
    """`counted` after one `tile` of it was thrown."""
    if tile == joker:
        return Counted(counted.ones, counted.twos, counted.wilds - 1)
    bit = face_bit(tile, joker)
    if counted.twos & bit:
        return Counted(counted.ones, counted.twos ^ bit, counted.wilds)
    return Counted(counted.ones ^ bit, counted.twos, counted.wilds)


def is_seven_pairs(counted: Counted) -> bool:
    """Seven pairs of equal faces, a wild pairing with anything (K-24)."""
    singles = (counted.ones & ~counted.twos).bit_count()
    tiles = counted.ones.bit_count() + counted.twos.bit_count() + counted.wilds
    return tiles == PAIRED_TILES and singles <= counted.wilds


def lay(counted: Counted, dead: Dead, *, wrap: bool) -> Laid | None:
    """Melds that use up `counted`, one of them a run of four or more, or None. `dead` is filled and may be reused."""
    shapes = shapes_by_lowest(wrap=wrap)

    def search(ones: int, twos: int, wilds: int, long: bool) -> Laid | None:  # noqa: FBT001 - a part of the key
        if not ones:
            return () if long else None  # wilds left over lengthen the long run
        key = (ones, twos, wilds, long)
        if key in dead:
            return None
        if not _hopeless(ones, wilds, wrap=wrap):
            for shape in shapes[wilds][ones & -ones]:
                missing = (shape.mask & ~ones).bit_count()
                if missing <= wilds:
                    used = shape.mask & ones
                    rest = search(ones & ~used | twos & used, twos & ~used, wilds - missing, long or shape.is_long)
                    if rest is not None:
                        return (shape, rest)
        dead.add(key)
        return None

    return search(counted.ones, counted.twos, counted.wilds, False)


def _misfits(counted: Counted, *, wrap: bool) -> tuple[int, ...]:
    """The faces, each copy counted, that no meld of these tiles can hold: one of them may be thrown, not two."""
    if counted.wilds == WILDS_MAX:
        return ()  # two wilds make a set with anything
    alone = counted.ones & ~fitting(counted.ones, counted.wilds, wrap=wrap)
    bits = tuple(1 << place for place in range(alone.bit_length()) if alone >> place & 1)
    return bits + tuple(bit for bit in bits if bit & counted.twos)


def _hopeless(ones: int, wilds: int, *, wrap: bool) -> bool:
    """Whether some face cannot lie in any meld any more."""
    return wilds < WILDS_MAX and bool(ones & ~fitting(ones, wilds, wrap=wrap))


def fitting(ones: int, wilds: int, *, wrap: bool) -> int:
    """The faces that lie in some run or set made of `ones` and `wilds` (0 or 1) wilds."""
    places = ones | (ones & COLUMN) << PLACES if wrap else ones
    red, blue, yellow, black = ones & LANE_FULL, ones >> 16 & LANE_FULL, ones >> 32 & LANE_FULL, ones >> 48
    if wilds:
        next_to, after_next = places & places >> 1, places & places >> 2
        runs = next_to | next_to << 1 | after_next | after_next << 2
        sets = (red & (blue | yellow | black)) | (blue & (yellow | black)) | (yellow & black)
    else:
        starts = places & places >> 1 & places >> 2
        runs = starts | starts << 1 | starts << 2
        sets = (red & blue & (yellow | black)) | (yellow & black & (red | blue))
    if wrap:
        runs |= runs >> PLACES & COLUMN
    return runs | sets * COLUMN


@cache
def shapes_by_lowest(*, wrap: bool) -> tuple[dict[int, tuple[Shape, ...]], ...]:
    """For 0, 1 … wilds: for each face the melds that can hold it while it is the lowest face left."""
    every = [*_runs(PLACES_WRAPPED if wrap else PLACES), *_sets()]
    return tuple(
        {bit: tuple(shape for shape in every if _can_begin(shape, bit, wilds)) for bit in BIT.values()}
        for wilds in range(PIECE_MAX)
    )


def _can_begin(shape: Shape, bit: int, wilds: int) -> bool:
    """Whether `shape` holds `bit` and needs no more wilds than there are for the faces below it."""
    return bool(shape.mask & bit) and (shape.mask & (bit - 1)).bit_count() <= wilds


def _runs(last: int) -> Iterator[Shape]:
    """Every run of three to six up to the place `last` (K-15, K-16)."""
    for length in range(PIECE_MAX, 2, -1):
        for colour in COLOURS:
            for start in range(1, last - length + 2):
                faces = tuple(f"{colour}{(place - 1) % 13 + 1}" for place in range(start, start + length))
                yield Shape(sum(BIT[face] for face in faces), length >= LONG_MIN, faces)


def _sets() -> Iterator[Shape]:
    """Every set: three or four colours of one number (K-17)."""
    for size in (3, 4):
        for number in NUMBERS:
            for colours in combinations(COLOURS, size):
                faces = tuple(f"{colour}{number}" for colour in colours)
                yield Shape(sum(BIT[face] for face in faces), is_long=False, faces=faces)
