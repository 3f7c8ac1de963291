"""Random games of Hatchatul under random table rules, with everything kept that a property may ask about."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from domain import times
from domain.fair import Dice
from domain.game import Deal, Event, Move
from domain.hatchatul import GAME
from domain.hatchatul.rules import HatchatulRules, Mode
from tests.domain.hatchatul.scenario import AT, hears

modes = st.one_of(
    st.builds(Mode, rounds=st.integers(1, 2)),
    st.builds(Mode, time=st.integers(5, 60)),
    st.builds(Mode, elimination=st.integers(10, 60)),
)


def choice(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


rules = st.builds(
    HatchatulRules,
    mode=modes,
    time_policy=choice("finish_round", "drop_round"),
    first_dealer=choice("seat0", "random"),
    draw_two=choice("two_turns", "pick_one"),
    swap_look=choice("own_new", "none"),
    keep_action_in_row=st.booleans(),
    take_dead_action=st.booleans(),
    knocker_protected=st.booleans(),
    knock_penalty=choice(0, 10, 100),
    knock_bonus_zero=st.booleans(),
    tie_break=choice("shared", "knocker_loses", "knocker_wins"),
    stock_out=choice("reshuffle_keep_top", "end_round"),
    max_turns_per_round=choice(None, 6, 60),
    show_discard_history=st.booleans(),
    memory_aid=st.booleans(),
    open_outer=st.booleans(),
    turn_timeout_s=choice(0, 3),
    peek_timeout_s=choice(0, 3),
)


class Play:
    """One table: its state, every seat's view (None: a spectator), its commands and what they told."""

    def __init__(self, rules: HatchatulRules, seats: int, seed: int, pack: tuple[Any, ...] | None = None) -> None:
        self.rules, self.seats, self.seed = rules, seats, seed
        self.rng = random.Random(seed)
        self.pack = pack or GAME.pack(rules, seats)
        self.state = GAME.initial(rules, seats)
        self.views = {seat: GAME.empty_view(rules, seats, seat) for seat in (*range(seats), None)}
        self.left: set[int] = set()
        self.at, self.round = AT, 0
        self.commands: list[list[Event]] = []

    @property
    def over(self) -> bool:
        return bool(GAME.finished(self.state))

    @property
    def running(self) -> bool:
        return self.round > 0 and GAME.over(self.state) is None

    def hear(self, events: list[Event]) -> None:
        assert events, "every command tells something"
        self.commands.append(events)
        for event in events:
            self.state = GAME.evolve(self.state, event)
            zones = GAME.zones(self.state)
            if zones:
                lying = Counter(card for zone in zones.values() for card in zone)
                assert lying == Counter(self.pack), f"after {event}"
            for seat, view in self.views.items():
                if hears(event, seat):
                    self.views[seat] = GAME.see(view, event)

    def deal(self, deck: tuple[Any, ...] | None = None) -> None:
        self.round += 1
        self.dice = Dice((self.seed * 1_000 + self.round).to_bytes(32, "big"))
        out = {*GAME.out(self.state), *self.left}
        seats = tuple(seat for seat in range(self.seats) if seat not in out)
        deck = deck or self.dice.shuffle("deck", self.pack)
        self.hear(GAME.deal(self.state, Deal(self.round, seats, deck, self.dice, self.at, 0)))

    def options(self) -> list[tuple[int, Move]]:
        return [(seat, move) for seat in range(self.seats) for move in GAME.options(self.views[seat])]

    def give(self, seat: int, move: Move) -> None:
        self.hear(GAME.decide(self.state, seat, move, self.at, self.dice))

    def leave(self, seat: int) -> None:
        self.left.add(seat)
        self.hear(GAME.leave(self.state, seat, self.at, self.dice))

    def step(self, *, lazy: float = 0.03, leaving: float = 0.004, knocking: float = 0.1) -> None:
        """One command: a deal, a listed move, a clock that ran out, a seat that leaves."""
        if not self.running:
            self.deal()
            return
        self.at = times.later(self.at, milliseconds=200)
        due = GAME.due(self.state)
        assert due is not None
        if (due.at is not None and due.at <= self.at) or self.rng.random() < lazy:
            self.at = max(self.at, due.at or self.at)
            self.hear(GAME.when_due(self.state, due, self.at, self.dice))
        elif self.rng.random() < leaving:
            self.leave(self.rng.choice([seat for seat in range(self.seats) if seat not in self.left]))
        else:
            moves = self.options()
            seat, move = self.rng.choice(moves)
            knock = move.__class__.__name__ == "Knock" and self.rng.random() > knocking
            self.give(*(moves[0] if knock else (seat, move)))

    def steps(self, most: int = 3_000, **how: float) -> Iterator[None]:
        """Step by step to the end of the game."""
        for _ in range(most):
            if self.over:
                return
            self.step(**how)
            yield
        raise AssertionError(f"no end after {most} commands")
