"""What happens at a Shithead table, and who hears it: `Event` everybody, `Whisper` one seat, `Secret` nobody yet."""

from typing import Literal

from domain.game import Event, Secret, TimedOut, Whisper


class Dealt(Event, frozen=True, tag="shithead.dealt"):
    """The cards are out. `open` are the open cards, in the order of `seats`; `stock` counts cards."""

    dealer: int
    decks: int
    seats: tuple[int, ...]
    open: tuple[tuple[str, ...], ...]
    stock: int
    due: str | None


class HandDealt(Whisper, frozen=True, tag="shithead.hand_dealt"):
    """A seat's hand; one for each seat of the deal."""

    cards: tuple[str, ...]


class DeckLaid(Secret, frozen=True, tag="shithead.deck_laid"):
    """The stock, next card first, and the blind cards by position, in the order of the deal's seats."""

    stock: tuple[str, ...]
    blind: tuple[tuple[str, ...], ...]


class CardsSwapped(Event, frozen=True, tag="shithead.cards_swapped"):
    """A seat laid `hand` open and took up `open`."""

    seat: int
    hand: str
    open: str


class SeatReadied(Event, frozen=True, tag="shithead.seat_readied"):
    """A seat swaps no more; `by_clock` if its time was up."""

    seat: int
    by_clock: bool = False


class PlayStarted(Event, frozen=True, tag="shithead.play_started"):
    """Who leads, and the rank in hand that decided it; null if nobody held anything but 2s (S-05)."""

    starter: int
    rank: str | None


class TurnStarted(Event, frozen=True, tag="shithead.turn_started"):
    """Whose move it is, and when the clock plays for that seat (null: no clock)."""

    seat: int
    due: str | None


class CardsPlayed(Event, frozen=True, tag="shithead.cards_played"):
    """Cards laid from `zone`; `open` are open cards that went on top of the last hand cards (S-16)."""

    seat: int
    zone: Literal["hand", "open"]
    cards: tuple[str, ...]
    open: tuple[str, ...] = ()


class BlindTurned(Event, frozen=True, tag="shithead.blind_turned"):
    """A blind card, seen by all: on the pile if it fits, else in the hand, together with `taken`, the pile."""

    seat: int
    position: int
    card: str
    fits: bool
    taken: tuple[str, ...] = ()


class PileBurnt(Event, frozen=True, tag="shithead.pile_burnt"):
    """The pile (`count` cards) left the round for good, by a 10 or by four of a kind."""

    seat: int
    cause: Literal["ten", "four"]
    count: int


class CardsDrawn(Event, frozen=True, tag="shithead.cards_drawn"):
    """A hand was refilled from the stock."""

    seat: int
    count: int


class CardsShown(Whisper, frozen=True, tag="shithead.cards_shown"):
    """The cards just drawn, for who drew them."""

    cards: tuple[str, ...]


class PilePickedUp(Event, frozen=True, tag="shithead.pile_picked_up"):
    """The pile, bottom card first, went to a hand, and with it the seat's open cards `open` (S-21)."""

    seat: int
    cards: tuple[str, ...]
    open: tuple[str, ...] = ()


class SeatFinished(Event, frozen=True, tag="shithead.seat_finished"):
    """A seat has no cards left: it finished in this place (1 = first)."""

    seat: int
    place: int


class StalemateDeclared(Event, frozen=True, tag="shithead.stalemate_declared"):
    """The round ends without a shithead (S-34)."""

    cause: Literal["stalemate", "max_plays"]


class ClockPlayed(TimedOut, frozen=True, tag="shithead.timed_out"):
    """A seat's time to move was up; its ruled move follows (S-38)."""


class SeatWithdrawn(Event, frozen=True, tag="shithead.seat_withdrawn"):
    """A seat left: its cards are out of the round, unseen (S-35)."""

    seat: int


class SipsTaken(Event, frozen=True, tag="shithead.sips_taken"):
    """A seat drinks, for a pile taken or a blind card that did not fit (S-37)."""

    seat: int
    sips: int
    cause: Literal["pile", "blind"]


class SipOwed(Event, frozen=True, tag="shithead.sip_owed"):
    """A seat that burnt the pile may name who drinks (S-37)."""

    seat: int


class SipGiven(Event, frozen=True, tag="shithead.sip_given"):
    """A seat named who drinks."""

    seat: int
    drinker: int


class GlassEmptied(Event, frozen=True, tag="shithead.glass_emptied"):
    """The shithead finishes the glass (S-37)."""

    seat: int


EVENTS = (
    Dealt,
    HandDealt,
    DeckLaid,
    CardsSwapped,
    SeatReadied,
    PlayStarted,
    TurnStarted,
    CardsPlayed,
    BlindTurned,
    PileBurnt,
    CardsDrawn,
    CardsShown,
    PilePickedUp,
    SeatFinished,
    StalemateDeclared,
    ClockPlayed,
    SeatWithdrawn,
    SipsTaken,
    SipOwed,
    SipGiven,
    GlassEmptied,
)
