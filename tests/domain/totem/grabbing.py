"""A table at which a reveal has just been published, and grabs as a server would measure them."""

from typing import Any

from domain.totem.moves import MeasuredGrab, SilentSeat
from tests.domain.totem.written import A, D, Written

PAIR = ("20/2 S5g", "20/2 S5o", "20/2 S9p", "20/2 S8y")


SLOW = (SilentSeat(A, 0, 100),)
"""A silent seat with a long way, for which the table waits 140 ms."""


def after_reveal(*tops: str, **rules: Any) -> Written:
    """The last seat turned a card up at 0 ms: reveal 11; A and B match unless written otherwise."""
    table = Written(*(tops or PAIR), turn=D, nexts={D: "S1y"}, **rules)
    table.turn_up(D, 0)
    return table


def measured(table: Written, seat: int, elapsed: int, **more: Any) -> MeasuredGrab:
    published = more.get("published_ms", 0)
    more.setdefault("reveal", table.board.reveal)
    more.setdefault("arrival", elapsed)
    return MeasuredGrab(seat=seat, arrived=table.at(published + elapsed), elapsed_ms=elapsed, **more)


def outcomes(told: list[Any]) -> dict[int, str]:
    return {grab.seat: grab.outcome for grab in told[0].grabs}
