"""A unit is committed whole or not at all, and what was committed reads back as it was written."""

import asyncio

import msgspec
import pytest
from eventsourcing.persistence import DataError
from msgspec.structs import replace

from service.store.port import DirectoryQuery, KeyTaken, LinesTaken, Unit
from service.store.rows import Position, Posted, StoredLine
from tests.service.store.units import AT, directory_row, full_unit, key_row, lines_of, new_game

TABLES = ("idempotency", "tokens", "players", "seats", "directory", "ledger", "outbox", "grabs")


def test_everything_in_a_unit_reads_back_as_it_was_written(place):
    game = new_game()
    unit = full_unit(game)

    async def write(store):
        await store.commit(unit)

    async def read(store):
        assert await store.lines(game) == list(unit.lines)
        assert await store.version(game) == 3
        assert unit.idempotency
        assert await store.idempotency(unit.idempotency.caller, unit.idempotency.key) == unit.idempotency
        assert await store.token(unit.tokens[0].id) == unit.tokens[0]
        assert await store.player("k1", unit.players[0].label) == unit.players[0].player
        assert await store.seats(game) == list(unit.seats)
        assert await store.directory(game) == unit.directory
        assert await store.ledger(game) == list(unit.ledger)
        assert await store.grabs(game) == list(unit.grabs)
        [posted] = await store.outbox()
        assert posted == Posted(posted.id, "ended", game, b'{"seq":1}')
        first = await store.position() - 2
        assert await store.tail(0) == [Position(first + n, game, n + 1) for n in range(3)]

    place.run(write, read)


def test_what_is_not_there_is_none_or_empty(place):
    async def story(store):
        game = new_game()
        assert await store.lines(game) == []
        assert await store.version(game) == 0
        assert await store.idempotency("key:k1", "no-such-key-here") is None
        assert await store.token("none") is None
        assert await store.tokens() == []
        assert await store.player("k1", "nobody") is None
        assert await store.seats(game) == []
        assert await store.directory(game) is None
        assert await store.find(DirectoryQuery()) == []
        assert await store.waiting(AT) == []
        assert await store.grabs(game) == []
        assert await store.undecided(AT) == []
        assert await store.position() == 0

    place.run(story)


def test_lines_can_be_read_from_the_middle_and_in_pages(place):
    async def story(store):
        game = new_game()
        lines = lines_of(game, 1, 10)
        await store.commit(Unit(game=game, at=AT, lines=lines))
        assert await store.lines(game, after=7) == list(lines[7:])
        assert await store.lines(game, after=2, limit=3) == list(lines[2:5])
        assert await store.lines(game, after=10) == []

    place.run(story)


def test_lines_that_another_wrote_are_refused_with_all_their_side_rows(place):
    async def story(store):
        game = new_game()
        await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 1, 2)))
        loser = replace(full_unit(game, 2, 2), lines=lines_of(game, 2, 2, seed="another-seed-000"))
        with pytest.raises(LinesTaken):
            await store.commit(loser)
        assert await store.version(game) == 2

    place.run(story)
    assert counts(place) == dict.fromkeys(TABLES, 0)


def test_a_key_that_was_used_is_refused_with_its_lines(place):
    async def story(store):
        game = new_game()
        await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 1), idempotency=key_row(game, "a" * 16)))
        again = Unit(
            game=game, at=AT, lines=lines_of(game, 2), idempotency=key_row(game, "a" * 16, 2, 2, fingerprint="0" * 64)
        )
        with pytest.raises(KeyTaken):
            await store.commit(again)
        assert await store.version(game) == 1

    place.run(story)


def test_the_very_same_unit_sent_again_counts_as_committed_and_is_written_once(place):
    async def story(store):
        unit = full_unit(new_game())
        await store.commit(unit)
        await store.commit(unit)
        await store.commit(replace(unit, lines=()))  # as a refusal is stored: only its key

    place.run(story)
    assert counts(place) == dict.fromkeys(TABLES, 1)


@pytest.mark.parametrize("table", TABLES)
def test_when_a_side_row_fails_no_line_and_no_other_row_is_written(place, table):
    bad, good = new_game(), new_game()
    place.run(nothing)
    place.refuse_inserts(table)

    async def story(store):
        with pytest.raises(Exception, match="told to fail"):
            await store.commit(full_unit(bad))
        assert await store.lines(bad) == []
        # A unit that does not touch that table goes through, also when both wait together.
        plain = Unit(game=good, at=AT, lines=lines_of(good, 1))
        fates = await asyncio.gather(store.commit(full_unit(bad)), store.commit(plain), return_exceptions=True)
        assert "told to fail" in str(fates[0])
        assert fates[1] is None
        assert await store.lines(bad) == []
        assert await store.version(good) == 1

    place.run(story)
    assert counts(place) == dict.fromkeys(TABLES, 0)


def test_when_the_lines_fail_no_side_row_is_written(place):
    place.run(nothing)
    place.refuse_inserts(place.lines_table)

    async def story(store):
        with pytest.raises(Exception, match="told to fail"):
            await store.commit(full_unit(new_game()))

    place.run(story)
    assert counts(place) == dict.fromkeys(TABLES, 0)


def test_a_line_of_any_unicode_keeps_its_bytes(place):
    async def story(store):
        game = new_game()
        line = StoredLine(1, "table.created", '{"name":"חתחתול 🐈 \\u0000"}'.encode())
        await store.commit(Unit(game=game, at=AT, lines=(line,)))
        assert await store.lines(game) == [line]

    place.run(story)


@pytest.mark.parametrize("name", ["\\u0000 in letters", "\\\\u0000", 'חתול "🐈"\u202e\\', "\x01\x7f", " ", ""])
def test_a_text_of_a_side_row_is_kept_letter_by_letter(place, name):
    async def story(store):
        game = new_game()
        key = key_row(game, "k", extra=msgspec.json.encode({"name": name}), problem=msgspec.json.encode([name]))
        unit = Unit(game=game, at=AT, idempotency=key, directory=directory_row(game, name=name))
        await store.commit(unit)
        assert await store.directory(game) == unit.directory
        assert await store.idempotency(key.caller, key.key) == key

    place.run(story)


def test_a_zero_byte_is_refused_and_harms_nobody_beside_it(place):
    async def story(store):
        wrong, right = (Unit(game=new_game(), at=AT) for _ in range(2))
        wrong = replace(wrong, directory=directory_row(wrong.game, name="\\\0"))
        right = replace(right, directory=directory_row(right.game, name="\\\\0"))
        fates = await asyncio.gather(*map(store.commit, (wrong, right)), return_exceptions=True)
        assert [type(fate) for fate in fates] == [DataError, type(None)]
        assert await store.directory(wrong.game) is None
        assert await store.directory(right.game) == right.directory

    place.run(story)


async def nothing(store):
    """Only so that the schema is made."""


def counts(place) -> dict[str, int]:
    return {table: place.execute(f"SELECT COUNT(*) FROM {table}")[0][0] for table in TABLES}
