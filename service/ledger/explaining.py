"""Why each transfer was made: the lines that tell it are read, and the game puts it into words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from domain.game import Event, Game, type_of
from domain.games import GAMES
from domain.table import events as told
from domain.table.accounts import explained as explained_by_table
from domain.tokens import Transfer, Words
from service.store.ledger import LedgerReader
from service.store.rows import LedgerRow
from service.tables.live import read

Place = tuple[int, int]
"""The line of a transfer, and its place in it."""


async def explanations(books: LedgerReader, game: str, kind: str, rows: Sequence[LedgerRow]) -> dict[Place, Words]:
    """The words for these rows of the table `game`, which plays `kind`; rows in order."""
    if not rows:
        return {}
    first = await books.round_start(game, rows[0].seq)
    lines = await books.told(game, telling(kind), first, rows[-1].seq)
    wanted = {(row.seq, row.index) for row in rows}
    tokens = GAMES[kind].tokens
    assert tokens is not None, f"{kind} moves no tokens"
    scene, found = tokens.scene(), {}
    for stored in lines:
        event = read(stored.line).event
        own = not type_of(event).startswith("table.")
        scene = tokens.see(scene, event) if own else scene
        transfers: tuple[Transfer, ...] = getattr(event, "transfers", ())
        for index, transfer in enumerate(transfers):
            if (stored.seq, index) in wanted:
                say = tokens.explain(scene, event, transfer) if own else explained_by_table(event, transfer)
                found[stored.seq, index] = say
    return found


@cache
def telling(kind: str) -> frozenset[str]:
    """The tags of the lines that must be read to explain a transfer of this game."""
    game: Game = GAMES[kind]
    events: tuple[type[Event], ...] = (*told.EVENTS, *game.events)
    moving = {type_of(event) for event in events if "transfers" in event.__struct_fields__}
    return frozenset(moving | (game.tokens.tells if game.tokens else set()))
