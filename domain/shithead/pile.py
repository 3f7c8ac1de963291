"""The pile: what its top asks of the next play, which ranks fit on it, when it burns. Used by state and views alike."""

from typing import Literal

from msgspec import Struct

from domain.playing_cards import HEIGHT, RANK
from domain.shithead.rules import ShitheadRules

BURNING_RUN = 4


class Top(Struct, frozen=True):
    """The top of the pile as far as plays depend on it.

    `card` is the printed top, `to_beat` the rank that the next play meets (null: anything goes; 3s seen through
    under S-32), `run` how many of the top's rank lie there as a burn counts them (S-11), and `run_to_beat` the
    same for the rank to beat, which a run of 3s may hide.
    """

    card: str | None = None
    to_beat: str | None = None
    run: int = 0
    run_to_beat: int = 0


EMPTY = Top()


def laid(rules: ShitheadRules, top: Top, cards: tuple[str, ...]) -> Top:
    """The top after `cards`, all of one rank, were laid on it."""
    card, count = cards[-1], len(cards)
    rank = RANK[card]
    on_its_like = top.card is not None and RANK[top.card] == rank
    if rank == "3" and rules.three_transparent:
        return Top(card, top.to_beat, top.run + count if on_its_like else count, top.run_to_beat)
    if rules.four_sees_through_threes:
        run = top.run_to_beat + count if top.to_beat == rank else count  # S-32: 3s between add and break nothing
    else:
        run = top.run + count if on_its_like else count
    return Top(card, rank, run, run)


def burns(top: Top) -> Literal["ten", "four"] | None:
    """Why the pile with this top burns, if it does: a 10 (S-09), or four or more in a row (S-11)."""
    assert top.card is not None
    if RANK[top.card] == "10":
        return "ten"
    return "four" if top.run >= BURNING_RUN else None


def fits(rules: ShitheadRules, to_beat: str | None, rank: str) -> bool:
    """Whether `rank` may be laid where `to_beat` is met (S-40, S-30, S-32); `to_beat` None: an empty or all-3 pile."""
    if to_beat is None or to_beat == "2" or rank == "2":
        return True
    if rank == "3" and rules.three_transparent:
        return True
    if rules.seven_lower and to_beat == "7":
        return HEIGHT[rank] <= HEIGHT["7"] or (rank == "10" and rules.ten_on_seven)
    return rank == "10" or HEIGHT[rank] >= HEIGHT[to_beat]


def refusal(rules: ShitheadRules, top: Top, lead: str | None, rank: str, *, last: bool) -> tuple[str, str] | None:
    """Why a play of `rank` is refused, as ruling and reason, or None.

    `lead` is the rank that the round's first play must have (S-06), `last` whether its player would then hold
    no card at all (S-25). One truth for deciding, listing and the clock.
    """
    if lead is not None and rank != lead:
        return "S-06", f"The first play of the round must be of rank {lead}."
    if not fits(rules, top.to_beat, rank):
        if rules.seven_lower and top.to_beat == "7":
            return "S-30", f"On a 7 comes 7 or less: {rank} does not fit."
        return "S-40", f"{rank} does not fit on {top.to_beat}."
    if last and top.card is not None and ends_refused(rules, rank):
        return "S-25", f"Nobody may go out with {rank} on a pile."
    return None


def ends_refused(rules: ShitheadRules, rank: str) -> bool:
    """Whether `rank` may not be a player's last play on a pile (S-25)."""
    return rules.no_special_finish and (rank in ("2", "10") or (rank == "8" and rules.eight_skips))
