"""What the conduct suite needs to know of Shithead: wild moves, and when two moves are the same to a list of moves."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from domain.game import Move, type_of
from domain.playing_cards import PACK, RANK
from domain.shithead import moves

TELLS = frozenset({"shithead.play_started", "shithead.stalemate_declared"})
"""Public events by which the rules tell something of hidden cards: who holds the lowest (S-03 … S-05), S-34."""


def wild(rng: random.Random, _seats: int) -> Move:
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


def essence(move: Move) -> Any:
    """Cards by rank: a list names the lowest suits."""
    fields: dict[str, Any] = {"type": type_of(move)}
    for name, value in msgspec.structs.asdict(move).items():
        if isinstance(value, tuple):
            fields[name] = tuple(sorted(RANK[card] for card in value))
        else:
            fields[name] = RANK.get(value, value) if isinstance(value, str) else value
    return tuple(fields.items())
