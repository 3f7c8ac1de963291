"""The table rules of Kishpa: everything a table may settle before it opens, each with its default and clause."""

from typing import Annotated, Literal

from msgspec import Meta

from domain.game import RulesInvalid, TableRules, Timeout

Tokens = Annotated[int, Meta(ge=0, le=1_000_000)]
SEATS_MIN = 2
BALANCE_MIN = 2
"""Tokens that a seat must have before a round can start: the dearest contribution (K-81)."""


class KishpaRules(TableRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How this table plays Kishpa. Each field names the clause of RULES.md that it configures."""

    rounds: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    """G-08: none = until the last round is called; n = called by rule before the n-th round that counts."""
    max_players: Annotated[int, Meta(ge=SEATS_MIN, le=6)] = 4
    """K-01"""
    first_starter: Literal["creator", "random"] = "creator"
    """K-04"""
    run_wrap: Literal["none", "high_one"] = "none"
    """K-15: `high_one` lets a run end 12-13-1."""
    false_win_penalty: Annotated[int, Meta(ge=0, le=1_000)] = 0
    """K-22: tokens to the bowl; 0 = a false declaration is refused."""
    seven_pairs: bool = False
    """K-24"""
    ban_rediscard: bool = False
    """K-27"""
    max_turns_per_round: Annotated[int, Meta(ge=1, le=2_000)] = 400
    """K-27"""
    stock_empty: Literal["end", "last_chance", "reshuffle"] = "end"
    """K-29"""
    bonus_per_copy: bool = False
    """K-33"""
    doll_bonus: Literal["matching", "always"] = "matching"
    """K-34"""
    kishpa_one: Literal["separate", "merged"] = "separate"
    """K-37"""
    kishpa_start: Literal["exposure", "always"] = "exposure"
    """K-40"""
    replace_when: Literal["no_joker", "exposed"] = "no_joker"
    """K-42"""
    exposer_block: Literal["all", "kishpa", "until_end"] = "all"
    """K-45"""
    exposure_limit: Literal["table", "player"] = "table"
    """K-48"""
    exposure_timeout_s: Timeout = 10
    """K-51"""
    recontribute: bool = True
    """K-52"""
    streak: Literal["overlap", "reset"] = "overlap"
    """K-67"""
    draw_breaks_streak: bool = True
    """K-68"""
    last_bowl: Literal["streak", "winner_takes"] = "streak"
    """K-70"""
    last_round_applies: Literal["next", "this"] = "next"
    """K-72"""
    starting_tokens: Tokens = 2_000
    """K-78"""
    load_size: Annotated[int, Meta(ge=1, le=1_000_000)] = 50
    """K-80"""
    shortfall: Literal["debt", "auto_load"] = "debt"
    """K-81"""


def seats(rules: KishpaRules) -> tuple[int, int]:
    """The fewest and the most seats (K-01)."""
    return SEATS_MIN, rules.max_players


def check(rules: KishpaRules, seats: int) -> None:
    """Raise RulesInvalid if so many seats cannot play under `rules`; every mix of the other rules makes a game."""
    if not SEATS_MIN <= seats <= rules.max_players:
        raise RulesInvalid("max_players", f"K-01: {SEATS_MIN} to {rules.max_players} players, not {seats}")
