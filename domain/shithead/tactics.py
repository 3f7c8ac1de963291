"""How the strong player weighs its moves. The weights were found by trying them over thousands of rounds."""

from collections import Counter
from collections.abc import Sequence

from domain.game import Move
from domain.playing_cards import RANK, RANKS
from domain.shithead.memory import Memory
from domain.shithead.moves import JumpIn, PickUp, Play, Swap
from domain.shithead.pack import THRIFT
from domain.shithead.pile import burns, fits, laid
from domain.shithead.seating import clockwise
from domain.shithead.view import SeatSeen, ShitheadView, in_play

SUITS_COUNT = 4
STEP = 1000
"""One step of rank: what all weights are measured in, and also certainty in thousandths."""
SHED = 700
"""For each further card of a set laid with the first."""
FORCED_CARD = 1000
"""For each card that the next seat must take, if it plays from open or blind cards and is sure to be stuck."""
FORCED_PICK_UP = -14 * STEP
EARLY_PICK_UP, EARLY_CARD, EARLY_RANK = -10_500, -300, 300
"""Picking up while the stock lasts: outright, for each card of the pile, for each step of its rank above 9."""
SPECIAL_SET = -10 * STEP
"""For each further 2 or 10 laid with the first."""
MIDDLE = THRIFT["9"]
OPEN_WORTH = {**{rank: 2 * place for rank, place in THRIFT.items()}, "2": 2 * THRIFT["8"] + 1}
"""What a rank is worth among one's open cards: high ones and 10s, while 2s serve better from the hand."""


def planned_swap(options: Sequence[Move]) -> Move:
    """The swap that gains most for the open cards, or ready (the first option) when none gains."""

    def gain(move: Swap) -> int:
        return OPEN_WORTH[RANK[move.hand]] - OPEN_WORTH[RANK[move.open]]

    best = max((move for move in options if isinstance(move, Swap)), key=gain)
    return best if gain(best) > 0 else options[0]


def best_play(memory: Memory, view: ShitheadView, options: Sequence[Move]) -> Move:
    """The option of the highest worth; the first of equal ones."""
    return max(options, key=lambda move: _worth(memory, view, move))


def _worth(memory: Memory, view: ShitheadView, move: Move) -> int:
    match move:
        case Play() | JumpIn():
            return _worth_of_play(memory, view, move.cards)
        case PickUp():
            return _worth_of_pick_up(memory, view) - len(move.open)
        case _:
            return 0


def _worth_of_pick_up(memory: Memory, view: ShitheadView) -> int:
    """Late, the last resort; while the stock lasts, a small pile of high cards may be worth having."""
    if not view.stock:
        return FORCED_PICK_UP
    ranks = sum(THRIFT[RANK[card]] - MIDDLE for card in memory.pile)
    return EARLY_PICK_UP + EARLY_CARD * len(memory.pile) + EARLY_RANK * ranks


def _worth_of_play(memory: Memory, view: ShitheadView, cards: tuple[str, ...]) -> int:
    rank, more = RANK[cards[0]], len(cards) - 1
    worth = more * (SPECIAL_SET if rank in ("2", "10") else SHED) - STEP * THRIFT[rank]
    top = laid(view.rules, view.top, cards)
    assert view.seat is not None
    following = view.seats[clockwise(in_play(view), view.seat)]
    if burns(top) is not None or following.hand:
        return worth
    stuck = stuck_per_mille(memory, view, following, top.to_beat)
    return worth + stuck * FORCED_CARD * (view.pile_count + len(cards)) // STEP


def stuck_per_mille(memory: Memory, view: ShitheadView, seen: SeatSeen, to_beat: str | None) -> int:
    """How likely, in thousandths, a seat without a hand has nothing to lay on `to_beat`: certain for open cards."""
    rules = view.rules
    if seen.open:
        return 0 if any(fits(rules, to_beat, RANK[card]) for card in seen.open) else STEP
    left = unseen(memory, view)
    misfits = sum(count for rank, count in left.items() if not fits(rules, to_beat, rank))
    return STEP * misfits // max(1, sum(left.values()))


def unseen(memory: Memory, view: ShitheadView) -> Counter[str]:
    """How many cards of each rank this seat cannot place: in the stock, in hands and face down."""
    left = Counter(dict.fromkeys(RANKS, SUITS_COUNT * memory.packs))
    left.subtract(RANK[card] for card in view.hand + memory.pile + memory.gone)
    for seen in view.seats:
        left.subtract(RANK[card] for card in seen.open)
        if seen.seat != view.seat:
            left.subtract(RANK[card] for card in memory.known[seen.seat])
    return left
