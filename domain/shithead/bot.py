"""The computer players of Shithead: easy plays at random, normal keeps its best cards, hard counts cards too (G-16)."""

from collections.abc import Callable, Sequence

from domain.game import Bot, Move
from domain.playing_cards import RANK
from domain.shithead.memory import Memory, empty_memory, remember
from domain.shithead.moves import GiveSip, JumpIn, PickUp, Play, Ready, Swap
from domain.shithead.pack import THRIFT
from domain.shithead.tactics import best_play
from domain.shithead.view import ShitheadView

Below = Callable[[int], int]


def choose(strength: str, memory: Memory, view: ShitheadView, options: Sequence[Move], below: Below) -> Move:
    """One of `options` by a player of this strength."""
    sips = [move for move in options if isinstance(move, GiveSip)]
    if sips:
        return sips[below(len(sips))]
    if isinstance(options[0], Ready):
        return options[0] if strength == "easy" else best_swap(options)
    if strength == "easy":
        return options[below(len(options))]
    return thrifty(options) if strength == "normal" else best_play(memory, view, options)


def best_swap(options: Sequence[Move]) -> Move:
    """The swap that lays the best hand card open for the worst open one; ready when none gains (the seed's tip)."""

    def gain(move: Swap) -> int:
        return THRIFT[RANK[move.hand]] - THRIFT[RANK[move.open]]

    best = max((move for move in options if isinstance(move, Swap)), key=gain)
    return best if gain(best) > 0 else options[0]


def thrifty(options: Sequence[Move]) -> Move:
    """All cards of the lowest rank that fits, single 2s and 10s when nothing else does; the pile only if forced."""

    def cost(move: Move) -> tuple[int, int]:
        match move:
            case JumpIn():
                return -1, 0
            case Play():
                cards, rank = len(move.cards), RANK[move.cards[0]]
                return THRIFT[rank], cards if rank in ("2", "10") else -cards
            case PickUp():
                return len(THRIFT), len(move.open)
            case _:
                return 0, 0

    return min(options, key=cost)


BOT = Bot(memory=empty_memory, remember=remember, choose=choose)
