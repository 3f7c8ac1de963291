"""The rows beside the lines: what replaces what, what is never changed, what is found and in which order."""

import asyncio

import pytest
from msgspec.structs import replace

from service.store.port import DirectoryQuery, LinesTaken, Unit
from service.store.rows import PlayerRow, SeatRow, TokenRow
from tests.service.store.units import AT, LATER, directory_row, full_unit, key_row, lines_of, new_game

TABLES = ("idempotency", "tokens", "players", "seats", "directory", "ledger", "outbox", "grabs")


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


def test_waiting_finds_what_is_due_and_where_a_bot_must_act_each_once(place):
    async def story(store):
        due, later, bot, both, idle = (
            directory_row(new_game(), due_at=AT),
            directory_row(new_game(), due_at=LATER),
            directory_row(new_game(), bot_to_act=True),
            directory_row(new_game(), due_at=AT, bot_to_act=True),
            directory_row(new_game()),
        )
        for row in (due, later, bot, both, idle):
            await store.commit(Unit(game=row.game, at=AT, directory=row))
        assert by_game(await store.waiting(AT)) == by_game([due, bot, both])
        assert by_game(await store.waiting(LATER)) == by_game([due, later, bot, both])
        assert by_game(await store.waiting("2026-11-30T09:59:59.999999Z")) == by_game([bot, both])

    place.run(story)


def test_the_directory_lists_newest_first_in_pages_and_shows_private_tables_to_their_people_only(place):
    async def story(store):
        rows = [
            directory_row(
                new_game(),
                opened_at=f"2026-11-30T10:00:{n // 2:02}.000000Z",  # two of each moment: the id decides
                kind="totem" if n % 3 == 0 else "shithead",
                status="ended" if n % 4 == 0 else "open",
                visibility="private" if n % 5 == 0 else "public",
                owner=f"k{n % 2}",
            )
            for n in range(30)
        ]
        for row in rows:
            await store.commit(Unit(game=row.game, at=AT, directory=row))
        rows.sort(key=lambda row: (row.opened_at, row.game), reverse=True)
        public = [row for row in rows if row.visibility == "public"]

        assert await store.find(DirectoryQuery()) == public
        assert await store.find(DirectoryQuery(kind="totem")) == [row for row in public if row.kind == "totem"]
        assert await store.find(DirectoryQuery(status="open")) == [row for row in public if row.status == "open"]
        assert await store.find(DirectoryQuery(owner="k1")) == [row for row in rows if row.owner == "k1"]
        assert await store.find(DirectoryQuery(after=new_game())) == []

        pages, after = [], None
        while page := await store.find(DirectoryQuery(after=after, limit=7)):
            pages += page
            after = page[-1].game
        assert pages == public

        theirs, mine = next(row for row in rows if row.visibility == "private"), SeatRow("", 0, "guest", "p", None, 1)
        await store.commit(Unit(game=theirs.game, at=AT, seats=(replace(mine, game=theirs.game),)))
        assert await store.find(DirectoryQuery(owner="guest")) == [theirs]
        await store.commit(Unit(game=theirs.game, at=AT, seats=(replace(mine, game=theirs.game, until=9),)))
        assert await store.find(DirectoryQuery(owner="guest")) == []

    place.run(story)


def test_old_keys_are_forgotten_and_younger_ones_kept(place):
    async def story(store):
        game = new_game()
        rows = [key_row(game, f"key-{n:012}", 0, 0, at=AT if n < 1_500 else LATER) for n in range(1_502)]
        await asyncio.gather(*(store.commit(Unit(game=new_game(), at=AT, idempotency=row)) for row in rows))
        assert await store.forget(AT) == 0
        assert await store.forget(LATER) == 1_500
        assert await store.idempotency(rows[0].caller, rows[0].key) is None
        assert await store.idempotency(rows[-1].caller, rows[-1].key) == rows[-1]

    place.run(story)


def by_game(rows):
    return {row.game: row for row in rows}, len(rows)


def test_the_outbox_keeps_its_last_rows(place):
    async def story(store):
        assert await store.clear_outbox(0) == 0
        for n in range(5):
            await store.commit(Unit(game="", at=AT, revoked=(f"token-{n}",)))
        last = await store.posted()
        assert await store.clear_outbox(10) == 0
        assert await store.clear_outbox(2) == 3
        assert [row.body for row in await store.outbox()] == [b"token-3", b"token-4"]
        assert await store.posted() == last
        assert await store.clear_outbox(0) == 2
        await store.commit(Unit(game="", at=AT, revoked=("token-5",)))
        assert [row.body for row in await store.outbox(last)] == [b"token-5"]

    place.run(story)
