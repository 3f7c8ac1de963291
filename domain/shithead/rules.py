"""The table rules of Shithead: every house rule with its default and bounds, and which of them need another."""

from typing import Annotated, Literal

from msgspec import Meta

from domain.game import RulesInvalid, TableRules, Timeout

CARDS_A_SEAT = 9
PACK_CARDS = 52
SEATS_MIN, SEATS_MAX = 2, 11
ONE_PACK_SEATS_MAX = 5


class ShitheadRules(TableRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table rules of Shithead. Without any of them the rule book's plain game is played."""

    max_players: Annotated[int, Meta(ge=SEATS_MIN, le=SEATS_MAX, description="Most seats of a table.")] = SEATS_MAX
    decks: Annotated[Literal["auto", 1, 2], Meta(description="Packs; auto: one up to 5 seats, two from 6.")] = "auto"
    first_dealer: Annotated[Literal["seat0", "random"], Meta(description="S-01: who deals round 1.")] = "seat0"
    swap_timeout_s: Annotated[Timeout, Meta(description="S-02: seconds to swap before play starts; 0: no clock.")] = 60
    start_tie: Annotated[
        Literal["seat", "suit", "random", "most_threes"], Meta(description="S-04: who starts of several.")
    ] = "seat"
    open_with_lowest: Annotated[bool, Meta(description="S-06: the first play is of the rank that decided.")] = False
    four_plays_again: Annotated[bool, Meta(description="S-12: who burns with four moves again.")] = True
    jump_in: Annotated[bool, Meta(description="S-13: out of turn, a four may be completed.")] = False
    combine_last_hand: Annotated[bool, Meta(description="S-16: the last hand cards take equal open ones along.")] = (
        False
    )
    voluntary_pickup: Annotated[bool, Meta(description="S-19: the pile may be taken although a card fits.")] = True
    voluntary_pickup_blind: Annotated[bool, Meta(description="S-20: the same with blind cards only.")] = False
    pickup_adds_open_card: Annotated[bool, Meta(description="S-21: open cards go to the hand with the pile.")] = False
    no_special_finish: Annotated[bool, Meta(description="S-25: no 2, 10 (or skipping 8) as the last card.")] = False
    next_dealer: Annotated[Literal["loser", "rotate"], Meta(description="S-29: who deals the next round.")] = "loser"
    seven_lower: Annotated[bool, Meta(description="S-30: on a 7 comes 7 or less.")] = False
    ten_on_seven: Annotated[bool, Meta(description="S-30: a 10 may be laid on such a 7.")] = False
    eight_skips: Annotated[bool, Meta(description="S-31: an 8 skips the next player.")] = False
    eight_skip: Annotated[Literal["per_card", "once"], Meta(description="S-31: what several 8s skip.")] = "per_card"
    three_transparent: Annotated[bool, Meta(description="S-32: a 3 counts as the card below it.")] = False
    three_mode: Annotated[
        Literal["transparent", "mirror"], Meta(description="S-32: mirror: a 3 on an 8 skips again.")
    ] = "transparent"
    four_sees_through_threes: Annotated[bool, Meta(description="S-32: 3s do not break a row of four.")] = False
    stalemate_repeat: Annotated[
        int, Meta(ge=0, le=100, description="S-34: so often the same position ends the round; 0: off, else 2 or more.")
    ] = 5
    max_plays: Annotated[int, Meta(ge=0, le=100_000, description="S-34: most plays of a round; 0: no limit.")] = 10_000
    leaver_loses: Annotated[bool, Meta(description="S-35: who leaves a round abandoned by it is its shithead.")] = True
    show_full_pile: Annotated[bool, Meta(description="S-36: views show the whole pile, not its top alone.")] = True
    drinking: Annotated[bool, Meta(description="S-37: adults only: events that say who drinks.")] = False


def seats(rules: ShitheadRules) -> tuple[int, int]:
    """Fewest and most seats."""
    return SEATS_MIN, rules.max_players


def packs_for(rules: ShitheadRules, seats_count: int) -> int:
    """How many packs a table of so many seats plays with (1 or 2)."""
    if rules.decks == "auto":
        return 1 if seats_count <= ONE_PACK_SEATS_MAX else 2
    return rules.decks


def check(rules: ShitheadRules, seats_count: int) -> None:
    """Raises RulesInvalid for rules that fit their schema and still make no game."""
    if CARDS_A_SEAT * seats_count > PACK_CARDS * packs_for(rules, seats_count):
        raise RulesInvalid("decks", f"{seats_count} seats need {CARDS_A_SEAT * seats_count} cards; choose more decks.")
    if rules.stalemate_repeat == 1:
        raise RulesInvalid("stalemate_repeat", "A position repeats from its second time on: 0 (off) or at least 2.")
    if rules.three_mode == "mirror" and not (rules.three_transparent and rules.eight_skips):
        raise RulesInvalid("three_mode", "mirror needs three_transparent and eight_skips.")
    if rules.four_sees_through_threes and not rules.three_transparent:
        raise RulesInvalid("four_sees_through_threes", "four_sees_through_threes needs three_transparent.")
