"""The computer player at three strengths.

Easy throws anything half of the time; normal keeps what fits together; hard counts how many tiles it is away from
winning, which live tiles help, and what the next player seems to want.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from domain.game import Bot, Move
from domain.kishpa.distance import helping_tiles, tiles_away, within
from domain.kishpa.evening import after
from domain.kishpa.melds import count, fitting, less, winning_discards
from domain.kishpa.memory import Memory, empty_memory, remember
from domain.kishpa.moves import Discard, Draw, Expose, Pass, Take
from domain.kishpa.pack import DOLLS, FACES, PACK, colour, number, one_of
from domain.kishpa.view import View

Below = Callable[[int], int]
JOKER_WORTH = 1_000
PRIZE_WORTH = 12
NEAR = 1
"""From so many tiles away the live helping tiles are counted."""


def choose(strength: str, memory: Memory, view: View, options: Sequence[Move], below: Below) -> Move:
    """One of `options`, chosen from what the seat knows."""
    wins = [move for move in options if isinstance(move, Discard) and move.declare]
    if wins:
        return max(wins, key=lambda move: _win_worth(view, move.tile))
    if any(isinstance(move, Discard) for move in options):
        return _discard(strength, memory, view, [move for move in options if isinstance(move, Discard)], below)
    if Expose() in options:
        return Expose() if strength != "easy" or below(2) else Pass()
    if Take() in options:
        other = Pass() if Pass() in options else Draw()
        return Take() if _wants(strength, view) else other
    return options[0]


def _win_worth(view: View, tile: str) -> int:
    """A joker thrown pays one more; the kishpa's twin must be kept to count (K-62)."""
    return (tile == view.joker) - (tile == view.kishpa)


def _wants(strength: str, view: View) -> bool:
    """Whether the newest discard is worth taking."""
    assert view.joker is not None
    tile, wrap = view.discards[-1], view.rules.run_wrap == "high_one"
    hand = (*view.hand, tile)
    pairs = view.rules.seven_pairs
    if winning_discards(hand, view.joker, wrap=wrap, seven_pairs=pairs):
        return True
    if view.last_chance or strength == "easy":
        return False
    if tile == view.joker:
        return True
    if strength == "hard":
        away = tiles_away(view.hand, view.joker, wrap=wrap, seven_pairs=pairs)
        return tiles_away(hand, view.joker, wrap=wrap, seven_pairs=pairs) < away
    counted, before = count(hand, view.joker), count(view.hand, view.joker)
    fits = fitting(counted.ones, 0, wrap=wrap) & counted.ones
    return fits.bit_count() > (fitting(before.ones, 0, wrap=wrap) & before.ones).bit_count()


def _discard(strength: str, memory: Memory, view: View, throws: list[Discard], below: Below) -> Move:
    if strength == "easy" and below(2):
        return throws[below(len(throws))]
    if strength == "hard":
        throws = _nearest(memory, view, [move for move in throws if move.tile != view.joker] or throws)
    live = _live(memory if strength == "hard" else Memory(), view)
    fears = _wanted_by_next(memory, view) if strength == "hard" else Counter[str]()
    prizes = _prizes(view) if strength == "hard" else frozenset[str]()

    def keep(move: Discard) -> tuple[int, int]:
        prize = PRIZE_WORTH if move.tile in prizes else 0
        return _worth(view, move.tile, live) + fears[move.tile] + prize, below(8)

    return min(throws, key=keep)


def _prizes(view: View) -> frozenset[str]:
    """The tiles that still bring this seat a bonus at the end (K-47, K-48)."""
    assert view.kishpa is not None
    paid = {bonus.row for bonus in view.bonuses if bonus.seat == view.seat}
    one = frozenset[str]() if "one" in paid else frozenset({one_of(view.kishpa)})
    return one | {view.kishpa} if view.exposer is None and "kishpa" not in paid else one


def _nearest(memory: Memory, view: View, throws: list[Discard]) -> list[Discard]:
    """The throws that leave the hand nearest to winning; near the end those that leave most ways to win."""
    joker = view.joker
    assert joker is not None
    wrap, pairs = view.rules.run_wrap == "high_one", view.rules.seven_pairs
    away, counted = tiles_away(view.hand, joker, wrap=wrap, seven_pairs=pairs), count(view.hand, joker)
    nearest = [move for move in throws if within(less(counted, move.tile, joker), away, away, wrap=wrap)] or throws
    if away > NEAR or len(nearest) == 1:
        return nearest
    live = _live(memory, view)

    def ways(move: Discard) -> int:
        kept = list(view.hand)
        kept.remove(move.tile)
        return sum(live[tile] for tile in helping_tiles(tuple(kept), joker, wrap=wrap, seven_pairs=pairs))

    most = [(ways(move), move) for move in nearest]
    best = max(found for found, _ in most)
    return [move for found, move in most if found == best]


def _live(memory: Memory, view: View) -> Counter[str]:
    """How many of each tile may still come: not in the own hand, not on the table, not known in another hand."""
    live = Counter(PACK)
    live.subtract(view.hand)
    live.subtract(view.discards)
    live.subtract(tile for tile in (view.kishpa, view.spent) if tile)
    for seat, tiles in memory.held.items():
        if seat != str(view.seat):
            live.subtract(tiles)
    return +live


def _worth(view: View, tile: str, live: Counter[str]) -> int:
    """How well a tile fits with the hand and with what may still come."""
    joker = view.joker
    assert joker is not None
    if tile == joker:
        return JOKER_WORTH
    faces = Counter(joker if held in DOLLS else held for held in view.hand if held != joker)
    face = joker if tile in DOLLS else tile
    worth = -2 * (faces[face] - 1)
    for other in faces:
        if colour(other) == colour(face):
            apart = abs(number(other) - number(face))
            worth += {1: 8, 2: 5, 3: 2}.get(apart, 0)
        elif number(other) == number(face):
            worth += 5
    beside = (f"{colour(face)}{number(face) + step}" for step in (-2, -1, 1, 2))
    return worth * 2 + sum(live[near] for near in beside)


def _wanted_by_next(memory: Memory, view: View) -> Counter[str]:
    """Tiles that would serve the next player, judged by what he took; less so what he threw himself."""
    assert view.seat is not None
    follower = str(after(view.seats, view.seat))
    wanted = Counter[str]()
    for taken in memory.held.get(follower, ()):
        face = view.joker if taken in DOLLS and view.joker else taken
        for tile in FACES:
            same_colour, apart = colour(tile) == colour(face), abs(number(tile) - number(face))
            if (same_colour and apart <= 2) or (not same_colour and apart == 0):  # noqa: PLR2004 - two places apart
                wanted[tile] += 3
    for thrown in memory.thrown.get(follower, ()):
        wanted[thrown] -= 2
    return wanted


BOT = Bot(empty_memory, remember, choose)
