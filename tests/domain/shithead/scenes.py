"""Positions of Shithead written as text, and given … when … then on them.

A seat's cards are written `hand | open | blind`, as in `"9D 9H QS | KS AS 2C | 4C - 5D"`; a blind `-` was turned.
"""

from __future__ import annotations

from typing import Any

import pytest

from domain.fair import Dice
from domain.game import Due, Event, Move, Refused
from domain.playing_cards import in_order
from domain.shithead import GAME, pile
from domain.shithead.events import TurnStarted
from domain.shithead.holding import NO_BLIND, Holding
from domain.shithead.rules import ShitheadRules
from domain.shithead.state import Over, Playing, Sitting, State, Swapping
from domain.shithead.view import SeatSeen, ShitheadView
from domain.times import deadline

AT = "2026-11-30T12:00:00.000000Z"
DUE = deadline(AT, 120)
DICE = Dice(bytes(range(32)))


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def holding(text: str) -> Holding:
    hand, open_, blind = ([*text.split("|"), "", ""])[:3]
    positions = tuple(None if card == "-" else card for card in cards(blind))
    return Holding(in_order(cards(hand)), in_order(cards(open_)), (*positions, *NO_BLIND)[:3])


def top_of(rules: ShitheadRules, lying: tuple[str, ...]) -> pile.Top:
    """The top of a pile, each run of equal ranks laid as one play."""
    top = pile.EMPTY
    for card in lying:
        top = pile.laid(rules, top, (card,))
    return top


def playing(*holdings: str, lying: str = "", stock: str = "", turn: int = 0, **more: Any) -> Playing:
    """A position of play; of `more`, fields of the state are set and all else are table rules."""
    fields = {name: more.pop(name) for name in list(more) if name in Playing.__struct_fields__}
    rules = ShitheadRules(**more)
    held = tuple(map(holding, holdings))
    in_play = tuple(seat for seat, one in enumerate(held) if one != Holding())
    sitting = Sitting(rules, len(held), (), (0,) * len(held))
    state: dict[str, Any] = {
        "dealer": 0,
        "in_play": in_play,
        "due": DUE,
        "pile": cards(lying),
        "top": top_of(rules, cards(lying)),
    }
    return Playing(sitting=sitting, holdings=held, stock=cards(stock), turn=turn, **(state | fields))


def swapping(*holdings: str, dealer: int = 0, stock: str = "", ready: tuple[int, ...] = (), **rules: Any) -> Swapping:
    """A position before play."""
    held = tuple(map(holding, holdings))
    sitting = Sitting(ShitheadRules(**rules), len(held), (), (0,) * len(held))
    return Swapping(sitting, dealer, held, cards(stock), tuple(range(len(held))), ready, DUE)


def turn(seat: int) -> TurnStarted:
    return TurnStarted(seat, DUE)


def seen_from(state: Any, seat: int | None) -> ShitheadView:
    """The view that `seat` must have of `state`: written anew, to be compared with what it folded from its hearing."""
    stood: Any = state.stood if isinstance(state, Over) else state
    sitting, play = state.sitting, stood if isinstance(stood, Playing) else None
    places = play.places if play else ()

    def status(number: int) -> Any:
        if number in stood.in_play:
            return "in"
        return "left" if number in sitting.left else "finished"

    def one(number: int) -> SeatSeen:
        held, status_ = stood.holdings[number], status(number)
        return SeatSeen(
            number,
            status_,
            ready=status_ != "left" and (play is not None or number in stood.ready),
            hand=len(held.hand),
            open=held.open,
            blind=tuple(at for at in (1, 2, 3) if held.blind[at - 1]),
            sips_owed=sitting.owed[number],
        )

    lying = play.pile if play else ()
    over = isinstance(state, Over)
    return ShitheadView(
        seat,
        sitting.rules,
        tuple(map(one, range(sitting.seats))),
        phase="over" if over else "playing" if play else "swapping",
        dealer=stood.dealer,
        turn=play.turn if play and not over else None,
        due=None if over else stood.due,
        hand=() if seat is None else stood.holdings[seat].hand,
        stock=len(stood.stock),
        top=play.top if play else pile.EMPTY,
        pile=lying if sitting.rules.show_full_pile else None,
        pile_count=len(lying),
        burnt=len(play.burnt) if play else 0,
        withdrawn=len(stood.withdrawn),
        lead=play.lead if play else None,
        places=places,
        shithead=state.result.shithead if over else None,
        cause=state.result.cause if over else None,
    )


class Scene:
    """A position, the commands given in it, and what the last one led to."""

    def __init__(self, state: State) -> None:
        self.state: Any = state
        self.events: list[Any] = []
        self.refusal: Refused | None = None

    def when(self, seat: int, move: Move) -> Scene:
        """`seat` asks for `move`; a refusal must leave the state as it was, and be no surprise to its options."""
        assert self.refusal is None, f"refused before: {self.refusal}"
        try:
            self.events = GAME.decide(self.state, seat, move, AT, DICE)
        except Refused as no:
            self.refusal = no
            return self
        return self._folded()

    def when_due(self, *seats: int) -> Scene:
        due = due_of(self.state)
        awaited = Due(due.at, due.what, seats or due.seats)
        self.events = GAME.when_due(self.state, awaited, AT, DICE)
        return self._folded()

    def when_leaves(self, seat: int) -> Scene:
        self.events = GAME.leave(self.state, seat, AT, DICE)
        return self._folded()

    def _folded(self) -> Scene:
        for event in self.events:
            self.state = GAME.evolve(self.state, event)
        return self

    def then(self, *events: Event) -> Scene:
        assert self.refusal is None, f"refused: {self.refusal}"
        assert self.events == list(events)
        return self

    def then_refused(self, ruling: str, saying: str = "") -> None:
        if self.refusal is None:
            pytest.fail(f"accepted: {self.events}")
        assert self.refusal.ruling == ruling
        assert saying in self.refusal.reason

    def then_turn(self, seat: int) -> Scene:
        assert self.refusal is None, f"refused: {self.refusal}"
        assert isinstance(self.state, Playing)
        assert self.state.turn == seat
        return self

    def then_holds(self, seat: int, text: str) -> Scene:
        stood = self.state.stood if isinstance(self.state, Over) else self.state
        assert stood.holdings[seat] == holding(text)
        return self

    def then_pile(self, text: str) -> Scene:
        assert self.state.pile == cards(text)
        return self

    def then_over(self, shithead: int | None, places: tuple[int, ...], cause: str) -> Scene:
        result = result_of(self.state)
        assert (result.shithead, result.places, result.cause) == (shithead, places, cause)
        return self

    def options(self, seat: int) -> list[Move]:
        return GAME.options(seen_from(self.state, seat))

    def offers(self, seat: int, *moves: Move) -> Scene:
        assert self.options(seat) == list(moves)
        return self


def given(state: State) -> Scene:
    return Scene(state)


def result_of(state: Any) -> Any:
    """The result of a round that is over."""
    result = GAME.over(state)
    assert result is not None, "the round goes on"
    return result


def due_of(state: Any) -> Due:
    """What is due, where something is."""
    due = GAME.due(state)
    assert due is not None, "nothing is due"
    return due


def told(scene: Scene, kind: type[Event]) -> list[Any]:
    """The events of this kind that the last command led to."""
    return [event for event in scene.events if type(event) is kind]
