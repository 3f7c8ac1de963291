"""A computer player: how long it takes to see a match, how often it misses one or sees one that is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from domain.game import Event, Move
from domain.totem.board import Board, live_matches
from domain.totem.events import AllTurnedUp, CardTurnedUp
from domain.totem.moves import ChooseTaker, Grab
from domain.totem.pack import ARROWS, COLOURED, colour, symbol
from domain.totem.rules import TotemRules
from domain.totem.view import View

Below = Callable[[int], int]


class Skill(Struct, frozen=True):
    """Reactions in ms: `fastest` and two throws of up to `spread` more; misses and false alarms in percent."""

    fastest_ms: int
    spread_ms: int
    miss: int
    false_alarm: int


SKILLS = {
    "easy": Skill(fastest_ms=520, spread_ms=420, miss=30, false_alarm=6),
    "normal": Skill(fastest_ms=340, spread_ms=220, miss=10, false_alarm=2),
    "hard": Skill(fastest_ms=230, spread_ms=110, miss=2, false_alarm=0),
}
"""A person takes about 250 ms to a light, and longer to a pattern."""


class Memory(Struct, frozen=True):
    """At which reveal each seat's top changed: a match that has lain there for long is easily overlooked."""

    seat: int
    reveal: int = 0
    turned: tuple[tuple[int, int], ...] = ()


def memory(rules: TotemRules, seat: int) -> Memory:
    """A memory of nothing yet."""
    del rules
    return Memory(seat)


def remember(memory: Memory, event: Event) -> Memory:
    """The memory after an event that the seat heard."""
    match event:
        case CardTurnedUp(seat=seat, reveal=reveal):
            return Memory(memory.seat, reveal, _with(memory, (seat,), reveal))
        case AllTurnedUp(cards=cards, reveal=reveal):
            return Memory(memory.seat, reveal, _with(memory, tuple(card.seat for card in cards), reveal))
        case _:
            return memory


def _with(memory: Memory, seats: tuple[int, ...], reveal: int) -> tuple[tuple[int, int], ...]:
    others = tuple(entry for entry in memory.turned if entry[0] not in seats)
    return others + tuple((seat, reveal) for seat in seats)


def reaction_ms(strength: str, memory: Memory, view: View, below: Below) -> int | None:
    """How long after the reveal was shown to it this bot grabs; None if it does not. Asked once for each reveal."""
    seat, board, skill = view.seat, view.board, SKILLS[strength]
    if seat is None or seat not in board.playing or seat in board.answered:
        return None
    age = _age(memory, board, seat)
    if age is not None:
        seen = below(100) >= skill.miss + skill.miss * age // 4
    else:
        seen = _is_deceptive(board, seat) and below(100) < skill.false_alarm
    return skill.fastest_ms + below(skill.spread_ms) + below(skill.spread_ms) if seen else None


def _age(memory: Memory, board: Board, seat: int) -> int | None:
    """How many reveals ago the match of `seat` came up; None without one."""
    if board.inward:
        return 0
    group = next((group for group in live_matches(board).values() if seat in group), None)
    if group is None:
        return None
    return board.reveal - max((reveal for turned, reveal in memory.turned if turned in group), default=board.reveal)


def _is_deceptive(board: Board, seat: int) -> bool:
    """Whether another top has in common with this seat's what does not count now: colour for symbol (T-36)."""
    part = symbol if COLOURED in board.tops else colour
    mine = board.tops[seat]
    if mine is None or mine in ARROWS:
        return False
    others = (top for other, top in enumerate(board.tops) if other != seat and top is not None)
    return any(top not in ARROWS and part(top) == part(mine) for top in others)


def choose(strength: str, memory: Memory, view: View, options: Sequence[Move], below: Below) -> Move:
    """One of `options`: a grab if the bot sees a reason for one, else a card turned up, or a taker."""
    takers = [move for move in options if isinstance(move, ChooseTaker)]
    if takers:
        return _taker(strength, view.board, takers, below)
    grab = next((move for move in options if isinstance(move, Grab)), None)
    time = reaction_ms(strength, memory, view, below) if grab else None
    if grab and time is not None:
        return Grab(grab.reveal, reaction_ms=time)
    return options[0]


def _taker(strength: str, board: Board, takers: Sequence[ChooseTaker], below: Below) -> ChooseTaker:
    """A hard bot burdens whoever is nearest to having no cards."""
    if strength == "hard":
        return min(takers, key=lambda move: board.draws[move.taker] + board.ups[move.taker])
    return takers[below(len(takers))]
