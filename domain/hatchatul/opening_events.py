"""What happens before play: the deal, the first upcard, the opening look."""

from typing import ClassVar

from msgspec import Struct

from domain.game import Event, Secret, Whisper
from domain.hatchatul.deed import Deed
from domain.hatchatul.pack import ActionCard, Card, NumberCard


class CardsDealt(Event, frozen=True, tag="hatchatul.cards_dealt"):
    """Four cards to each of `seats`, from the dealer's left. `ends_at`: when the time of the mode is up (H-22)."""

    dealer: int
    seats: tuple[int, ...]
    ends_at: str | None


class RowsLaid(Secret, frozen=True, tag="hatchatul.rows_laid"):
    """The rows, one for each seat of `cards_dealt`, and the stock, next card first; before the first flip."""

    rows: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]


class UpcardReturned(Event, frozen=True, tag="hatchatul.upcard_returned"):
    """An action card was flipped and went back into the stock with `above` cards on it (H-04)."""

    card: ActionCard
    above: int


class UpcardTurned(Event, frozen=True, tag="hatchatul.upcard_turned"):
    """The first card of the discard pile."""

    card: NumberCard


class OuterCards(Struct, frozen=True):
    """The two outer cards of a row that lie face up (H-29)."""

    seat: int
    left: Card
    right: Card


class OuterCardsTurned(Event, frozen=True, tag="hatchatul.outer_cards_turned"):
    """Slots 1 and 4 of each row lie face up from now on (H-29)."""

    rows: tuple[OuterCards, ...]


class PeekingStarted(Event, frozen=True, tag="hatchatul.peeking_started"):
    """Each player may look at his outer cards until `due` (H-06)."""

    due: str | None


class OuterCardsPeeked(Deed, frozen=True, tag="hatchatul.outer_cards_peeked"):
    """He looks at his outer cards."""


class OuterCardsShown(Whisper, frozen=True, tag="hatchatul.outer_cards_shown"):
    """What lies in his slots 1 and 4."""

    fleeting: ClassVar[bool] = True

    left: Card
    right: Card


class PeekSkipped(Deed, frozen=True, tag="hatchatul.peek_skipped"):
    """He does without, for good."""


class PeekingEnded(Event, frozen=True, tag="hatchatul.peeking_ended"):
    """All have looked or skipped. Who looked last is shown his cards after this, until play begins."""

    ends_showing: ClassVar[bool] = True
