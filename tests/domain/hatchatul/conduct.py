"""What the conduct suite needs to know of Hatchatul: wild moves, and when two moves are the same to a list of moves."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from domain.game import Move, type_of
from domain.hatchatul import moves as m


def wild(rng: random.Random, seats: int) -> Move:
    """A move of the right shape."""
    slot, other = rng.randint(1, 4), rng.randint(1, 4)
    return rng.choice(
        [
            m.PeekStart(),
            m.Skip(),
            m.DrawStock(),
            m.TakeDiscard(slot),
            m.Place(slot),
            m.Throw(),
            m.UsePeek(slot),
            m.UseSwap(slot, rng.randrange(min(seats + 1, 6)), other),
            m.UseDrawTwo(),
            m.Waive(),
            m.EndTurn(),
            m.Knock(),
        ]
    )


def essence(move: Move) -> Any:
    """Every slot counts: no two cards of a row are equal to a player who remembers."""
    return type_of(move), msgspec.structs.astuple(move)
