"""The table, the pack and the deal (T-01 to T-06)."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from domain.fair import Dice
from domain.game import Deal, Refused, RulesInvalid, Secret
from domain.totem import GAME
from domain.totem.board import Turning
from domain.totem.events import CardsDealt, DrawPilesStacked, PlayEnded, TurnStarted
from domain.totem.moves import Grab, TurnUp
from domain.totem.rules import TotemRules
from domain.totem.state import State
from tests.domain.totem.written import DICE, NOON


def dealt(seats, playing=None, **rules: Any) -> tuple[list, State]:
    table = TotemRules(**rules)
    state = GAME.initial(table, seats)
    deck = DICE.shuffle("deck", GAME.pack(table, seats))
    events = GAME.deal(state, Deal(1, playing or tuple(range(seats)), deck, DICE, NOON, 0))
    for event in events:
        state = GAME.evolve(state, event)
    return events, state


def sizes(state):
    return [len(pile) for pile in state.draws], len(state.pot)


def test_ts_01_four_players_get_twenty_cards_each():
    assert sizes(dealt(4)[1]) == ([20, 20, 20, 20], 0)


def test_ts_02_what_does_not_divide_goes_under_the_totem():
    assert sizes(dealt(3)[1]) == ([26, 26, 26], 2)


def test_ts_04_two_players_play_without_coloured_arrows():
    state = dealt(2)[1]
    assert sizes(state) == ([39, 39], 0)
    assert "coloured" not in {card for pile in GAME.zones(state).values() for card in pile}


@pytest.mark.parametrize(
    ("seats", "each", "pot"),
    [(2, 39, 0), (3, 26, 2), (4, 20, 0), (5, 16, 0), (6, 13, 2), (7, 11, 3), (8, 10, 0), (9, 8, 8), (10, 8, 0)],
)
def test_the_deal_for_every_number_of_players(seats, each, pot):
    events, state = dealt(seats, max_players=10)
    assert sizes(state) == ([each] * seats, pot)
    assert events[1] == CardsDealt(tuple(range(seats)), each, pot, events[1].first)


def test_the_pack_in_published_order():
    pack = GAME.pack(TotemRules(), 3)
    assert pack[:5] == ("s01-purple", "s01-green", "s01-orange", "s01-yellow", "s02-purple")
    assert pack[71:] == ("s18-yellow", *["inward"] * 3, *["outward"] * 3, *["coloured"] * 2)
    assert len(pack) == 80
    assert set(Counter(pack[:72]).values()) == {1}


def test_the_counts_of_the_pack_are_table_rules():
    pack = GAME.pack(TotemRules(symbols=2, colours=3, inward=1, outward=0, coloured=1), 3)
    assert pack == (
        "s01-purple", "s01-green", "s01-orange", "s02-purple", "s02-green", "s02-orange", "inward", "coloured",
    )  # fmt: skip


def test_cards_are_dealt_one_at_a_time_clockwise_from_the_first_player():
    table = TotemRules(symbols=3, colours=3, inward=1, outward=0, coloured=0, first_player=1)
    deck = tuple(GAME.pack(table, 3))
    events = GAME.deal(GAME.initial(table, 3), Deal(1, (0, 1, 2), deck, DICE, NOON, 0))
    assert events == [
        DrawPilesStacked((deck[2:9:3], deck[0:9:3], deck[1:9:3]), deck[9:]),
        CardsDealt((0, 1, 2), 3, 1, 1),
        TurnStarted(1, "2026-11-29T12:00:30.000000Z"),
    ]


def test_the_order_of_the_piles_is_the_only_hidden_line_of_a_deal():
    events, _ = dealt(5)
    assert [isinstance(event, Secret) for event in events] == [True, False, False]


def test_the_first_player_is_drawn_from_the_seeds():
    state = GAME.initial(TotemRules(), 4)
    deck = GAME.pack(TotemRules(), 4)
    deals = [Deal(1, (0, 1, 2, 3), deck, Dice(bytes([n]) * 32), NOON, 0) for n in range(40)]
    begins = {event.first for deal in deals for event in GAME.deal(state, deal) if isinstance(event, CardsDealt)}
    assert begins == {0, 1, 2, 3}


def test_at_a_sandbox_table_seat_0_begins_unless_another_is_named():
    deck = GAME.pack(TotemRules(), 4)
    for named, first in ((None, 0), (2, 2)):
        state = GAME.initial(TotemRules(first_player=named), 4)
        events = GAME.deal(state, Deal(1, (0, 1, 2, 3), deck, Dice(b"\3" * 32), NOON, 0, sandbox=True))
        assert events[-1] == TurnStarted(first, "2026-11-29T12:00:30.000000Z")


def test_a_named_first_player_who_does_not_play_passes_it_on_clockwise():
    assert dealt(4, playing=(0, 1, 3), first_player=2)[1].board.phase == Turning(3, "2026-11-29T12:00:30.000000Z")
    assert dealt(4, playing=(0, 1, 2), first_player=3)[1].board.phase == Turning(0, "2026-11-29T12:00:30.000000Z")


def test_seats_that_do_not_play_get_no_cards_and_no_move():
    state = dealt(4, playing=(0, 1, 3))[1]
    assert sizes(state) == ([26, 26, 0, 26], 2)
    with pytest.raises(Refused) as no:
        GAME.decide(state, 2, TurnUp(), NOON, DICE)
    assert no.value.ruling == "T-44"


def test_a_table_has_two_to_eight_players_and_up_to_ten_by_table_rule():
    assert GAME.seats(TotemRules()) == (2, 8)
    assert GAME.seats(TotemRules(min_players=3, max_players=10)) == (3, 10)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"max_players": 11}, TotemRules)


@pytest.mark.parametrize(
    ("rules", "seats", "field"),
    [
        ({"min_players": 5, "max_players": 4}, 4, "min_players"),
        ({"symbols": 1, "colours": 1, "inward": 1, "outward": 0, "coloured": 0}, 3, "symbols"),
        ({"first_player": 3}, 3, "first_player"),
        ({"turn_timeout_ms": 1_000}, 3, "turn_timeout_ms"),
    ],
)
def test_rules_that_make_no_game_are_named(rules, seats, field):
    with pytest.raises(RulesInvalid) as no:
        GAME.check(TotemRules(**rules), seats)
    assert no.value.field == field


def test_the_default_rules_make_a_game_for_every_number_of_players():
    for seats in range(2, 11):
        GAME.check(TotemRules(max_players=10), seats)


def test_one_deck_is_one_game_and_its_clock_is_its_own():
    assert TotemRules().rounds == 1
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"turn_timeout_s": 2}, TotemRules)


def test_another_round_is_dealt_from_the_whole_pack_again():
    state = dealt(3, first_player=0)[1]
    state = GAME.evolve(state, PlayEnded("stalemate"))
    deck = GAME.pack(state.rules, 3)
    for event in GAME.deal(state, Deal(2, (0, 1, 2), deck, DICE, NOON, 0)):
        state = GAME.evolve(state, event)
    assert sizes(state) == ([26, 26, 26], 2)
    assert state.board.reveal == 0
    assert GAME.over(state) is None


def test_before_a_deal_nothing_can_be_played():
    state = GAME.initial(TotemRules(), 3)
    assert GAME.zones(state) == {}
    assert GAME.due(state) is None
    assert GAME.over(state) is None
    assert GAME.leave(state, 0, NOON, DICE) == []
    for move in (TurnUp(), Grab(1)):
        with pytest.raises(Refused) as no:
            GAME.decide(state, 0, move, NOON, DICE)
        assert no.value.ruling == "T-38"
