"""What processes tell each other of seats: the last word of each, while it is fresh, and nothing of one's own."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from service.store.latencies import AT_ONCE_MAX
from service.store.rows import LatencyRow
from tests.service.store.units import AT, LATER, new_game

LONG_AGO = "2020-01-01T00:00:00.000000Z"


def test_each_process_hears_the_last_word_of_the_others(place):
    async def story(store: Any) -> None:
        game, other = new_game(), new_game()
        far, near = LatencyRow(game, 0, "a", 120, None, AT), LatencyRow(game, 0, "b", 3, None, AT)
        held = LatencyRow(game, 1, "a", None, 17, AT)
        await store.tell_latencies("a", [far, held, replace(far, game=other)])
        await store.tell_latencies("b", [near])
        assert sorted(await store.latencies(game, "b", LONG_AGO), key=lambda row: row.seat) == [far, held]
        assert await store.latencies(game, "a", LONG_AGO) == [near]
        again = replace(far, rtt_ms=90, held=18, at=LATER)
        await store.tell_latencies("a", [again], gone=[(game, 1), (game, 5)])
        assert await store.latencies(game, "b", LONG_AGO) == [again]
        assert await store.latencies(other, "b", LONG_AGO) == [replace(far, game=other)]
        await store.tell_latencies("b", [], gone=[(game, 0)])
        assert await store.latencies(game, "a", LONG_AGO) == []
        assert await store.latencies(game, "b", LONG_AGO) == [again], "what another process said of it stays"

    place.run(story)


def test_what_was_said_long_ago_is_not_heard_and_goes(place):
    async def story(store: Any) -> None:
        game = new_game()
        old, new = LatencyRow(game, 0, "a", 120, None, AT), LatencyRow(game, 1, "a", 3, None, LATER)
        await store.tell_latencies("a", [old, new])
        assert await store.latencies(game, "b", AT) == [new]
        assert await store.clear_latencies(LATER) == 1
        assert await store.latencies(game, "b", LONG_AGO) == [new]

    place.run(story)


def test_a_process_with_many_seats_tells_of_all_of_them(place):
    async def story(store: Any) -> None:
        games = [new_game() for _ in range(AT_ONCE_MAX // 2)]
        rows = [LatencyRow(game, seat, "a", seat, None, AT) for game in games for seat in range(5)]
        await store.tell_latencies("a", rows)
        for game in games[:: len(games) - 1]:
            assert len(await store.latencies(game, "b", LONG_AGO)) == 5
        await store.tell_latencies("a", [], gone=[(row.game, row.seat) for row in rows[1:]])
        assert await store.latencies(games[0], "b", LONG_AGO) == rows[:1]
        assert await store.latencies(games[-1], "b", LONG_AGO) == []

    place.run(story)
