"""What the conduct suite needs to know of Hatchatul: wild moves, and when two moves are the same to a list of moves."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from domain.game import Move, type_of
from domain.hatchatul import moves as m
from domain.hatchatul.rules import Mode

QUIET = 0.97
"""How often a seat that could knock does not think of it."""


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


def numbers(rng: random.Random, seats: int) -> dict[str, Any]:
    """Table rules that are numbers, drawn small enough for a short game: its length, caps, penalties, clocks."""
    mode = rng.choice(
        [Mode(rounds=rng.randint(1, 2)), Mode(time=rng.randint(5, 60)), Mode(elimination=rng.randint(10, 60))]
    )
    return {
        "mode": mode,
        "rounds": mode.rounds,
        "knock_penalty": rng.choice([0, 0, 10, 100]),
        "max_turns_per_round": rng.choice([None, seats, 6 * seats, 60]),
        "turn_timeout_s": rng.choice([0, 3, 120]),
        "peek_timeout_s": rng.choice([0, 3, 30]),
        "ready_timeout_s": rng.choice([0, 30]),
        "absent_after": rng.choice([0, 1, 3]),
    }


def choose(rng: random.Random, moves: list[Move]) -> Move:
    """Any move; a knock seldom, so that the stock runs out now and then."""
    quiet = [move for move in moves if not isinstance(move, m.Knock)]
    return rng.choice(quiet if quiet and rng.random() < QUIET else moves)
