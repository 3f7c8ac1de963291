"""What was shown at the terminal is covered again just when the table stops serving it."""

from __future__ import annotations

import json
import random

import pytest

from domain.game import type_of
from domain.gate import folds
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.rules import HatchatulRules
from service.terminal.games.hatchatul import HATCHATUL
from service.terminal.looks import Looks
from tests.domain.hatchatul.conduct import choose
from tests.domain.hatchatul.scenario import stacked
from tests.playing import Sitting, play

LOOKS = {type_of(event) for event in HATCHATUL.looks}
SEATS = 3


class Watching:
    """A seat that hears its lines as the terminal does; `lying` are the looks that it has not covered yet."""

    def __init__(self, seat: int) -> None:
        self.seat, self.looks, self.heard = seat, Looks(seat), 0
        self.lying: set[int] = set()

    def hear(self, table: Sitting, version: int) -> set[int]:
        for heading, line in zip(table.headings[self.heard : version], table.lines[self.heard : version], strict=True):
            told = json.loads(line) if folds(heading, self.seat) else {"seq": heading.seq, "sealed": True}
            self.lying -= self.looks.covered(told, HATCHATUL.kind(told))
            if HATCHATUL.is_look(told):
                self.looks.opened(heading.seq)
                self.lying.add(heading.seq)
        self.heard = version
        return self.lying

    def served(self, table: Sitting, version: int) -> set[int]:
        """What the table as of `version` serves to this seat; the card in its hand is no look."""
        shown = table.tables[version - 1].shown
        return {seq for seq, seat in shown if seat == self.seat and table.headings[seq - 1].type in LOOKS}


@pytest.mark.parametrize("seed", range(12))
def test_a_look_lies_open_as_long_as_the_table_serves_it(seed):
    rules = HatchatulRules(max_turns_per_round=30, turn_timeout_s=5, peek_timeout_s=5, absent_after=0)
    table = Sitting(GAME, rules, SEATS, seed=seed).seat_all()
    play(table, random.Random(seed), lazy=0.1, leaving=0.002, choose=choose)
    seen = set()
    for watching in map(Watching, range(SEATS)):
        for end in table.ends:
            assert watching.hear(table, end) == watching.served(table, end), f"seat {watching.seat} at version {end}"
            seen |= watching.lying
    assert seen


def test_the_opening_look_of_who_looks_last_is_covered_when_somebody_else_takes_the_first_card():
    table, last = Sitting(GAME, HatchatulRules(), 2, decks=[stacked([3, 5])]).seat_all(), Watching(0)
    table.give("seat:1", m.Skip())
    table.give("seat:0", m.PeekStart())
    assert len(last.hear(table, table.table.version)) == 1
    table.give("seat:1", m.DrawStock())
    assert last.hear(table, table.table.version) == set()


def test_the_opening_look_of_who_looks_first_is_covered_when_all_have_looked():
    table, first = Sitting(GAME, HatchatulRules(), 2, decks=[stacked([3, 5])]).seat_all(), Watching(0)
    table.give("seat:0", m.PeekStart())
    assert len(first.hear(table, table.table.version)) == 1
    table.give("seat:1", m.Skip())
    assert first.hear(table, table.table.version) == set()
