"""A store that is closed while it is asked for something: what was begun ends, and nothing else begins."""

import asyncio
import time

import pytest

from service.store.port import Unavailable
from tests.service.store.units import new_game


def test_closing_waits_for_what_was_begun_aside_though_nobody_else_does(place, monkeypatch):
    async def story(store):
        put, kept = store.app.snapshots.put, []

        def slowly(snapshots):
            time.sleep(0.2)
            put(snapshots)
            kept.append(snapshots)

        monkeypatch.setattr(store.app.snapshots, "put", slowly)
        keeping = asyncio.ensure_future(store.keep_snapshot(new_game(), 1, b"a table"))
        await asyncio.sleep(0.05)
        keeping.cancel()
        await store.close()
        assert len(kept) == 1
        with pytest.raises(Unavailable):
            await store.keep_snapshot(new_game(), 1, b"a table")
        with pytest.raises(Unavailable):
            await store.snapshot(new_game())

    place.run(story)
