"""For each game: wild moves to throw at it, when two moves are one to a list, and what the rules themselves tell."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from domain.game import Move
from domain.games import GAMES


class Sample(NamedTuple):
    """`wild(rng, seats)` is a move of the right shape; `essence(move)` is equal for moves that a list takes for one."""

    wild: Callable[[random.Random, int], Move]
    essence: Callable[[Move], Any]
    tells: frozenset[str]
    """Public events by which the rules themselves tell something of cards that others cannot see."""
    fixed: dict[str, Any]
    """Table rules that are not drawn at random, so that a table comes to its end in reasonable time."""


def sample(game: str) -> Sample:
    """What `tests/domain/<game>/conduct.py` says of its game."""
    conduct = import_module(f"tests.domain.{game}.conduct")
    return Sample(conduct.wild, conduct.essence, getattr(conduct, "TELLS", frozenset()), getattr(conduct, "FIXED", {}))


SAMPLES = {name: sample(name) for name in GAMES}
