"""What happens in play, and the union of all that happens at a table of Hatchatul.

Before play: `opening_events.py`; when a round ends: `ending_events.py`.
"""

from typing import ClassVar

from domain.game import Event, Secret, TimedOut, Whisper
from domain.hatchatul.deed import Deed
from domain.hatchatul.ending_events import (
    ActionCardThrown,
    GameForfeited,
    ReplacementDrawn,
    RoundScored,
    RowsRevealed,
    TimeExpired,
)
from domain.hatchatul.opening_events import (
    CardsDealt,
    OuterCardsPeeked,
    OuterCardsShown,
    OuterCardsTurned,
    PeekingEnded,
    PeekingStarted,
    PeekSkipped,
    RowsLaid,
    UpcardReturned,
    UpcardTurned,
)
from domain.hatchatul.pack import ActionCard, Card, NumberCard


class TurnStarted(Event, frozen=True, tag="hatchatul.turn_started"):
    """A turn, or with `extra` one that Draw Two owes; `owed` counts it and those after it. Its clock ends at `due`."""

    seat: int
    owed: int
    extra: bool
    due: str | None


class PlayBegun(Event, frozen=True, tag="hatchatul.play_begun"):
    """The first card of the round is being taken: nobody may look at what the opening showed any more (H-06)."""

    ends_showing: ClassVar[bool] = True


class CardDrawn(Deed, frozen=True, tag="hatchatul.card_drawn"):
    """He holds the next card of the stock. An action card is shown to all; null is a number (H-10)."""

    card: ActionCard | None


class DrawnCardShown(Whisper, frozen=True, tag="hatchatul.drawn_card_shown"):
    """The number that he drew, served while he holds it."""

    fleeting: ClassVar[bool] = True

    card: NumberCard


class DiscardTaken(Deed, frozen=True, tag="hatchatul.discard_taken"):
    """The card thrown last went into his slot, and the one that lay there was thrown (H-08)."""

    slot: int
    discarded: Card


class CardPlaced(Deed, frozen=True, tag="hatchatul.card_placed"):
    """The card that he held went into his slot, and the one that lay there was thrown; `face` if it lies open."""

    slot: int
    discarded: Card
    face: Card | None


class CardThrown(Deed, frozen=True, tag="hatchatul.card_thrown"):
    """He threw the card that he held."""

    card: Card


class PeekUsed(Deed, frozen=True, tag="hatchatul.peek_used"):
    """He looks at his slot and throws the Peek."""

    slot: int


class CardsSwapped(Deed, frozen=True, tag="hatchatul.cards_swapped"):
    """His slot `mine` and slot `theirs` of `other` changed places; the Swap was thrown."""

    mine: int
    other: int
    theirs: int


class SlotShown(Whisper, frozen=True, tag="hatchatul.slot_shown"):
    """What lies in his slot now: after a Peek for him, after a Swap for each of the two (H-13)."""

    fleeting: ClassVar[bool] = True

    slot: int
    card: Card


class DrawTwoUsed(Deed, frozen=True, tag="hatchatul.draw_two_used"):
    """He threw the Draw Two for its turns."""


class TurnsWaived(Deed, frozen=True, tag="hatchatul.turns_waived"):
    """He gave up the turns that Draw Two still owed him."""


class TurnEnded(Deed, frozen=True, tag="hatchatul.turn_ended"):
    """His turn is over."""


class Knocked(Deed, frozen=True, tag="hatchatul.knocked"):
    """His turn is over, and those of `lap` have one more each, in this order (H-17)."""

    lap: tuple[int, ...]


class StockReshuffled(Event, frozen=True, tag="hatchatul.stock_reshuffled"):
    """All thrown cards but the last, `cards` of them, are the new stock, for the `count`-th time in this round."""

    count: int
    cards: int


class StockLaid(Secret, frozen=True, tag="hatchatul.stock_laid"):
    """The new stock, next card first."""

    stock: tuple[Card, ...]


class StockExhausted(Deed, frozen=True, tag="hatchatul.stock_exhausted"):
    """He asked for a card of an empty stock, and that ends the round (H-24, `end_round`)."""


class SeatTimedOut(TimedOut, frozen=True, tag="hatchatul.timed_out"):
    """His clock ran out: what follows is played for him (H-28)."""


class SeatWithdrawn(Deed, frozen=True, tag="hatchatul.seat_withdrawn"):
    """He left: his row, and what he held, are set aside face down until the next deal (H-23)."""


Events = (
    CardsDealt
    | RowsLaid
    | UpcardReturned
    | UpcardTurned
    | OuterCardsTurned
    | PeekingStarted
    | OuterCardsPeeked
    | OuterCardsShown
    | PeekSkipped
    | PeekingEnded
    | TurnStarted
    | PlayBegun
    | CardDrawn
    | DrawnCardShown
    | DiscardTaken
    | CardPlaced
    | CardThrown
    | PeekUsed
    | CardsSwapped
    | SlotShown
    | DrawTwoUsed
    | TurnsWaived
    | TurnEnded
    | Knocked
    | StockReshuffled
    | StockLaid
    | StockExhausted
    | SeatTimedOut
    | SeatWithdrawn
    | RowsRevealed
    | ActionCardThrown
    | ReplacementDrawn
    | RoundScored
    | TimeExpired
    | GameForfeited
)
