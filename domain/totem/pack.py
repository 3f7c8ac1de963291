"""The pack of Totem: symbol cards `s01-purple` … and three kinds of arrows; what a card says."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from domain.totem.rules import TotemRules

COLOURS = ("purple", "green", "orange", "yellow")
INWARD, OUTWARD, COLOURED = "inward", "outward", "coloured"
ARROWS = frozenset((INWARD, OUTWARD, COLOURED))
COLOURED_SEATS_MIN = 3


def pack(rules: TotemRules, seats: int) -> tuple[str, ...]:
    """The cards in published order; coloured arrows stay in the box below three players (T-02)."""
    symbols = tuple(
        f"s{number:02}-{colour}" for number in range(1, rules.symbols + 1) for colour in COLOURS[: rules.colours]
    )
    coloured = rules.coloured if seats >= COLOURED_SEATS_MIN else 0
    return symbols + (INWARD,) * rules.inward + (OUTWARD,) * rules.outward + (COLOURED,) * coloured


def symbol(card: str) -> str:
    """The symbol of a symbol card: `s07` of `s07-green`."""
    return card[:3]


def colour(card: str) -> str:
    """The colour of a symbol card: `green` of `s07-green`."""
    return card[4:]
