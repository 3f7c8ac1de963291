"""The fifty-four cards: cats 0 to 6, rats 7 to 9, and nine action cards."""

from typing import Annotated, Literal

from msgspec import Meta

NumberCard = Annotated[int, Meta(ge=0, le=9)]
"""A cat (0 … 6) or a rat (7 … 9); its number is what it counts."""

ActionCard = Literal["peek", "swap", "draw2"]
"""A card with a power, in force only when drawn from the stock."""

Card = NumberCard | ActionCard

SLOTS = (1, 2, 3, 4)
OUTER = (1, 4)
"""The leftmost and the rightmost card of a row."""

COPIES: tuple[tuple[Card, int], ...] = (
    *((number, 4) for number in range(9)),
    (9, 9),
    ("peek", 3),
    ("swap", 3),
    ("draw2", 3),
)
PACK: tuple[Card, ...] = tuple(card for card, copies in COPIES for _ in range(copies))
"""The pack in published order."""


def is_action(card: Card) -> bool:
    """Whether the card has a power, and so counts nothing."""
    return isinstance(card, str)
