"""Where a round of Shithead stands: each phase is a type, and holds only what exists in it."""

from typing import Literal

from msgspec import Struct

from domain.shithead.events import Dealt
from domain.shithead.holding import Holding
from domain.shithead.pile import EMPTY, Top
from domain.shithead.rules import ShitheadRules


class Sitting(Struct, frozen=True):
    """What outlives a round: the rules, how many seats the table has, who left, and the sips each seat may give."""

    rules: ShitheadRules
    seats: int
    left: tuple[int, ...]
    owed: tuple[int, ...]


class ShitheadResult(Struct, frozen=True):
    """A round's outcome: the shithead (null: nobody), who finished in order, and how the round ended."""

    shithead: int | None
    places: tuple[int, ...]
    cause: Literal["played", "stalemate", "max_plays", "abandoned"]
    dealer: int


class Undealt(Struct, frozen=True, tag="undealt"):
    """Before the first deal."""

    sitting: Sitting


class Dealing(Struct, frozen=True, tag="dealing"):
    """Between the first and the last line of a deal: `hands` by seat, as far as they are out."""

    sitting: Sitting
    dealt: Dealt
    hands: tuple[tuple[str, ...], ...]


class Swapping(Struct, frozen=True, tag="swapping"):
    """Hands and open cards may be exchanged until all of `in_play` are `ready` (S-02)."""

    sitting: Sitting
    dealer: int
    holdings: tuple[Holding, ...]
    stock: tuple[str, ...]
    in_play: tuple[int, ...]
    ready: tuple[int, ...]
    due: str | None
    withdrawn: tuple[str, ...] = ()


class Playing(Struct, frozen=True, tag="playing"):
    """It is `turn`'s move. `in_play` are the seats with cards, ascending; `places` those that finished, in order.

    `lead` is the rank the first play must have (S-06). `seen` are the digests, 8 bytes each, of the positions since
    the last change that nothing undoes (S-34); it is empty until a play follows that something could undo.
    """

    sitting: Sitting
    dealer: int
    holdings: tuple[Holding, ...]
    stock: tuple[str, ...]
    in_play: tuple[int, ...]
    turn: int
    due: str | None = None
    lead: str | None = None
    pile: tuple[str, ...] = ()
    top: Top = EMPTY
    burnt: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    plays: int = 0
    seen: bytes = b""


class Over(Struct, frozen=True, tag="over"):
    """A round's end; `stood` is how the cards lay then."""

    sitting: Sitting
    result: ShitheadResult
    stood: Swapping | Playing


State = Undealt | Dealing | Swapping | Playing | Over


def initial(rules: ShitheadRules, seats: int) -> Undealt:
    """A table before its first deal."""
    return Undealt(Sitting(rules, seats, (), (0,) * seats))


def over(state: State) -> ShitheadResult | None:
    """The round's result once it is over."""
    return state.result if isinstance(state, Over) else None


def finished(_state: State) -> bool:
    """Another round can always follow."""
    return False


def zones(state: State) -> dict[str, tuple[str, ...]]:
    """Every card by where it lies: `stock`, `pile`, `burnt`, `withdrawn`, and hand, open and blind of each seat."""
    if isinstance(state, Over):
        return zones(state.stood)
    if not isinstance(state, Swapping | Playing):
        return {}
    lying = {"stock": state.stock, "withdrawn": state.withdrawn}
    if isinstance(state, Playing):
        lying |= {"pile": state.pile, "burnt": state.burnt}
    for seat, holding in enumerate(state.holdings):
        lying[f"hand:{seat}"] = holding.hand
        lying[f"open:{seat}"] = holding.open
        lying[f"blind:{seat}"] = tuple(card for card in holding.blind if card is not None)
    return lying
