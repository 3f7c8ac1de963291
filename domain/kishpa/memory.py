"""What a computer player remembers: the tiles that it saw others take and keep, and those that they threw away."""

from __future__ import annotations

from msgspec import Struct

from domain.game import Event
from domain.kishpa.events import DiscardTaken, HandsDealt, TileDiscarded
from domain.kishpa.pack import without
from domain.kishpa.rules import KishpaRules


class Memory(Struct, frozen=True):
    """By seat (as text): tiles taken from the discards and still `held`, and all tiles `thrown`."""

    held: dict[str, tuple[str, ...]] = {}
    thrown: dict[str, tuple[str, ...]] = {}


def empty_memory(_rules: KishpaRules, _seat: int) -> Memory:
    """Nothing heard yet."""
    return Memory()


def remember(memory: Memory, event: Event) -> Memory:
    """The memory after an event that its seat heard."""
    match event:
        case HandsDealt():
            return Memory()
        case DiscardTaken(seat=seat, tile=tile):
            held = (*memory.held.get(str(seat), ()), tile)
            return Memory({**memory.held, str(seat): held}, memory.thrown)
        case TileDiscarded(seat=seat, tile=tile):
            held = memory.held.get(str(seat), ())
            held = without(held, tile) if tile in held else held
            thrown = (*memory.thrown.get(str(seat), ()), tile)
            return Memory({**memory.held, str(seat): held}, {**memory.thrown, str(seat): thrown})
        case _:
            return memory
