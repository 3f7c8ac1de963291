"""Hands to try the solver on: from the whole pack, nearly complete ones, and every hand of a small pack."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

from domain.kishpa.pack import COLOURS, DOLLS, FACES, PACK, joker_of

SHAPES = ((4, 3, 3, 4), (5, 3, 3, 3), (6, 4, 4), (5, 5, 4), (7, 3, 4), (10, 4), (8, 3, 3), (11, 3))


def any_hand(random: Random, tiles: int = 15) -> tuple[tuple[str, ...], str]:
    """So many tiles of the pack and the joker's face."""
    kishpa = random.choice(FACES)
    rest = list(PACK)
    rest.remove(kishpa)
    return tuple(random.sample(rest, tiles)), joker_of(kishpa)


def winning_hand(random: Random) -> list[str]:
    """Fourteen tiles made of melds, the first a run of four or more."""
    while True:
        free, hand = Counter(PACK), list[str]()
        for place, size in enumerate(random.choice(SHAPES)):
            meld = _run(random, size) if place == 0 or size > 4 or random.random() < 0.5 else _set(random, size)
            if all(free[face] for face in meld):
                free.subtract(meld)
                hand += meld
        if len(hand) == 14:
            return hand


def near_hand(random: Random, tiles: int = 15) -> tuple[tuple[str, ...], str]:
    """A winning hand, spoilt a little: some tiles made jokers or dolls, some changed, filled up to `tiles`."""
    while True:
        joker = joker_of(random.choice(FACES))
        hand = [joker if random.random() < 0.1 else tile for tile in winning_hand(random)]
        for _ in range(random.choice((0, 0, 1, 1, 2))):
            hand[random.randrange(len(hand))] = random.choice((*FACES, *DOLLS, joker, joker))
        hand = [*hand, random.choice(PACK)][:tiles]
        random.shuffle(hand)
        if not Counter(hand) - Counter(PACK):
            return tuple(hand), joker


def every_hand(colours: str, numbers: tuple[int, ...], wilds: int, most: int) -> Iterator[tuple[str, ...]]:
    """Every hand of a pack with two copies of these faces and so many jokers, up to `most` tiles; the joker is Y9."""
    faces = [f"{colour}{number}" for colour in colours for number in numbers]
    for copies in product(range(3), repeat=len(faces)):
        if sum(copies) + wilds <= most:
            hand = [face for face, held in zip(faces, copies, strict=True) for _ in range(held)]
            yield (*hand, *["Y9"] * wilds)


def _run(random: Random, size: int) -> list[str]:
    colour, first = random.choice(COLOURS), random.randint(1, 14 - size)
    return [f"{colour}{number}" for number in range(first, first + size)]


def _set(random: Random, size: int) -> list[str]:
    number = random.randint(1, 13)
    return [f"{colour}{number}" for colour in random.sample(COLOURS, size)]
