"""What one seat holds: hand, open and blind cards, and which of them it plays from (S-41)."""

from typing import Literal

from msgspec import Struct

Zone = Literal["hand", "open", "blind"]
NO_BLIND: tuple[str | None, ...] = (None, None, None)


class Holding(Struct, frozen=True):
    """One seat's cards. `hand` and `open` are in order of height; `blind` by position, None once turned."""

    hand: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    blind: tuple[str | None, ...] = NO_BLIND


NOTHING = Holding()


def active(holding: Holding) -> Zone:
    """The zone that its seat plays from: hand, then open, then blind (S-41)."""
    if holding.hand:
        return "hand"
    return "open" if holding.open else "blind"


def active_cards(holding: Holding) -> tuple[str, ...]:
    """The cards that its seat may name: hand, or open; none when only blind cards are left."""
    return holding.hand or holding.open


def empty(holding: Holding) -> bool:
    """True for a seat without any card."""
    return not (holding.hand or holding.open) and holding.blind == NO_BLIND


def cards_of(holding: Holding) -> tuple[str, ...]:
    """All its cards."""
    return holding.hand + holding.open + tuple(card for card in holding.blind if card is not None)


def without(zone: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...] | None:
    """`zone` less `cards`, equal cards counted one by one; None if they do not all lie in it."""
    rest = list(zone)
    for card in cards:
        if card not in rest:
            return None
        rest.remove(card)
    return tuple(rest)


def with_holding(holdings: tuple[Holding, ...], seat: int, holding: Holding) -> tuple[Holding, ...]:
    """`holdings` by seat, with one seat's exchanged."""
    return (*holdings[:seat], holding, *holdings[seat + 1 :])
