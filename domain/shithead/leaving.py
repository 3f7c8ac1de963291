"""A seat leaves: its cards go unseen, the seats close up, and the round ends if one seat is left (S-35)."""

from typing import TypeVar

from msgspec.structs import replace

from domain import times
from domain.fair import Dice
from domain.game import Event
from domain.shithead.events import SeatWithdrawn, TurnStarted
from domain.shithead.holding import NOTHING, cards_of, with_holding
from domain.shithead.seating import clockwise
from domain.shithead.start import started
from domain.shithead.state import Over, Playing, ShitheadResult, Sitting, State, Swapping, Undealt
from domain.table.events import SeatLeft

B = TypeVar("B", Undealt, Over)


def leave(state: State, seat: int, at: str, dice: Dice) -> list[Event]:
    """What follows a leaving: the cards are withdrawn, and the others start or go on if that seat held them up."""
    events: list[Event] = [SeatWithdrawn(seat)]
    if not isinstance(state, Swapping | Playing) or seat not in state.in_play:
        return events
    in_play = tuple(other for other in state.in_play if other != seat)
    if len(in_play) == 1:
        return events
    if isinstance(state, Swapping):
        all_ready = all(other in state.ready for other in in_play)
        return events + started(state, in_play, at, dice) if all_ready else events
    if state.turn == seat:
        due = times.deadline(at, state.sitting.rules.turn_timeout_s)
        events.append(TurnStarted(clockwise(in_play, seat), due))
    return events


def withdrawn(state: Swapping | Playing, event: SeatWithdrawn) -> Swapping | Playing | Over:
    """Fold: a seat left during a round. A seat that had finished keeps its place, and nothing else changes."""
    seat, sitting = event.seat, _without(state.sitting, event.seat)
    if seat not in state.in_play:
        return replace(state, sitting=sitting)
    after = replace(
        state,
        sitting=sitting,
        in_play=tuple(other for other in state.in_play if other != seat),
        withdrawn=state.withdrawn + cards_of(state.holdings[seat]),
        holdings=with_holding(state.holdings, seat, NOTHING),
    )
    if isinstance(after, Playing):
        lead = None if after.turn == seat else after.lead  # S-06: the duty is the starter's alone
        after = replace(after, seen=b"", lead=lead)
    return after if len(after.in_play) > 1 else _abandoned(after, seat)


def _abandoned(state: Swapping | Playing, leaver: int) -> Over:
    """The survivor gets no place, earlier finishers keep theirs."""
    places = state.places if isinstance(state, Playing) else ()
    shithead = leaver if state.sitting.rules.leaver_loses else None
    return Over(state.sitting, ShitheadResult(shithead, places, "abandoned", state.dealer), state)


def withdrawn_between(state: B, event: SeatWithdrawn | SeatLeft) -> B:
    """Fold: a seat left between rounds, or in the round that was voided."""
    return replace(state, sitting=_without(state.sitting, event.seat))


def _without(sitting: Sitting, seat: int) -> Sitting:
    """S-37: what a leaver may still give lapses. Who is known to have left may be told of again."""
    owed = (*sitting.owed[:seat], 0, *sitting.owed[seat + 1 :])
    left = sitting.left if seat in sitting.left else (*sitting.left, seat)
    return replace(sitting, left=left, owed=owed)
