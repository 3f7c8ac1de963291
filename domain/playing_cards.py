"""The French pack: a card is rank then suit letter, `3S`, `10D`, `QH`."""

from collections.abc import Iterable

SUITS = "CDHS"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""One pack of 52 in published order: suits C, D, H, S, each 2 … 10 J Q K A."""

RANK = {card: card[:-1] for card in PACK}
SUIT = {card: card[-1] for card in PACK}
HEIGHT = {rank: height for height, rank in enumerate(RANKS, start=2)}
"""2 … 14, the ace highest; what a 2 or a 10 does beside that is a game's own matter."""

CARD_HEIGHT = {card: HEIGHT[RANK[card]] for card in PACK}
ORDER = {card: (CARD_HEIGHT[card], SUIT[card]) for card in PACK}


def packs(count: int) -> tuple[str, ...]:
    """So many packs, one after another."""
    return PACK * count


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards by height, equal ones by suit C, D, H, S."""
    return tuple(sorted(cards, key=ORDER.__getitem__))
