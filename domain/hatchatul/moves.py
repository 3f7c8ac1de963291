"""What a seat may ask for. No move names a card that lies face down, so none is hidden."""

from typing import Annotated

from msgspec import Meta

from domain.game import Move

Slot = Annotated[int, Meta(ge=1, le=4)]
"""A place in a row, 1 on its owner's left."""

Seat = Annotated[int, Meta(ge=0, le=5)]


class PeekStart(Move, frozen=True, tag="hatchatul.peek_start"):
    """Look at both outer cards of your row before play (H-06)."""


class Skip(Move, frozen=True, tag="hatchatul.skip"):
    """Do without the opening look (H-06)."""


class DrawStock(Move, frozen=True, tag="hatchatul.draw_stock"):
    """Take the next card of the stock into your hand (H-32)."""


class TakeDiscard(Move, frozen=True, tag="hatchatul.take_discard"):
    """Take the card thrown last and put it into a slot at once (H-08)."""

    slot: Slot


class Place(Move, frozen=True, tag="hatchatul.place"):
    """Put the card you hold into a slot and throw the one that lay there."""

    slot: Slot


class Throw(Move, frozen=True, tag="hatchatul.throw"):
    """Throw the card you hold, unused."""


class UsePeek(Move, frozen=True, tag="hatchatul.use_peek"):
    """Look at one card of your own row (H-11)."""

    slot: Slot


class UseSwap(Move, frozen=True, tag="hatchatul.use_swap"):
    """Exchange your slot `mine` with slot `theirs` of `seat`, unseen (H-12)."""

    mine: Slot
    seat: Seat
    theirs: Slot


class UseDrawTwo(Move, frozen=True, tag="hatchatul.use_draw_two"):
    """Take two turns in place of this one (H-14)."""


class Waive(Move, frozen=True, tag="hatchatul.waive"):
    """Give up all turns that Draw Two still owes you (H-14)."""


class EndTurn(Move, frozen=True, tag="hatchatul.end_turn"):
    """Let the next player play (H-16)."""


class Knock(Move, frozen=True, tag="hatchatul.knock"):
    """End your turn and call the last lap (H-16)."""


Moves = (
    PeekStart
    | Skip
    | DrawStock
    | TakeDiscard
    | Place
    | Throw
    | UsePeek
    | UseSwap
    | UseDrawTwo
    | Waive
    | EndTurn
    | Knock
)
