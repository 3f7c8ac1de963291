"""The cards of a Shithead table: one French pack, or two whose equal cards cannot be told apart."""

from domain.playing_cards import packs
from domain.shithead.moves import Position
from domain.shithead.rules import ShitheadRules, packs_for

HAND_CARDS = 3
"""What a hand is refilled to while the stock lasts (S-18)."""
BLIND_POSITIONS: tuple[Position, ...] = (1, 2, 3)
THRIFT = {rank: i for i, rank in enumerate(("3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A", "2", "10"))}
"""The order in which a careful player parts with ranks: 2 and 10, which go on anything, last (S-38)."""


def pack(rules: ShitheadRules, seats: int) -> tuple[str, ...]:
    """The 52 or 104 cards in published order."""
    return packs(packs_for(rules, seats))
