"""One round of any game, played without a table around it: for the measurements in this folder."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from domain import times
from domain.fair import Dice
from domain.game import Deal, Event, Game, Move, Secret, TableRules, Whisper

AT = "2026-11-30T12:00:00.000000Z"
MOVES_MAX = 20_000

Choose = Callable[[int, "Round", Sequence[Move]], Move]


class Step(Struct):
    """One command of a round: who gave which move (None: the table itself) and when."""

    seat: int | None
    move: Move | None
    at: str


class Round:
    """A round in progress: the state, each seat's view, and the steps that led there."""

    def __init__(
        self, game: Game, rules: TableRules, seats: int, seed: int, deck: tuple[str, ...] | None = None
    ) -> None:
        self.game, self.rules, self.seats = game, rules, seats
        self.dice = Dice(seed.to_bytes(32, "big"))
        self.deck = self.dice.shuffle("deck", game.pack(rules, seats))
        self.state: Any = game.initial(rules, seats)
        self.views = [game.empty_view(rules, seats, seat) for seat in range(seats)]
        self.memories = [game.bot.memory(rules, seat) for seat in range(seats)]
        self.at, self.steps = AT, list[Step]()
        self.dealt = game.deal(self.state, Deal(1, tuple(range(seats)), self.deck, self.dice, AT, 0))
        self.hear(self.dealt)

    def hear(self, events: list[Event]) -> None:
        for event in events:
            self.state = self.game.evolve(self.state, event)
            for seat in range(self.seats):
                if heard(event, seat):
                    self.views[seat] = self.game.see(self.views[seat], event)
                    self.memories[seat] = self.game.bot.remember(self.memories[seat], event)

    def play(self, choose: Choose, rng: random.Random) -> Any:
        """Plays to the end; the result, or None if MOVES_MAX was not enough."""
        while (result := self.game.over(self.state)) is None and len(self.steps) < MOVES_MAX:
            self.step(choose, rng)
        return result

    def step(self, choose: Choose, rng: random.Random) -> None:
        self.at = times.later(self.at, milliseconds=10)
        able = [(seat, moves) for seat in self.game.to_act(self.views[0]) if (moves := self.options(seat))]
        if able:
            seat, moves = rng.choice(able)
            move = choose(seat, self, moves)
            self.steps.append(Step(seat, move, self.at))
            self.hear(self.game.decide(self.state, seat, move, self.at, self.dice))
            return
        due = self.game.due(self.state)
        assert due is not None, "nobody can act and nothing is due"
        self.at = max(self.at, due.at or self.at)
        self.steps.append(Step(None, None, self.at))
        self.hear(self.game.when_due(self.state, due, self.at, self.dice))

    def options(self, seat: int) -> list[Move]:
        return self.game.options(self.views[seat])


def heard(event: Event, seat: int) -> bool:
    """Whether `seat` hears `event` as it happens."""
    return event.to == seat if isinstance(event, Whisper) else not isinstance(event, Secret)
