"""What the conduct suite of all games needs of Kishpa: wild moves, and which moves a list takes for one."""

from __future__ import annotations

import random
from typing import Any

from domain.game import Move, type_of
from domain.kishpa.moves import Discard, Draw, Expose, Pass, Take
from domain.kishpa.pack import PACK

TELLS = frozenset(
    {
        "kishpa.doll_flipped",
        "kishpa.kishpa_flipped",
        "kishpa.bonus_paid",
        "kishpa.exposure_opened",
        "kishpa.turn_started",
        "kishpa.hand_won",
        "kishpa.round_exhausted",
        "kishpa.bowl_paid",
    }
)
"""Public events by which the rules tell who holds special tiles, or whether any joker is held (K-32, K-41)."""

FIXED = {"rounds": 2}
"""Without it a table of random moves would go on for too long."""


def wild(rng: random.Random, _seats: int) -> Move:
    """Any move that is listed for somebody at some time."""
    return rng.choice(
        [
            Expose(),
            Pass(),
            Draw(),
            Take(),
            *(Discard(rng.choice(PACK), declare=False) for _ in range(4)),
            Discard(rng.choice(PACK), declare=True),
        ]
    )


def essence(move: Move) -> Any:
    """Moves with equal tiles are one; `declare` is optional, and a declared win is listed beside the plain throw."""
    return type_of(move), getattr(move, "tile", None), getattr(move, "declare", None)
