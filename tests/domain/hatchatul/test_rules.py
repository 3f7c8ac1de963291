"""The table rules: defaults, bounds, and what the schema refuses (H-01 and the names of every rule)."""

from typing import Any

import msgspec
import pytest

from domain.hatchatul import GAME
from domain.hatchatul.rules import HatchatulRules, Mode

DEFAULTS = {
    "mode": {"elimination": 100},
    "rounds": None,
    "time_policy": "finish_round",
    "first_dealer": "seat0",
    "turn_timeout_s": 120,
    "peek_timeout_s": 30,
    "draw_two": "two_turns",
    "swap_look": "own_new",
    "keep_action_in_row": True,
    "take_dead_action": False,
    "knocker_protected": False,
    "knock_penalty": 0,
    "knock_bonus_zero": False,
    "tie_break": "shared",
    "stock_out": "reshuffle_keep_top",
    "max_turns_per_round": None,
    "show_discard_history": False,
    "memory_aid": False,
    "open_outer": False,
}


def read(**rules: Any) -> HatchatulRules:
    return msgspec.convert(rules, type=HatchatulRules)


def test_every_rule_has_its_default():
    written = msgspec.to_builtins(HatchatulRules())
    assert {name: written[name] for name in DEFAULTS} == DEFAULTS
    GAME.check(HatchatulRules(), 2)


def test_h_01_two_to_six_play():
    assert GAME.seats(HatchatulRules()) == (2, 6)


@pytest.mark.parametrize(
    "rules",
    [
        {"mode": {"rounds": 0}},
        {"mode": {"rounds": 1_001}},
        {"mode": {"time": 0}},
        {"mode": {"elimination": 0}},
        {"mode": {"points": 5}},
        {"mode": "rounds"},
        {"time_policy": "later"},
        {"first_dealer": "seat1"},
        {"draw_two": "both"},
        {"swap_look": "both"},
        {"knock_penalty": -1},
        {"knock_penalty": 101},
        {"tie_break": "lowest"},
        {"stock_out": "deal"},
        {"max_turns_per_round": 1},
        {"max_turns_per_round": 10_001},
        {"peek_timeout_s": -1},
        {"peek_timeout_s": 86_401},
        {"memory_aid": 1},
        {"super_peek": True},
    ],
)
def test_a_rule_beyond_its_bounds_is_malformed(rules):
    with pytest.raises(msgspec.ValidationError):
        read(**rules)


@pytest.mark.parametrize(
    "rules",
    [
        {"mode": {"rounds": 1}},
        {"mode": {"rounds": 1_000}},
        {"mode": {"time": 604_800}},
        {"mode": {"elimination": 1}},
        {"knock_penalty": 100},
        {"max_turns_per_round": 2},
        {"peek_timeout_s": 0},
    ],
)
def test_a_rule_at_its_bounds_is_accepted_and_written_back_the_same(rules):
    asked = read(**rules)
    GAME.check(asked, 2)
    assert msgspec.convert(msgspec.to_builtins(asked), type=HatchatulRules) == asked


def test_the_mode_is_written_as_it_was_chosen():
    assert msgspec.to_builtins(Mode(rounds=4)) == {"rounds": 4}
    assert read(mode={"rounds": 4}).rounds == 4


def test_the_game_names_all_its_moves_and_events():
    assert len(GAME.moves) == 12
    assert len(GAME.events) == 35
    tags = [str(kind.__struct_config__.tag) for kind in (*GAME.moves, *GAME.events)]
    assert len(set(tags)) == len(tags)
    assert all(tag.startswith("hatchatul.") for tag in tags)
