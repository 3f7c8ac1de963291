"""How a counting player weighs its moves: what each costs, and how likely the next seat cannot answer it."""

from collections import Counter
from collections.abc import Sequence

from domain.game import Move
from domain.playing_cards import RANK, RANKS
from domain.shithead.memory import Memory
from domain.shithead.moves import JumpIn, PickUp, Play
from domain.shithead.pack import THRIFT
from domain.shithead.pile import burns, fits, laid
from domain.shithead.seating import clockwise
from domain.shithead.view import SeatSeen, ShitheadView, in_play

SUITS_COUNT = 4
PER_MILLE = 1000
BURN = 4000
"""What a further turn on an empty pile is worth."""
PILE_CARD = 400
"""What each card of the pile is worth that the next seat must probably take."""
SHED = 700
"""What each card laid together with others is worth."""


def unseen(memory: Memory, view: ShitheadView) -> Counter[str]:
    """How many cards of each rank this seat cannot place: in the stock, in hands and face down."""
    left = Counter(dict.fromkeys(RANKS, SUITS_COUNT * memory.packs))
    left.subtract(RANK[card] for card in view.hand + memory.pile + memory.gone)
    for seen in view.seats:
        left.subtract(RANK[card] for card in seen.open)
        if seen.seat != view.seat:
            left.subtract(RANK[card] for card in memory.known[seen.seat])
    return left


def stuck_per_mille(memory: Memory, view: ShitheadView, seen: SeatSeen, to_beat: str | None) -> int:
    """How likely, in thousandths, the seat `seen` has no card that may be laid on `to_beat`."""
    rules = view.rules
    if not seen.hand and seen.open:
        return 0 if any(fits(rules, to_beat, RANK[card]) for card in seen.open) else PER_MILLE
    known = memory.known[seen.seat] if seen.hand else ()
    if any(fits(rules, to_beat, RANK[card]) for card in known):
        return 0
    left = unseen(memory, view)
    total = sum(left.values())
    misfits = sum(count for rank, count in left.items() if not fits(rules, to_beat, rank))
    likely, drawn = PER_MILLE, (seen.hand - len(known) if seen.hand else 1)
    for taken in range(drawn):
        likely = likely * max(0, misfits - taken) // max(1, total - taken)
    return likely


def best_play(memory: Memory, view: ShitheadView, options: Sequence[Move]) -> Move:
    """The option of the highest worth; the first of equal ones."""
    return max(options, key=lambda move: worth(memory, view, move))


def worth(memory: Memory, view: ShitheadView, move: Move) -> int:
    """What a move is worth, in thousandths of a step of rank."""
    match move:
        case Play() | JumpIn():
            return _worth_of_play(memory, view, move.cards)
        case PickUp():
            return -PER_MILLE * len(THRIFT) - len(move.open)
        case _:
            return 0


def _worth_of_play(memory: Memory, view: ShitheadView, cards: tuple[str, ...]) -> int:
    assert view.seat is not None
    rank, count = RANK[cards[0]], len(cards)
    cost = PER_MILLE * THRIFT[rank] * (count if rank in ("2", "10") else 1)
    top = laid(view.rules, view.top, cards)
    shed = SHED * (count - 1)
    if burns(top) is not None:
        return BURN + shed - cost
    following = view.seats[clockwise(in_play(view), view.seat)]
    stuck = stuck_per_mille(memory, view, following, top.to_beat)
    return shed - cost + stuck * (view.pile_count + count) * PILE_CARD // PER_MILLE
