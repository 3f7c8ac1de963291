"""Snapshots: where a table stood at a line, so that loading it does not take longer as it grows."""

from __future__ import annotations

import asyncio
import hashlib
import io
import pickle
from collections.abc import Callable, Coroutine
from functools import cache
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from domain.game import Game
from domain.games import GAMES
from domain.lines import line_hash
from domain.table.state import Stretch, Table, stretches
from domain.table.view import TableView
from service.store.port import Store, Unavailable
from service.store.rows import StoredLine
from service.tables.live import Live

log = structlog.get_logger(__name__)
LINES_BETWEEN = 300
"""How many lines a table may be past its last snapshot."""
REBUILD = "msgspec._utils.rebuild"
"""What msgspec calls to make a struct again whose fields are given by name."""
CONTAINERS = frozenset({"builtins.frozenset", "builtins.set", "collections.Counter", "collections.deque"})


class Snapshot(Struct, frozen=True):
    """A table as of line `seq`, whose hash is `head`: made by this `release` of the rules, under `rules`' version.

    `state` holds the table, the views and the bots' memories that were kept, for `_Reader` to read; `digest` is its
    SHA-256, for a state of which one bit is another would load and be believed.
    """

    release: str
    rules: int
    seq: int
    head: str
    digest: bytes
    state: bytes


class Unusable(Exception):
    """This snapshot is not for this release, or not of this table, or not whole; the text says which."""


@cache
def release() -> str:
    """A hash over the rules' own source: another release never takes up this one's states."""
    digest = hashlib.sha256()
    for path in sorted(_sources(resources.files("domain")), key=str):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources(folder: Traversable) -> list[Traversable]:
    found: list[Traversable] = []
    for path in folder.iterdir():
        if path.is_dir():
            found += _sources(path)
        elif path.name.endswith(".py"):
            found.append(path)
    return found


def sha256(state: bytes) -> bytes:
    """The digest of a state."""
    return hashlib.sha256(state).digest()


def taken(live: Live) -> bytes:
    """A snapshot of a table in memory."""
    table = live.table
    assert table is not None
    flat = replace(table, hidden={n: stretches(chain) for n, chain in table.hidden.items()})
    out = io.BytesIO()
    _Writer(out, protocol=5).dump((flat, live.views, {seat: mind.memory for seat, mind in live.minds.items()}))
    state = out.getvalue()
    kept = Snapshot(release(), table.game.rules_version, table.version, live.head, sha256(state), state)
    return msgspec.msgpack.encode(kept)


def put_back(live: Live, body: bytes, line: StoredLine | None) -> None:
    """Take up a snapshot whose line is `line`. Raises Unusable, having changed nothing."""
    try:
        kept = msgspec.msgpack.decode(body, type=Snapshot)
    except msgspec.MsgspecError as fault:
        raise Unusable("it is cut or no snapshot") from fault
    if kept.digest != sha256(kept.state):
        raise Unusable("it is damaged")
    if kept.release != release():
        raise Unusable("it is of another release")
    if line is None or line.seq != kept.seq or line_hash(line.line) != kept.head:
        raise Unusable("it does not match its line")
    table, views, memories = _read(kept.state)
    if table.version != kept.seq or table.game.rules_version != kept.rules:
        raise Unusable("it is of another version of the rules")
    live.take_up(replace(table, hidden={n: _chain(ranges) for n, ranges in table.hidden.items()}), kept.head)
    live.views = views
    live.recall(memories)


def _read(state: bytes) -> tuple[Table, dict[int | None, TableView], dict[int, Any]]:
    try:
        table, views, memories = _Reader(io.BytesIO(state)).load()
    except Exception as fault:
        raise Unusable("its state cannot be read") from fault
    if not isinstance(table, Table):
        raise Unusable("its state is no table")
    return table, views, memories


def _chain(ranges: Any) -> Stretch:
    chain: Any = None
    for first, last in ranges:
        chain = (chain, first, last)
    assert chain is not None, "a round with hidden lines has some"
    return chain  # type: ignore[no-any-return]


class Snapshots:
    """The follower that keeps snapshots: at the end of a round, and every few hundred lines, after the commit."""

    def __init__(
        self, store: Store, *, spawn: Callable[[Coroutine[Any, Any, None]], Any] = asyncio.create_task
    ) -> None:
        self.store, self.spawn = store, spawn

    def follow(self, game: str, live: Live) -> None:
        """Keep one if it is time; a table that cannot be kept is loaded from its lines."""
        table = live.table
        if table is None:
            return
        version, rounds = live.kept
        if len(table.ended) == rounds and table.version - version < LINES_BETWEEN:
            return
        live.kept = (table.version, len(table.ended))
        try:
            body = taken(live)
        except (pickle.PicklingError, RecursionError) as fault:
            log.warning("no snapshot taken", table=game, why=str(fault))
            return
        self.spawn(self._keep(game, table.version, body))

    async def _keep(self, game: str, seq: int, body: bytes) -> None:
        try:
            await self.store.keep_snapshot(game, seq, body)
        except Unavailable as fault:
            log.warning("no snapshot kept", table=game, why=str(fault))


class _Writer(pickle.Pickler):
    """Writes values of the domain; a game is written by its name."""

    def persistent_id(self, value: object) -> str | None:
        return value.name if isinstance(value, Game) else None


class _Reader(pickle.Unpickler):
    """Reads nothing but structs of the domain and plain containers, so that no snapshot can run code."""

    def persistent_load(self, name: Any) -> Game:
        return GAMES[name]

    def find_class(self, module: str, name: str) -> Any:
        full = f"{module}.{name}"
        if full in CONTAINERS or full == REBUILD:
            return super().find_class(module, name)
        if module.startswith("domain."):
            found = getattr(import_module(module), name)
            if isinstance(found, type) and issubclass(found, Struct):
                return found
        raise pickle.UnpicklingError(f"{full} has no place in a snapshot")
