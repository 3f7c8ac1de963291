"""The life of a table, clause by clause (TABLE.md), played with Shithead."""

from __future__ import annotations

from typing import Any

import pytest

from domain.fair import Dice, commitment, round_key
from domain.game import DeckInvalid, Due, Refused, RulesInvalid, Secret, Whisper, type_of
from domain.games import GAMES
from domain.shithead.moves import GiveSip
from domain.table import events as told
from domain.table import moves as asked
from domain.table.decide import decide
from domain.table.due import awaited, due
from domain.table.opening import check_decks, open_table
from domain.table.state import Between, Ended, Open, Playing, Voided, in_play
from domain.table.view import options, to_act
from tests.playing import START, TABLE_ID, Sitting, seed_of

SHITHEAD: Any = GAMES["shithead"]
QUICK = SHITHEAD.rules(max_plays=1, rounds=3)
"""A round is over after one play: what happens between rounds is quickly reached."""


def table(rules: Any = None, seats: int = 3, **how: Any) -> Sitting:
    return Sitting(SHITHEAD, rules or SHITHEAD.rules(), seats, **how)


def between(rules: Any = QUICK, seats: int = 3) -> Sitting:
    """A table whose first round is over."""
    sitting = table(rules, seats).seat_all()
    sitting.let_due()
    for _ in range(2):
        if isinstance(sitting.table.phase, Playing):
            sitting.let_due()
    assert isinstance(sitting.table.phase, Between)
    return sitting


def refused(sitting: Sitting, by: str, move: Any) -> str:
    """The clause that refuses a command, which changes nothing."""
    before = sitting.table
    with pytest.raises(Refused) as no:
        sitting.give(by, move)
    assert sitting.table is before
    return no.value.ruling


def tags(sitting: Sitting, since: int) -> list[str]:
    return [type_of(entry.event) for entry in sitting.entries[since:]]


# G-01, G-02: opening, sitting, starting


def test_g02_opening_a_table_commits_to_round_1_in_the_same_breath():
    sitting = table()
    assert tags(sitting, 0) == ["table.created", "table.seed_drawn", "table.round_committed"]
    assert [entry.by for entry in sitting.entries] == ["host", "table", "table"]
    assert [entry.move is not None for entry in sitting.entries] == [True, True, False]
    assert isinstance(sitting.table.phase, Open)


def test_the_first_line_pins_the_rules_version_and_every_table_rule():
    created = table().entries[0].event
    assert isinstance(created, told.Created)
    assert created.rules_version == SHITHEAD.rules_version
    assert created.rules.keys() == set(SHITHEAD.rules.__struct_fields__)


@pytest.mark.parametrize("seats", [0, 1, 12])
def test_a_table_of_too_few_or_too_many_seats_makes_no_game(seats):
    create = asked.Create("shithead", SHITHEAD.rules(), seats)
    with pytest.raises(RulesInvalid) as no:
        open_table(TABLE_ID, create, START, GAMES)
    assert no.value.field == "seats"


@pytest.mark.parametrize(
    ("move", "ruling"),
    [
        (asked.Sit(3, "dora"), "G-02"),
        (asked.Sit(-1, "dora"), "G-02"),
        (asked.Sit(0, "dora"), "G-02"),
        (asked.Sit(1, "anna"), "G-15"),
        (asked.Start(), "G-02"),
        (asked.Ready(), "G-02"),
        (asked.Act(), "G-02"),
        (asked.VoidRound(), "G-02"),
        (asked.Leave(1), "G-02"),
        (asked.Leave(7), "G-02"),
    ],
)
def test_g02_an_open_table_refuses(move, ruling):
    sitting = table()
    sitting.give("seat:0", asked.Sit(0, "anna"))
    assert refused(sitting, "host", move) == ruling


def test_a_seat_that_is_freed_can_be_taken_again_by_the_same_player():
    sitting = table()
    sitting.give("seat:0", asked.Sit(0, "anna"))
    sitting.give("seat:0", asked.Leave(0))
    assert tags(sitting, -1) == ["table.seat_freed"]
    sitting.give("seat:2", asked.Sit(2, "anna"))
    assert [seat and seat.player for seat in sitting.table.seats] == [None, None, "anna"]


def test_g02_starting_deals_and_commits_to_the_round_after():
    sitting = table().seat_all()
    first = next(i for i, e in enumerate(sitting.entries) if isinstance(e.event, told.RoundStarted))
    said = tags(sitting, first)
    assert said[:2] == ["table.round_started", "shithead.dealt"]
    assert said[-2:] == ["table.seed_drawn", "table.round_committed"]
    assert sitting.entries[-1].event.round == 2
    assert refused(sitting, "host", asked.Start()) == "G-02"


def test_the_host_voids_an_open_table_and_it_opens_its_unused_seed():
    sitting = table()
    sitting.give("host", asked.Void())
    event = sitting.entries[-1].event
    assert isinstance(event, told.Voided)
    assert event == told.Voided(lines=4, seeds={"1": seed_of(0, 1)}, opened=((2, 2),))
    assert isinstance(sitting.table.phase, Voided)
    assert refused(sitting, "host", asked.Start()) == "G-12"


def test_after_the_start_only_a_referee_voids_a_table():
    sitting = table().seat_all()
    assert refused(sitting, "host", asked.Void()) == "G-02"
    sitting.give("referee:some-key", asked.Void())
    hidden = [e.seq for e in sitting.entries if isinstance(e.event, Whisper | Secret)]
    event = sitting.entries[-1].event
    assert [n for first, last in event.opened for n in range(first, last + 1)] == hidden
    assert event.seeds.keys() == {"1", "2"}


# G-04: seeds


def test_g04_the_round_is_dealt_from_the_committed_seed_and_every_seats_own():
    sitting = table()
    seeds: dict[int, str | None] = {0: "anna-seed", 1: None, 2: "carl-seed"}
    for n, seed in seeds.items():
        sitting.give(f"seat:{n}", asked.Sit(n, f"player-{n}", seed=seed))
    sitting.give("host", asked.Start())
    server = bytes.fromhex(seed_of(0, 1))
    assert sitting.table.commitments["1"] == commitment(TABLE_ID, 1, server)
    deck = Dice(round_key(TABLE_ID, 1, server, seeds)).shuffle("deck", SHITHEAD.pack(sitting.rules, 3))
    laid = next(e.event for e in sitting.entries if type_of(e.event) == "shithead.deck_laid")
    assert laid.stock == deck[27:]


def test_g04_a_seats_seed_counts_for_one_round():
    sitting = table(QUICK)
    for n in range(3):
        sitting.give(f"seat:{n}", asked.Sit(n, f"player-{n}", seed="seed-of-round-1"))
    sitting.give("host", asked.Start())
    assert all(seat.seed is None for seat in sitting.table.seats if seat)
    sitting.let_due()
    sitting.let_due()
    sitting.give("seat:0", asked.Ready(seed="fresh"))
    assert sitting.table.seats[0] is not None
    assert sitting.table.seats[0].seed == "fresh"
    sitting.give("seat:1", asked.Ready())
    sitting.give("seat:2", asked.Ready())
    expected = round_key(TABLE_ID, 2, bytes.fromhex(seed_of(0, 2)), {0: "fresh", 1: None, 2: None})
    assert sitting.table.dice.key == expected


# G-05: opening


def test_g05_the_end_of_a_round_opens_its_own_hidden_lines_and_no_other():
    sitting = between()
    ended = next(e.event for e in sitting.entries if isinstance(e.event, told.RoundEnded))
    rounds = {e.seq: e.round for e in sitting.entries if e.round is not None}
    opened = [n for first, last in ended.opened for n in range(first, last + 1)]
    assert opened == [seq for seq, round_ in rounds.items() if round_ == 1]
    assert ended.seeds == {"1": seed_of(0, 1)}
    assert sitting.table.opened == {1}
    assert sorted(sitting.table.seeds) == [2]


def test_g05_with_unseal_at_the_tables_end_a_round_opens_nothing():
    sitting = between(SHITHEAD.rules(max_plays=1, rounds=2, unseal="table_end"))
    ended = next(e.event for e in sitting.entries if isinstance(e.event, told.RoundEnded))
    assert (ended.seeds, ended.opened) == ({}, ())
    assert sitting.table.opened == frozenset()
    assert sitting.table.ended == {1}, "an auditor may read it all the same"
    for _ in range(4):
        if not sitting.over():
            sitting.let_due()
    last = sitting.entries[-1].event
    assert isinstance(last, told.Ended)
    assert last.seeds.keys() == {"1", "2", "3"}
    assert last.lines == len(sitting.entries)


# G-07, G-09: clocks, absence, leaving


def test_g07_a_call_that_comes_early_or_twice_finds_nothing_to_do():
    sitting = table().seat_all()
    assert refused(sitting, "table", asked.Act()) == "G-07"
    sitting.let_due()
    assert refused(sitting, "table", asked.Act()) == "G-07"


def test_g07_without_a_clock_nothing_is_due():
    sitting = table(SHITHEAD.rules(turn_timeout_s=0, swap_timeout_s=0)).seat_all()
    assert due(sitting.table) is None
    assert awaited(sitting.table) == (0, 1, 2)


def test_g09_after_three_clocks_in_a_row_the_clock_plays_at_once_until_the_seat_acts():
    sitting = table(SHITHEAD.rules(turn_timeout_s=60), 2).seat_all()
    sitting.let_due()
    absent = 0
    while not absent:
        sitting.let_due()
        absent = max(seat.misses for seat in sitting.table.seats if seat) >= 3
    for _ in range(4):
        found = due(sitting.table)
        assert found is not None
        mover = found.seats[0]
        seat = sitting.table.seats[mover]
        assert seat is not None
        waits = found.at > sitting.table.at
        assert waits == (seat.misses < 3)
        sitting.let_due()
    mover = awaited(sitting.table)[0]
    view = sitting.view(mover)
    sitting.give(f"seat:{mover}", options(view)[0], seconds=0)
    seat = sitting.table.seats[mover]
    assert seat is not None
    assert seat.misses == 0


def test_g09_never_absent_when_the_rule_is_0():
    sitting = table(SHITHEAD.rules(absent_after=0), 2).seat_all()
    sitting.let_due()
    for _ in range(12):
        found = due(sitting.table)
        assert found is not None
        assert found.at > sitting.table.at
        sitting.let_due()


def test_g09_with_everybody_absent_no_round_starts_by_the_clock():
    sitting = table(SHITHEAD.rules(rounds=2, absent_after=1, max_plays=2), 2).seat_all()
    for _ in range(3):
        if isinstance(sitting.table.phase, Playing):
            sitting.let_due()
    assert isinstance(sitting.table.phase, Between)
    assert due(sitting.table) is None
    sitting.give("seat:0", asked.Ready())
    assert due(sitting.table) is not None


def test_g09_with_one_seat_left_the_table_ends_after_the_round():
    sitting = table(QUICK, 2).seat_all()
    sitting.give("seat:1", asked.Leave(1))
    assert tags(sitting, -2) == ["table.round_ended", "table.ended"]
    assert sitting.entries[-1].event.reason == "abandoned"


def test_g09_leaving_between_rounds_no_longer_keeps_the_others_waiting():
    sitting = between()
    sitting.give("seat:0", asked.Ready())
    sitting.give("seat:1", asked.Ready())
    sitting.give("seat:2", asked.Leave(2))
    assert isinstance(sitting.table.phase, Playing)
    assert sitting.table.round == 2
    assert in_play(sitting.table) == (0, 1)


def test_g09_with_one_seat_left_between_rounds_the_table_ends_at_once():
    sitting = between(seats=2)
    sitting.give("seat:0", asked.Leave(0))
    assert isinstance(sitting.table.phase, Ended)


def test_g09_a_seat_leaves_once():
    sitting = table().seat_all()
    sitting.give("seat:1", asked.Leave(1))
    assert refused(sitting, "seat:1", asked.Leave(1)) == "G-09"
    assert refused(sitting, "seat:1", asked.Ready()) == "G-02"


# G-08: rounds


def test_g08_the_last_round_cannot_be_called_where_the_rounds_are_fixed():
    assert refused(table().seat_all(), "host", asked.CallLastRound()) == "G-08"


ENDLESS = SHITHEAD.rules(max_plays=1, rounds=None)


def play_out(sitting: Sitting) -> None:
    """Let the clocks finish the running round, or start and finish the next one."""
    if isinstance(sitting.table.phase, Between):
        for n in range(sitting.size):
            sitting.give(f"seat:{n}", asked.Ready())
    while isinstance(sitting.table.phase, Playing):
        sitting.let_due()


def test_g08_the_last_round_called_during_a_round_is_the_one_after_it_and_calling_again_puts_nothing_off():
    sitting = table(ENDLESS).seat_all()
    sitting.give("seat:0", asked.CallLastRound())
    play_out(sitting)
    assert isinstance(sitting.table.phase, Between)
    sitting.give("host", asked.CallLastRound())
    play_out(sitting)
    assert sitting.entries[-1].event.reason == "rounds"
    assert sitting.table.played == 2


def test_g11_a_last_round_called_during_a_round_stays_called_when_that_round_is_voided():
    for game in ("shithead", "hatchatul"):
        rules = GAMES[game].rules(rounds=None)
        sitting = Sitting(GAMES[game], rules, 2).seat_all()
        sitting.give("seat:0", asked.CallLastRound())
        sitting.give("referee:key", asked.VoidRound())
        play_out(sitting)
        assert isinstance(sitting.table.phase, Ended), f"{game}: the next dealt round was the last"
        assert sitting.table.played == 1


def test_rounds_follow_each_other_until_their_number_is_reached():
    sitting = between()
    for number in (2, 3):
        for n in range(3):
            sitting.give(f"seat:{n}", asked.Ready())
        assert sitting.table.round == number
        while isinstance(sitting.table.phase, Playing):
            sitting.let_due()
    last = sitting.entries[-1].event
    assert isinstance(last, told.Ended)
    assert last.reason == "rounds"
    assert len(sitting.table.results) == 3


def test_between_rounds_everybody_in_play_is_waited_for_and_lists_being_ready():
    sitting = between()
    view = sitting.view(1)
    assert to_act(view) == (0, 1, 2)
    assert asked.Ready() in options(view)
    sitting.give("seat:1", asked.Ready())
    assert to_act(sitting.view(1)) == (0, 2)
    assert asked.Ready() not in options(sitting.view(1))
    assert refused(sitting, "seat:1", asked.Ready()) == "G-02"


def test_the_ready_clock_starts_the_round_without_those_who_said_nothing():
    sitting = between()
    sitting.give("seat:1", asked.Ready())
    assert due(sitting.table) == Due(sitting.table.phase.due, "round")
    sitting.let_due()
    assert sitting.table.round == 2


# G-11: voiding a round


def test_g11_a_round_that_is_over_can_be_voided_until_the_next_deal():
    sitting = between()
    assert sitting.table.played == 1
    sitting.give("referee:k", asked.VoidRound())
    assert (sitting.table.played, sitting.table.results) == (0, ())
    assert sitting.entries[-1].event == told.RoundVoided(1, {}, ())
    assert refused(sitting, "referee:k", asked.VoidRound()) == "G-11"


@pytest.mark.parametrize("game", ["shithead", "hatchatul"])
@pytest.mark.parametrize("over", [False, True])
def test_g11_who_left_during_a_round_has_left_when_it_is_voided(game, over):
    sitting = Sitting(GAMES[game], GAMES[game].rules(rounds=None), 3).seat_all()
    sitting.give("seat:2", asked.Leave(2))
    while over and isinstance(sitting.table.phase, Playing):
        sitting.let_due()
    sitting.give("referee:key", asked.VoidRound())
    assert sitting.table.state.sitting.left == (2,)
    for eye in (0, 1, 2, None):
        seen = sitting.view(eye)
        assert seen.left == (2,)
        assert (seen.inner.seats[2].status == "left") if game == "shithead" else (seen.inner.left == (2,))
    sitting.give("seat:1", asked.Leave(1))
    assert sitting.table.state.sitting.left == (2, 1)
    assert isinstance(sitting.table.phase, Ended)


def test_g11_after_a_voided_round_no_sip_is_given_to_who_left_in_it():
    sitting = owing()
    giver = next(seat for seat, sips in enumerate(sitting.table.state.sitting.owed) if sips)
    leaver, other = (seat for seat in range(3) if seat != giver)
    for n in range(3):
        sitting.give(f"seat:{n}", asked.Ready())
    sitting.give(f"seat:{leaver}", asked.Leave(leaver))
    sitting.give("referee:key", asked.VoidRound())
    assert refused(sitting, f"seat:{giver}", GiveSip(leaver)) == "S-37"
    assert [move for move in options(sitting.view(giver)) if isinstance(move, GiveSip)] == [GiveSip(other)]
    sitting.give(f"seat:{giver}", GiveSip(other))


def owing() -> Sitting:
    """A table between two rounds at which somebody has still a sip to give."""
    for seed in range(20):
        sitting = table(SHITHEAD.rules(rounds=None, drinking=True), seed=seed).seat_all()
        while isinstance(sitting.table.phase, Playing):
            listed = ((n, move) for n in range(3) for move in options(sitting.view(n)))
            n, move = next((n, move) for n, move in listed if not isinstance(move, GiveSip))
            sitting.give(f"seat:{n}", move)
        if any(sitting.table.state.sitting.owed):
            return sitting
    raise AssertionError("nobody burnt a pile in twenty rounds")


# G-14: sandbox tables


def test_g14_a_deck_of_the_wrong_cards_is_no_deck():
    pack = SHITHEAD.pack(SHITHEAD.rules(), 2)
    check_decks(SHITHEAD, SHITHEAD.rules(), 2, [pack, pack[::-1]])
    for wrong in (pack[1:], (*pack[1:], pack[1]), (*pack, "2C"), ()):
        with pytest.raises(DeckInvalid):
            check_decks(SHITHEAD, SHITHEAD.rules(), 2, [pack, wrong])


def test_g14_a_scripted_deck_is_dealt_in_order_and_lies_in_a_hidden_line():
    pack = SHITHEAD.pack(SHITHEAD.rules(), 2)
    sitting = table(seats=2, decks=[pack]).seat_all()
    created = sitting.entries[0].event
    assert isinstance(created, told.Created)
    assert created.sandbox
    laid = next(e.event for e in sitting.entries if type_of(e.event) == "shithead.deck_laid")
    assert laid.stock == pack[18:]
    assert [isinstance(e.event, Secret) for e in sitting.entries if getattr(e.event, "decks", None)][:1] == [True]


def test_a_command_from_before_the_last_line_is_a_wrong_program():
    sitting = table()
    with pytest.raises(AssertionError, match="lies before"):
        decide(sitting.table, "host", asked.Start(), "2020-01-01T00:00:00.000000Z")
