"""What holds whatever is played, under whatever table rules."""

import json
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.game import Event, Move, Refused, Secret, Whisper
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.ending_events import RowsRevealed
from domain.hatchatul.events import (
    CardDrawn,
    CardsSwapped,
    DrawnCardShown,
    Events,
    PeekUsed,
    SlotShown,
    StockReshuffled,
)
from domain.hatchatul.opening_events import CardsDealt, OuterCardsPeeked, OuterCardsShown
from domain.hatchatul.rules import HatchatulRules
from domain.hatchatul.state import State
from domain.hatchatul.view import View
from tests.domain.hatchatul.random_play import Play, rules
from tests.domain.hatchatul.scenario import hears

SLOTS = (1, 2, 3, 4)
EVERY_MOVE = [
    *(m.PeekStart(), m.Skip(), m.DrawStock(), m.Throw(), m.UseDrawTwo(), m.Waive(), m.EndTurn(), m.Knock()),
    *(move(slot) for move in (m.TakeDiscard, m.Place, m.UsePeek) for slot in SLOTS),
    *(m.UseSwap(mine, seat, theirs) for mine in SLOTS for seat in range(6) for theirs in SLOTS),
]
plays = st.builds(Play, rules, st.integers(2, 6), st.integers(0, 10**6))
few = settings(max_examples=40, deadline=None, derandomize=True)


@few
@given(plays)
def test_all_54_cards_are_accounted_for_after_every_event_and_every_game_ends(play):
    for _ in play.steps():
        pass
    assert len(GAME.zones(play.state)) in (0, 4 + play.seats)


@few
@given(plays)
def test_until_the_end_somebody_can_act_and_the_views_and_the_clock_agree_on_whom(play):
    for _ in play.steps():
        if not play.running:
            continue
        due = GAME.due(play.state)
        assert due is not None
        assert due.seats
        assert {GAME.to_act(view) for view in play.views.values()} == {due.seats}
        assert {seat for seat, _ in play.options()} == set(due.seats)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(plays)
def test_what_is_listed_is_accepted_and_nothing_else(play):
    for _ in play.steps():
        if not play.running or len(play.commands) % 5:
            continue
        for seat in range(play.seats):
            listed = GAME.options(play.views[seat])
            accepted = [move for move in EVERY_MOVE if accepts(play, seat, move)]
            assert sorted(map(repr, listed)) == sorted(map(repr, accepted))
            assert len(set(listed)) == len(listed)


def accepts(play: Play, seat: int, move: Move) -> bool:
    try:
        GAME.decide(play.state, seat, move, play.at, play.dice)
    except Refused:
        return False
    return True


@few
@given(plays)
def test_every_view_agrees_with_the_table_on_all_that_is_public_and_what_it_shows_is_true(play):
    for _ in play.steps():
        for seat, view in play.views.items():
            agrees(view, play.state)
            if seat is not None and play.running:
                shows_the_truth(view, play.state, seat)


def agrees(view: View, state: State) -> None:
    cards, course, sitting = state.cards, state.course, state.sitting
    assert (view.stock, view.discard_count) == (len(cards.stock), len(cards.discard)) or not GAME.zones(state)
    assert view.discard_top == (cards.discard[-1] if cards.discard else None)
    assert view.discard_history in (None, cards.discard)
    assert (view.seats, view.totals, view.dealer) == (course.seats, sitting.totals, sitting.dealer)
    assert (view.out, view.left, view.ends_at) == (sitting.out, sitting.left, sitting.ends_at)
    assert (view.knocker, view.lap, view.result) == (course.knocker, course.waiting, GAME.over(state))
    turn = getattr(state.phase, "turn", None)
    assert (view.turn, view.due) == ((turn.seat, turn.due) if turn else (None, getattr(state.phase, "due", None)))
    assert (view.owed, view.extra) == ((turn.owed, turn.extra) if turn else (0, False))
    assert view.owed == 1 or view.phase != "turn_end", "who may end his turn has no other before him"
    for faces, row in zip(view.rows, cards.rows, strict=True):
        assert len(faces) == len(row)
        assert all(face in (None, card) for face, card in zip(faces, row, strict=True))


def shows_the_truth(view: View, state: State, seat: int) -> None:
    row = state.cards.rows[seat]
    for look in view.shown:
        assert look.card == (row[look.slot - 1] if look.slot else getattr(state.phase, "card", None))
    if view.known is not None and row:
        assert all(card in (None, row[slot]) for slot, card in enumerate(view.known))


@few
@given(plays)
def test_the_number_of_hidden_events_follows_from_the_public_ones(play):
    for _ in play.steps():
        events = play.commands[-1]
        hidden = [event for event in events if isinstance(event, Whisper | Secret)]
        assert len(hidden) == sum(promised(event, play.rules) for event in events)
        assert not isinstance(events[0], Whisper | Secret), "a command begins with a public event"


def promised(event: Event, rules: HatchatulRules) -> int:
    match event:
        case CardsDealt() | StockReshuffled() | OuterCardsPeeked() | PeekUsed():
            return 1
        case CardDrawn(card=None):
            return 1
        case CardsSwapped():
            return 2 if rules.swap_look == "own_new" else 0
    return 0


@few
@given(plays)
def test_events_state_and_views_survive_json(play):
    for _ in play.steps():
        for event in play.commands[-1]:
            assert msgspec.json.decode(msgspec.json.encode(event), type=Events) == event
    for value in (play.state, *play.views.values()):
        assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


@few
@given(plays)
def test_a_view_that_was_never_told_the_looks_differs_only_in_what_it_shows_and_knows(play):
    """So a view folded from what is still served equals the one kept up to date."""
    views = {seat: GAME.empty_view(play.rules, play.seats, seat) for seat in range(play.seats)}
    for _ in play.steps():
        for event in play.commands[-1]:
            for seat, view in views.items():
                if hears(event, seat) and not isinstance(event, OuterCardsShown | DrawnCardShown | SlotShown):
                    views[seat] = GAME.see(view, event)
    for seat, view in views.items():
        told = play.views[seat]
        assert view == msgspec.structs.replace(told, shown=(), known=view.known)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(rules, st.integers(2, 5), st.integers(0, 10**6))
def test_two_tables_that_differ_only_where_a_seat_cannot_look_are_the_same_to_it(rules, seats, seed):
    """Every number card is another number, so one that a seat never heard of is known by its name."""
    first = Play(rules, seats, seed, distinct())
    deck = list(first.pack)
    first.rng.shuffle(deck)
    first.deal(tuple(deck))
    given_moves = []
    for _ in range(60):
        if not first.running:
            break
        seat, move = first.rng.choice(first.options())
        given_moves.append((seat, move))
        first.give(seat, move)
    for seat in (*range(seats), None):
        other = sibling(first, deck, seat)
        if other is None:
            continue
        for giver, move in given_moves:
            other.give(giver, move)
        assert before_reveal(other, seat) == before_reveal(first, seat)
        if first.running:
            assert other.views[seat] == first.views[seat]
            assert GAME.options(other.views[seat] or other.views[None]) == GAME.options(first.views[seat])


def distinct() -> tuple[Any, ...]:
    """The pack with 45 different numbers."""
    numbers = iter(range(1_000, 1_045))
    return tuple(card if isinstance(card, str) else next(numbers) for card in GAME.pack(HatchatulRules(), 2))


def sibling(first: Play, deck: list[Any], seat: int | None) -> Play | None:
    """The same table with two cards exchanged that `seat` has not heard of before the reveal."""
    text = json.dumps([msgspec.to_builtins(event) for event in before_reveal(first, seat)])
    unheard = [place for place, card in enumerate(deck) if isinstance(card, int) and str(card) not in text]
    if len(unheard) < 2:
        return None
    one, two = first.rng.sample(unheard, 2)
    changed = [*deck]
    changed[one], changed[two] = deck[two], deck[one]
    other = Play(first.rules, first.seats, first.seed, first.pack)
    other.deal(tuple(changed))
    return other


def before_reveal(play: Play, seat: int | None) -> list[Event]:
    """What a seat heard before the rows were turned up."""
    heard = []
    for event in (event for command in play.commands for event in command):
        if isinstance(event, RowsRevealed):
            break
        if hears(event, seat):
            heard.append(event)
    return heard
