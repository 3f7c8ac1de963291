"""A unit is committed whole or not at all, and what was committed reads back as it was written."""

import asyncio

import pytest
from msgspec.structs import replace

from service.store.port import (
    DirectoryQuery,
    KeyTaken,
    LinesTaken,
    PlayerRow,
    Position,
    Posted,
    SeatRow,
    StoredLine,
    TokenRow,
    Unit,
)
from tests.service.store.units import AT, LATER, directory_row, full_unit, key_row, lines_of, new_game

TABLES = ("idempotency", "tokens", "players", "seats", "directory", "ledger", "outbox")


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


def test_a_token_that_dies_with_a_unit_keeps_the_time_of_its_first_death(place):
    async def story(store):
        game = new_game()
        first, second = (TokenRow(name, "seat", "d" * 64, "k1", AT, game, 1) for name in ("old", "new"))
        await store.commit(Unit(game=game, at=AT, tokens=(first,)))
        await store.commit(Unit(game=game, at=LATER, tokens=(second,), revoked=("old",)))
        await store.commit(Unit(game=game, at="2027-01-01T00:00:00.000000Z", revoked=("old", "never-was")))
        assert await store.token("old") == replace(first, revoked=LATER)
        assert await store.token("new") == second

    place.run(story)


def test_a_token_id_that_is_taken_is_nobodys_to_give_again(place):
    async def story(store):
        game = new_game()
        row = TokenRow("same", "seat", "d" * 64, "k1", AT, game, 1)
        await store.commit(Unit(game=game, at=AT, tokens=(row,)))
        with pytest.raises(Exception, match=r"(?i)unique"):
            await store.commit(Unit(game=game, at=AT, tokens=(replace(row, digest="e" * 64),)))
        assert await store.token("same") == row

    place.run(story)


def test_keys_are_listed_newest_first_and_by_owner(place):
    async def story(store):
        game = new_game()
        keys = [TokenRow(f"k{n}", "key", "d" * 64, f"o{n % 2}", f"2026-11-30T10:00:0{n}.000000Z") for n in range(4)]
        seat = TokenRow("s", "seat", "d" * 64, "o1", AT, game, 0)
        await store.commit(Unit(game=game, at=AT, tokens=(*keys, seat)))
        assert await store.tokens() == keys[::-1]
        assert await store.tokens("o1") == [keys[3], keys[1]]

    place.run(story)


def test_the_same_player_again_is_no_news_but_another_one_for_the_label_loses(place):
    async def story(store):
        game = new_game()
        await store.commit(Unit(game=game, at=AT, players=(PlayerRow("k1", "Dana", "p1"),)))
        await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 1), players=(PlayerRow("k1", "Dana", "p1"),)))
        with pytest.raises(LinesTaken):
            await store.commit(
                Unit(game=game, at=AT, lines=lines_of(game, 2), players=(PlayerRow("k1", "Dana", "p2"),))
            )
        await store.commit(Unit(game=game, at=AT, players=(PlayerRow("k2", "Dana", "p3"),)))
        assert await store.player("k1", "Dana") == "p1"
        assert await store.player("k2", "Dana") == "p3"
        assert await store.version(game) == 1

    place.run(story)


def test_a_seat_row_replaces_the_one_of_the_same_sitting(place):
    async def story(store):
        game = new_game()
        sat = SeatRow(game, 0, "k1", "p1", "t1", 3)
        freed = replace(sat, token=None, until=9)
        next_one = SeatRow(game, 0, "k2", "p2", None, 12, "hard")
        for row in (sat, freed, next_one):
            await store.commit(Unit(game=game, at=AT, seats=(row,)))
        assert await store.seats(game) == [freed, next_one]

    place.run(story)


def test_a_directory_row_of_an_older_version_never_overwrites_a_newer_one(place):
    async def story(store):
        game = new_game()
        newer = directory_row(game, 5, name="five")
        for row in (directory_row(game, 4), newer, directory_row(game, 3, name="three")):
            await store.commit(Unit(game=game, at=AT, directory=row))
        assert await store.directory(game) == newer
        renamed = replace(newer, name=None)
        await store.commit(Unit(game=game, at=AT, directory=renamed))
        assert await store.directory(game) == renamed

    place.run(story)


def test_ledger_rows_are_never_changed_or_deleted(place):
    async def story(store):
        await store.commit(full_unit(new_game()))

    place.run(story)
    for statement in ('UPDATE ledger SET "amount" = 1', "DELETE FROM ledger"):
        with pytest.raises(Exception, match="ledger rows are never"):
            place.execute(statement)
    assert place.execute('SELECT "amount" FROM ledger') == [(60,)]


def test_a_transfer_is_reversed_once(place):
    async def story(store):
        game = new_game()
        unit = full_unit(game)
        await store.commit(unit)
        back = replace(unit.ledger[0], seq=4, payer="seat:1", payee="bank", reverses_seq=1, reverses_index=0)
        await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 4), ledger=(back,)))
        with pytest.raises(Exception, match=r"(?i)unique"):
            await store.commit(Unit(game=game, at=AT, lines=lines_of(game, 5), ledger=(replace(back, seq=5),)))
        assert await store.ledger(game, after=1) == [back]
        assert await store.version(game) == 4

    place.run(story)


def test_a_line_of_any_unicode_keeps_its_bytes(place):
    async def story(store):
        game = new_game()
        line = StoredLine(1, "table.created", '{"name":"חתחתול 🐈 \\u0000"}'.encode())
        await store.commit(Unit(game=game, at=AT, lines=(line,)))
        assert await store.lines(game) == [line]

    place.run(story)


async def nothing(store):
    """Only so that the schema is made."""


def counts(place) -> dict[str, int]:
    return {table: place.execute(f"SELECT COUNT(*) FROM {table}")[0][0] for table in TABLES}
