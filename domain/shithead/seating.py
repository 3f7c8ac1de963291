"""Who comes next around the table: seats go clockwise, which is to the left (S-39)."""

from bisect import bisect_right


def clockwise(in_play: tuple[int, ...], seat: int, steps: int = 1) -> int:
    """The `steps`-th of `in_play` (ascending) after `seat`; `seat` itself counts where it is still in (S-31)."""
    return in_play[(bisect_right(in_play, seat) + steps - 1) % len(in_play)]


def from_left_of(in_play: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """All of `in_play` in the order of turns, from the one left of `seat`."""
    at = bisect_right(in_play, seat)
    return in_play[at:] + in_play[:at]
