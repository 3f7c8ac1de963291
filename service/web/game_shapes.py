"""The types that differ from game to game: what opens a table, what it shows, what may be played at it."""

from __future__ import annotations

from typing import Any, Union

import msgspec
from msgspec import Struct

from domain.game import Game, Move, TableRules, type_of
from domain.games import GAMES
from domain.table.moves import Ready
from service.web import shapes

CALLED_ELSEWHERE = frozenset(
    {
        "kishpa.load",
        "totem.report_foul",
        "totem.reverse_foul",
        "totem.enter_grip",
        "totem.judge_grabs",
        "totem.void_grabs",
    }
)
"""Moves with a call of their own, or the table's: never listed, and no move here."""


def _camel(game: Game) -> str:
    return game.name.title()


def _tagged(game: Game, name: str, base: type[Struct], *fields: Any, strict: bool = False) -> type[Struct]:
    """A struct like `base` with more fields, tagged with the game's name in `game`."""
    return msgspec.defstruct(
        name + _camel(game),
        fields,
        bases=(base,),
        tag_field="game",
        tag=game.name,
        kw_only=True,
        frozen=True,
        forbid_unknown_fields=strict,
    )


def open_asked(game: Game) -> type[Struct]:
    """The request that opens a table of `game`."""
    rules = ("rules", game.rules, msgspec.field(default_factory=game.rules))
    return _tagged(game, "Open", shapes.OpenAsked, rules, strict=True)


def table_resource(game: Game) -> type[Struct]:
    """The resource of a table of `game`."""
    return _tagged(game, "Table", shapes.TableResource, ("rules", game.rules))


def table_opened(game: Game) -> type[Struct]:
    """The answer to opening a table of `game`: its resource, the lines, the host's token."""
    written = shapes.Written.__struct_fields__
    resource = [
        (f.name, f.type)
        for f in msgspec.structs.fields(shapes.TableResource)
        if f.name not in written or f.name == "sandbox"
    ]
    return _tagged(game, "Opened", shapes.TableOpened, *resource, ("rules", game.rules))


def view_type(game: Game) -> type[Any]:
    """The struct of the game's view."""
    rules: TableRules = game.rules()
    return type(game.empty_view(rules, game.seats(rules)[0], None))


def played(game: Game) -> list[type[Move]]:
    """The moves that a seat sends to the table itself; those with a call of their own are none of them."""
    return [move for move in game.moves if type_of(move) not in CALLED_ELSEWHERE]


def moves_of(game: Game) -> Any:
    """What a seat may send to a table of `game`: its moves, and being ready for the next round."""
    return _union([Ready, *played(game)])


def _union(types: list[type[Any]]) -> Any:
    return Union[tuple(types)]  # noqa: UP007 - made from a list


OPEN_ASKED = _union([open_asked(game) for game in GAMES.values()])
TABLE_OPENED = _union([table_opened(game) for game in GAMES.values()])
TABLE_RESOURCE = _union([table_resource(game) for game in GAMES.values()])
MOVES: dict[str, Any] = {game.name: moves_of(game) for game in GAMES.values()}
ANY_MOVE = _union([Ready, *(move for game in GAMES.values() for move in played(game))])
ANY_VIEW = _union([view_type(game) for game in GAMES.values()])
