"""The table rules: defaults, bounds, and which need another."""

import msgspec
import pytest

from domain.game import RulesInvalid
from domain.shithead import GAME
from domain.shithead.rules import ShitheadRules

DEFAULTS = {
    "max_players": 11,
    "decks": "auto",
    "first_dealer": "seat0",
    "swap_timeout_s": 60,
    "start_tie": "seat",
    "open_with_lowest": False,
    "four_plays_again": True,
    "jump_in": False,
    "combine_last_hand": False,
    "voluntary_pickup": True,
    "voluntary_pickup_blind": False,
    "pickup_adds_open_card": False,
    "no_special_finish": False,
    "next_dealer": "loser",
    "seven_lower": False,
    "ten_on_seven": False,
    "eight_skips": False,
    "eight_skip": "per_card",
    "three_transparent": False,
    "three_mode": "transparent",
    "four_sees_through_threes": False,
    "stalemate_repeat": 5,
    "max_plays": 10_000,
    "leaver_loses": True,
    "show_full_pile": True,
    "drinking": False,
}
SHARED = {
    "rounds": 1,
    "unseal": "round",
    "turn_timeout_s": 120,
    "ready_timeout_s": 30,
    "absent_after": 3,
    "bot_delay_ms": 0,
}


def test_every_table_rule_has_its_default():
    assert msgspec.to_builtins(ShitheadRules()) == DEFAULTS | SHARED


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_players", 2), ("max_players", 11), ("decks", 1), ("decks", 2), ("stalemate_repeat", 0),
        ("stalemate_repeat", 100), ("max_plays", 0), ("max_plays", 100_000), ("swap_timeout_s", 0),
        ("swap_timeout_s", 86_400), ("start_tie", "most_threes"), ("next_dealer", "rotate"),
    ],
)  # fmt: skip
def test_a_value_at_its_bound_is_taken(field, value):
    assert getattr(msgspec.convert({field: value}, ShitheadRules), field) == value


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_players", 1), ("max_players", 12), ("decks", 0), ("decks", 3), ("decks", "two"), ("stalemate_repeat", -1),
        ("stalemate_repeat", 101), ("max_plays", -1), ("max_plays", 100_001), ("swap_timeout_s", 86_401),
        ("start_tie", "first"), ("eight_skip", "all"), ("three_mode", "glass"), ("drinking", 1), ("jump_in", "yes"),
        ("eight_skipps", True),
    ],
)  # fmt: skip
def test_a_value_past_its_bound_is_not(field, value):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({field: value}, ShitheadRules)


@pytest.mark.parametrize(
    ("rules", "seats", "field"),
    [
        ({"decks": 1}, 6, "decks"),
        ({"stalemate_repeat": 1}, 2, "stalemate_repeat"),
        ({"three_mode": "mirror"}, 2, "three_mode"),
        ({"three_mode": "mirror", "three_transparent": True}, 2, "three_mode"),
        ({"three_mode": "mirror", "eight_skips": True}, 2, "three_mode"),
        ({"four_sees_through_threes": True}, 2, "four_sees_through_threes"),
    ],
)
def test_rules_that_need_another_are_refused_without_it(rules, seats, field):
    with pytest.raises(RulesInvalid) as no:
        GAME.check(ShitheadRules(**rules), seats)
    assert no.value.field == field


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        ({}, 2),
        ({}, 11),
        ({"decks": 1}, 5),
        ({"decks": 2}, 2),
        ({"stalemate_repeat": 2}, 2),
        ({"three_mode": "mirror", "three_transparent": True, "eight_skips": True}, 3),
        ({"four_sees_through_threes": True, "three_transparent": True}, 3),
        ({"ten_on_seven": True}, 2),
        ({"eight_skip": "once"}, 2),
    ],
)
def test_rules_that_make_a_game_are_taken(rules, seats):
    GAME.check(ShitheadRules(**rules), seats)


def test_a_table_has_two_seats_to_max_players():
    assert GAME.seats(ShitheadRules()) == (2, 11)
    assert GAME.seats(ShitheadRules(max_players=4)) == (2, 4)


def test_another_round_can_always_follow():
    assert not GAME.finished(GAME.initial(ShitheadRules(), 2))
