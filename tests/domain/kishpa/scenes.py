"""A sitting to write scenarios on: named hands, a named kishpa, and every law checked after every line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import pytest

from domain import times
from domain.fair import Dice
from domain.game import Deal, Due, Event, Move, Refused, Secret, Whisper
from domain.kishpa import GAME
from domain.kishpa.events import HandsDealt, HandWon, KishpaFlipped, TileDiscarded
from domain.kishpa.moves import Discard, Draw, Pass, Take
from domain.kishpa.pack import COLOURS, DOLLS, PACK, joker_of, one_of
from domain.kishpa.rules import KishpaRules
from domain.kishpa.state import Drawing, Exposing
from domain.table.events import LastRoundCalled, RoundVoided
from domain.tokens import BOWL, Books, booked, round_undone, seat_account

A, B, C, D = range(4)
AT = "2026-11-30T12:00:00.000000Z"
PLAIN_WIN = "R3-6 B9-11 R7 B7 K7 4x10"
"""Fourteen tiles that win plainly while the kishpa is Y4, and while it is K2."""


def tiles(text: str, joker: str = "*") -> tuple[str, ...]:
    """`R3-6` a run, `4x10` a set of all colours, `*` a joker; else a tile's name."""
    found: list[str] = []
    for word in text.split():
        if word == "*":
            found.append(joker)
        elif word.startswith("4x"):
            found += [f"{colour}{word[2:]}" for colour in COLOURS]
        elif "-" in word:
            first, last = map(int, word[1:].split("-"))
            found += [f"{word[0]}{number}" for number in range(first, last + 1)]
        else:
            found.append(word)
    return tuple(found)


def special(kishpa: str) -> set[str]:
    """The tiles that a kishpa makes worth something."""
    return {kishpa, joker_of(kishpa), one_of(kishpa), *DOLLS}


class Sitting:
    """One table in play: its state, every seat's view, and all that was told."""

    def __init__(self, seats: int = 4, **rules: Any) -> None:
        self.rules = KishpaRules(**rules)
        self.size = seats
        self.state: Any = GAME.initial(self.rules, seats)
        self.views = {seat: GAME.empty_view(self.rules, seats, seat) for seat in (*range(seats), None)}
        self.told: list[Event] = []
        self.books = Books()
        """As the table keeps them, beside the game's own accounts."""
        self.last: list[Event] = []
        self.round = 0
        self.at = AT
        self.dice = Dice(b"dice")

    # --- dealing

    def deal(
        self,
        hands: Mapping[int, str] | None = None,
        kishpa: str = "Y4",
        stock: str = "",
        flips: str = "",
        **other: Any,
    ) -> Sitting:
        """Deal these tiles; the rest of each hand is of no worth. `stock` is drawn next, after later `flips`."""
        self.round += 1
        seats = other.get("seats") or tuple(s for s in range(self.size) if s not in self.evening.left)
        order = self.order(seats, other.get("creator", A))
        deck = deck_of(order, hands or {}, kishpa, (*tiles(flips), *tiles(stock)), other.get("before", ()))
        new = Deal(self.round, seats, deck, self.dice, self.at, other.get("creator", A))
        self.hear(GAME.deal(self.state, new))
        return self

    def deal_any(self, random: Random) -> Sitting:
        """Deal any deck."""
        return self.deal_deck(tuple(random.sample(PACK, len(PACK))))

    def deal_deck(self, deck: tuple[str, ...]) -> Sitting:
        """Deal this deck."""
        self.round += 1
        seats = tuple(seat for seat in range(self.size) if seat not in self.evening.left)
        return self.hear(GAME.deal(self.state, Deal(self.round, seats, deck, self.dice, self.at, seats[0])))

    def order(self, seats: tuple[int, ...], creator: int) -> tuple[int, ...]:
        """The seats clockwise from the coming starter."""
        last = self.evening.starter
        first = creator if last is None else last + 1
        return tuple(s for s in seats if s >= first) + tuple(s for s in seats if s < first)

    # --- playing

    def play(self, seat: int, *moves: Move) -> Sitting:
        for move in moves:
            self.hear(GAME.decide(self.state, seat, move, self.at, self.dice))
        return self

    def refuse(self, seat: int, move: Move, ruling: str) -> Sitting:
        """The move is refused by that clause, and by a reason that a listener may hear."""
        with pytest.raises(Refused) as caught:
            GAME.decide(self.state, seat, move, self.at, self.dice)
        assert caught.value.ruling == ruling, str(caught.value)
        return self

    def all_pass(self) -> Sitting:
        """Nobody exposes."""
        while isinstance(self.state, Exposing):
            self.play(self.state.awaited[0], Pass())
        return self

    def turn(self, seat: int, throw: str | None = None, *, take: bool = False, win: bool = False) -> Sitting:
        """A whole turn: draw or take, throw that tile (by default the one that came)."""
        self.play(seat, Take() if take else Draw())
        return self.play(seat, Discard(throw or self.state.tile, declare=win))

    def clock(self, *seats: int) -> Sitting:
        """The clock of those awaited (or of some) runs out."""
        due = GAME.due(self.state)
        assert due is not None
        self.at = max(self.at, due.at or self.at)
        self.hear(GAME.when_due(self.state, Due(due.at, due.what, seats or due.seats), self.at, self.dice))
        return self

    def leave(self, seat: int) -> Sitting:
        return self.hear(GAME.leave(self.state, seat, self.at, self.dice))

    def call_last_round(self) -> Sitting:
        return self.hear([LastRoundCalled()])

    def void(self) -> Sitting:
        return self.hear([RoundVoided(self.round, {}, (), round_undone(self.books, "G-11"))])

    def won_round(self, winner: int) -> Sitting:
        """A whole round without any bonus, won plainly by `winner`."""
        seats = tuple(s for s in range(self.size) if s not in self.evening.left)
        self.deal({winner: PLAIN_WIN}, kishpa="Y4", flips="K2", seats=seats).all_pass()
        while GAME.over(self.state) is None:
            seat = self.state.seat
            if isinstance(self.state, Drawing):
                self.turn(seat, win=seat == winner)
                continue
            self.play(seat, Discard(self.spare(seat), declare=seat == winner))
        return self

    def exhausted_round(self) -> Sitting:
        """A whole round without any bonus in which nobody wins."""
        self.deal(kishpa="Y4", flips="K2").all_pass()
        self.play(self.state.seat, Discard(self.hand(self.state.seat)[-1]))
        while GAME.over(self.state) is None:
            self.turn(self.state.seat)
        return self

    # --- looking

    @property
    def evening(self) -> Any:
        return self.state.evening if hasattr(self.state, "evening") else self.state.round.evening

    @property
    def balances(self) -> tuple[int, ...]:
        """Everybody's tokens, then the bowl's."""
        accounts = self.evening.accounts
        return (*(accounts[seat_account(seat)] for seat in range(self.size)), accounts[BOWL])

    @property
    def result(self) -> Any:
        return GAME.over(self.state)

    def hand(self, seat: int) -> tuple[str, ...]:
        return self.state.round.hands[seat]

    def heard_last(self, kind: type[Event]) -> list[Any]:
        """The events of that kind in the last command."""
        return [event for event in self.last if isinstance(event, kind)]

    def spare(self, seat: int, wins: str = PLAIN_WIN) -> str:
        """A tile of that hand which is no part of the winning hand."""
        return [*(Counter(self.hand(seat)) - Counter(tiles(wins, self.state.round.joker))).elements()][-1]

    def payment(self) -> int:
        """What each other seat paid for the win."""
        (won,) = (event for event in self.told if isinstance(event, HandWon))
        assert {transfer.amount for transfer in won.transfers} == {won.payment}
        return won.payment

    def kishpas(self) -> list[str]:
        return [event.tile for event in self.told if isinstance(event, KishpaFlipped)]

    def thrown(self) -> list[str]:
        return [event.tile for event in self.told if isinstance(event, TileDiscarded)]

    # --- following

    def hear(self, events: Iterable[Event]) -> Sitting:
        self.last = list(events)
        for event in self.last:
            if isinstance(event, HandsDealt):
                self.books = Books(self.books.balances)
            self.state = GAME.evolve(self.state, event)
            self.books = booked(self.books, len(self.told) + 1, getattr(event, "transfers", ()))
            self.told.append(event)
            assert sum(self.evening.accounts.values()) == 0, event
            assert self.evening.accounts == {**dict.fromkeys(self.evening.accounts, 0), **self.books.balances}, event
            zones = GAME.zones(self.state)
            assert not zones or Counter(tile for zone in zones.values() for tile in zone) == Counter(PACK), event
            for seat, view in self.views.items():
                if hears(event, seat):
                    self.views[seat] = GAME.see(view, event)
        self.check()
        return self

    def check(self) -> None:
        """The views know what the table is."""
        zones = GAME.zones(self.state)
        for seat, view in self.views.items():
            assert view.evening == self.evening
            if zones:
                assert view.tiles == tuple(len(hand) for hand in self.state.round.hands)
                assert view.stock == len(self.state.round.stock)
                assert view.discards == self.state.round.discards
                assert view.hand == (() if seat is None else self.state.round.hands[seat])
                assert (view.kishpa, view.joker) == (self.state.round.kishpa, self.state.round.joker)
            due = GAME.due(self.state)
            assert GAME.to_act(view) == (due.seats if due else ())


def hears(event: Event, seat: int | None) -> bool:
    return event.to == seat if isinstance(event, Whisper) else not isinstance(event, Secret)


def deck_of(
    order: tuple[int, ...], hands: Mapping[int, str], kishpa: str, next_tiles: tuple[str, ...], before: tuple[str, ...]
) -> tuple[str, ...]:
    """A deck that deals these hands, then flips `before` (dolls) and the kishpa, then has `next_tiles` on top."""
    joker = joker_of(kishpa)
    wanted = {seat: list(tiles(hands.get(seat, ""), joker)) for seat in order}
    free = Counter(PACK)
    free.subtract([kishpa, *before, *next_tiles, *(tile for hand in wanted.values() for tile in hand)])
    assert min(free.values()) >= 0, f"not in the pack: {[tile for tile in free if free[tile] < 0]}"
    flipped = [kishpa, *(tile for tile in next_tiles[:1] if tile not in DOLLS)]
    worthless = set(PACK) - {tile for face in flipped for tile in special(face)}
    rest = sorted(free.elements(), key=lambda tile: (tile not in worthless, PACK.index(tile) * 29 % 53))
    for place, seat in enumerate(order):
        assert len(wanted[seat]) <= (15 if place == 0 else 14)
        while len(wanted[seat]) < (15 if place == 0 else 14):
            wanted[seat].append(rest.pop(0))
    dealt = [wanted[seat][turn] for turn in range(14) for seat in order]
    return (*dealt, wanted[order[0]][14], *before, kishpa, *next_tiles, *rest)


def later(at: str, seconds: int) -> str:
    return times.later(at, seconds=seconds)
