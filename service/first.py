"""The first start: a key for the operator, and a table at which a newcomer can make a move at once."""

from __future__ import annotations

from msgspec import Struct

from domain.games import GAMES
from service import clock
from service.app import connect
from service.auth import Minter, server_key, write_secret
from service.callers import SCOPES, Host, Key
from service.parts import Parts
from service.settings import Settings
from service.store.opening import open_store
from service.store.port import Unit
from service.tables.answers import OpenRequest, SitRequest

ADMIN_KEY = "admin.key"
FIRST_GAME = "shithead"
FIRST_SEATS = 3


class FirstTable(Struct, frozen=True):
    """A public table with bots at all seats but one."""

    game: str
    host_token: str


class Prepared(Struct, frozen=True):
    """What the start found or made: whether it was the first, and the table opened then."""

    first: bool
    table: FirstTable | None = None


async def prepare(settings: Settings) -> Prepared:
    """Bring the store up to date and, if nobody has a key yet, make the operator's key and the first table."""
    store = await open_store(data_dir=settings.data_dir, database_url=settings.database_url)
    try:
        if await store.tokens():
            return Prepared(first=False)
        parts = connect(settings, store, Minter(server_key(settings)))
        key = await _operator(parts)
        table = await _first_table(parts, key) if settings.first_table and FIRST_GAME in GAMES else None
        return Prepared(first=True, table=table)
    finally:
        await store.close()


async def _operator(parts: Parts) -> Key:
    """A key with every scope, in a file that only its owner reads; the file first, lest the key be lost."""
    key_id, at = parts.dealer.new_id().replace("-", ""), clock.now()
    folder = parts.settings.folder
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_secret(folder / ADMIN_KEY, parts.minter.text("key", key_id))
    row = parts.minter.row("key", key_id, key_id, at, scopes=SCOPES)
    await parts.store.commit(Unit(game="", at=at, tokens=(row,)))
    return Key(key_id, SCOPES)


async def _first_table(parts: Parts, key: Key) -> FirstTable:
    game = GAMES[FIRST_GAME]
    request = OpenRequest(game=game.name, rules=game.rules(), seats=FIRST_SEATS, name="Welcome")
    opened = await parts.tables.open(key, request, None)
    host = Host(opened.game, key.id)
    for _ in range(FIRST_SEATS - 1):
        await parts.tables.sit(opened.game, host, SitRequest(bot="normal"), None)
    return FirstTable(opened.game, opened.extra["host_token"])
