"""What a seat can remember: a fold of all that it heard, looks included. Bots play from it (G-16)."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.game import Event
from domain.hatchatul import events as e
from domain.hatchatul import opening_events as opening
from domain.hatchatul.pack import Card
from domain.hatchatul.rules import HatchatulRules


class Trace(Struct, frozen=True):
    """What is known of one slot: its card or None, since which turn, and whether its owner chose to keep it there."""

    card: Card | None = None
    since: int = 0
    chosen: bool = False


UNKNOWN = Trace()
Traces = tuple[Trace, ...]


class Memory(Struct, frozen=True):
    """The round as one seat remembers it: turns so far, all rows, the card in hand if it saw it, the whole pile."""

    seat: int
    turn: int
    rows: tuple[Traces, ...]
    hand: Card | None
    pile: tuple[Card, ...]


def empty_memory(_: HatchatulRules, seat: int) -> Memory:
    """Nothing remembered yet."""
    return Memory(seat, 0, ((),) * 6, None, ())


def remember(memory: Memory, event: Event) -> Memory:
    """The memory after one more event that the seat heard."""
    step = STEPS.get(type(event))
    return memory if step is None else step(memory, event)


def traced(memory: Memory, seat: int, slot: int, trace: Trace) -> tuple[Traces, ...]:
    """All rows with another trace in one slot."""
    row = memory.rows[seat]
    return (*memory.rows[:seat], (*row[: slot - 1], trace, *row[slot:]), *memory.rows[seat + 1 :])


def _cards_dealt(memory: Memory, event: opening.CardsDealt) -> Memory:
    rows = tuple((UNKNOWN,) * 4 if seat in event.seats else () for seat in range(6))
    return Memory(memory.seat, 0, rows, None, ())


def _upcard_turned(memory: Memory, event: opening.UpcardTurned) -> Memory:
    return replace(memory, pile=(event.card,))


def _outer_cards_turned(memory: Memory, event: opening.OuterCardsTurned) -> Memory:
    for row in event.rows:
        memory = replace(memory, rows=traced(memory, row.seat, 1, Trace(row.left)))
        memory = replace(memory, rows=traced(memory, row.seat, 4, Trace(row.right)))
    return memory


def _outer_cards_shown(memory: Memory, event: opening.OuterCardsShown) -> Memory:
    memory = replace(memory, rows=traced(memory, memory.seat, 1, Trace(event.left)))
    return replace(memory, rows=traced(memory, memory.seat, 4, Trace(event.right)))


def _turn_started(memory: Memory, _: e.TurnStarted) -> Memory:
    return replace(memory, turn=memory.turn + 1)


def _card_drawn(memory: Memory, event: e.CardDrawn) -> Memory:
    return replace(memory, hand=event.card)


def _drawn_card_shown(memory: Memory, event: e.DrawnCardShown) -> Memory:
    return replace(memory, hand=event.card)


def _discard_taken(memory: Memory, event: e.DiscardTaken) -> Memory:
    rows = traced(memory, event.seat, event.slot, Trace(memory.pile[-1], memory.turn, chosen=True))
    return replace(memory, rows=rows, pile=(*memory.pile[:-1], event.discarded))


def _card_placed(memory: Memory, event: e.CardPlaced) -> Memory:
    card = memory.hand if event.face is None else event.face
    rows = traced(memory, event.seat, event.slot, Trace(card, memory.turn, chosen=True))
    return replace(memory, rows=rows, hand=None, pile=(*memory.pile, event.discarded))


def _card_thrown(memory: Memory, event: e.CardThrown) -> Memory:
    return replace(memory, hand=None, pile=(*memory.pile, event.card))


def _power_used(memory: Memory, _: e.PeekUsed | e.DrawTwoUsed) -> Memory:
    used = () if memory.hand is None else (memory.hand,)
    return replace(memory, hand=None, pile=memory.pile + used)


def _cards_swapped(memory: Memory, event: e.CardsSwapped) -> Memory:
    mine, theirs = memory.rows[event.seat][event.mine - 1], memory.rows[event.other][event.theirs - 1]
    memory = replace(memory, rows=traced(memory, event.seat, event.mine, theirs))
    return replace(memory, rows=traced(memory, event.other, event.theirs, mine), hand=None, pile=(*memory.pile, "swap"))


def _slot_shown(memory: Memory, event: e.SlotShown) -> Memory:
    return replace(memory, rows=traced(memory, memory.seat, event.slot, Trace(event.card, memory.turn)))


def _stock_reshuffled(memory: Memory, _: e.StockReshuffled) -> Memory:
    return replace(memory, pile=memory.pile[-1:])


def _seat_withdrawn(memory: Memory, event: e.SeatWithdrawn) -> Memory:
    return replace(memory, rows=(*memory.rows[: event.seat], (), *memory.rows[event.seat + 1 :]))


STEPS: dict[type[Event], Callable[[Memory, Any], Memory]] = {
    opening.CardsDealt: _cards_dealt,
    opening.UpcardTurned: _upcard_turned,
    opening.OuterCardsTurned: _outer_cards_turned,
    opening.OuterCardsShown: _outer_cards_shown,
    e.TurnStarted: _turn_started,
    e.CardDrawn: _card_drawn,
    e.DrawnCardShown: _drawn_card_shown,
    e.DiscardTaken: _discard_taken,
    e.CardPlaced: _card_placed,
    e.CardThrown: _card_thrown,
    e.PeekUsed: _power_used,
    e.CardsSwapped: _cards_swapped,
    e.SlotShown: _slot_shown,
    e.DrawTwoUsed: _power_used,
    e.StockReshuffled: _stock_reshuffled,
    e.SeatWithdrawn: _seat_withdrawn,
}
