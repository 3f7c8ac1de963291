"""The checks of this folder find what they look for: each fault, put into a sound history, is seen."""

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.lines import decode
from domain.table.moves import Act
from service.store.rows import StoredLine
from tests.faults.histories import chained, check, commands_of, decided_again
from tests.faults.players import Told
from tests.playing import Sitting

Lines = list[StoredLine]


def sound() -> tuple[Lines, list[Told]]:
    """A table where seat 0, then seat 1 is ready, and what both were told of it."""
    game = GAMES["shithead"]
    sitting = Sitting(game, game.rules(rounds=None), 2).seat_all()
    ready = next(move for move in game.moves if move.__name__ == "Ready")
    told = []
    for seat in (0, 1):
        before = sitting.table.version
        sitting.give(f"seat:{seat}", ready())
        told.append(write(seat, before + 1, sitting.table.version, sitting.head))
    lines = [StoredLine(seq, decode(line).type, line) for seq, line in enumerate(sitting.lines, start=1)]
    return lines, told


def write(seat: int, first: int, last: int, head: str) -> Told:
    """Answered in second `seat`, which it took half of."""
    return Told(
        what="write",
        game="",
        version=last,
        head=head,
        began=seat,
        ended=seat + 0.5,
        key=f"key {seat}",
        seat=seat,
        first=first,
        last=last,
    )


def read(told: Told, **changes: object) -> Told:
    return replace(told, what="read", **changes)


def test_a_sound_history_passes():
    lines, told = sound()
    assert check(lines, [*told, read(told[1], began=2, ended=3)]).version == len(lines)
    twin = replace(told[1], began=1.1)
    check(lines, [*told, twin])


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (lambda told: told[:1], "lines of moves"),
        (lambda told: [*told, replace(told[1], key="another", began=2, ended=3)], "two moves are said to be line"),
        (lambda told: [told[0], replace(told[1], head=told[0].head)], "a fork"),
        (lambda told: [told[0], replace(told[1], version=told[1].version + 1)], "told of version"),
        (lambda told: [*told, read(told[0], began=2, ended=3)], "was told after"),
        (lambda told: [replace(told[0], began=3, ended=4), told[1]], "was written after"),
        (lambda told: [told[0], replace(told[1], key="key 0")], "a move was written twice"),
    ],
)
def test_a_fault_in_what_was_told_is_seen(fault, said: str):
    lines, told = sound()
    with pytest.raises(AssertionError, match=said):
        check(lines, fault(told))


def test_a_hole_a_doubled_line_and_a_broken_chain_are_seen():
    lines, _ = sound()
    wrong = lines[4].line.replace(b'"v":1', b'"v":2')
    for faulty, said in (
        ([*lines[:4], *lines[5:]], "a hole"),
        ([*lines[:5], *lines[4:]], "a hole"),
        ([*lines[:4], replace(lines[4], line=wrong), *lines[5:]], "the chain is broken"),
    ):
        with pytest.raises(AssertionError, match=said):
            chained(faulty)


def test_an_act_of_the_table_that_was_not_due_is_seen():
    lines, _ = sound()
    commands = commands_of(lines)
    game = decode(lines[0].line).game
    decided_again(game, commands)
    begin = commands[-1][0]
    faulty = [*commands[:-1], (replace(begin, by="table", move=Act()), *commands[-1][1:])]
    with pytest.raises(Exception, match="nothing is due"):
        decided_again(game, faulty)
