"""The computer players: easy plays at random, normal keeps its best cards, hard also swaps and counts cards (G-16)."""

from collections.abc import Callable, Sequence

from domain.game import Bot, Move
from domain.playing_cards import RANK
from domain.shithead.memory import Memory, empty_memory, remember
from domain.shithead.moves import GiveSip, JumpIn, PickUp, Play, Ready
from domain.shithead.pack import THRIFT
from domain.shithead.tactics import best_play, planned_swap
from domain.shithead.view import ShitheadView

Below = Callable[[int], int]


def choose(strength: str, memory: Memory, view: ShitheadView, options: Sequence[Move], below: Below) -> Move:
    """One of `options` by a player of this strength."""
    sips = [move for move in options if isinstance(move, GiveSip)]
    if sips:
        return sips[below(len(sips))]
    if isinstance(options[0], Ready):
        return planned_swap(options) if strength == "hard" else options[0]
    if strength == "easy":
        return options[below(len(options))]
    return thrifty(options) if strength == "normal" else best_play(memory, view, options)


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
