"""Lists for people and programs: tables of the directory, API keys."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import rich_click as click
from rich.console import Console
from rich.table import Table as Grid

from domain.games import GAMES
from service.terminal.connection import Connection
from service.terminal.options import EXIT_CODES, Access, access, told
from service.terminal.trouble import ServerSaid
from service.terminal.words import clean

PAGE = 100
FEW_TABLES = 20
PIPED_LETTERS = 200
"""The width of a list that goes to no terminal."""


@click.command(epilog=EXIT_CODES)
@click.option("--game", type=click.Choice(tuple(GAMES)), help="Only tables of this game.")
@click.option("--status", type=click.Choice(("open", "running", "ended", "voided")), help="Only tables in this state.")
@click.option("--mine", is_flag=True, help="Only tables that your key opened, private ones too.")
@click.option(
    "--most", type=click.IntRange(min=1), default=FEW_TABLES, show_default=True, help="How many, newest first."
)
@told
@access
def games(*, game: str | None, status: str | None, mine: bool, most: int, access: Access, as_json: bool) -> None:
    """List tables, newest first."""
    named = {"game": game, "status": status, "mine": "true" if mine else None}
    connection = access.holder() if mine else access.anybody()
    found = list(tables(connection, {name: value for name, value in named.items() if value}, most))
    if not as_json:
        found = [{**table, "seats": f"{table['size'] - table['free']}/{table['size']}"} for table in found]
    columns = ("id", "game", "status", "seats", "version", "name")
    show(found, columns, "No table. `kupa play shithead` opens one.", as_json=as_json)


@click.group(epilog=EXIT_CODES)
def keys() -> None:
    """Make, list and revoke API keys; needs a key with the scope admin."""


KEY_COLUMNS = ("id", "scopes", "created_at", "expires", "revoked")


@keys.command(name="list")
@told
@access
def list_keys(*, access: Access, as_json: bool) -> None:
    """List every API key, without its secret."""
    show(access.holder().get("/v1/keys")["items"], KEY_COLUMNS, "No keys.", as_json=as_json)


@keys.command()
@click.option("--scope", multiple=True, type=click.Choice(("play", "audit", "referee", "admin")), default=("play",))
@click.option("--expires", metavar="TIME", help="RFC 3339 time, UTC, as 2030-01-01T00:00:00.000000Z.")
@told
@access
def create(*, scope: tuple[str, ...], expires: str | None, access: Access, as_json: bool) -> None:
    """Make a key. Its text is shown this once."""
    asked = {"scopes": list(scope), **({"expires": expires} if expires else {})}
    made = access.holder().post("/v1/keys", asked).body
    if as_json:
        sys.stdout.write(json.dumps(made) + "\n")
    else:
        click.echo(made["key"])


@keys.command()
@click.argument("key_id")
@told
@access
def revoke(*, key_id: str, access: Access, as_json: bool) -> None:
    """Revoke a key by its id."""
    try:
        gone = access.holder().delete(f"/v1/keys/{key_id}").body
    except ServerSaid as said:
        if said.code == "not-found":
            said.hint = "`kupa keys list` shows the ids of all keys."
        raise
    show([gone], KEY_COLUMNS, "", as_json=as_json)


def tables(connection: Connection, asked: dict[str, str], most: int) -> Iterator[dict[str, Any]]:
    """The tables of the directory, newest first, page after page, at most so many."""
    after, left = None, most
    while left > 0:
        limits = {"limit": str(min(left, PAGE)), **({"after": after} if after else {})}
        page = connection.get("/v1/games", {**asked, **limits})
        yield from page["items"]
        left -= len(page["items"])
        after = page["next"]
        if after is None:
            return


def show(items: Sequence[dict[str, Any]], columns: Sequence[str], empty: str, *, as_json: bool) -> None:
    """`items` as one JSON document, or as a table of these fields."""
    if as_json:
        sys.stdout.write(json.dumps({"items": list(items), "next": None}, ensure_ascii=False) + "\n")
        return
    if not items:
        Console(stderr=True).print(empty)
        return
    grid = Grid(box=None, pad_edge=False)
    for column in columns:
        grid.add_column(column.replace("_", " "), header_style="bold", no_wrap=column != "name", overflow="fold")
    for item in items:
        grid.add_row(*(_cell(item.get(column)) for column in columns))
    Console(width=None if sys.stdout.isatty() else PIPED_LETTERS).print(grid)


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case list() | tuple():
            return " ".join(map(_cell, value))
        case str() if value.endswith("Z") and value[10:11] == "T":
            return value[:19].replace("T", " ")
        case _:
            return clean(str(value))
