"""What comes next: after a reveal, and after a resolution, until the table waits for somebody again."""

from __future__ import annotations

from collections.abc import Iterable

from domain.game import Event
from domain.times import later
from domain.totem.board import Board, Counting, clockwise, going, is_contested, live_matches
from domain.totem.events import (
    CardsShed,
    CountStarted,
    MatchAnnounced,
    PilesRecycled,
    PlayEnded,
    TurnPassed,
    TurnStarted,
    WaitStarted,
)
from domain.totem.pack import OUTWARD
from domain.totem.public import board_after
from domain.totem.rules import TotemRules

STALEMATE_WAIT_MS = 30_000
"""How long a table without a turn clock waits when nobody can turn a card up (T-43)."""


def can_turn_up(rules: TotemRules, board: Board, seat: int) -> bool:
    """Whether `seat` has a card to turn up; under `empty_draw: recycle` his face-up pile will do (T-12).

    But once only while no card changes hands, so that a table of sleepers comes to its end.
    """
    if board.draws[seat] > 0:
        return True
    return rules.empty_draw == "recycle" and board.ups[seat] > 0 and seat not in board.recycled


def next_turn(rules: TotemRules, board: Board, seat: int) -> int | None:
    """`seat`, or the next one clockwise that can turn a card up; None if nobody can (T-12, T-26)."""
    if seat in board.playing and can_turn_up(rules, board, seat):
        return seat
    return next((s for s in clockwise(board, seat) if can_turn_up(rules, board, s)), None)


def turn_due(rules: TotemRules, at: str) -> str | None:
    """When a turn that starts at `at` runs out (T-11)."""
    return later(at, milliseconds=rules.turn_timeout_ms) if rules.turn_timeout_ms else None


def turn(rules: TotemRules, board: Board, seat: int, at: str) -> Event:
    """The turn of `seat`, at once or when the last card has been looked at long enough (T-08, T-11)."""
    due = turn_due(rules, at)
    if board.revealed_at is not None and rules.min_flip_interval_ms:
        opens = later(board.revealed_at, milliseconds=rules.min_flip_interval_ms)
        if at < opens:
            return TurnPassed(seat, opens, due)
    return TurnStarted(seat, due)


def after_reveal(rules: TotemRules, board: Board, revealer: int, turned: Iterable[int], at: str) -> list[Event]:
    """What follows when the seats `turned` have turned a card up; `revealer` is who counts as the last (T-31)."""
    seat = next_turn(rules, board, clockwise(board, revealer)[0])
    if seat is None:
        return _stuck(rules, board, revealer, at)
    outward = next((s for s in turned if board.tops[s] == OUTWARD), None)
    if outward is not None:
        started: Event = CountStarted(outward, later(at, milliseconds=rules.countdown_ms))
    else:
        started = turn(rules, board, seat, at)
    return [started, *announced(rules, board)]


def after_resolution(rules: TotemRules, board: Board, whose: int, at: str) -> list[Event]:
    """What follows when piles have moved: who has won (T-38); `whose` turn it is, unless a count goes on (T-31)."""
    shed = tuple(s for s in board.playing if not board.draws[s] and not board.ups[s])
    told: list[Event] = []
    if shed:
        told.append(CardsShed(shed))
        board = board_after(board, told[0])
    if (shed and not rules.play_on) or len(board.playing) < 2:  # noqa: PLR2004 - one alone plays no more
        return [*told, PlayEnded("shed" if shed else "forfeit")]
    seat = next_turn(rules, board, whose)
    if seat is None:
        return told + _stuck(rules, board, whose, at)
    if not isinstance(board.phase, Counting):
        told.append(turn(rules, board, seat, at))
    return told + announced(rules, board)


def when_stuck(rules: TotemRules, board: Board, whose: int, at: str) -> list[Event]:
    """T-43: nobody can turn a card up and nothing can be grabbed for (any more): the end, or all piles turned over.

    Piles are turned over once only while no card changes hands (as in T-12).
    """
    if rules.stalemate == "rank" or board.recycled:
        return [PlayEnded("stalemate")]
    over = PilesRecycled(at)
    board = board_after(board, over)
    seat = next_turn(rules, board, whose)
    assert seat is not None, "players without a card still play"
    return [over, turn(rules, board, seat, at)]


def _stuck(rules: TotemRules, board: Board, whose: int, at: str) -> list[Event]:
    if not is_contested(board):
        return when_stuck(rules, board, whose, at)
    due = later(at, milliseconds=rules.turn_timeout_ms or STALEMATE_WAIT_MS)
    return [WaitStarted(whose, due), *announced(rules, board)]


def announced(rules: TotemRules, board: Board) -> list[Event]:
    """T-09: silence, unless the table rules say that matches are announced."""
    if not rules.announce_matches or not is_contested(board):
        return []
    return [MatchAnnounced(bool(board.inward), tuple(live_matches(board).values()))]


def turn_of(board: Board) -> int:
    """Whose turn it is, or would be after the count (T-31)."""
    phase = going(board)
    return clockwise(board, phase.revealer)[0] if isinstance(phase, Counting) else phase.seat
