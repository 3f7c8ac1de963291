"""Positions written as in the rule book (`23/3 S5g`: 23 to draw, 3 face up, the top symbol 5 green), played on."""

from __future__ import annotations

from typing import Any

from msgspec import json

from domain.fair import Dice
from domain.game import Event, Move, Refused, Secret, type_of
from domain.times import later
from domain.totem import GAME, judge, referee
from domain.totem.board import Board, Turning
from domain.totem.judging import void
from domain.totem.moves import ChooseTaker, Grab, JudgeGrabs, MeasuredGrab, TurnUp, VoidGrabs
from domain.totem.rules import TotemRules
from domain.totem.state import Quota, State, evolve, zones

A, B, C, D, E = range(5)
NOON = "2026-11-29T12:00:00.000000Z"
DICE = Dice(b"\7" * 32)
WORDS = {"IN": "inward", "OUT": "outward", "COL": "coloured"}
COLOURS = {"p": "purple", "g": "green", "o": "orange", "y": "yellow"}


def card(word: str) -> str:
    """`S5g` is `s05-green`, `IN` is `inward`; a full name stays."""
    if word in WORDS:
        return WORDS[word]
    return f"s{int(word[1:-1]):02}-{COLOURS[word[-1]]}" if word[0] == "S" else word


def cards(words: str) -> tuple[str, ...]:
    return tuple(card(word) for word in words.split())


class Written:
    """A table in a written position, its clock (`ms` after noon), and all it told; every view is kept beside it."""

    def __init__(self, *seats: str, pot: int = 0, turn: int = A, nexts: dict[int, str] | None = None, **rules: Any):
        self.rules = TotemRules(**{"min_flip_interval_ms": 0, "turn_timeout_ms": 30_000, **rules})
        piles = [self._pile(seat, text, (nexts or {}).get(seat, "")) for seat, text in enumerate(seats)]
        draws, ups = tuple(draw for draw, _ in piles), tuple(up for _, up in piles)
        tops = tuple(up[-1] if up else None for up in ups)
        self.ms = 0
        board = Board(
            phase=Turning(turn, self.at(30_000)),
            playing=tuple(range(len(seats))),
            draws=tuple(map(len, draws)),
            ups=tuple(map(len, ups)),
            tops=tops,
            pot=pot,
            reveal=10,
            revealed_at=self.at(-60_000),
        )
        under = tuple(f"p{number}" for number in range(1, pot + 1))
        self.state = State(self.rules, board, draws, ups, under, (Quota(60, 0),) * len(seats))
        self.views = [GAME.empty_view(self.rules, len(seats), seat) for seat in (*range(len(seats)), None)]
        self.views = [type(view)(view.seat, board, view.blocks_on_match) for view in self.views]
        self.told: list[Any] = []
        self.total = sum(map(len, zones(self.state).values()))

    @staticmethod
    def _pile(seat: int, text: str, nexts: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        counts, _, top = text.partition(" ")
        draw, up = map(int, counts.split("/"))
        name = "abcdefghij"[seat]
        first = cards(nexts)
        assert len(first) <= draw
        drawn = (*first, *(f"x{name}{number}" for number in range(draw - len(first))))
        opened = tuple(f"{name}{number}" for number in range(1, up + 1))
        return drawn, (*opened[: up - 1], card(top)) if top else opened

    def at(self, ms: int | None = None) -> str:
        return later(NOON, milliseconds=self.ms if ms is None else ms)

    # what happens

    def turn_up(self, seat: int, ms: int | None = None) -> list[Any]:
        return self.move(seat, TurnUp(), ms)

    def grab(self, seat: int, ms: int | None = None, **figures: Any) -> list[Any]:
        return self.move(seat, Grab(self.state.board.reveal, **figures), ms)

    def choose(self, seat: int, taker: int, shares: dict[str, int] | None = None) -> list[Any]:
        return self.move(seat, ChooseTaker(taker, shares))

    def move(self, seat: int, move: Move, ms: int | None = None) -> list[Any]:
        self.ms = self.ms if ms is None else ms
        return self._tell(GAME.decide(self.state, seat, move, self.at(), DICE))

    def judge(self, *grabs: MeasuredGrab, silent: tuple = (), ms: int | None = None) -> list[Any]:
        self.ms = self.ms if ms is None else ms
        return self._tell(judge(self.state, JudgeGrabs(grabs, silent), self.at(), DICE))

    def void(self, *grabs: MeasuredGrab) -> list[Any]:
        return self._tell(void(self.state, VoidGrabs(grabs), self.at(), DICE))

    def referee(self, move: Move) -> list[Any]:
        return self._tell(referee(self.state, move, self.at(), DICE))

    def let_due(self) -> list[Any]:
        found = GAME.due(self.state)
        assert found is not None
        assert found.at is not None
        self.ms = max(self.ms, self.since_noon(found.at))
        return self._tell(GAME.when_due(self.state, found, self.at(), DICE))

    def leave(self, seat: int) -> list[Any]:
        return self._tell(GAME.leave(self.state, seat, self.at(), DICE))

    def refusal(self, seat: int, move: Move, ms: int | None = None) -> str:
        """The clause that refuses a move; fails if it is accepted."""
        try:
            GAME.decide(self.state, seat, move, self.at(ms), DICE)
        except Refused as no:
            return no.ruling
        raise AssertionError(f"{move} of seat {seat} is accepted")

    def referee_refusal(self, move: Move) -> str:
        try:
            referee(self.state, move, self.at(), DICE)
        except Refused as no:
            return no.ruling
        raise AssertionError(f"{move} is accepted")

    # what can be seen

    @property
    def board(self) -> Board:
        return self.state.board

    @property
    def due(self) -> Any:
        return GAME.due(self.state)

    @property
    def result(self) -> Any:
        return GAME.over(self.state)

    @property
    def turn(self) -> int:
        phase = self.board.phase
        assert isinstance(phase, Turning), f"nobody's turn in {phase}"
        return phase.seat

    def counts(self) -> str:
        """`23/0 31/0 24/2 | 0`: every seat's draw pile and face-up pile, and the pot."""
        seats = " ".join(f"{len(d)}/{len(u)}" for d, u in zip(self.state.draws, self.state.ups, strict=True))
        return f"{seats} | {len(self.state.pot)}"

    def since_noon(self, at: str) -> int:
        from domain.totem.arbitration import milliseconds_between

        return milliseconds_between(NOON, at)

    def _tell(self, events: list[Event]) -> list[Any]:
        assert events, "a command tells something"
        assert not isinstance(events[0], Secret), "a public command begins with a public event"
        for made in events:
            event = json.decode(json.encode(made), type=type(made))
            self.state = evolve(self.state, event)
            if not isinstance(event, Secret):
                self.views = [GAME.see(view, event) for view in self.views]
            self._agrees(event)
        self.told += events
        return events

    def _agrees(self, event: Event) -> None:
        board, state = self.board, self.state
        assert sum(map(len, zones(state).values())) == self.total, f"cards lost in {type_of(event)}"
        assert board.draws == tuple(map(len, state.draws))
        assert board.ups == tuple(map(len, state.ups))
        assert board.pot == len(state.pot)
        assert board.tops == tuple(up[-1] if up else None for up in state.ups)
        assert all(view.board == board for view in self.views), "all see what the table knows"


def said(events: list[Event]) -> list[str]:
    """The tags without the game's name."""
    return [type_of(event).removeprefix("totem.") for event in events]
