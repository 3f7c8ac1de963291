"""Positions of Hatchatul written down directly, and what a move makes of them: given(…).when(1, move).then(…)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from domain.fair import Dice
from domain.game import Deal, Event, Move, Refused, Secret, Whisper
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.ending_events import RoundScored
from domain.hatchatul.rules import HatchatulRules, Mode
from domain.hatchatul.state import (
    Cards,
    Course,
    HoldingAction,
    HoldingNumber,
    Over,
    Peeking,
    Phase,
    RoundResult,
    Sitting,
    State,
    Turn,
    TurnEnd,
    TurnStart,
)
from domain.hatchatul.view import View

A, B, C = 0, 1, 2
AT = "2026-11-30T12:00:00.000000Z"
DUE = "2026-11-30T12:02:00.000000Z"
DICE = Dice(bytes(32))
ROW_A, ROW_B, ROW_C = (0, 1, 2, 3), (9, 8, 7, 1), (4, 5, 6, 4)


class Position:
    """A state, and the events that led to it last."""

    def __init__(self, state: State, events: Sequence[Event] = ()) -> None:
        self.state, self.events = state, list(events)

    def when(self, seat: int, move: Move, at: str = AT) -> Position:
        """The position after a move; whatever the rules say, each card still lies in one place."""
        return self.hearing(GAME.decide(self.state, seat, move, at, DICE))

    def hearing(self, events: Sequence[Event]) -> Position:
        state, cards = self.state, all_cards(self.state)
        for event in events:
            state = GAME.evolve(state, event)
            assert all_cards(state) == cards, f"a card was lost or made by {event}"
        return Position(state, events)

    def then(self, *events: Event) -> Position:
        assert self.events == list(events)
        return self

    def then_at(self, phase: type, seat: int | None = None) -> Position:
        found: type = type(self.phase)
        assert found is phase
        if seat is not None:
            assert self.phase.turn.seat == seat
        return self

    def refuses(self, seat: int, *moves: Move, ruling: str, at: str = AT) -> Position:
        for move in moves:
            with pytest.raises(Refused) as no:
                GAME.decide(self.state, seat, move, at, DICE)
            assert no.value.ruling == ruling, f"{move}: {no.value}"
        return self

    def told(self, kind: type) -> list[Any]:
        """The last events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def phase(self) -> Any:
        return self.state.phase

    def row(self, seat: int) -> tuple[Any, ...]:
        return self.state.cards.rows[seat]

    @property
    def top(self) -> Any:
        return self.state.cards.discard[-1]


def all_cards(state: State) -> list[str]:
    return sorted(str(card) for zone in GAME.zones(state).values() for card in zone)


def given(
    rows: Sequence[Sequence[Any]] = (ROW_A, ROW_B, ROW_C),
    *,
    stock: Sequence[Any] = (5, 4, 3),
    discard: Sequence[Any] = (3,),
    turn: int = B,
    holds: Any = None,
    ended: bool = False,
    owed: int = 1,
    extra: bool = False,
    dealer: int = A,
    knocker: int | None = None,
    lap: tuple[int, ...] = (),
    turns: int = 0,
    totals: tuple[int, ...] | None = None,
    rounds: int = 0,
    ends_at: str | None = None,
    **rules: Any,
) -> Position:
    """A round in play, at the start of B's turn unless it is said what he `holds` or that he has `ended` it."""
    now = Turn(turn, owed, extra, DUE)
    phase: Phase = TurnEnd(now) if ended else TurnStart(now)
    if holds is not None:
        phase = (HoldingAction if isinstance(holds, str) else HoldingNumber)(now, holds)
    seats = tuple(seat for seat, row in enumerate(rows) if row)
    sitting = Sitting(
        HatchatulRules(**rules), len(rows), totals or (0,) * len(rows), dealer, rounds=rounds, ends_at=ends_at
    )
    cards = Cards(tuple(map(tuple, rows)), tuple(stock), tuple(discard))
    course = Course(seats, turns, knocker=knocker, waiting=lap, begun=True)
    return Position(State(sitting, cards, course, phase))


def peeking(rows: Sequence[Sequence[Any]] = (ROW_A, ROW_B, ROW_C), **rules: Any) -> Position:
    """The opening look, nobody having looked yet."""
    state = given(rows, **rules).state
    phase = Peeking(state.course.seats, DUE)
    return Position(State(state.sitting, state.cards, Course(state.course.seats), phase))


def between(seats: int, *, dealer: int = A, out: tuple[int, ...] = (), **sitting: Any) -> State:
    """A table between two rounds."""
    rules = sitting.pop("rules", HatchatulRules())
    before = Sitting(rules, seats, (0,) * seats, dealer, out, rounds=1, **sitting)
    result = RoundResult(True, (), (), None, out, (), final=False)
    return State(before, Cards(((),) * seats), Course(), Over(result))


def dealt(deck: Sequence[Any], seats: int = 2, state: State | None = None, **rules: Any) -> Position:
    """The position after a deal of `deck`."""
    state = state or GAME.initial(HatchatulRules(**rules), seats)
    playing = tuple(seat for seat in range(seats) if seat not in state.sitting.left)
    events = GAME.deal(state, Deal(1, playing, tuple(deck), DICE, AT, 0))
    for event in events:
        state = GAME.evolve(state, event)
    return Position(state, events)


def stacked(top: Sequence[Any], seats: int = 2, rows: Sequence[Any] = ()) -> tuple[Any, ...]:
    """A whole pack whose rows begin with `rows` in dealing order, and whose stock begins with `top`."""
    rest = list(GAME.pack(HatchatulRules(), seats))
    for card in (*rows, *top):
        rest.remove(card)
    fill = [card for card in rest if not isinstance(card, str)][: 4 * seats - len(rows)]
    for card in fill:
        rest.remove(card)
    return (*rows, *fill, *top, *rest)


SEVEN, SEVEN_TOO, TWELVE = (0, 1, 2, 4), (1, 1, 1, 4), (3, 3, 3, 3)
"""Rows with these sums."""


def last_turn_ended(rows: Any, *, knocker: int = C, at: str = AT, **how: Any) -> Position:
    """B has played in the last lap and ends his turn."""
    return given(rows, ended=True, knocker=knocker, **how).when(B, m.EndTurn(), at)


def score(position: Position) -> RoundScored:
    scored: RoundScored = position.told(RoundScored)[0]
    return scored


def hears(event: Event, seat: int | None) -> bool:
    return event.to == seat if isinstance(event, Whisper) else not isinstance(event, Secret)


def view_of(seat: int | None, events: Sequence[Event], view: View) -> View:
    for event in events:
        if hears(event, seat):
            view = GAME.see(view, event)
    return view


__all__ = ["Mode"]
