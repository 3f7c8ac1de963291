"""The conduct of every game in GAMES: what must hold whatever is played, under whatever table rules."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections import Counter
from functools import reduce
from pathlib import Path

import msgspec
import pytest
import rfc8785

from domain.fair import commitment
from domain.game import Move, Refused, Secret, Whisper, type_of
from domain.games import GAMES
from domain.gate import Caller, hearable
from domain.lines import NO_LINE, decode, entry_of, line_hash, sealed
from domain.table import events as told
from domain.table import moves as asked
from domain.table.decide import decide
from domain.table.due import due
from domain.table.evolve import created, evolve
from domain.table.state import now
from domain.table.view import empty_view, hear, options, see, to_act
from domain.times import later
from tests.essence import SAMPLES
from tests.playing import EVENTS, MOVES, TABLE_ID, Sitting, play, random_rules

ROOT = Path(__file__).parent.parent
PLAYED = [pytest.param(name, number, id=f"{name}-{number}") for name in GAMES for number in range(12)]
CLAUSE = re.compile(r"\*\*([A-Z]-\d+)\b|^- ([A-Z]-\d+)\b|^#+ ([A-Z]-\d+)\b", re.MULTILINE)


def clauses(game: str) -> set[str]:
    """The clause ids that stand in a game's rule book and in the table's."""
    books = (ROOT / "domain" / game / "RULES.md", ROOT / "domain" / "table" / "TABLE.md")
    return {found for book in books for match in CLAUSE.findall(book.read_text()) for found in match if found}


def sitting(name: str, number: int, **fixed: object) -> tuple[Sitting, random.Random]:
    """A table of random size under random table rules, started."""
    game, rng = GAMES[name], random.Random(f"{name}/{number}")
    fewest, most = game.seats(game.rules())
    seats = rng.randint(fewest, min(most, 7))
    fixed = {**SAMPLES[name].fixed, **fixed}
    fixed.setdefault("unseal", rng.choice(["round", "round", "table_end"]))
    return Sitting(game, random_rules(game, seats, rng, **fixed), seats, seed=number).seat_all(), rng


def played(name: str, number: int, **fixed: object) -> Sitting:
    table, rng = sitting(name, number, **fixed)
    lazy, leaving = (0.05, 0.003) if number % 3 == 0 else (0.0, 0.0)
    return play(table, rng, most=20_000, lazy=lazy, leaving=leaving, calling=0.1 if "rounds" in fixed else 0.0)


@pytest.mark.parametrize(("name", "number"), PLAYED)
def test_every_card_lies_in_exactly_one_place_after_every_line(name, number):
    table = played(name, number)
    pack = Counter(table.game.pack(table.rules, table.size))
    dealt = [t for t in table.tables if table.game.zones(t.state)]
    assert dealt, "something was dealt"
    for after in dealt:
        zones = table.game.zones(after.state)
        assert Counter(itertools.chain.from_iterable(zones.values())) == pack, f"after line {after.version}"


@pytest.mark.parametrize(("name", "number"), PLAYED)
def test_a_replay_from_the_lines_gives_the_same_states_hashes_and_bytes(name, number):
    table = played(name, number)
    again, head = None, NO_LINE
    for line, then in zip(table.lines, table.tables, strict=True):
        read = decode(line)
        assert read.prev == head
        entry = entry_of(read, EVENTS, MOVES)
        again = evolve(again, entry) if again else created(entry, TABLE_ID, GAMES)
        assert again == then
        head = line_hash(line)
    assert head == table.head


@pytest.mark.parametrize("name", GAMES)
def test_every_line_is_canonical_to_an_independent_writer(name):
    table = played(name, 1)
    for line in table.lines:
        assert rfc8785.dumps(json.loads(line)) == line


@pytest.mark.parametrize(("name", "number"), PLAYED[::3])
def test_the_view_kept_up_to_date_equals_the_view_folded_afresh_at_every_version(name, number):
    """Also where a seat whose look lies open asks the table for something: look and line end together (G-06)."""
    table = played(name, number)
    _views_and_gate_agree(table)
    _views_and_gate_agree(played(name, number, rounds=None))


def _views_and_gate_agree(table: Sitting) -> None:
    for seat in (0, table.size - 1, None):
        view = empty_view(table.game, table.rules, table.size, seat)
        for version, end in _commands(table):
            heard = table.heard(seat, end, now(table.tables[end - 1]))
            for entry in heard:
                if entry.seq > version:
                    view = hear(view, entry)
            called = isinstance(table.entries[version].event, told.LastRoundCalled)
            if called or end % 7 == 0 or end > len(table.lines) - 10:
                assert view == table.view(seat, end), f"seat {seat} at version {end}"


def _commands(table: Sitting) -> list[tuple[int, int]]:
    """The version before and after each command."""
    return list(zip([0, *table.ends], table.ends, strict=False))


@pytest.mark.parametrize(("name", "number"), PLAYED)
def test_what_is_listed_is_accepted_and_what_is_accepted_is_listed(name, number):
    """At a spread of positions: every listed move works, and no wild move works that is not on the list."""
    table, rng = sitting(name, number)
    sample, known, taken, refused = SAMPLES[name], clauses(name), 0, 0
    for _ in range(60):
        if table.over():
            break
        for seat in range(table.size):
            listed = options(table.view(seat))
            essences = [sample.essence(move) for move in listed]
            assert len(set(map(repr, essences))) == len(essences), "nothing is listed twice"
            for move in listed:
                _try(table, seat, move)
            for _ in range(25):
                wild = sample.wild(rng, table.size)
                ruling = _ruling(table, seat, wild)
                assert ruling is None or ruling in known
                assert ruling or sample.essence(wild) in essences, f"seat {seat}: {wild} is accepted and not listed"
                taken, refused = taken + (ruling is None), refused + (ruling is not None)
        for _ in range(6):
            if not table.over():
                play_one(table, rng)
    assert taken > 0
    assert refused > 0


def _try(table: Sitting, seat: int, move: Move) -> None:
    decide(table.table, f"seat:{seat}", move, table.at)


def _ruling(table: Sitting, seat: int, move: Move) -> str | None:
    """The clause that refuses a move, None if it is accepted."""
    try:
        _try(table, seat, move)
    except Refused as no:
        return no.ruling
    return None


def play_one(table: Sitting, rng: random.Random) -> None:
    seats = [n for n in range(table.size) if options(table.view(n))]
    found = due(table.table)
    if not seats or (found and found.at and found.at <= later(table.at, seconds=1)):
        table.let_due()
        return
    seat = rng.choice(seats)
    table.give(f"seat:{seat}", rng.choice(options(table.view(seat))))


@pytest.mark.parametrize(("name", "number"), PLAYED)
def test_until_the_end_somebody_has_a_move_or_the_table_owes_one(name, number):
    table = played(name, number)
    views = {n: empty_view(table.game, table.rules, table.size, n) for n in range(table.size)}
    for before, end in _commands(table):
        for n, view in views.items():
            fresh = [e.event for e in table.heard(n, end, now(table.tables[end - 1])) if e.seq > before]
            views[n] = reduce(see, fresh, view)
        then = table.tables[end - 1]
        if type_of(table.entries[end - 1].event) in ("table.ended", "table.voided") or then.round == 0:
            continue
        can = [n for n, view in views.items() if options(view)]
        assert can or due(then), f"stuck at version {end}"
        waited = to_act(views[0])
        assert set(waited) <= set(can), f"waited for {waited}, but only {can} can move at version {end}"


@pytest.mark.parametrize(("name", "number"), PLAYED[::2])
def test_a_table_left_to_its_clocks_comes_to_its_end_or_rests_between_rounds(name, number):
    table, _ = sitting(name, number)
    for _ in range(20_000):
        if due(table.table) is None:
            break
        table.let_due()
    assert table.table.played >= 1


@pytest.mark.parametrize("name", GAMES)
def test_after_the_end_every_move_is_refused(name):
    table, rng = played(name, 2), random.Random(2)
    for seat in range(table.size):
        assert options(table.view(seat)) == []
        for move in [SAMPLES[name].wild(rng, table.size) for _ in range(20)] + [asked.Ready(), asked.Leave(seat)]:
            with pytest.raises(Refused) as no:
                _try(table, seat, move)
            assert no.value.ruling == "G-12"


@pytest.mark.parametrize(("name", "number"), PLAYED[::4])
def test_nobody_is_served_a_hidden_line_of_another_before_its_round_opens_and_everybody_after(name, number):
    table = played(name, number)
    for seat in (*range(table.size), None):
        for version in range(1, len(table.lines) + 1, 5):
            then = table.tables[version - 1]
            moment = now(then)
            for line, entry in zip(table.headings[:version], table.entries[:version], strict=True):
                hidden = isinstance(entry.event, Whisper | Secret)
                heard = hearable(line, Caller(seat), moment)
                if hidden and line.to != seat:
                    assert heard == (entry.round in then.opened), f"line {line.seq} at version {version}"
                if not hidden:
                    assert heard
    final = now(table.table)
    assert all(hearable(line, Caller(), final) for line in table.headings), "the end opens everything"


@pytest.mark.parametrize(("name", "number"), PLAYED[::4])
def test_the_ends_open_exactly_the_hidden_lines_and_name_seeds_that_meet_their_commitments(name, number):
    table = played(name, number)
    opened: set[int] = set()
    seeds: dict[str, str] = {}
    lines = None
    for entry in table.entries:
        if isinstance(entry.event, told.RoundEnded | told.Ended):
            opened |= {n for first, last in entry.event.opened for n in range(first, last + 1)}
            seeds |= entry.event.seeds
        if isinstance(entry.event, told.Ended):
            lines = entry.event.lines
    hidden = {entry.seq for entry in table.entries if isinstance(entry.event, Whisper | Secret)}
    assert opened == hidden
    assert lines == len(table.lines)
    commitments = {
        str(e.event.round): e.event.commitment for e in table.entries if isinstance(e.event, told.RoundCommitted)
    }
    assert commitments == {n: commitment(TABLE_ID, int(n), bytes.fromhex(seed)) for n, seed in seeds.items()}


def _served(table: Sitting, seat: int | None, version: int) -> list[tuple[int, bytes]]:
    """The feed as a seat gets it at `version`, what must differ replaced by fixed text of equal length."""
    moment, caller, served = now(table.tables[version - 1]), Caller(seat), []
    for heading, line in zip(table.headings[:version], table.lines[:version], strict=True):
        got = line if hearable(heading, caller, moment) else sealed(heading.seq, line)
        text = re.sub(rb'"(hash|prev|commitment|salt)":"[0-9a-f]+"', rb'"\1":"-"', got)
        served.append((len(got), text))
    return served


@pytest.mark.parametrize(("name", "number"), PLAYED)
def test_two_tables_that_differ_only_where_a_seat_cannot_look_are_the_same_to_it_at_every_version(name, number):
    """The two-world test: swap two cards that the seat never heard of, and draw another seed for the next round."""
    compared = 0
    for attempt in range(12):
        compared += _two_worlds(name, number * 100 + attempt)
        if compared > 150:
            return
    assert compared > 20, "too few worlds could be compared"


def _two_worlds(name: str, number: int) -> int:
    """How many versions were compared; 0 if the other world went another way by what the rules tell."""
    game, rng = GAMES[name], random.Random(f"{name}/two/{number}")
    fewest, most = game.seats(game.rules())
    size = rng.randint(fewest, min(most, 5))
    rules = random_rules(game, size, rng, **SAMPLES[name].fixed)
    deck = list(game.pack(rules, size))
    rng.shuffle(deck)
    first = Sitting(game, rules, size, seed=number, decks=[deck]).seat_all()
    for _ in range(rng.randint(2, 60)):
        if first.table.round == 1 and not first.over() and not first.table.played:
            play_one(first, rng)
    end = next((e.seq - 1 for e in first.entries if isinstance(e.event, told.RoundEnded)), len(first.entries))
    seat = rng.choice([*range(size), None])
    heard = json.dumps([msgspec.to_builtins(e.event) for e in first.heard(seat, end)])
    unheard = [i for i, card in enumerate(deck) if json.dumps(card) not in heard]
    pairs = [(i, j) for i in unheard for j in unheard if deck[i] != deck[j]]
    if not pairs:
        return 0
    i, j = rng.choice(pairs)
    deck[i], deck[j] = deck[j], deck[i]
    other = _same_commands(first, Sitting(game, rules, size, seed=number, decks=[deck], next_seed=number + 10**6))
    versions = min(end, len(other.entries))
    return _compare(name, first, other, seat, versions, rng)


def _same_commands(first: Sitting, other: Sitting) -> Sitting:
    for by, move in first.commands:
        try:
            if by == "table":
                other.let_due()
            else:
                other.give(by, move)
        except (Refused, AssertionError):
            break
    return other


def _compare(name: str, first: Sitting, other: Sitting, seat: int | None, versions: int, rng: random.Random) -> int:
    ends = set(first.ends) & set(other.ends)
    for version in range(1, versions + 1):
        mine, yours = first.entries[version - 1].event, other.entries[version - 1].event
        if mine != yours and type_of(mine) in SAMPLES[name].tells:
            return version - 1
        if version not in ends:
            continue
        assert _served(first, seat, version) == _served(other, seat, version), f"feed of {seat} at {version}"
        here, there = first.view(seat, version), other.view(seat, version)
        assert here == there, f"view of {seat} at {version}"
        assert options(here) == options(there)
        if seat is not None and version % 3 == 0:
            for _ in range(5):
                _same_refusal(first, other, seat, version, SAMPLES[name].wild(rng, first.size))
    return versions


def _same_refusal(first: Sitting, other: Sitting, seat: int, version: int, move: Move) -> None:
    answers = []
    for table in (first, other):
        then = table.tables[version - 1]
        try:
            decide(then, f"seat:{seat}", move, then.at)
            answers.append("accepted")
        except Refused as no:
            answers.append(str(no))
    assert answers[0] == answers[1], f"{move} by {seat} at {version}"


@pytest.mark.parametrize("name", GAMES)
def test_voiding_the_running_round_opens_it_and_puts_everything_back(name):
    table, rng = sitting(name, 5, rounds=2, unseal="round")
    before = table.table.before
    for _ in range(3):
        play_one(table, rng)
    assert not table.table.played
    table.give("referee:key", asked.VoidRound())
    if "table.round_voided" not in table.game.hears:  # else loads and leaving stand, and the game's own tests show how
        assert table.table.state == before
    assert table.table.results == ()
    assert 1 in table.table.opened
    with pytest.raises(Refused) as no:
        table.give("referee:key", asked.VoidRound())
    assert no.value.ruling == "G-11"
    play(table, rng, most=40_000)
    assert int(table.table.played) == 2


def test_every_game_can_be_tried_by_this_suite():
    assert SAMPLES.keys() == GAMES.keys()
