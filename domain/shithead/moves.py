"""What a seat may ask for. A card is rank then suit letter (`10D`); a blind card is only ever a position."""

from typing import Annotated, Literal

from msgspec import Meta

from domain.game import Move

Card = Annotated[str, Meta(min_length=2, max_length=3, description="Rank, then suit letter: 3S, 10D, QH.")]
Cards = Annotated[tuple[Card, ...], Meta(min_length=1, max_length=104)]
Position = Literal[1, 2, 3]
OpenCards = Annotated[tuple[Card, ...], Meta(max_length=3)]


class Swap(Move, frozen=True, tag="shithead.swap"):
    """Before play: one hand card for one open card (S-02)."""

    hand: Card
    open: Card


class Ready(Move, frozen=True, tag="shithead.ready"):
    """No more swaps (S-02)."""


class Play(Move, frozen=True, tag="shithead.play"):
    """Lay cards of one rank from the active zone (S-15); `open` are equal open cards taken along (S-16)."""

    cards: Cards
    open: OpenCards = ()


class PickUp(Move, frozen=True, tag="shithead.pick_up"):
    """Take the pile; `open` are the open cards that go along where the table asks for them (S-21)."""

    open: OpenCards = ()


class Flip(Move, frozen=True, tag="shithead.flip"):
    """Turn one's blind card at `position` (S-23)."""

    position: Position


class JumpIn(Move, frozen=True, tag="shithead.jump_in"):
    """Out of turn: complete four of a kind on the pile (S-13)."""

    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=3)]


class GiveSip(Move, frozen=True, tag="shithead.give_sip"):
    """Name the seat that drinks for one's burn (S-37)."""

    drinker: Annotated[int, Meta(ge=0, le=10)]


MOVES = (Swap, Ready, Play, PickUp, Flip, JumpIn, GiveSip)
