"""The computer players: what they remember, that they play by the rules, and that strength tells (G-16)."""

import random
from typing import Any, Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.game import STRENGTHS
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.memory import Memory, empty_memory, remember
from domain.hatchatul.rules import HatchatulRules, Mode
from tests.bench.hatchatul_bots import duel
from tests.domain.hatchatul.random_play import Play, rules
from tests.domain.hatchatul.scenario import A, B, C, dealt, hears, stacked, view_of
from tests.domain.hatchatul.test_memory import Round


class Remembered(Round):
    """A round whose seats remember."""

    memories: dict[int, Memory]

    def hear(self, position: Any) -> Self:
        if not hasattr(self, "memories"):
            self.memories = {seat: empty_memory(HatchatulRules(), seat) for seat in (A, B, C)}
            self.learn(self.position.events)
        super().hear(position)
        self.learn(position.events)
        return self

    def learn(self, events: Any) -> None:
        for event in events:
            for seat, memory in self.memories.items():
                if hears(event, seat):
                    self.memories[seat] = remember(memory, event)


def choice_of(strength: str, table: Remembered, seat: int) -> Any:
    """What a bot of this strength does if it does not slip."""
    view = table.views[seat]
    return GAME.bot.choose(strength, table.memories[seat], view, GAME.options(view), lambda n: n - 1)


def row(table: Remembered, rememberer: int, owner: int) -> list[Any]:
    return [trace.card for trace in table.memories[rememberer].rows[owner]]


def test_a_seat_remembers_its_looks_and_what_all_saw_and_nothing_else():
    table = Remembered("peek", 0, looks=True)
    assert row(table, A, A) == [9, None, None, 6]
    assert row(table, A, B) == [None] * 4
    table.give(B, m.DrawStock(), m.Place(2), m.EndTurn())
    assert row(table, A, B) == [None, "peek", None, None], "all saw the Peek go there"
    table.give(C, m.TakeDiscard(3))
    assert row(table, A, C) == [None, None, 2, None], "the card that B threw"


def test_what_is_swapped_is_remembered_where_it_went():
    table = Remembered("swap", looks=True).give(B, m.DrawStock(), m.UseSwap(1, A, 1))
    assert row(table, A, A) == [1, None, None, 6]
    assert row(table, A, B) == [9, None, None, None], "A gave his 9 away"
    assert row(table, B, B) == [9, None, None, 4]
    assert row(table, C, B) == row(table, C, A) == [None] * 4


def test_a_leavers_row_and_an_old_pile_are_forgotten():
    table = Remembered(5, looks=True).give(B, m.DrawStock(), m.Throw()).leave(C)
    assert table.memories[A].rows[C] == ()
    assert table.memories[A].pile == (3, 5)


def test_open_cards_are_known_to_all():
    table = Remembered(5, open_outer=True)
    table.give(B, m.DrawStock())
    assert row(table, C, A) == [9, None, None, 6]
    assert table.give(B, m.Place(1)).memories is table.memories
    assert row(table, C, B) == [5, None, None, 4]


def test_all_look_at_the_start():
    memory, deal = empty_memory(HatchatulRules(), A), dealt(stacked([3]))
    view = view_of(A, deal.events, GAME.empty_view(HatchatulRules(), 2, A))
    for strength in STRENGTHS:
        assert GAME.bot.choose(strength, memory, view, GAME.options(view), lambda n: n - 1) == m.PeekStart()


def test_a_low_upcard_is_taken_for_a_known_high_card_and_a_high_one_left():
    for thrown, choice in ((0, m.TakeDiscard(1)), (8, m.DrawStock())):
        table = Remembered(5, thrown, looks=True).give(B, m.DrawStock(), m.Throw(), m.EndTurn())
        table.give(C, m.DrawStock(), m.Throw(), m.EndTurn())
        for strength in ("normal", "hard"):
            assert choice_of(strength, table, A) == choice, "A knows his 9 in slot 1"


def test_a_high_card_is_swapped_for_one_that_seems_lower():
    table = Remembered(5, "swap", looks=True).give(B, m.DrawStock(), m.Throw(), m.EndTurn())
    table.give(C, m.TakeDiscard(1), m.EndTurn()).give(A, m.DrawStock())
    move = choice_of("normal", table, A)
    assert isinstance(move, m.UseSwap)
    assert move.mine == 1


def test_a_peek_goes_to_a_slot_that_is_not_known():
    table = Remembered("peek", looks=True).give(B, m.DrawStock())
    for strength in STRENGTHS:
        assert choice_of(strength, table, B) == m.UsePeek(2)


def test_a_draw_two_is_used_and_its_turns_are_played():
    table = Remembered("draw2", 5, looks=True).give(B, m.DrawStock())
    assert choice_of("hard", table, B) == m.UseDrawTwo()
    assert choice_of("hard", table.give(B, m.UseDrawTwo()), B) == m.DrawStock()


def test_a_low_row_is_a_reason_to_knock_and_a_high_one_is_not():
    table = Remembered(0, 0, 0, 0, 8, looks=True).give(B, m.DrawStock())
    for seat, slot in ((B, 2), (C, 1), (A, 1), (B, 3)):
        if seat != B or slot == 3:
            table.give(seat, m.DrawStock())
        table.give(seat, m.Place(slot))
        if (seat, slot) != (B, 3):
            table.give(seat, m.EndTurn())
    for strength in ("normal", "hard"):
        assert choice_of(strength, table, B) == m.Knock(), "1, 0, 0 and 4"
    table = Remembered(5, looks=True).give(B, m.DrawStock(), m.Throw(), m.EndTurn())
    table.give(C, m.TakeDiscard(1))
    for strength in ("normal", "hard"):
        assert choice_of(strength, table, C) == m.EndTurn()


def test_a_held_number_goes_over_the_worst_card_or_away():
    table = Remembered(0, 8, looks=True).give(B, m.DrawStock())
    assert choice_of("normal", table, B) == m.Place(3), "an unknown slot counts more than the known 1 and 4"
    table = Remembered(8, looks=True).give(B, m.DrawStock())
    assert choice_of("normal", table, B) == m.Throw()


def test_easy_forgets_what_normal_still_knows():
    table = Remembered(5, 4, 2, 7, 8, 0, looks=True)
    for seat in (B, C, A, B, C):
        table.give(seat, m.DrawStock(), m.Throw(), m.EndTurn())
    table.give(A, m.DrawStock())
    assert choice_of("normal", table, A) == m.Place(1), "the 9 that he saw at the start"
    assert choice_of("easy", table, A) != m.Place(1)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(rules, st.integers(2, 6), st.integers(0, 10**6), st.sampled_from(STRENGTHS))
def test_a_bot_only_ever_chooses_a_listed_move(rules, seats, seed, strength):
    play = Play(rules, seats, seed)
    memories = {seat: empty_memory(rules, seat) for seat in range(seats)}
    rng = random.Random(seed)
    for _ in range(400):
        if play.over:
            return
        if not play.running:
            play.deal()
        else:
            due = GAME.due(play.state)
            assert due is not None
            seat = due.seats[0]
            options = GAME.options(play.views[seat])
            move = GAME.bot.choose(strength, memories[seat], play.views[seat], options, rng.randrange)
            assert move in options
            play.give(seat, move)
        for event in play.commands[-1]:
            for seat, memory in memories.items():
                if hears(event, seat):
                    memories[seat] = remember(memory, event)


@pytest.mark.parametrize(("stronger", "weaker"), [("normal", "easy"), ("hard", "easy"), ("hard", "normal")])
def test_the_stronger_beats_the_weaker(stronger, weaker):
    won, lost, _ = duel(stronger, weaker, 100, Mode(elimination=100))
    assert won > lost
