"""Hatchatul at a whole table: clocks of the mode between rounds, decks of whole numbers, seats that are out."""

import pytest

from domain.game import DeckInvalid
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.ending_events import TimeExpired
from domain.hatchatul.rules import HatchatulRules, Mode
from domain.lines import decode, entry_of
from domain.table import events as told
from domain.table import moves as asked
from domain.table.due import due
from domain.table.opening import check_decks
from domain.table.state import Between, Ended, in_play
from domain.table.view import options
from tests.domain.hatchatul.scenario import stacked
from tests.playing import EVENTS, MOVES, Sitting


def knocked(table: Sitting) -> Sitting:
    """One round: nobody looks, and the first player knocks."""
    for seat in range(table.size):
        table.give(f"seat:{seat}", m.Skip())
    first = table.view(0).inner.turn
    table.give(f"seat:{first}", m.DrawStock())
    table.give(f"seat:{first}", m.Throw())
    table.give(f"seat:{first}", m.Knock())
    for _ in range(table.size - 1):
        seat = table.view(0).inner.turn
        for move in (m.DrawStock(), m.Throw(), m.EndTurn()):
            table.give(f"seat:{seat}", move)
    return table


def test_when_time_runs_out_between_rounds_the_table_ends_at_once():
    table = Sitting(GAME, HatchatulRules(mode=Mode(time=25)), 2, decks=[stacked([3, 5, 6])]).seat_all()
    knocked(table)
    assert isinstance(table.table.phase, Between)
    found = due(table.table)
    assert found is not None
    assert (found.what, found.at) == ("time_up", table.table.state.sitting.ends_at)
    table.let_due()
    assert isinstance(table.table.phase, Ended)
    assert [type(entry.event) for entry in table.entries[-2:]] == [TimeExpired, told.Ended]
    assert options(table.view(0)) == []


def test_a_next_round_that_starts_in_time_is_played_to_its_end():
    table = Sitting(GAME, HatchatulRules(mode=Mode(time=25)), 2, decks=[stacked([3, 5, 6])] * 2).seat_all()
    knocked(table)
    table.give("seat:0", asked.Ready())
    table.give("seat:1", asked.Ready())
    table.at = "2026-11-29T22:03:00.000000Z"
    knocked(table)
    assert isinstance(table.table.phase, Ended)
    assert table.table.results[-1]["final"]


def test_a_seat_that_is_out_is_not_waited_for():
    rows = [0, 9, 1] * 4  # seats 1, 2, 0 in turn: seat 2 has four nines
    table = Sitting(GAME, HatchatulRules(mode=Mode(elimination=36)), 3, decks=[stacked([3, 5, 6], 3, rows)]).seat_all()
    knocked(table)
    assert in_play(table.table) == (0, 1)
    assert table.table.results[-1]["out"] == [2]
    assert options(table.view(2)) == []
    assert options(table.view(1)) == [asked.Ready()]


def test_a_named_deck_of_whole_numbers_survives_its_line():
    table = Sitting(GAME, HatchatulRules(), 2, decks=[stacked([3])]).seat_all()
    drawn = [(entry, line) for entry, line in zip(table.entries, table.lines, strict=True) if line.find(b'"decks"') > 0]
    assert drawn
    for entry, line in drawn:
        assert entry_of(decode(line), {**EVENTS, **events()}, {**MOVES, **moves()}).event == entry.event


def events() -> dict[str, type]:
    return {str(kind.__struct_config__.tag): kind for kind in GAME.events}


def moves() -> dict[str, type]:
    return {str(kind.__struct_config__.tag): kind for kind in GAME.moves}


def test_a_deck_must_be_the_pack():
    check_decks(GAME, HatchatulRules(), 2, [stacked([3])])
    for wrong in (stacked([3])[:-1], (*stacked([3])[:-1], 9), tuple(map(str, stacked([3])))):
        with pytest.raises(DeckInvalid):
            check_decks(GAME, HatchatulRules(), 2, [wrong])
