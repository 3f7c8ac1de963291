"""For each game: wild moves to throw at it, and when two moves are the same but for equal cards and optional fields."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from domain.game import Move, type_of
from domain.playing_cards import PACK, RANK


class Sample(NamedTuple):
    """`wild(rng, seats)` is a move of the right shape; `essence(move)` is equal for moves that a list takes for one."""

    wild: Callable[[random.Random, int], Move]
    essence: Callable[[Move], Any]
    tells: frozenset[str]
    """Public events by which the rules themselves tell something of cards that others cannot see."""


def _shithead_wild(rng: random.Random, seats: int) -> Move:
    from domain.shithead import moves

    rank = rng.choice(list(PACK))[:-1]
    same = [card for card in PACK if RANK[card] == rank] * 2
    cards = tuple(rng.sample(same, rng.randint(1, 3)))
    any_card = rng.choice(PACK)
    return rng.choice(
        [
            moves.Swap(any_card, rng.choice(PACK)),
            moves.Ready(),
            moves.Play(cards),
            moves.Play((any_card,)),
            moves.Play((any_card, rng.choice(PACK))),
            moves.Play(cards, (rng.choice(same),)),
            moves.PickUp(),
            moves.PickUp((any_card,)),
            moves.Flip(rng.choice([1, 2, 3])),
            moves.JumpIn(cards),
            moves.GiveSip(rng.randrange(11)),
        ]
    )


def _by_rank(move: Move) -> Any:
    """Cards by rank: a list names the lowest suits."""
    fields: dict[str, Any] = {"type": type_of(move)}
    for name, value in msgspec.structs.asdict(move).items():
        if isinstance(value, tuple):
            fields[name] = tuple(sorted(RANK[card] for card in value))
        else:
            fields[name] = RANK.get(value, value) if isinstance(value, str) else value
    return tuple(fields.items())


SAMPLES = {
    "shithead": Sample(_shithead_wild, _by_rank, frozenset({"shithead.play_started", "shithead.stalemate_declared"})),
}
