"""Who hears a line: the one gate, for views, feeds, streams, history, repeated answers, exports and bots alike."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from domain.game import Event, Secret, Whisper, type_of


class Caller(Struct, frozen=True):
    """Who asks to hear: a seat of this table, an auditor, or (both empty) a spectator."""

    seat: int | None = None
    audit: bool = False


class Now(Struct, frozen=True):
    """The table as of the asking: its version, which rounds are open, and which looks are still served.

    `opened` holds the rounds open to all, `ended` those that are over (auditors); `fleeting` are the tags of
    fleeting whispers at this table, and `shown` the sequence numbers of those still served to their hearer.
    """

    version: int
    opened: frozenset[int]
    ended: frozenset[int]
    fleeting: frozenset[str]
    shown: frozenset[int]


class Heading(Struct, frozen=True):
    """What the gate looks at: a line's place, event tag, hearer (None = public, "table" or a seat) and round."""

    seq: int
    type: str
    to: int | Literal["table"] | None = None
    round: int | None = None


def hearable(line: Heading, caller: Caller, now: Now) -> bool:
    """Whether `caller` may hear `line` as of `now`: the only gate, for every surface. It withholds whole lines."""
    if line.seq > now.version:
        return False
    if line.to is None or line.round in now.opened:
        return True
    if caller.audit and line.round in now.ended:
        return True
    if caller.seat is None or line.to != caller.seat:
        return False
    return line.type not in now.fleeting or line.seq in now.shown


def folds(line: Heading, seat: int | None) -> bool:
    """Whether the view of `seat` (None: a spectator) is folded from `line`: public lines and its own (G-05)."""
    return line.to is None or (seat is not None and line.to == seat)


def heading(seq: int, event: Event, round_: int | None) -> Heading:
    """The heading of `event` at `seq`; hidden events belong to `round_`."""
    if isinstance(event, Whisper):
        return Heading(seq, type_of(event), event.to, round_)
    if isinstance(event, Secret):
        return Heading(seq, type_of(event), "table", round_)
    return Heading(seq, type_of(event), None, None)
