"""The table rules of Totem: every house rule of its book with default and bounds, and which of them fit together."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from domain.game import RulesInvalid, TableRules
from domain.totem.pack import pack

Milliseconds = Annotated[int, Meta(ge=0, le=600_000)]
Arrows = Annotated[int, Meta(ge=0, le=10)]


class TotemRules(TableRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a Totem table may settle for itself. Times are milliseconds; 0 = none."""

    turn_timeout_s: Annotated[int, Meta(ge=0, le=0)] = 0
    """Not this game's clock: `turn_timeout_ms` is (T-11)."""
    bot_delay_ms: Annotated[int, Meta(ge=0, le=60_000)] = 1_600
    """How long a bot waits before it turns a card up; how fast it grabs is its strength (G-16)."""

    min_players: Annotated[int, Meta(ge=2, le=10)] = 2
    max_players: Annotated[int, Meta(ge=2, le=10)] = 8

    symbols: Annotated[int, Meta(ge=1, le=36)] = 18
    colours: Annotated[int, Meta(ge=1, le=4)] = 4
    inward: Arrows = 3
    outward: Arrows = 3
    coloured: Arrows = 2

    first_player: Annotated[int, Meta(ge=0, le=9)] | None = None
    """The seat that begins; None = drawn from the round's seeds (T-05)."""
    min_flip_interval_ms: Milliseconds = 1_500
    block_flip_on_match: bool = False
    announce_matches: bool = False
    turn_timeout_ms: Milliseconds = 30_000
    empty_draw: Literal["skip", "recycle"] = "skip"

    shuffle_taken: bool = False
    multi_duel: Literal["choose_one", "split", "even"] = "choose_one"
    choice_timeout_ms: Milliseconds = 10_000
    frozen_grab: Literal["foul", "void"] = "foul"
    settle_ms: Milliseconds = 700
    after_foul: Literal["offender", "unchanged"] = "offender"
    countdown_ms: Milliseconds = 3_000

    play_on: bool = False
    stalemate: Literal["rank", "recycle"] = "rank"

    dead_heat_ms: Annotated[int, Meta(ge=0, le=1_000)] = 15
    min_reaction_ms: Annotated[int, Meta(ge=0, le=1_000)] = 0
    refereed: bool = False
    referee_window_ms: Annotated[int, Meta(ge=1, le=600_000)] = 10_000
    fouls_enabled: bool = True
    totem_fell_unknown: bool = True
    """Whether a referee may report a fallen totem without a culprit (T-48)."""


def seats(rules: TotemRules) -> tuple[int, int]:
    """Fewest and most seats (T-01)."""
    return rules.min_players, rules.max_players


def check(rules: TotemRules, seats_: int) -> None:
    """Raise RulesInvalid if these rules make no game for so many seats."""
    if rules.min_players > rules.max_players:
        raise RulesInvalid("min_players", "There are fewer players at most than at least.")
    if len(pack(rules, seats_)) < seats_:
        raise RulesInvalid("symbols", "The pack has not one card for each player.")
    if rules.first_player is not None and rules.first_player >= seats_:
        raise RulesInvalid("first_player", "The first player has no seat at this table.")
    if 0 < rules.turn_timeout_ms < rules.min_flip_interval_ms:
        raise RulesInvalid("turn_timeout_ms", "The clock of a turn runs out before a card may be turned up.")
