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

    turn_timeout_s: Annotated[int, Meta(ge=0, le=0, description="Not this game's clock: turn_timeout_ms is.")] = 0
    bot_delay_ms: Annotated[
        int, Meta(ge=0, le=60_000, description="G-16: how long a bot on turn waits; its grabs are as fast as it is.")
    ] = 500

    min_players: Annotated[int, Meta(ge=2, le=10, description="T-01: fewest players.")] = 2
    max_players: Annotated[int, Meta(ge=2, le=10, description="T-01: most players.")] = 8

    symbols: Annotated[int, Meta(ge=1, le=36, description="T-02: symbols, each once in each colour.")] = 18
    colours: Annotated[int, Meta(ge=1, le=4, description="T-02: colours of each symbol.")] = 4
    inward: Annotated[Arrows, Meta(description="T-02: inward arrows in the pack.")] = 3
    outward: Annotated[Arrows, Meta(description="T-02: outward arrows in the pack.")] = 3
    coloured: Annotated[Arrows, Meta(description="T-02: coloured arrows in the pack, from three players on.")] = 2

    first_player: Annotated[
        Annotated[int, Meta(ge=0, le=9)] | None, Meta(description="T-05: the seat that begins; null: drawn.")
    ] = None
    min_flip_interval_ms: Annotated[Milliseconds, Meta(description="T-08: how long a card is looked at.")] = 1_500
    block_flip_on_match: Annotated[bool, Meta(description="T-08: no card is turned up over a match.")] = False
    announce_matches: Annotated[bool, Meta(description="T-09: matches are announced.")] = False
    turn_timeout_ms: Annotated[Milliseconds, Meta(description="T-11: the clock of a turn.")] = 30_000
    empty_draw: Annotated[
        Literal["skip", "recycle"], Meta(description="T-12: who has no draw card is skipped, or turns his pile over.")
    ] = "skip"

    shuffle_taken: Annotated[bool, Meta(description="T-22: taken cards are shuffled.")] = False
    multi_duel: Annotated[
        Literal["choose_one", "split", "even"], Meta(description="T-23: who takes the cards of a duel of many.")
    ] = "choose_one"
    choice_timeout_ms: Annotated[Milliseconds, Meta(description="T-27: the clock of that choice.")] = 10_000
    frozen_grab: Annotated[Literal["foul", "void"], Meta(description="T-24: what a grab for a frozen match is.")] = (
        "foul"
    )
    settle_ms: Annotated[Milliseconds, Meta(description="T-25: how long grabs are void after a resolution.")] = 700
    after_foul: Annotated[
        Literal["offender", "unchanged"], Meta(description="T-26: whose turn it is after a foul.")
    ] = "offender"
    countdown_ms: Annotated[Milliseconds, Meta(description="T-30: the count to three.")] = 3_000

    play_on: Annotated[bool, Meta(description="T-42: play goes on after the first winner.")] = False
    stalemate: Annotated[
        Literal["rank", "recycle"], Meta(description="T-43: when nobody can play on: places, or piles turned over.")
    ] = "rank"

    dead_heat_ms: Annotated[int, Meta(ge=0, le=1_000, description="T-45: grabs as close as this are one.")] = 15
    refereed: Annotated[bool, Meta(description="T-45: a referee says how the totem is held.")] = False
    referee_window_ms: Annotated[
        int, Meta(ge=1, le=600_000, description="T-45: how long a dead heat waits for him.")
    ] = 10_000
    fouls_enabled: Annotated[bool, Meta(description="T-46: a referee may report fouls.")] = True
    totem_fell_unknown: Annotated[bool, Meta(description="T-48: also that the totem fell by nobody's fault.")] = True
    min_reaction_ms: Annotated[int, Meta(ge=0, le=1_000, description="T-57: faster grabs are void.")] = 0


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
