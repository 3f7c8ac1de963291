"""What a computer player remembers: the cards it saw go into each hand, and those that left the round (G-16)."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.shithead import events as e
from domain.shithead.rules import ShitheadRules

Known = tuple[tuple[str, ...], ...]


class Memory(Struct, frozen=True):
    """A seat's memory: the `pile`, the cards `gone` for good, and by seat those `known` to lie in its hand."""

    rules: ShitheadRules
    seat: int
    packs: int = 1
    pile: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    known: Known = ()


def empty_memory(rules: ShitheadRules, seat: int) -> Memory:
    """The memory before the first deal."""
    return Memory(rules, seat)


def remember(memory: Memory, event: Any) -> Memory:
    """The memory after hearing `event`."""
    row = ROWS.get(type(event))
    return memory if row is None else row(memory, event)


def _changed(known: Known, seat: int, cards: tuple[str, ...]) -> Known:
    return (*known[:seat], cards, *known[seat + 1 :])


def _less(cards: tuple[str, ...], played: tuple[str, ...]) -> tuple[str, ...]:
    """`cards` less those of `played` that were known."""
    rest = list(cards)
    for card in played:
        if card in rest:
            rest.remove(card)
    return tuple(rest)


def _dealt(memory: Memory, event: e.Dealt) -> Memory:
    return Memory(memory.rules, memory.seat, packs=event.decks, known=((),) * memory.rules.max_players)


def _cards_swapped(memory: Memory, event: e.CardsSwapped) -> Memory:
    hand = (*_less(memory.known[event.seat], (event.hand,)), event.open)
    return replace(memory, known=_changed(memory.known, event.seat, hand))


def _cards_played(memory: Memory, event: e.CardsPlayed) -> Memory:
    hand, cards = memory.known[event.seat], event.cards + event.open
    known = _changed(memory.known, event.seat, _less(hand, event.cards)) if hand else memory.known
    return replace(memory, pile=memory.pile + cards, known=known)


def _blind_turned(memory: Memory, event: e.BlindTurned) -> Memory:
    if event.fits:
        return replace(memory, pile=(*memory.pile, event.card))
    return _taken(memory, event.seat, (*event.taken, event.card))


def _pile_picked_up(memory: Memory, event: e.PilePickedUp) -> Memory:
    return _taken(memory, event.seat, event.cards + event.open)


def _taken(memory: Memory, seat: int, cards: tuple[str, ...]) -> Memory:
    return replace(memory, pile=(), known=_changed(memory.known, seat, memory.known[seat] + cards))


def _pile_burnt(memory: Memory, _event: e.PileBurnt) -> Memory:
    return replace(memory, pile=(), gone=memory.gone + memory.pile)


def _seat_withdrawn(memory: Memory, event: e.SeatWithdrawn) -> Memory:
    """What a leaver was known to hold is gone; the rest of his cards stays unknown."""
    if not memory.known:
        return memory
    known = _changed(memory.known, event.seat, ())
    return replace(memory, gone=memory.gone + memory.known[event.seat], known=known)


ROWS: dict[type[Any], Callable[[Memory, Any], Memory]] = {
    e.Dealt: _dealt,
    e.CardsSwapped: _cards_swapped,
    e.CardsPlayed: _cards_played,
    e.BlindTurned: _blind_turned,
    e.PilePickedUp: _pile_picked_up,
    e.PileBurnt: _pile_burnt,
    e.SeatWithdrawn: _seat_withdrawn,
}
