"""Getting a place at a table: open one and fill it with bots, or join one."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from service.terminal import places
from service.terminal.connection import Connection
from service.terminal.direction import held
from service.terminal.places import Place
from service.terminal.trouble import HINTS, Exit, Trouble


class Wish(Struct, frozen=True, kw_only=True):
    """The table that somebody wants to open: `people` of its `seats` are for persons, the rest for bots."""

    kind: str
    seats: int
    people: int = 1
    bots: str = "normal"
    rules: dict[str, Any]
    name: str | None = None
    private: bool = False
    seed: str | None = None


def open_table(connection: Connection, wish: Wish) -> Place:
    """Open the table, sit down, seat the bots, and (with nobody else to wait for) start."""
    asked: dict[str, Any] = {"game": wish.kind, "seats": wish.seats, "rules": wish.rules}
    if wish.name:
        asked["name"] = wish.name
    if wish.private:
        asked["visibility"] = "private"
    opened = connection.post("/v1/games", asked).body
    place = _sat(connection, opened["id"], wish.kind, opened["host_token"], wish.seed, invite=opened.get("invite"))
    for _ in range(wish.seats - wish.people):
        connection.post(f"/v1/games/{place.game}/seats", {"bot": wish.bots}, token=place.host_token)
    if wish.people == 1:
        start(connection, place)
    return place


def start(connection: Connection, place: Place) -> None:
    """Press the host's button."""
    connection.post(f"/v1/games/{place.game}/start", token=place.host_token)


def same_game(connection: Connection, game: str | None, table: str) -> None:
    """Who names a game and a table means a table of that game. Raises Trouble if it is one of another."""
    played = game and connection.get(f"/v1/games/{table}")["game"]
    if played and played != game:
        joins = f"kupa play --table {table}"
        raise Trouble(
            *(Exit.USAGE, f"Table {table} plays {played}, not {game}.", f"{joins} joins it."),
            he=f"בשולחן {held(table)} משחקים {held(played)}, לא {held(game)}.",
            hint_he=f"להצטרפות אליו: {held(joins)}",
        )


def join(connection: Connection, game: str, *, seed: str | None = None, invite: str | None = None) -> Place:
    """Take a free seat at this table."""
    if connection.token is None:
        raise Trouble(
            *(Exit.REFUSED, "Sitting down needs an API key.", HINTS["token-missing"][0]),
            he="כדי לשבת צריך מפתח API.",
            hint_he=HINTS["token-missing"][1],
            table=game,
        )
    kind = connection.get(f"/v1/games/{game}")["game"]
    return _sat(connection, game, kind, None, seed, invite=invite)


def _sat(
    connection: Connection, game: str, kind: str, host_token: str | None, seed: str | None, *, invite: str | None
) -> Place:
    asked = {name: value for name, value in (("seed", seed), ("invite", invite)) if value}
    sat = connection.post(f"/v1/games/{game}/seats", asked, token=host_token).body
    place = Place(
        server=connection.server,
        game=game,
        kind=kind,
        seat=sat["seat"],
        seat_token=sat["seat_token"],
        host_token=host_token,
        invite=invite,
        key=places.mark(connection.token) if connection.token else None,
    )
    places.keep(place)
    return place
