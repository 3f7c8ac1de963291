"""Who goes into a batch, and who is blamed when it fails: the pure part, on a database that is a dictionary."""

from typing import Any

import pytest
from eventsourcing.persistence import IntegrityError, OperationalError
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from service.store.batching import Unreached, next_batch, settle
from service.store.port import KeyTaken, LinesTaken, Unavailable, Unit, Unsettled
from service.store.rows import PLAY_ENDS, PlayerRow, StoredLine, TokenRow
from service.store.side_rows import ends_play
from tests.service.store.units import AT, grab_row, key_row, lines_of, new_game


class Queued(Struct, frozen=True):
    unit: Unit
    number: int = 0


def queued(game: str, key: str | None = None, number: int = 0) -> Queued:
    row = key_row(game, key, caller="key:k1") if key else None
    return Queued(Unit(game=game, at=AT, idempotency=row), number)


def test_a_batch_takes_one_unit_a_table_in_order_of_arrival():
    a1, a2, b1, c1 = queued("a", number=1), queued("a", number=2), queued("b"), queued("c")
    assert next_batch([a1, a2, b1, c1]) == [a1, b1, c1]
    assert next_batch([a2]) == [a2]


def test_a_batch_takes_one_unit_a_key_and_nobody_overtakes_at_the_same_table():
    twin, other_twin, behind = queued("a", "same"), queued("b", "same"), queued("b", number=2)
    assert next_batch([twin, other_twin, behind]) == [twin]
    assert next_batch([other_twin, behind]) == [other_twin]


def test_a_batch_is_no_larger_than_asked():
    assert len(next_batch([queued(str(n)) for n in range(10)], most=4)) == 4


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from([None, "x", "y", "z"]))), st.integers(1, 6))
def test_batch_after_batch_everybody_is_served_and_each_table_in_its_own_order(arrivals, most):
    waiting = [queued(game, key, number) for number, (game, key) in enumerate(arrivals)]
    served: list[Queued] = []
    while waiting:
        batch = next_batch(waiting, most)
        assert 0 < len(batch) <= most
        assert len({one.unit.game for one in batch}) == len(batch)
        keys = [one.unit.idempotency.key for one in batch if one.unit.idempotency]
        assert len(set(keys)) == len(keys)
        assert batch[0] == waiting[0]
        waiting = [one for one in waiting if one not in batch]
        served += batch
    for game in "abcde":
        numbers = [one.number for one in served if one.unit.game == game]
        assert numbers == sorted(numbers)
    assert len(served) == len(arrivals)


class Memory:
    """A database in a dictionary, which can lose the answers to its first so many writes."""

    def __init__(self, *, answers_lost=0, stored_first=True, unreached=False):
        self.lines: dict[tuple[str, int], StoredLine] = {}
        self.keys, self.tokens, self.players, self.grabs_by_id, self.poison = {}, {}, {}, {}, set()
        self.transactions = 0
        self.answers_lost, self.stored_first, self.unreached = answers_lost, stored_first, unreached

    def write(self, units):
        self.transactions += 1
        lost = self.answers_lost > 0
        self.answers_lost -= 1
        if lost and self.unreached:
            raise Unreached("no connection")
        if not lost or self.stored_first:
            self._insert(units)
        if lost:
            raise OperationalError("the connection is gone")

    def _insert(self, units):
        lines, keys, players = dict(self.lines), dict(self.keys), dict(self.players)
        tokens, grabs = dict(self.tokens), dict(self.grabs_by_id)
        for unit in units:
            if unit.game in self.poison:
                raise ValueError("poison")
            rows = [(lines, (unit.game, line.seq), line) for line in unit.lines]
            rows += [(tokens, token.id, token) for token in unit.tokens]
            rows += [(grabs, grab.id, grab) for grab in unit.grabs]
            rows += [(players, (row.key, row.label), row.player) for row in unit.players]
            if unit.idempotency:
                rows.append((keys, (unit.idempotency.caller, unit.idempotency.key), unit.idempotency))
            for table, key, row in rows:
                if key in table:
                    raise IntegrityError("taken")
                table[key] = row
        self.lines, self.keys, self.tokens, self.players, self.grabs_by_id = lines, keys, tokens, players, grabs

    def stored(self, game, first, last):
        found = (self.lines.get((game, seq)) for seq in range(first, last + 1))
        return [line for line in found if line]

    def used(self, caller, key):
        return self.keys.get((caller, key))

    def token(self, token_id):
        return self.tokens.get(token_id)

    def grab(self, grab_id):
        return self.grabs_by_id.get(grab_id)

    def grabs(self, game):
        return [grab for grab in self.grabs_by_id.values() if grab.game == game]

    def ended(self, game, after):
        return any(seq > after and line.type in PLAY_ENDS for (of, seq), line in self.lines.items() if of == game)

    def player(self, key, label):
        return self.players.get((key, label))


def keyed(game: str, first: int, key: str, **changes: Any) -> Unit:
    return Unit(game=game, at=AT, lines=lines_of(game, first), idempotency=key_row(game, key, first, first, **changes))


def test_units_without_quarrel_take_one_transaction():
    database = Memory()
    assert settle(database, [keyed(new_game(), 1, "k") for _ in range(100)]) == [None] * 100
    assert database.transactions == 1


def test_each_loser_is_told_why_and_all_others_are_committed():
    database = Memory()
    taken, used, twice, poisoned, *good = [new_game() for _ in range(20)]
    database.poison.add(poisoned)
    ours = keyed(twice, 1, "key-of-the-first")
    theirs = Unit(game=taken, at=AT, lines=lines_of(taken, 1, seed="another-seed-000"))
    assert settle(database, [theirs, keyed(used, 1, "k"), ours]) == [None] * 3

    batch = [
        keyed(taken, 1, "k"),
        keyed(used, 2, "k"),
        ours,  # its acknowledgement was lost
        keyed(poisoned, 1, "k"),
        *(keyed(game, 1, "k") for game in good),
    ]
    fates = settle(database, batch)

    assert isinstance(fates[0], LinesTaken)
    assert isinstance(fates[1], KeyTaken)
    assert fates[2] is None
    assert isinstance(fates[3], ValueError)
    assert fates[4:] == [None] * len(good)
    assert database.stored(taken, 1, 1) == list(theirs.lines)
    assert all(database.stored(game, 1, 1) for game in good)
    assert not database.stored(used, 2, 2)
    assert not database.stored(poisoned, 1, 1)


def test_finding_the_one_at_fault_among_many_takes_a_few_transactions():
    database = Memory()
    games = [new_game() for _ in range(256)]
    database.poison.add(games[100])
    fates = settle(database, [keyed(game, 1, "k") for game in games])
    assert [place for place, fate in enumerate(fates) if fate is not None] == [100]
    assert database.transactions <= 2 * 8 + 1


def test_twins_with_one_key_at_two_new_tables_are_told_apart():
    database = Memory()
    one, two = (keyed(new_game(), 1, "k", caller="key:k1") for _ in range(2))
    fates = settle(database, [one, two])
    assert fates[0] is None
    assert isinstance(fates[1], KeyTaken)


def test_two_players_for_one_label_are_told_apart():
    database = Memory()
    one, two = (
        Unit(game=game, at=AT, lines=lines_of(game, 1), players=(PlayerRow("k1", "Dana", player),))
        for game, player in ((new_game(), "p1"), (new_game(), "p2"))
    )
    fates = settle(database, [one, two])
    assert fates[0] is None
    assert isinstance(fates[1], LinesTaken)


def test_a_lost_answer_to_a_commit_that_went_through_is_found_to_be_ours():
    database = Memory(answers_lost=1)
    units = [keyed(new_game(), 1, "k") for _ in range(3)]
    assert settle(database, units) == [None] * 3
    assert len(database.lines) == 3


def test_a_lost_answer_to_a_commit_that_did_not_go_through_is_sent_again():
    database = Memory(answers_lost=1, stored_first=False)
    units = [keyed(new_game(), 1, "k") for _ in range(3)]
    assert settle(database, units) == [None] * 3
    assert len(database.lines) == 3


@pytest.mark.parametrize(
    "bare",
    [
        Unit(game="g", at=AT, idempotency=key_row("g", "k", 0, 0, status=409)),
        Unit(game="g", at=AT, tokens=(TokenRow("t", "key", "d" * 64, "k1", AT),)),
    ],
)
def test_a_lost_answer_to_a_unit_without_lines_is_known_by_its_rows(bare):
    assert settle(Memory(answers_lost=1), [bare]) == [None]


def test_silence_twice_means_that_nobody_knows():
    fates = settle(Memory(answers_lost=2, stored_first=False), [keyed(new_game(), 1, "k")])
    assert [type(fate) for fate in fates] == [Unsettled]


def test_a_database_that_took_nothing_is_merely_unavailable():
    database = Memory(answers_lost=1, unreached=True)
    assert [type(fate) for fate in settle(database, [keyed(new_game(), 1, "k")])] == [Unavailable]
    assert database.lines == {}


def test_the_same_public_bytes_from_another_request_are_not_ours():
    database = Memory()
    theirs = keyed(new_game(), 1, "their-key")
    settle(database, [theirs])
    mine = replace(theirs, idempotency=key_row(theirs.game, "my-own-key"))
    assert [type(fate) for fate in settle(database, [mine])] == [LinesTaken]


def test_a_wrong_row_is_reported_as_what_it_is():
    database = Memory()
    token = TokenRow("t", "key", "d" * 64, "k1", AT)
    settle(database, [Unit(game="g", at=AT, tokens=(token,))])
    [fate] = settle(database, [Unit(game="g", at=AT, tokens=(replace(token, digest="e" * 64),))])
    assert isinstance(fate, IntegrityError)


class Overtaken(Memory):
    """A database in which another process judges the table's grabs when so many questions have been answered."""

    def __init__(self, judgement: Unit, answers: int) -> None:
        super().__init__()
        self.judgement, self.answers = judgement, answers

    def write(self, units):
        for unit in units:
            if ends_play(unit) and self.grabs_by_id.keys() - {*unit.judged}:
                raise IntegrityError("a grab would outlive its play")
        super().write(units)
        for unit in units:
            for grab_id in unit.judged:
                del self.grabs_by_id[grab_id]

    def asked(self):
        if self.answers == 0:
            self.write([self.judgement])
        self.answers -= 1

    def stored(self, game, first, last):
        self.asked()
        return super().stored(game, first, last)

    def used(self, caller, key):
        self.asked()
        return super().used(caller, key)

    def grabs(self, game):
        self.asked()
        return super().grabs(game)


@pytest.mark.parametrize("key", [None, "the-key-of-the-end"])
@pytest.mark.parametrize("answers", range(4))
def test_an_end_whose_grab_is_judged_while_it_is_being_refused_is_decided_again(answers: int, key: str | None):
    game = new_game()
    grab = grab_row(game, "a-grab")
    database = Overtaken(Unit(game=game, at=AT, lines=lines_of(game, 8), judged=(grab.id,)), answers)
    assert settle(database, [Unit(game=game, at=AT, grabs=(grab,))]) == [None]

    lines = tuple(replace(line, type=PLAY_ENDS[0]) for line in lines_of(game, 8, seed="the-end-of-play"))
    end = Unit(game=game, at=AT, lines=lines, idempotency=key_row(game, key, 8, 8) if key else None)

    assert [type(fate) for fate in settle(database, [end])] == [LinesTaken]
    assert not database.ended(game, 7)
