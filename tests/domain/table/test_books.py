"""The books of a table: every balance, what a voided round gives back, what a freed seat leaves behind."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from domain.game import Refused
from domain.games import GAMES
from domain.kishpa.moves import Discard, Load
from domain.lines import LINE_BYTES_MAX
from domain.table import events as told
from domain.table import moves as asked
from domain.table.decide import REVERSALS_IN_A_LINE_MAX
from domain.table.due import due
from domain.table.state import Open
from domain.table.view import options
from domain.times import later
from domain.tokens import BANK, Books, Reversed, Transfer, account_undone, booked, round_undone, settled
from tests.playing import Sitting, random_rules

KISHPA = GAMES["kishpa"]


def kishpa(seats: int = 3, seed: int = 0, **rules: Any) -> Sitting:
    return Sitting(KISHPA, KISHPA.rules(**{"rounds": 2, "max_turns_per_round": 12, **rules}), seats, seed=seed)


def seated(seats: int = 3, **rules: Any) -> Sitting:
    """Everybody sits; nobody has started."""
    sitting = kishpa(seats, **rules)
    for n in range(seats):
        sitting.give(f"seat:{n}", asked.Sit(n, f"player-{n}"))
    return sitting


def transfers_of(event: Any) -> tuple[Transfer, ...]:
    return getattr(event, "transfers", ())


def accounts(table: Any) -> dict[str, int]:
    """The balances as the game itself keeps them."""
    state = table.state
    return (state.evening if hasattr(state, "evening") else state.round.evening).accounts


@pytest.mark.parametrize("number", range(12))
def test_the_tables_books_and_the_games_accounts_agree_after_every_line_and_their_sum_is_0(number):
    rng = random.Random(number)
    fixed = {"rounds": 3, "max_turns_per_round": 20, "starting_tokens": rng.choice((0, 3, 2_000))}
    sitting = Sitting(KISHPA, random_rules(KISHPA, 3, rng, **fixed), 3, seed=number)
    for n in range(3):
        sitting.give(f"seat:{n}", asked.Sit(n, f"player-{n}"))
        if rng.random() < 0.5:
            sitting.give(f"seat:{n}", Load())
    for n in range(3):
        while n in KISHPA.blocked(sitting.table.state):
            sitting.give(f"seat:{n}", Load())
    sitting.give("host", asked.Start())
    for _ in range(150):
        if sitting.over():
            break
        if rng.random() < 0.02 and sitting.table.round not in sitting.table.voided:
            sitting.give("referee:key", asked.VoidRound())
        for n in KISHPA.blocked(sitting.table.state):
            sitting.give(f"seat:{n}", Load())
        one_command(sitting, rng, lazy=0.1)
    for table in sitting.tables:
        balances = table.books.balances
        assert {**dict.fromkeys(accounts(table), 0), **balances} == accounts(table)
        assert sum(balances.values()) == 0
    each_is_reversed_once(sitting)


def one_command(sitting: Sitting, rng: random.Random, lazy: float = 0.0) -> None:
    """A random listed move of a seat that may act, or what the table owes."""
    found = due(sitting.table)
    seats = [n for n in range(sitting.size) if options(sitting.view(n))]
    if not seats or (found and found.at and (found.at <= later(sitting.at, seconds=1) or rng.random() < lazy)):
        sitting.let_due()
        return
    seat = rng.choice(seats)
    sitting.give(f"seat:{seat}", rng.choice(options(sitting.view(seat))))


def on_turn(sitting: Sitting) -> tuple[int, str]:
    """Once the exposure window is closed: who must throw a tile, and one that it may throw."""
    while (found := due(sitting.table)) and found.what == "exposure":
        sitting.let_due()
    assert found
    moves = KISHPA.options(sitting.view(found.seats[0]).inner)
    return found.seats[0], next(m.tile for m in moves if isinstance(m, Discard) and not m.declare)


def each_is_reversed_once(sitting: Sitting) -> None:
    """Every reversal names a transfer that stands, turns it round, and is the only one to do so."""
    moved = {(e.seq, n): t for e in sitting.entries for n, t in enumerate(transfers_of(e.event))}
    undone: Counter[tuple[int, int]] = Counter()
    for place, transfer in moved.items():
        if transfer.reverses:
            target = (transfer.reverses.seq, transfer.reverses.index)
            was = moved[target]
            undone[target] += 1
            assert target < place
            assert (was.payer, was.payee, was.amount) == (transfer.payee, transfer.payer, transfer.amount)
            assert was.reverses is None
    assert not undone or max(undone.values()) == 1


def test_voiding_a_round_reverses_its_transfers_the_last_one_first_and_lets_loads_stand():
    sitting = seated()
    sitting.give("host", asked.Start())
    opened = settled({}, (t for e in sitting.entries for t in transfers_of(e.event) if t.code == "opening"))
    sitting.give("seat:1", Load())
    paid = [
        (e.seq, n)
        for e in sitting.entries
        for n, t in enumerate(transfers_of(e.event))
        if t.code not in ("opening", "load")
    ]
    assert paid, "a deal costs everybody a contribution"
    sitting.give("referee:key", asked.VoidRound())
    voided = sitting.entries[-1].event
    assert isinstance(voided, told.RoundVoided)
    backs = [(t.reverses.seq, t.reverses.index) for t in voided.transfers if t.reverses]
    assert len(backs) == len(voided.transfers)
    assert backs == paid[::-1]
    assert {(t.code, t.clause) for t in voided.transfers} == {("reversal", "G-11")}
    assert sitting.table.books.balances == {**opened, "seat:1": 2_050, "bowl": 0, BANK: -6_050}


def test_a_round_that_is_over_is_given_back_with_its_win_and_its_bowl():
    sitting = kishpa(2, rounds=3).seat_all()
    rng = random.Random(4)
    while not sitting.table.played:
        one_command(sitting, rng)
    sitting.give("referee:key", asked.VoidRound())
    assert sitting.table.books.balances == {BANK: -4_000, "seat:0": 2_000, "seat:1": 2_000, "bowl": 0}
    each_is_reversed_once(sitting)


def test_a_referees_reversal_within_the_round_is_not_undone_again_by_voiding_it():
    contribution = Transfer("seat:0", "bowl", 1, "contribution", "K-31")
    books = booked(Books(), 5, (contribution, Transfer("seat:1", "bowl", 1, "contribution", "K-31")))
    books = booked(books, 9, (Transfer("bowl", "seat:0", 1, "reversal", "G-11", Reversed(5, 0)),))
    back = round_undone(books, "G-11")
    assert [(t.reverses.seq, t.reverses.index) for t in back if t.reverses] == [(5, 1)]
    assert set(settled(books.balances, back).values()) == {0}


def test_f_7_a_round_with_more_transfers_than_a_line_holds_is_given_back_in_several_lines():
    sitting = kishpa(2, false_win_penalty=1, max_turns_per_round=400).seat_all()
    seat, tile = on_turn(sitting)
    for _ in range(REVERSALS_IN_A_LINE_MAX + 30):
        sitting.give(f"seat:{seat}", Discard(tile, declare=True), seconds=0)
    before = len(sitting.lines)
    sitting.give("referee:key", asked.VoidRound())
    kinds = [type(entry.event) for entry in sitting.entries[before:]]
    assert kinds == [told.TransfersReversed, told.RoundVoided]
    assert max(map(len, sitting.lines)) <= LINE_BYTES_MAX
    assert sitting.table.books.balances == {BANK: -4_000, "seat:0": 2_000, "seat:1": 2_000, "bowl": 0}
    each_is_reversed_once(sitting)


def test_f_7_a_thousand_loads_at_once_fit_into_their_lines():
    rules: dict[str, Any] = {"false_win_penalty": 1_000, "load_size": 1, "shortfall": "auto_load", "starting_tokens": 0}
    sitting = kishpa(2, **rules).seat_all()
    seat, tile = on_turn(sitting)
    sitting.give(f"seat:{seat}", Discard(tile, declare=True))
    assert max(map(len, sitting.lines)) <= LINE_BYTES_MAX
    assert sum(sitting.table.books.balances.values()) == 0


def test_k_80_a_load_is_taken_while_the_table_is_open_and_stands_when_it_starts():
    sitting = seated(2)
    sitting.give("seat:1", Load())
    assert isinstance(sitting.table.phase, Open)
    assert sitting.table.books.balances == {BANK: -50, "seat:1": 50}
    sitting.give("host", asked.Start())
    assert sitting.table.books.balances["seat:1"] + sitting.table.books.balances["seat:0"] >= 4_050 - 30
    assert sitting.table.state.round.evening.loads == (0, 50)


def test_f_9_a_seat_that_is_freed_before_the_start_leaves_its_loads_to_the_bank():
    sitting = seated(2)
    sitting.give("seat:0", Load())
    sitting.give("seat:1", Load())
    sitting.give("seat:1", Load())
    sitting.give("seat:1", asked.Leave(1))
    freed = sitting.entries[-1].event
    assert [(t.payer, t.payee, t.code, t.clause) for t in freed.transfers] == [
        ("seat:1", BANK, "reversal", "G-02"),
        ("seat:1", BANK, "reversal", "G-02"),
    ]
    assert sitting.table.books.balances == {BANK: -50, "seat:0": 50, "seat:1": 0}
    sitting.give("seat:1", asked.Sit(1, "somebody-else"))
    sitting.give("host", asked.Start())
    evening = sitting.table.state.round.evening
    assert evening.loads == (50, 0)
    assert sitting.view(None).inner.evening == evening
    each_is_reversed_once(sitting)


def test_nobody_else_may_load_before_the_start_and_no_other_move_is_open_then():
    sitting = seated(2)
    with pytest.raises(Refused) as no:
        sitting.give("seat:0", Discard("R1"))
    assert no.value.ruling == "G-02"


def test_what_touches_an_account_is_found_in_both_directions():
    books = booked(Books(), 1, (Transfer("bank", "seat:0", 5, "load", "K-80"), Transfer("seat:0", "bowl", 2, "x", "y")))
    assert [t.payer for t in account_undone(books, "seat:0", "G-02")] == ["bowl", "seat:0"]
