"""What the conduct suite needs to know of Totem: wild moves, and when two moves are the same to a list of moves."""

from __future__ import annotations

import random
from typing import Any

from domain.game import Move, type_of
from domain.totem.moves import (
    ChooseTaker,
    EnterGrip,
    Grab,
    JudgeGrabs,
    MeasuredGrab,
    ReportFoul,
    ReverseFoul,
    SilentSeat,
    TurnUp,
    VoidGrabs,
)

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


def numbers(rng: random.Random, seats: int) -> dict[str, Any]:
    """Table rules that are numbers: packs small enough for a short game, every clock and window with and without."""
    return {
        "symbols": rng.randint(4, 6),
        "colours": rng.randint(2, 4),
        "inward": rng.randint(0, 4),
        "outward": rng.randint(0, 4),
        "coloured": rng.randint(0, 3),
        "first_player": rng.choice([None, rng.randrange(seats)]),
        "min_flip_interval_ms": rng.choice([0, 1_500]),
        "turn_timeout_ms": rng.choice([0, 2_000, 30_000]),
        "choice_timeout_ms": rng.choice([0, 10_000]),
        "countdown_ms": rng.choice([0, 3_000]),
        "settle_ms": rng.choice([0, 700]),
        "dead_heat_ms": rng.choice([0, 15, 1_000]),
        "referee_window_ms": rng.choice([1, 10_000]),
        "min_reaction_ms": rng.choice([0, 0, 150]),
        "rounds": rng.randint(1, 2),
        "absent_after": rng.choice([0, 1, 3]),
    }


JUDGING, REFEREEING, GRABBING = 0.08, 0.02, 0.02


def choose(rng: random.Random, moves: list[Move]) -> Move | None:
    """A seat grabs seldom: else all cards but its own would be in somebody's pile again before there was a match."""
    others = [move for move in moves if not isinstance(move, Grab)]
    if others and rng.random() > GRABBING:
        return rng.choice(others)
    return rng.choice(moves) if rng.random() < GRABBING else None


def others(sitting: Any, rng: random.Random) -> tuple[str, Move] | None:
    """Now and then the table judges, or voids, grabs of several seats at once, or a referee says something."""
    throw, board = rng.random(), sitting.table.state.board
    if throw < JUDGING and board.reveal:
        seats = rng.sample(range(sitting.size), rng.randint(1, min(3, sitting.size)))
        grabs = tuple(measured(rng, seat, number, board.reveal, sitting.at) for number, seat in enumerate(seats))
        if rng.random() < REFEREEING:
            return "table", VoidGrabs(grabs)
        silent = tuple(SilentSeat(seat, 3, 40) for seat in range(sitting.size) if seat not in seats)
        return "table", JudgeGrabs(grabs, silent)
    if JUDGING <= throw < JUDGING + REFEREEING:
        seat = rng.randrange(sitting.size)
        grip = EnterGrip(seat, rng.randint(1, 5), rng.randint(0, 100))
        return "referee:r", rng.choice(
            [ReportFoul("violence", seat), ReportFoul("totem_fell_unknown"), ReverseFoul(), grip]
        )
    return None


def measured(rng: random.Random, seat: int, number: int, reveal: int, at: str) -> MeasuredGrab:
    """A grab as a server might have measured it."""
    return MeasuredGrab(
        seat=seat,
        reveal=rng.choice([reveal, reveal, max(reveal - 1, 1)]),
        arrival=number,
        arrived=at,
        elapsed_ms=rng.choice([250, 255, rng.randint(50, 400)]),
        reaction_ms=rng.choice([None, 40]),
        rtt_ms=rng.randint(0, 100),
        fingers=rng.randint(1, 5),
        grip_height=rng.randint(0, 100),
    )


def essence(move: Move) -> Any:
    """Figures and shares are optional; a grab that names an older reveal is accepted like any other: void (T-55)."""
    return type_of(move), move.taker if isinstance(move, ChooseTaker) else None
