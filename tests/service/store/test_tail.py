"""Who follows the log while several processes write misses nothing: ids rise in the order of the commits."""

import asyncio

import psycopg

from service.store.opening import open_store
from service.store.port import Unit
from service.store.postgres import COMMIT, parameters
from tests.service.store.units import AT, lines_of, new_game

WRITERS = 3
TABLES = 8
COMMITS = 25


def test_a_reader_of_the_tail_misses_no_line_while_three_processes_write(place):
    async def story(store):
        writers = [await open_store(**place.where) for _ in range(WRITERS)]
        heard, ended = [], asyncio.Event()

        async def play(writer):
            game = new_game()
            for seq in range(1, COMMITS + 1):
                await writer.commit(Unit(game=game, at=AT, lines=lines_of(game, seq)))

        async def follow():
            after = 0
            while True:
                last_look = ended.is_set()
                page = await store.tail(after, 50)
                heard.extend(page)
                after = page[-1].id if page else after
                if last_look and not page:
                    return

        following = asyncio.ensure_future(follow())
        await asyncio.gather(*(play(writer) for writer in writers for _ in range(TABLES)))
        ended.set()
        await following
        for writer in writers:
            await writer.close()
        assert heard == await store.tail(0, 100_000)
        assert len({(one.game, one.seq) for one in heard}) == len(heard) == WRITERS * TABLES * COMMITS

    place.run(story)


def test_on_postgres_a_batch_waits_for_the_one_that_has_ids_already(on_postgres):
    """Else its ids could be seen first, and a reader that went on after them would pass the others for ever."""
    slow, quick = (Unit(game=game, at=AT, lines=lines_of(game, 1)) for game in (new_game(), new_game()))

    async def story(store):
        with psycopg.connect(on_postgres.where["database_url"]) as other:
            other.execute(COMMIT, parameters((), [slow]))
            commit = asyncio.ensure_future(store.commit(quick))
            await asyncio.wait([commit], timeout=0.3)
            assert not commit.done()
            assert await store.tail(0) == []
        await commit
        assert [one.game for one in await store.tail(0)] == [slow.game, quick.game]

    on_postgres.run(story)
