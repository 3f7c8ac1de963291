"""The games that are played here, and their rules."""

from __future__ import annotations

from litestar.response.base import ASGIResponse

from domain.games import GAMES
from service.problems import Problem
from service.web import replies, rulebook
from service.web.call import Call
from service.web.operations import Gives, Operation, routes

ROUTES, route = routes()


@route(
    "GET",
    "/v1/rulebooks",
    Operation(
        id="listRulebooks",
        tag="rulebooks",
        roles=("anyone",),
        gives={200: Gives(rulebook.RulebookList, "Every game.")},
    ),
)
async def list_rulebooks(_: Call) -> ASGIResponse:
    """The games that can be played here."""
    return replies.json({"items": [rulebook.summary(game) for game in GAMES.values()], "next": None})


@route(
    "GET",
    "/v1/rulebooks/{game:str}",
    Operation(
        id="getRulebook",
        tag="rulebooks",
        roles=("anyone",),
        gives={200: Gives(rulebook.Rulebook, "The game's rules.")},
        codes=("not-found",),
    ),
)
async def get_rulebook(call: Call) -> ASGIResponse:
    """A game's table rules (as JSON Schema, with defaults), its pack, its moves, and every clause by its number."""
    name = call.of_path("game")
    if name not in GAMES:
        raise Problem("not-found", f"The games here are {', '.join(GAMES)}.")
    return replies.raw(rulebook.encoded(name))
