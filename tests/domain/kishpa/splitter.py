"""A slow, plain splitter of hands, to check the solver against: every group of tiles, tested as the rules say it."""

from collections.abc import Iterable
from itertools import combinations

DOLLS = ("DR", "DK")


def faces_of(tiles: Iterable[str], joker: str) -> list[str | None]:
    """Each tile's face; a joker's is open (None)."""
    return [None if tile == joker else joker if tile in DOLLS else tile for tile in tiles]


def is_set(faces: tuple[str | None, ...]) -> bool:
    named = [face for face in faces if face]
    numbers, colours = {face[1:] for face in named}, [face[0] for face in named]
    return len(faces) in (3, 4) and len(numbers) <= 1 and len(set(colours)) == len(colours)


def is_run(faces: tuple[str | None, ...], *, wrap: bool) -> bool:
    named = [face for face in faces if face]
    if not 3 <= len(faces) <= 13 or len({face[0] for face in named}) > 1:
        return False
    numbers = [int(face[1:]) for face in named]
    if len(set(numbers)) != len(numbers):
        return False
    last = 14 if wrap else 13
    for start in range(1, last - len(faces) + 2):
        places = range(start, start + len(faces))
        shown = {(place - 1) % 13 + 1 for place in places}
        if all(number in shown for number in numbers):
            return True
    return False


def wins(faces: list[str | None], *, wrap: bool = False) -> bool:
    """Whether all lie in melds, one of them a run of four or more."""
    return splits(faces, (1 << len(faces)) - 1, wrap=wrap)[0]


def winning_throws(tiles: tuple[str, ...], joker: str, *, wrap: bool = False) -> set[str]:
    everything = (1 << len(tiles)) - 1
    lefts = tuple(everything ^ (1 << place) for place in range(len(tiles)))
    judged = splits(faces_of(tiles, joker), *lefts, wrap=wrap)
    return {tile for tile, wins in zip(tiles, judged, strict=True) if wins}


def splits(faces: list[str | None], *lefts: int, wrap: bool) -> list[bool]:
    """Whether each of `lefts` (a bit for each place) lies in melds. Tries every group for the first tile left."""
    groups = _groups(faces, wrap=wrap)
    known: dict[tuple[int, bool], bool] = {}

    def split(left: int, long: bool) -> bool:
        if not left:
            return long
        if (left, long) not in known:
            first = (left & -left).bit_length() - 1
            known[left, long] = any(
                split(left & ~mask, long or is_long) for mask, is_long in groups[first] if mask & left == mask
            )
        return known[left, long]

    return [split(left, False) for left in lefts]


def _groups(faces: list[str | None], *, wrap: bool) -> list[list[tuple[int, bool]]]:
    """For each tile the melds in which it comes first: (mask of places, is a run of four or more)."""
    groups: list[list[tuple[int, bool]]] = [[] for _ in faces]

    def grow(chosen: tuple[int, ...]) -> None:
        shown = tuple(faces[place] for place in chosen)
        named = [face for face in shown if face]
        if len({face[0] for face in named}) > 1 and len({face[1:] for face in named}) > 1:
            return
        if len(set(named)) != len(named):
            return
        mask, long = sum(1 << place for place in chosen), len(chosen) >= 4 and is_run(shown, wrap=wrap)
        if long or is_set(shown) or is_run(shown, wrap=wrap):
            groups[chosen[0]].append((mask, long))
        for place in range(chosen[-1] + 1, len(faces)):
            grow((*chosen, place))

    for place in range(len(faces)):
        grow((place,))
    return groups


def away(tiles: tuple[str, ...], joker: str, *, wrap: bool = False) -> int:
    """The fewest tiles exchanged for wilds so that the rest wins."""
    faces = faces_of(tiles, joker)
    for count in range(len(faces) + 1):
        for kept in combinations(range(len(faces)), len(faces) - count):
            if wins([*(faces[place] for place in kept), *[None] * count], wrap=wrap):
                return count
    raise AssertionError(f"no run of four in {len(faces)} tiles")
