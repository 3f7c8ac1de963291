"""Whatever is played, under whatever table rules: no card is lost, all see the same, what is listed is accepted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from msgspec import json

from domain.fair import Dice
from domain.game import Deal, Event, Move, Refused, Secret
from domain.times import later
from domain.totem import GAME, REFEREE_MOVES, judge, judging_due, referee
from domain.totem.board import Showing
from domain.totem.events import AllTurnedUp, CardTurnedUp
from domain.totem.moves import (
    ChooseTaker,
    EnterGrip,
    Grab,
    JudgeGrabs,
    MeasuredGrab,
    ReportFoul,
    ReverseFoul,
    SilentSeat,
)
from domain.totem.rules import TotemRules
from domain.totem.state import State
from domain.totem.verdicts import GrabsJudged
from tests.domain.totem.written import NOON

GAMES_PLAYED = 25


def random_rules(rng: random.Random) -> TotemRules:
    """Switches and choices at random, a small pack, short clocks."""
    drawn: dict[str, Any] = {"symbols": rng.randint(2, 6), "inward": 2, "outward": 2, "coloured": rng.randint(0, 2)}
    for name, kind in get_type_hints(TotemRules).items():
        if kind is bool:
            drawn[name] = rng.random() < 0.3
        elif "Literal" in str(get_origin(kind)) and name != "unseal":
            drawn[name] = rng.choice(get_args(kind))
    return TotemRules(min_flip_interval_ms=rng.choice([0, 1_500]), **drawn)


class Random:
    """A table played at random; after every event everything that must hold is looked at."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.rules = random_rules(self.rng)
        self.seats = self.rng.randint(2, 6)
        self.dice = Dice(self.rng.randbytes(32))
        self.ms = 0
        self.pack = Counter(GAME.pack(self.rules, self.seats))
        self.state: State = GAME.initial(self.rules, self.seats)
        self.start = self.state
        self.views = [GAME.empty_view(self.rules, self.seats, seat) for seat in (*range(self.seats), None)]
        self.told: list[Event] = []
        deck = self.dice.shuffle("deck", GAME.pack(self.rules, self.seats))
        self.tell(GAME.deal(self.state, Deal(1, tuple(range(self.seats)), deck, self.dice, self.at, 0)))

    @property
    def at(self) -> str:
        return later(NOON, milliseconds=self.ms)

    def tell(self, events: list[Event]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            if not isinstance(event, Secret):
                self.views = [GAME.see(view, event) for view in self.views]
            self.told.append(event)
            assert Counter(card for pile in GAME.zones(self.state).values() for card in pile) == self.pack
        board = self.state.board
        assert board.draws == tuple(map(len, self.state.draws))
        assert board.ups == tuple(map(len, self.state.ups))
        assert board.tops == tuple(up[-1] if up else None for up in self.state.ups)
        assert board.pot == len(self.state.pot)
        assert all(view.board == board for view in self.views)

    def play(self, most: int = 1_500) -> None:
        for _ in range(most):
            if GAME.over(self.state) is not None:
                return
            self.ms += self.rng.choice([5, 100, 400, 1_600])
            found = GAME.due(self.state)
            if found is not None and found.at is not None and found.at <= self.at:
                self.tell(GAME.when_due(self.state, found, self.at, self.dice))
            else:
                self.command()

    def command(self) -> None:
        throw = self.rng.random()
        if throw < 0.1:
            self.judge()
        elif throw < 0.14:
            self.referee()
        elif throw < 0.142:
            self.tell(GAME.leave(self.state, self.rng.randrange(self.seats), self.at, self.dice))
        else:
            self.move()

    def move(self) -> None:
        """Every listed move is accepted, and one of them is played: a grab seldom."""
        seat = self.rng.randrange(self.seats)
        listed = GAME.options(self.views[seat])
        for move in listed:
            assert GAME.decide(self.state, seat, move, self.at, self.dice)
        quiet = [move for move in listed if not isinstance(move, Grab)]
        if quiet or (listed and self.rng.random() < 0.05):
            move = self.rng.choice(quiet or listed)
            self.tell(GAME.decide(self.state, seat, move, self.at, self.dice))

    def judge(self) -> None:
        if self.state.board.reveal == 0:
            return
        rng, reveal = self.rng, self.state.board.reveal
        grabbing = rng.choices(range(self.seats), k=rng.randint(1, 4))
        grabs = tuple(
            MeasuredGrab(
                seat, rng.choice([reveal, reveal, max(reveal - 1, 1)]), number, self.at, rng.randint(50, 60),
                rng.randint(0, 5), rng.choice([None, 40]), rng.randint(0, 100), rng.randint(1, 5), rng.randint(0, 100),
            )
            for number, seat in enumerate(grabbing)
        )  # fmt: skip
        silent = tuple(SilentSeat(seat, 3, 40) for seat in range(self.seats) if seat not in grabbing)
        judging = JudgeGrabs(grabs, silent)
        due = judging_due(self.state, judging)
        events = judge(self.state, judging, self.at, self.dice)
        self.tell(events)
        if isinstance(events[0], GrabsJudged):
            assert len(events[0].grabs) == len(grabs)
            assert (due is None) == (events[0].due_ms is None)
            assert [g.outcome in ("won", "foul") for g in events[0].grabs].count(True) == (events[0].seat is not None)

    def referee(self) -> None:
        rng, seat = self.rng, self.rng.randrange(self.seats)
        move: Move = rng.choice(
            [
                ReportFoul("violence", seat),
                ReportFoul("totem_fell_unknown"),
                ReverseFoul(),
                EnterGrip(seat, rng.randint(1, 5), rng.randint(0, 100)),
            ]
        )
        assert type(move) in REFEREE_MOVES
        ruling = answer(lambda: self.tell(referee(self.state, move, self.at, self.dice)))
        assert ruling in {"", "T-45", "T-46", "T-48", "T-50"}


def answer(ask: Callable[[], object]) -> str:
    """The clause that refuses, nothing if it is accepted."""
    try:
        ask()
    except Refused as no:
        return no.ruling
    return ""


@pytest.mark.parametrize("seed", range(GAMES_PLAYED))
def test_random_play_loses_no_card_and_shows_all_the_same(seed):
    table = Random(seed)
    table.play()
    assert len(table.told) > 20


@pytest.mark.parametrize("seed", range(GAMES_PLAYED))
def test_folding_the_events_again_gives_the_same_table_also_through_json(seed):
    table = Random(seed)
    table.play(200)
    again = table.start
    for event in table.told:
        again = GAME.evolve(again, json.decode(json.encode(event), type=type(event)))
    assert again == table.state
    assert json.decode(json.encode(again), type=State) == table.state


def test_games_of_little_grabbing_come_to_an_end_in_different_ways():
    ends: Counter[str] = Counter()
    for seed in range(40):
        table = Random(seed)
        table.play(3_000)
        result = GAME.over(table.state)
        ends[result.by if result else "not yet"] += 1
    assert {"shed", "stalemate"} <= ends.keys()
    assert ends["not yet"] < 10


def test_no_public_event_names_a_card_that_lies_face_down():
    for seed in range(10):
        table = Random(seed)
        table.play(300)
        shown: set[str] = set()
        for event in table.told:
            if isinstance(event, Secret):
                continue
            text = json.encode(event).decode()
            match event:
                case CardTurnedUp(card=card):
                    shown.add(card)
                case AllTurnedUp(cards=cards):
                    shown |= {turned.card for turned in cards}
            unseen = {card for card in table.pack if "-" in card} - shown
            assert not [card for card in unseen if f'"{card}"' in text]


@pytest.mark.parametrize("seed", range(12))
def test_wild_moves_are_refused_by_a_clause_or_equal_a_listed_one(seed):
    table = Random(seed)
    table.play(40)
    rng = table.rng
    for _ in range(200):
        seat = rng.randrange(table.seats + 1)
        move = rng.choice(
            [
                GAME.moves[0](),
                Grab(rng.randint(1, 60), rng.choice([None, 9]), rng.randint(1, 5)),
                ChooseTaker(rng.randrange(6), rng.choice([None, {"1": 2}, {"x": 1}])),
            ]
        )
        listed = GAME.options(table.views[seat]) if seat < table.seats else []
        ruling = answer(partial(GAME.decide, table.state, seat, move, table.at, table.dice))
        assert ruling in {"", "T-08", "T-10", "T-23", "T-27", "T-30", "T-38", "T-44", "T-45", "T-55"}
        if ruling:
            continue
        match move:
            case ChooseTaker(taker=taker):
                assert ChooseTaker(taker) in listed
            case Grab():  # one that names an old reveal is accepted too, and void
                assert Grab(table.state.board.reveal) in listed
            case _:  # the clock may not have opened a turn that has begun
                assert move in listed or isinstance(table.state.board.phase, Showing)


@pytest.mark.parametrize("seed", range(8))
def test_two_tables_that_differ_only_in_cards_not_yet_turned_up_look_the_same(seed):
    first = Random(seed)
    first.play(60)
    state = first.state
    hidden = [(seat, place) for seat, pile in enumerate(state.draws) for place in range(len(pile))]
    assert len(hidden) > 1
    for seat in range(first.seats):
        for draws in (state.draws, tuple(tuple(reversed(pile)) for pile in state.draws)):
            other = State(
                state.rules, state.board, draws, state.ups, state.pot, state.quotas, state.takings, state.before_foul
            )
            for move in (Grab(999), ChooseTaker(9), *GAME.options(first.views[seat])):
                here, there = (
                    partial(GAME.decide, world, seat, move, first.at, first.dice) for world in (state, other)
                )
                assert answer(here) == answer(there)
