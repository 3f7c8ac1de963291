"""What the conduct suite needs to know of Totem: wild moves, and when two moves are the same to a list of moves."""

from __future__ import annotations

import random
from typing import Any

from domain.game import Move, type_of
from domain.totem.moves import ChooseTaker, Grab, TurnUp

FIXED = {"symbols": 4}
"""Without it a table of random moves would go on for too long."""


def wild(rng: random.Random, seats: int) -> Move:
    """A move of the right shape."""
    return rng.choice(
        [
            TurnUp(),
            Grab(rng.randint(1, 60)),
            Grab(rng.randint(1, 4), rng.choice([None, 50]), rng.randint(1, 5), rng.randint(0, 100)),
            ChooseTaker(rng.randrange(seats + 1)),
            ChooseTaker(rng.randrange(seats + 1), {"1": 2}),
        ]
    )


def essence(move: Move) -> Any:
    """Figures and shares are optional; a grab that names an older reveal is accepted like any other: void (T-55)."""
    return type_of(move), move.taker if isinstance(move, ChooseTaker) else None
