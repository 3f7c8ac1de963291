"""What one seat, or a spectator, sees of a table: folded from the events that it heard, and from nothing else."""

from typing import Literal

from msgspec import Struct

from domain.shithead.moves import Position
from domain.shithead.pile import EMPTY, Top
from domain.shithead.rules import ShitheadRules


class SeatSeen(Struct, frozen=True):
    """One seat as everybody sees it. `hand` counts cards, `blind` are the positions still face down (S-36)."""

    seat: int
    status: Literal["seated", "in", "finished", "left"] = "seated"
    ready: bool = False
    hand: int = 0
    open: tuple[str, ...] = ()
    blind: tuple[Position, ...] = ()
    sips_owed: int = 0


class ShitheadView(Struct, frozen=True):
    """A table as `seat` sees it (null: a spectator, who holds no `hand`).

    `stock`, `burnt`, `withdrawn` and `pile_count` count cards. `pile` lies bottom first, and is null where
    `show_full_pile` is false; `top` says what the next play meets. `lead` is the rank the first play must have.
    """

    seat: int | None
    rules: ShitheadRules
    seats: tuple[SeatSeen, ...]
    phase: Literal["undealt", "swapping", "playing", "over"] = "undealt"
    dealer: int | None = None
    turn: int | None = None
    due: str | None = None
    hand: tuple[str, ...] = ()
    stock: int = 0
    top: Top = EMPTY
    pile: tuple[str, ...] | None = ()
    pile_count: int = 0
    burnt: int = 0
    withdrawn: int = 0
    lead: str | None = None
    places: tuple[int, ...] = ()
    shithead: int | None = None
    cause: Literal["played", "stalemate", "max_plays", "abandoned"] | None = None


def empty_view(rules: ShitheadRules, seats: int, seat: int | None) -> ShitheadView:
    """The view before the first deal."""
    pile: tuple[str, ...] | None = () if rules.show_full_pile else None
    return ShitheadView(seat, rules, tuple(SeatSeen(number) for number in range(seats)), pile=pile)


def to_act(view: ShitheadView) -> tuple[int, ...]:
    """The seats that the game waits for, ascending; a sip that may be given holds nothing up."""
    if view.phase == "playing" and view.turn is not None:
        return (view.turn,)
    if view.phase == "swapping":
        return tuple(seen.seat for seen in view.seats if seen.status == "in" and not seen.ready)
    return ()


def in_play(view: ShitheadView) -> tuple[int, ...]:
    """The seats that hold cards, ascending."""
    return tuple(seen.seat for seen in view.seats if seen.status == "in")
