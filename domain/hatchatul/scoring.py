"""Who wins a round, what it costs each player, who is out, and whether the game is over."""

from collections.abc import Mapping

from domain.hatchatul.ending_events import RoundScored, Score
from domain.hatchatul.rules import HatchatulRules
from domain.hatchatul.state import Course, Sitting, leaders


def round_scored(sitting: Sitting, course: Course, sums: Mapping[int, int], at: str) -> RoundScored:
    """The score of a round whose rows add up to `sums`, by seat, at the time `at`."""
    rules = sitting.rules
    won = winners(rules, sums, course.knocker)
    scores = []
    totals = list(sitting.totals)
    for seat in sorted(sums):
        points = cost(rules, sums[seat], knocked=seat == course.knocker, won=seat in won)
        totals[seat] += points
        scores.append(Score(seat, sums[seat], points, totals[seat]))
    limit = rules.mode.elimination
    out = tuple(score.seat for score in scores if limit is not None and score.total >= limit)
    stay = tuple(score.seat for score in scores if score.seat not in out)
    lead = leaders(tuple(totals), stay or out)
    return RoundScored(tuple(scores), won, out, lead, is_final(sitting, len(stay), at))


def winners(rules: HatchatulRules, sums: Mapping[int, int], knocker: int | None) -> tuple[int, ...]:
    """The seats with the lowest sum; `tie_break` says what a tie does to the knocker (H-21)."""
    lowest = min(sums.values())
    tied = tuple(seat for seat in sorted(sums) if sums[seat] == lowest)
    if knocker not in tied or len(tied) == 1 or rules.tie_break == "shared":
        return tied
    if rules.tie_break == "knocker_wins":
        return (knocker,)
    return tuple(seat for seat in tied if seat != knocker)


def cost(rules: HatchatulRules, row_sum: int, *, knocked: bool, won: bool) -> int:
    """The points of a row; to have knocked may cost more, or nothing at all (H-19)."""
    if not knocked:
        return row_sum
    if not won:
        return row_sum + rules.knock_penalty
    return 0 if rules.knock_bonus_zero else row_sum


def is_final(sitting: Sitting, staying: int, at: str) -> bool:
    """Whether the round just scored was the last (H-22)."""
    limits = (sitting.rules.rounds, sitting.last)
    if any(limit is not None and sitting.rounds + 1 >= limit for limit in limits):
        return True
    if sitting.ends_at is not None and at >= sitting.ends_at:
        return True
    return staying < 2  # noqa: PLR2004 - two players make a game
