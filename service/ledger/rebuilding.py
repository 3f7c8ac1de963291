"""The operator's command `kupa rebuild ledger`: does the ledger follow from the lines, and what is missing of it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import msgspec
import rich_click as click

from service.settings import Settings, SettingsInvalid, from_environment
from service.web.call import TABLE_ID

SHOWN_MAX = 10


@click.group()
def rebuild() -> None:
    """Make what is kept beside the lines again from the lines, and compare."""


@rebuild.command()
@click.argument("games", nargs=-1)
@click.option(
    "--add-missing",
    is_flag=True,
    help="Write the rows that are missing, at tables where none is wrong. On SQLite the service must be stopped.",
)
@click.option("--json", "as_json", is_flag=True, help="One object a table on standard output, for programs.")
def ledger(*, games: Sequence[str], add_missing: bool, as_json: bool) -> None:
    """Make the ledger of GAMES (by default of all tables) from their lines and compare it with what is stored.

    Rows are never changed or deleted: the database refuses both. A ledger that lost rows, an emptied one too, is filled
    with --add-missing; a row that is wrong is shown, and is a case for a backup. Exit codes: 0 the ledger follows from
    the lines · 1 it does not.
    """
    from service.serving import Refuses, alone  # noqa: PLC0415 - the other commands start without it

    settings = _settings()
    held: AbstractContextManager[None] = alone(settings) if add_missing else nullcontext()
    try:
        with held:
            holds = asyncio.run(_run(settings, games, add_missing=add_missing, as_json=as_json))
    except Refuses as reason:
        raise click.ClickException(str(reason)) from None
    sys.exit(0 if holds else 1)


def _settings() -> Settings:
    try:
        return from_environment(os.environ)
    except SettingsInvalid as fault:
        raise click.ClickException(str(fault)) from None


async def _run(settings: Settings, named: Sequence[str], *, add_missing: bool, as_json: bool) -> bool:
    from service.ledger import rebuild as projection  # noqa: PLC0415
    from service.store.opening import open_store  # noqa: PLC0415

    store = await open_store(data_dir=settings.data_dir, database_url=settings.database_url)
    tables = rows = 0
    holds = True
    try:
        for game in named:
            if not TABLE_ID.fullmatch(game):
                raise click.ClickException(f"There is no table {game}.")
        for game in named or [game async for game in projection.games(store)]:
            compared = await projection.compare(store, game)
            if not compared.lines:
                raise click.ClickException(f"There is no table {game}.")
            added = add_missing and bool(compared.missing) and not compared.wrong
            if added:
                await projection.add_missing(store, compared)
            tables, rows = tables + 1, rows + compared.rows
            holds = holds and (compared.holds or added)
            _tell(compared, added=added, as_json=as_json)
    finally:
        await store.close()
    if not as_json:
        click.echo(f"{tables} tables, {rows} transfers: {'all as the lines say' if holds else 'NOT as the lines say'}.")
    return holds


def _tell(compared: Any, *, added: bool, as_json: bool) -> None:
    if as_json:
        told = {"game": compared.game, "lines": compared.lines, "rows": compared.rows, "added": added}
        told |= {name: msgspec.to_builtins(getattr(compared, name)) for name in ("missing", "wrong")}
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    if compared.missing:
        click.echo(f"{compared.game}: {len(compared.missing)} rows missing{', now added' if added else ''}")
    for difference in compared.wrong[:SHOWN_MAX]:
        click.echo(f"{compared.game}: line {difference.seq}, transfer {difference.index}")
        click.echo(f"  stored  {_row(difference.stored)}")
        click.echo(f"  lines   {_row(difference.made)}")
    if len(compared.wrong) > SHOWN_MAX:
        click.echo(f"{compared.game}: and {len(compared.wrong) - SHOWN_MAX} more")


def _row(row: Any) -> str:
    if row is None:
        return "no such transfer"
    return (
        f"{row.payer} -> {row.payee} {row.amount} {row.code} {row.clause},"
        f" then {row.payer_balance} and {row.payee_balance}, round {row.round}, {row.at}"
    )
