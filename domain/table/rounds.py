"""Rounds: dealing the next one, ending the one that is over, and the table when none can follow (G-03 … G-05)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.game import Deal
from domain.table import events as told
from domain.table.opening import plain
from domain.table.recording import Recording
from domain.table.state import Between, Playing, Stretch, Table, in_play, stretches


def creator_of(table: Table) -> int:
    """The creator's seat (K-04); when it leaves, the next one clockwise is it (K-75). Before the start the lowest."""
    seats = in_play(table)
    return next((seat for seat in seats if seat >= table.creator), min(seats, default=0))


def next_round(recording: Recording, creator: int | None = None) -> None:
    """Deal the next round to the seats in play, from its deck and dice; `creator` is named at the start only."""
    table = recording.table
    number, seats = table.round + 1, in_play(table)
    creator = creator_of(table) if creator is None else creator
    assert creator in seats, f"the creator's seat {creator} is empty"
    recording.tell(told.RoundStarted(number, seats, creator))
    table = recording.table
    pack = table.game.pack(table.rules, table.size)
    scripted = table.decks[number - 1] if number <= len(table.decks) else None
    deck = scripted or table.dice.shuffle("deck", pack)
    deal = Deal(number, seats, deck, table.dice, recording.at, creator, table.sandbox)
    recording.tell(*table.game.deal(table.state, deal))
    settle(recording)


def settle(recording: Recording) -> None:
    """End the round when it is over, the table when no round can follow; start the next when all are ready."""
    table = recording.table
    match table.phase:
        case Playing():
            result = table.game.over(table.state)
            if result is not None:
                seeds, opened = round_opening(table, table.round)
                recording.tell(told.RoundEnded(table.round, plain(result), in_play(table), seeds, opened))
                _end_if_over(recording)
        case Between() as phase:
            _end_if_over(recording)
            still = recording.table.phase
            everybody = isinstance(still, Between) and set(phase.awaited) <= set(phase.ready)
            if everybody and not table.game.blocked(table.state):
                next_round(recording)
        case _:
            pass


def _end_if_over(recording: Recording) -> None:
    table = recording.table
    limit = table.last if table.rules.rounds is None else table.rules.rounds
    ends: tuple[tuple[Callable[[], bool], Any], ...] = (
        (lambda: limit is not None and table.played >= limit, "rounds"),
        (lambda: table.game.finished(table.state), "finished"),
        (lambda: len(in_play(table)) < 2, "abandoned"),  # noqa: PLR2004 - one seat cannot play
    )
    reason = next((reason for over, reason in ends if over()), None)
    if reason:
        recording.tell(told.Ended(reason, *everything(table, extra=1)))


def round_opening(table: Table, number: int) -> tuple[told.Seeds, told.Ranges]:
    """The seed and the hidden lines that round `number` opens now (G-05)."""
    if table.rules.unseal == "table_end":
        return {}, ()
    return {str(number): table.seeds[number]}, stretches(table.hidden.get(number))


def everything(table: Table, extra: int) -> tuple[int, told.Seeds, told.Ranges]:
    """The count of lines with `extra` more, and whatever is still closed, for the ending line."""
    hidden: Mapping[int, Stretch] = table.hidden
    ranges = sorted(stretch for chain in hidden.values() for stretch in stretches(chain))
    seeds = {str(number): seed for number, seed in sorted(table.seeds.items())}
    return table.version + extra, seeds, tuple(ranges)
