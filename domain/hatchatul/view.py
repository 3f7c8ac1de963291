"""What one seat sees, and what it may do: read from the view alone, so that neither can tell more than was heard."""

from typing import Literal

from msgspec import Struct

from domain.game import Move
from domain.hatchatul import moves as m
from domain.hatchatul.pack import OUTER, SLOTS, ActionCard, Card, is_action
from domain.hatchatul.rules import HatchatulRules
from domain.hatchatul.state import RoundResult

PhaseName = Literal["undealt", "setup", "peeking", "turn_start", "holding", "turn_end", "revealing", "over"]
Faces = tuple[Card | None, ...]
"""A row as it lies on the table: null for a card that lies face down."""


class Look(Struct, frozen=True):
    """A card that the seat is shown just now: in a slot of its own row, or (null) in its hand."""

    slot: int | None
    card: Card


class View(Struct, frozen=True):
    """One seat's view, or (`seat` null) a spectator's.

    `turn` is the seat to move; `owed` counts its running turn and those it still has to play, with `extra` those of
    Draw Two. `held` is the action card in its hand. `peeking` may still take the opening look, `lap` still have their
    last turn. `rows` go by seat. `shown` is what the seat is shown just now (G-06), `known` its own row as it knows
    it, only with `memory_aid` (H-07). `discard_history` ends with the top, only with `show_discard_history` (H-26).
    """

    seat: int | None
    rules: HatchatulRules
    phase: PhaseName
    seats: tuple[int, ...]
    dealer: int | None
    turn: int | None
    owed: int
    extra: bool
    held: ActionCard | None
    peeking: tuple[int, ...]
    knocker: int | None
    lap: tuple[int, ...]
    due: str | None
    ends_at: str | None
    stock: int
    discard_top: Card | None
    discard_count: int
    discard_history: tuple[Card, ...] | None
    rows: tuple[Faces, ...]
    shown: tuple[Look, ...]
    known: Faces | None
    totals: tuple[int, ...]
    out: tuple[int, ...]
    left: tuple[int, ...]
    result: RoundResult | None


def empty_view(rules: HatchatulRules, seats: int, seat: int | None) -> View:
    """The view before the first deal."""
    return View(
        seat=seat,
        rules=rules,
        phase="undealt",
        seats=(),
        dealer=None,
        turn=None,
        owed=0,
        extra=False,
        held=None,
        peeking=(),
        knocker=None,
        lap=(),
        due=None,
        ends_at=None,
        stock=0,
        discard_top=None,
        discard_count=0,
        discard_history=() if rules.show_discard_history else None,
        rows=((),) * seats,
        shown=(),
        known=nothing_known(rules, seat),
        totals=(0,) * seats,
        out=(),
        left=(),
        result=None,
    )


def nothing_known(rules: HatchatulRules, seat: int | None) -> Faces | None:
    """The memory aid of a seat that knows none of its cards (H-07)."""
    return (None,) * 4 if rules.memory_aid and seat is not None else None


def to_act(view: View) -> tuple[int, ...]:
    """The seats that the game waits for."""
    return view.peeking if view.turn is None else (view.turn,)


LOOKS: list[Move] = [m.PeekStart(), m.Skip()]
TAKES: list[Move] = [m.TakeDiscard(slot) for slot in SLOTS]
PLACES: list[Move] = [m.Place(slot) for slot in SLOTS]
PEEKS: list[Move] = [m.UsePeek(slot) for slot in SLOTS]
SWAPS: dict[int, list[m.UseSwap]] = {
    seat: [m.UseSwap(mine, seat, theirs) for mine in SLOTS for theirs in SLOTS] for seat in range(6)
}


def options(view: View) -> list[Move]:
    """The legal moves of the view's seat, each ready to be sent."""
    seat = view.seat
    if seat is None:
        return []
    if seat in view.peeking:
        return [*LOOKS]
    if seat != view.turn:
        return []
    if view.phase == "turn_start":
        return turn_start_options(view)
    if view.phase == "holding":
        return holding_options(view)
    return [m.EndTurn()] if view.knocker is not None else [m.EndTurn(), m.Knock()]


def turn_start_options(view: View) -> list[Move]:
    """One card, from the stock or the pile (H-32, H-09, H-14)."""
    rules = view.rules
    if view.extra and rules.draw_two == "pick_one":
        return [m.DrawStock()]
    found: list[Move] = [m.DrawStock()]
    if view.discard_top is not None and (rules.take_dead_action or not is_action(view.discard_top)):
        found += TAKES
    if view.extra:
        found.append(m.Waive())
    return found


def holding_options(view: View) -> list[Move]:
    """What can be done with the card in hand (H-10 to H-14)."""
    match view.held:
        case None:
            return [*PLACES, m.Throw()]
        case "peek":
            power = PEEKS
        case "swap":
            power = swap_options(view)
        case _:
            power = [m.UseDrawTwo()]
    return [*power, m.Throw(), *(PLACES if view.rules.keep_action_in_row else ())]


def swap_options(view: View) -> list[Move]:
    """Every pair of slots that may change places (H-12, H-18, H-29)."""
    rules = view.rules
    safe = {view.seat, view.knocker if rules.knocker_protected else None}
    swaps = [swap for seat in view.seats if seat not in safe for swap in SWAPS[seat]]
    if rules.open_outer:
        return [swap for swap in swaps if swap.mine not in OUTER and swap.theirs not in OUTER]
    return [*swaps]
