"""Whole evenings of Shithead, written down before a table is played: a scripted table deals what is known here."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from domain.game import Move
from domain.games import GAMES
from domain.gate import folds, heading
from domain.table.decide import decide
from domain.table.moves import Create, Sit, Start
from domain.table.opening import open_table
from domain.table.recording import Step
from domain.table.state import Table
from domain.table.view import TableView, empty_view, options, see
from service.dealer import SecretDealer
from service.tables.answers import Sandbox
from service.tables.writing import with_commit
from tests.playing import START

SEATS = 2
RULES = {"rounds": None, "turn_timeout_s": 0, "ready_timeout_s": 0, "swap_timeout_s": 0}
SANDBOX = Sandbox()
"""What the table is opened with: its seed follows from this, and so do its cards."""


def script(game: str, moves: int, rng: random.Random) -> Iterator[tuple[int, bytes]]:
    """(seat, body) of so many random legal moves at the table with this id."""
    table, views = started(game)
    for _ in range(moves):
        seat, move = some_move(views, rng)
        step = with_commit(decide(table, f"seat:{seat}", move, START), SecretDealer(), None)
        table, views = step.table, seen(views, step)
        yield seat, msgspec.json.encode(move)


def started(game: str) -> tuple[Table, dict[int, TableView]]:
    """The table after everybody sat down and the host started."""
    shithead = GAMES["shithead"]
    rules = msgspec.convert(RULES, shithead.rules)
    step = open_table(game, Create("shithead", rules, SEATS, "public", True), START, GAMES)
    step = with_commit(step, SecretDealer(), SANDBOX)
    views = {n: empty_view(shithead, rules, SEATS, n) for n in range(SEATS)}
    views = seen(views, step)
    for by, move in [*((f"seat:{n}", Sit(n, f"player {n}")) for n in range(SEATS)), ("host", Start())]:
        step = with_commit(decide(step.table, by, move, START), SecretDealer())
        views = seen(views, step)
    return step.table, views


def seen(views: dict[int, TableView], step: Step) -> dict[int, TableView]:
    for entry in step.entries:
        line = heading(entry.seq, entry.event, entry.round)
        views = {n: see(view, entry.event) if folds(line, n) else view for n, view in views.items()}
    return views


def some_move(views: dict[int, TableView], rng: random.Random) -> tuple[int, Move]:
    open_to = {n: found for n, view in views.items() if (found := options(view))}
    seat = rng.choice([*open_to])
    return seat, rng.choice(open_to[seat])
