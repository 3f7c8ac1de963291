"""Draw Two in both readings, and nested (H-14)."""

from typing import Any

from domain.hatchatul import moves as m
from domain.hatchatul.events import CardThrown, DrawTwoUsed, StockLaid, StockReshuffled, TurnStarted, TurnsWaived
from domain.hatchatul.state import HoldingNumber, Turn, TurnEnd, TurnStart
from tests.domain.hatchatul.scenario import DUE, A, B, C, Position, given


def owed(position: Position) -> int:
    turn: Turn = position.phase.turn
    return turn.owed


def used(stock: list[Any], **rules: Any) -> Position:
    """B has drawn and used a Draw Two."""
    return given(stock=["draw2", *stock], **rules).when(B, m.DrawStock()).when(B, m.UseDrawTwo())


def test_hs_26_draw_two_is_thrown_at_once_and_gives_two_turns():
    position = used([5, 6]).then(DrawTwoUsed(B), TurnStarted(B, 2, extra=True, due=DUE)).then_at(TurnStart, B)
    assert position.top == "draw2"
    position.refuses(B, m.TakeDiscard(1), ruling="H-09")
    position.when(B, m.DrawStock()).then_at(HoldingNumber, B)


def test_both_turns_are_full_turns():
    position = used([5, 6]).when(B, m.DrawStock()).when(B, m.Place(1)).then_at(TurnStart, B)
    assert owed(position) == 1
    position.when(B, m.TakeDiscard(2)).then_at(TurnEnd, B)


def test_h_14_waiving_is_legal_before_the_first_extra_turn_too():
    position = used([5, 6]).when(B, m.Waive()).then(TurnsWaived(B)).then_at(TurnEnd, B)
    assert owed(position) == 1
    position.when(B, m.Knock())


def test_hs_28_after_the_first_turn_the_second_may_be_waived_and_a_knock_follows():
    position = used([5, 6]).when(B, m.DrawStock()).when(B, m.Throw()).when(B, m.Waive()).then_at(TurnEnd, B)
    assert position.when(B, m.Knock()).state.course.knocker == B


def test_hs_29_nobody_knocks_while_a_turn_is_owed():
    position = used([5, 6]).when(B, m.DrawStock()).when(B, m.Throw()).then_at(TurnStart, B)
    position.refuses(B, m.Knock(), ruling="H-16").refuses(B, m.EndTurn(), ruling="H-32")


def test_hs_31_a_peek_in_an_owed_turn_uses_that_turn_up():
    position = used(["peek", 6]).when(B, m.DrawStock()).when(B, m.UsePeek(1)).then_at(TurnStart, B)
    assert owed(position) == 1
    position = used(["swap", 6]).when(B, m.DrawStock()).when(B, m.UseSwap(1, A, 1)).then_at(TurnStart, B)
    assert owed(position) == 1


def test_another_draw_two_replaces_its_turn_by_two_more():
    position = used(["draw2", "draw2", 5, 6, 7, 8]).when(B, m.DrawStock()).when(B, m.UseDrawTwo())
    assert owed(position) == 3
    position = position.when(B, m.DrawStock()).when(B, m.UseDrawTwo())
    assert owed(position) == 4
    for left in (3, 2, 1):
        position = position.when(B, m.DrawStock()).when(B, m.Throw()).then_at(TurnStart, B)
        assert owed(position) == left
    position.when(B, m.DrawStock()).when(B, m.Throw()).then_at(TurnEnd, B)


def test_a_draw_two_in_the_last_owed_turn_gives_two_more():
    position = used([5, "draw2", 6, 7]).when(B, m.DrawStock()).when(B, m.Throw())
    position = position.when(B, m.DrawStock()).when(B, m.UseDrawTwo())
    assert owed(position) == 2


def test_an_unused_draw_two_is_just_a_card():
    position = given(holds="draw2").when(B, m.Throw()).then(CardThrown(B, "draw2")).then_at(TurnEnd, B)
    assert position.top == "draw2"


def test_the_next_player_inherits_nothing():
    position = used(["peek", 6]).when(B, m.DrawStock()).when(B, m.UsePeek(1)).when(B, m.Waive()).when(B, m.EndTurn())
    position.then_at(TurnStart, C).refuses(C, m.Waive(), ruling="H-14")
    assert owed(position) == 1


def test_hs_32_under_pick_one_a_placed_first_card_forfeits_the_second():
    position = used([4, 6], draw_two="pick_one").when(B, m.DrawStock()).when(B, m.Place(1)).then_at(TurnEnd, B)
    assert position.row(B)[0] == 4
    assert owed(position) == 1


def test_under_pick_one_a_used_peek_or_swap_ends_the_sequence():
    for card, move in (("peek", m.UsePeek(1)), ("swap", m.UseSwap(1, A, 1))):
        position = used([card, 6], draw_two="pick_one").when(B, m.DrawStock()).when(B, move).then_at(TurnEnd, B)
        assert owed(position) == 1


def test_under_pick_one_extra_cards_come_from_the_stock_and_nothing_is_waived():
    position = used([4, 6], draw_two="pick_one", take_dead_action=True)
    position.refuses(B, m.TakeDiscard(1), m.Waive(), ruling="H-14")
    thrown = position.when(B, m.DrawStock()).when(B, m.Throw()).then_at(TurnStart, B)
    thrown.refuses(B, m.TakeDiscard(1), m.Waive(), ruling="H-14").refuses(B, m.EndTurn(), ruling="H-32")
    thrown.when(B, m.DrawStock()).when(B, m.Throw()).then_at(TurnEnd, B)


def test_under_pick_one_an_unused_action_card_counts_as_thrown():
    position = used(["peek", 6], draw_two="pick_one").when(B, m.DrawStock()).when(B, m.Throw()).then_at(TurnStart, B)
    assert owed(position) == 1


def test_hs_34_under_pick_one_another_draw_two_starts_over_with_two():
    first = used(["draw2", 5, 6], draw_two="pick_one").when(B, m.DrawStock()).when(B, m.UseDrawTwo())
    assert owed(first) == 2
    second = used([5, "draw2", 6], draw_two="pick_one").when(B, m.DrawStock()).when(B, m.Throw())
    second = second.when(B, m.DrawStock()).when(B, m.UseDrawTwo())
    assert owed(second) == 2


def test_hs_35_a_draw_two_that_was_the_last_of_the_stock_is_followed_by_a_reshuffle():
    position = used([], discard=[1, 2, 3, 4]).when(B, m.DrawStock())
    assert position.told(StockReshuffled) == [StockReshuffled(1, 4)]
    assert sorted(position.told(StockLaid)[0].stock) == [1, 2, 3, 4]
    assert position.state.cards.discard == ("draw2",)
    position.then_at(HoldingNumber, B)


def test_hs_43_a_draw_two_in_the_last_lap_gives_its_two_turns_and_the_next_still_has_one():
    position = used([5, 6, 7], knocker=C, lap=(A,)).when(B, m.DrawStock()).when(B, m.Throw())
    position = position.when(B, m.DrawStock()).when(B, m.Throw()).then_at(TurnEnd, B).when(B, m.EndTurn())
    position.then_at(TurnStart, A)
    assert owed(position) == 1
