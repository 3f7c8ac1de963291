"""How a table begins: its first line, the seed that it owes at once, the decks of a scripted one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from domain.game import Card, DeckInvalid, Game, RulesInvalid
from domain.lines import Entry
from domain.table import events as told
from domain.table import moves as asked
from domain.table.evolve import created
from domain.table.recording import Step
from domain.table.state import Between, Open, Playing, Table

HOST, TABLE = "host", "table"
"""Who gives the commands that no seat and no referee gives."""


def open_table(table_id: str, move: asked.Create, at: str, games: Mapping[str, Game]) -> Step:
    """A new table. Raises RulesInvalid for rules that make no game; `move.rules` already has their type."""
    game = games[move.game]
    fewest, most = game.seats(move.rules)
    if not fewest <= move.seats <= most:
        raise RulesInvalid("seats", f"{game.name} is played by {fewest} to {most} under these rules")
    game.check(move.rules, move.seats)
    rules = plain(move.rules)
    event = told.Created(move.game, game.rules_version, rules, move.seats, move.visibility, move.sandbox)
    spelled = asked.Create(move.game, rules, move.seats, move.visibility, move.sandbox)
    entry = Entry(seq=1, at=at, by=HOST, event=event, move=spelled)
    return Step((entry,), created(entry, table_id, games))


def owes_commit(table: Table) -> int | None:
    """The round whose seed the table must draw next, in the same transaction as the command before (G-04)."""
    coming = table.round + 1
    running = isinstance(table.phase, Open | Playing | Between)
    return coming if running and coming not in table.seeds else None


def check_decks(game: Game, rules: Any, seats: int, decks: Iterable[tuple[Card, ...]]) -> None:
    """Raises DeckInvalid unless each sandbox deck is the game's pack in some order (G-14)."""
    pack = Counter(game.pack(rules, seats))
    for number, deck in enumerate(decks, start=1):
        if Counter(deck) != pack:
            raise DeckInvalid(f"deck {number} is not the {pack.total()} cards of {game.name}'s pack in some order")


def plain(value: Any) -> Any:
    """A struct as the JSON types that its line gives back, so that a replay holds equal values."""
    return msgspec.json.decode(msgspec.json.encode(value))
