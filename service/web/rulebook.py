"""The rulebooks as resources: a game's table rules, pack and moves as schemas, and the clauses that refusals cite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from domain.game import Game
from domain.games import GAMES
from service.web.game_shapes import moves_of
from service.web.schema_names import as_json

PACK = "The whole pack under the default rules: no kind of card is missing. `packs` tells what is in play."
PACKS = "What is in play under the default rules, by number of seats: some cards may stay in the box."
_CHAPTER = re.compile(r"^## (.+)$")
_TITLE = re.compile(r"^\| ([A-Z]-\d+[a-z]?) \| (.+?) \| (.+?) \|$")
_CLAUSE = re.compile(r"^- \*\*([A-Z]-\d+[a-z]?)(?: [^*]*)?\*\* ?(.*)$")


class SeatBounds(Struct, frozen=True):
    """How many can play."""

    fewest: int
    most: int


class RulebookSummary(Struct, frozen=True, kw_only=True):
    """A game: its titles by language, the version of its rules, how many play."""

    game: str
    titles: dict[str, str]
    rules_version: int
    seats: SeatBounds
    href: str


class RulebookList(Struct, frozen=True, kw_only=True):
    """Every game."""

    items: list[RulebookSummary]
    next: None


class Clause(Struct, frozen=True):
    """A clause of the rules, with its title by language; refusals name it in `ruling`."""

    id: str
    titles: dict[str, str]
    chapter: str
    text: str


class SeatedPack(Struct, frozen=True):
    """The cards of a table, in published order, for numbers of seats within these bounds."""

    seats: SeatBounds
    cards: list[str | int]


class Rulebook(RulebookSummary, frozen=True, kw_only=True):
    """A game's rules: `rules` and `moves` are JSON Schemas; `pack` and `packs` hold cards in published order."""

    rules: dict[str, Any]
    defaults: dict[str, Any]
    moves: dict[str, Any]
    pack: Annotated[list[str | int], Meta(description=PACK)]
    packs: Annotated[list[SeatedPack], Meta(description=PACKS)]
    clauses: list[Clause]


def summary(game: Game) -> dict[str, Any]:
    """A game in the list of rulebooks."""
    fewest, most = game.seats(game.rules())
    return {
        "game": game.name,
        "titles": dict(game.titles),
        "rules_version": game.rules_version,
        "seats": {"fewest": fewest, "most": most},
        "href": f"/v1/rulebooks/{game.name}",
    }


@lru_cache(maxsize=len(GAMES) or 1)
def encoded(name: str) -> bytes:
    """A game's whole rulebook as JSON. Raises KeyError for a game that there is not."""
    game = GAMES[name]
    packs = packs_of(game)
    book = {
        **summary(game),
        "rules": _schema(game.rules),
        "defaults": msgspec.to_builtins(game.rules()),
        "moves": _schema(moves_of(game)),
        "pack": whole_pack(packs),
        "packs": packs,
        "clauses": [*clauses(f"domain.{game.name}", "RULES.md"), *clauses("domain.table", "TABLE.md")],
    }
    return msgspec.json.encode(book)


def packs_of(game: Game) -> list[SeatedPack]:
    """The packs under the default rules, by number of seats."""
    rules = game.rules()
    fewest, most = game.seats(rules)
    packs: list[SeatedPack] = []
    for seats in range(fewest, most + 1):
        cards, first = list(game.pack(rules, seats)), seats
        if packs and packs[-1].cards == cards:
            first = packs.pop().seats.fewest
        packs.append(SeatedPack(SeatBounds(first, seats), cards))
    return packs


def whole_pack(packs: list[SeatedPack]) -> list[str | int]:
    """The smallest that lacks no card which any of them has."""
    kinds = {card for pack in packs for card in pack.cards}
    return min((pack.cards for pack in packs if kinds <= {*pack.cards}), key=len)


def _schema(type_: Any) -> dict[str, Any]:
    """JSON Schema (2020-12) of a type."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **as_json(msgspec.json.schema(type_))}


def clauses(package: str, file: str) -> Iterator[dict[str, Any]]:
    """Every numbered clause of a rule book, `{id, titles, chapter, text}`, in its order."""
    titles = dict(_titles(package))
    chapter, clause, text = "", "", ""
    for line in [*_lines(package, file), "## "]:
        begins = _CLAUSE.match(line)
        if clause and (begins or not line.startswith("  ")):
            yield {"id": clause, "titles": titles[clause], "chapter": chapter, "text": text}
            clause = ""
        if begins:
            clause, text = begins[1], begins[2]
        elif clause:
            text += " " + line.strip()
        elif named := _CHAPTER.match(line):
            chapter = named[1]


def _titles(package: str) -> Iterator[tuple[str, dict[str, str]]]:
    """(clause, its titles by language) from the table in TITLES.md."""
    for line in _lines(package, "TITLES.md"):
        if row := _TITLE.match(line):
            yield row[1], {"en": row[2], "he": row[3]}


def _lines(package: str, file: str) -> list[str]:
    found = resources.files(package).joinpath(file)
    return found.read_text(encoding="utf-8").splitlines() if found.is_file() else []
