"""Faults that other token games shipped, held against Kishpa by their numbers; others stand where tokens are read."""

from __future__ import annotations

from typing import Any

import pytest

from domain.game import type_of
from domain.games import GAMES
from domain.kishpa.events import BowlPaid
from domain.kishpa.moves import Discard
from domain.table import moves as asked
from domain.table.due import due
from domain.table.state import Between
from domain.table.view import options
from domain.tokens import BOWL
from tests.domain.kishpa.scenes import A, B
from tests.domain.kishpa.scenes import Sitting as Scene
from tests.playing import Sitting

KISHPA = GAMES["kishpa"]


def split(seats: int, penalty: int, bowl: int) -> list[tuple[str, int]]:
    """The last bowl, raised to `bowl` by a false declaration, shared out after a round that nobody won."""
    scene = Scene(seats, false_win_penalty=penalty).call_last_round().deal({B: "*"}, stock="")
    scene.play(A, Discard(scene.hand(A)[0], declare=True))
    assert scene.balances[-1] == bowl
    scene.play(A, Discard(scene.hand(A)[0]))
    while scene.result is None:
        scene.turn(scene.state.seat)
    (paid,) = scene.heard_last(BowlPaid)
    return [(transfer.payee, transfer.amount) for transfer in paid.transfers]


@pytest.mark.parametrize(
    ("seats", "penalty", "bowl", "shares"),
    [
        (3, 97, 100, [("seat:0", 34), ("seat:1", 33), ("seat:2", 33)]),
        (3, 98, 101, [("seat:0", 34), ("seat:1", 34), ("seat:2", 33)]),
        (2, 1, 3, [("seat:0", 2), ("seat:1", 1)]),
        (4, 1, 5, [("seat:0", 2), ("seat:1", 1), ("seat:2", 1), ("seat:3", 1)]),
    ],
)
def test_f_1_what_does_not_divide_goes_one_by_one_clockwise_and_a_replay_gives_it_to_the_same_seats(
    seats: int, penalty: int, bowl: int, shares: list[tuple[str, int]]
):
    assert split(seats, penalty, bowl) == shares == split(seats, penalty, bowl)
    assert sum(amount for _, amount in shares) == bowl


def sitting() -> Sitting:
    rules: Any = {"rounds": 2, "max_turns_per_round": 12, "absent_after": 1}
    return Sitting(KISHPA, KISHPA.rules(**rules), 3, seed=8).seat_all()


def until(table: Sitting, phase: str) -> Sitting:
    """Play on, always the first move that is listed, until the table stands there."""
    for _ in range(400):
        if at(table) == phase:
            return table
        able = [(n, options(table.view(n))) for n in range(3)]
        n, moves = next(((n, moves) for n, moves in able if moves), (0, []))
        if moves:
            table.give(f"seat:{n}", moves[0])
        else:
            table.let_due()
    raise AssertionError(f"never {phase}")


def at(table: Sitting) -> str:
    if isinstance(table.table.phase, Between):
        return "between"
    return type(table.table.state).__name__.lower()


@pytest.mark.parametrize("phase", ["exposing", "holding", "drawing", "between"])
@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_f_9_whoever_leaves_whenever_the_bowl_stays_whole_and_the_rest_play_on(phase: str, leaver: int):
    table = until(sitting(), phase)
    table.give(f"seat:{leaver}", asked.Leave(leaver))
    for _ in range(600):
        if table.over():
            break
        able = [(n, options(table.view(n))) for n in range(3) if options(table.view(n))]
        if able:
            table.give(f"seat:{able[0][0]}", able[0][1][0])
        else:
            assert due(table.table), "stuck"
            table.let_due()
    assert table.over()
    assert min(after.books.balances.get(BOWL, 0) for after in table.tables) == 0
    assert all(sum(after.books.balances.values()) == 0 for after in table.tables)
    assert table.table.books.balances[BOWL] == 0, "the last bowl was paid out"


def test_f_9_a_table_left_to_its_clocks_pays_as_the_rules_say():
    table = sitting()
    while due(table.table):
        table.let_due()
    assert table.table.played >= 1
    assert sum(table.table.books.balances.values()) == 0


def test_f_7_no_move_names_an_amount():
    """Nobody can ask for a negative, a broken or a huge number of tokens: moves have no number in them at all."""
    fields = {type_of(move): move.__struct_fields__ for move in KISHPA.moves}
    assert {name for names in fields.values() for name in names} == {"tile", "declare"}
