"""Lists for people and programs: tables of the directory, API keys."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import rich_click as click
from rich.console import Console
from rich.text import Text

from domain.games import GAMES
from service.terminal import columns
from service.terminal.connection import Connection
from service.terminal.direction import held
from service.terminal.options import EXIT_CODES, Access, access, language, spoken, told
from service.terminal.trouble import ServerSaid
from service.terminal.words import Language, Voice, clean

PAGE = 100
FEW_TABLES = 20
Titles = Mapping[str, str]
"""The fields that a list shows, in their order, each with its title in Hebrew; in English that is the field itself."""
TABLES: Titles = {
    "id": "מזהה",
    "game": "משחק",
    "status": "מצב",
    "seats": "מושבים",
    "version": "גרסה",
    "name": "שם",
}
KEYS: Titles = {
    "id": "מזהה",
    "scopes": "הרשאות",
    "created_at": "נוצר",
    "expires": "בתוקף עד",
    "revoked": "בוטל",
}
NO_TABLE: Mapping[Language, str] = {
    "en": "No table. `kupa play shithead` opens one.",
    "he": f"אין שולחן. {held('kupa play shithead')} פותח אחד.",
}
NO_KEYS: Mapping[Language, str] = {"en": "No keys.", "he": "אין מפתחות."}


@click.command(epilog=EXIT_CODES)
@click.option("--game", type=click.Choice(tuple(GAMES)), help="Only tables of this game.")
@click.option("--status", type=click.Choice(("open", "running", "ended", "voided")), help="Only tables in this state.")
@click.option("--mine", is_flag=True, help="Only tables that your key opened, private ones too.")
@click.option(
    "--most", type=click.IntRange(min=1), default=FEW_TABLES, show_default=True, help="How many, newest first."
)
@told
@language
@access
def games(
    *, game: str | None, status: str | None, mine: bool, most: int, access: Access, lang: str, as_json: bool
) -> None:
    """List tables, newest first."""
    named = {"game": game, "status": status, "mine": "true" if mine else None}
    connection = access.holder() if mine else access.anybody()
    found = list(tables(connection, {name: value for name, value in named.items() if value}, most))
    if as_json:
        as_document(found)
        return
    voice = Voice(spoken(lang), None, frozenset(), Text)
    for table in found:
        table["seats"] = f"{table['size'] - table['free']}/{table['size']}"
        table["game"], table["status"] = voice.name(table["game"]), voice.status(table["status"])
    show(found, TABLES, NO_TABLE, spoken(lang))


@click.group(epilog=EXIT_CODES)
def keys() -> None:
    """Make, list and revoke API keys; needs a key with the scope admin."""


@keys.command(name="list")
@told
@language
@access
def list_keys(*, access: Access, lang: str, as_json: bool) -> None:
    """List every API key, without its secret."""
    found = access.holder().get("/v1/keys")["items"]
    if as_json:
        as_document(found)
    else:
        show(found, KEYS, NO_KEYS, spoken(lang))


@keys.command()
@click.option("--scope", multiple=True, type=click.Choice(("play", "audit", "referee", "admin")), default=("play",))
@click.option("--expires", metavar="TIME", help="RFC 3339 time, UTC, as 2030-01-01T00:00:00.000000Z.")
@told
@language
@access
def create(
    *,
    scope: tuple[str, ...],
    expires: str | None,
    access: Access,
    lang: str,  # noqa: ARG001  (troubles are told in it; a key is what it is)
    as_json: bool,
) -> None:
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
@language
@access
def revoke(*, key_id: str, access: Access, lang: str, as_json: bool) -> None:
    """Revoke a key by its id."""
    try:
        gone = access.holder().delete(f"/v1/keys/{key_id}").body
    except ServerSaid as said:
        if said.code == "not-found":
            said.hint = "`kupa keys list` shows the ids of all keys."
            said.hint_he = f"{held('kupa keys list')} מונה את המזהים של כל המפתחות."
        raise
    if as_json:
        as_document([gone])
    else:
        show([gone], KEYS, NO_KEYS, spoken(lang))


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


def as_document(items: Sequence[dict[str, Any]]) -> None:
    """Write `items` as one JSON document, the same in every language."""
    sys.stdout.write(json.dumps({"items": list(items), "next": None}, ensure_ascii=False) + "\n")


def show(items: Sequence[dict[str, Any]], titles: Titles, empty: Mapping[Language, str], lang: Language) -> None:
    """Write `items` as a table of these fields, or say that there are none."""
    if not items:
        columns.say(Console(stderr=True), Text(empty[lang]), lang)
        return
    named = {field: field.replace("_", " ") if lang == "en" else title for field, title in titles.items()}
    heads = [*named.values()]
    grid = columns.grid(heads, lang, wide=named.get("name"), left=heads, overflow="fold")
    for item in items:
        grid.add_row(*columns.row([_cell(item.get(field)) for field in titles], lang))
    columns.put(columns.output(), grid, lang)


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
