"""A token that dies: heard of by every process from the outbox, and never believed past the time that is promised."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from service import auth as auth_module
from service.auth import Auth, Minter
from service.problems import Problem
from service.store.port import Unavailable, Unit
from tests.playing import START
from tests.service.tables.conftest import Place, open_store

MINTER = Minter(bytes(32))
HEADER = f"Bearer {MINTER.text('key', 'a1')}"
ROW = MINTER.row("key", "a1", "a1", START, scopes=("play",))


class Counting:
    """A store that counts what is asked of it, and can be away."""

    def __init__(self, store: Any) -> None:
        self.store, self.asked, self.away = store, 0, False

    async def token(self, token_id: str) -> Any:
        self.asked += 1
        return await self.store.token(token_id)

    async def posted(self) -> int:
        return int(await self.store.posted())

    async def outbox(self, after: int) -> Any:
        if self.away:
            raise Unavailable("away")
        return await self.store.outbox(after)


def listening(store: Any) -> tuple[Auth, Counting]:
    counting: Any = Counting(store)
    return Auth(counting, MINTER, lambda: START), counting


def revoked() -> Unit:
    return Unit(game="", at=START, revoked=("a1",))


async def known(auth: Auth) -> bool:
    try:
        await auth.resolve(HEADER)
    except Problem as problem:
        if problem.code != "token-revoked":
            raise
        return False
    return True


def test_another_process_hears_of_it_and_until_then_nobody_asks(place: Place):
    async def story(store: Any) -> None:
        await store.commit(Unit(game="", at=START, tokens=(ROW,)))
        here, asked = listening(store)
        await here.hear()
        assert [await known(here) for _ in range(5)] == [True] * 5
        assert asked.asked == 1
        other = await open_store(**place.where)
        await other.commit(revoked())
        await other.close()
        assert await known(here), "not heard of yet"
        await here.hear()
        assert not await known(here)

    place.run(story)


def test_with_the_list_out_of_reach_it_is_read_again_after_a_while(on_sqlite: Place, monkeypatch: pytest.MonkeyPatch):
    async def story(store: Any) -> None:
        await store.commit(Unit(game="", at=START, tokens=(ROW,)))
        here, asked = listening(store)
        await here.hear()
        assert await known(here)
        await store.commit(revoked())
        asked.away = True
        with pytest.raises(Unavailable):
            await here.hear()
        assert await known(here)
        monkeypatch.setattr(auth_module, "KEPT_SECONDS", 0.0)
        assert not await known(here)

    on_sqlite.run(story)


def test_one_that_dies_while_it_is_read_is_not_kept(on_sqlite: Place, monkeypatch: pytest.MonkeyPatch):
    async def story(store: Any) -> None:
        await store.commit(Unit(game="", at=START, tokens=(ROW,)))
        here, asked = listening(store)
        await here.hear()

        async def slowly(token_id: str) -> Any:
            row = await store.token(token_id)
            await store.commit(revoked())
            await here.hear()
            return row

        monkeypatch.setattr(asked, "token", slowly)
        assert await known(here), "it was read before it died"
        monkeypatch.setattr(asked, "token", store.token)
        assert not await known(here)

    on_sqlite.run(story)


def test_only_what_is_revoked_from_now_on_is_listened_for(place: Place):
    async def story(store: Any) -> None:
        await store.commit(Unit(game="", at=START, tokens=(ROW,)))
        await store.commit(Unit(game="", at=START, revoked=("long-ago",)))
        here, _ = listening(store)
        told: list[str | None] = []
        heard = asyncio.Event()
        here.followers += [told.append, lambda _: heard.set()]
        await here.hear()
        assert told == []
        assert await known(here)
        listens = asyncio.ensure_future(here.listen())
        await store.commit(revoked())
        async with asyncio.timeout(5):
            await heard.wait()
        listens.cancel()
        assert told == [None]
        assert not await known(here)

    place.run(story)


def test_who_slept_while_rows_were_dropped_begins_anew(on_sqlite: Place, monkeypatch: pytest.MonkeyPatch):
    async def story(store: Any) -> None:
        await store.commit(Unit(game="", at=START, tokens=(ROW,)))
        here, _ = listening(store)
        await here.hear()
        assert await known(here)
        await store.commit(revoked())
        await store.clear_outbox(0)
        await here.hear()
        assert await known(here), "it was not told"
        monkeypatch.setattr(auth_module, "SLEPT_SECONDS", 0.0)
        await asyncio.sleep(0.01)
        await here.hear()
        assert not await known(here)

    on_sqlite.run(story)
