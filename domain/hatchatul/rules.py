"""The table rules of Hatchatul, each with its default and bounds, and which of them make no game together."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from domain.game import RulesInvalid, TableRules, Timeout

SEATS = (2, 6)


class Mode(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How long a game lasts (H-22): exactly one of a number of rounds, seconds, or the points that put one out."""

    rounds: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    time: Annotated[int, Meta(ge=1, le=604_800)] | None = None
    elimination: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None


class HatchatulRules(TableRules, frozen=True, kw_only=True):
    """The table rules; the clause in brackets says what each does."""

    mode: Mode = Mode(elimination=100)
    """H-22."""
    rounds: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    """Follows from a `mode` of rounds; beside another mode, the most rounds that are played (G-08, H-22)."""
    time_policy: Literal["finish_round", "drop_round"] = "finish_round"
    """H-22."""
    first_dealer: Literal["seat0", "random"] = "seat0"
    """H-02."""
    peek_timeout_s: Timeout = 30
    """G-07; seconds for the opening look, 0 = no clock."""
    draw_two: Literal["two_turns", "pick_one"] = "two_turns"
    """H-14."""
    swap_look: Literal["own_new", "none"] = "own_new"
    """H-13."""
    keep_action_in_row: bool = True
    """H-10."""
    take_dead_action: bool = False
    """H-09."""
    knocker_protected: bool = False
    """H-18."""
    knock_penalty: Annotated[int, Meta(ge=0, le=100)] = 0
    """H-19."""
    knock_bonus_zero: bool = False
    """H-19."""
    tie_break: Literal["shared", "knocker_loses", "knocker_wins"] = "shared"
    """H-21."""
    stock_out: Literal["reshuffle_keep_top", "end_round"] = "reshuffle_keep_top"
    """H-24."""
    max_turns_per_round: Annotated[int, Meta(ge=2, le=10_000)] | None = None
    """H-25."""
    show_discard_history: bool = False
    """H-26."""
    memory_aid: bool = False
    """H-07."""
    open_outer: bool = False
    """H-29."""

    def __post_init__(self) -> None:
        """`rounds` says to the table what `mode` says to the players."""
        if self.rounds is None and self.mode.rounds is not None:
            force_setattr(self, "rounds", self.mode.rounds)


def check(rules: HatchatulRules, seats: int) -> None:
    """Raise RulesInvalid where rules that are sound by themselves make no game of so many seats."""
    mode = rules.mode
    if sum(length is not None for length in (mode.rounds, mode.time, mode.elimination)) != 1:
        raise RulesInvalid("mode", "Choose exactly one of rounds, time and elimination (H-22).")
    if mode.rounds is not None and rules.rounds != mode.rounds:
        raise RulesInvalid("rounds", "The mode says how many rounds are played (H-22).")
    cap = rules.max_turns_per_round
    if cap is not None and cap < seats:
        raise RulesInvalid("max_turns_per_round", f"Each of the {seats} players must have a turn (H-25).")
