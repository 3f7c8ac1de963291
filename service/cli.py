"""The command `kupa`: serve, write the OpenAPI document, bring the database up to date."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import rich_click as click

from service.ledger.rebuilding import rebuild
from service.settings import Settings, SettingsInvalid, described, from_environment
from service.terminal.commands import COMMANDS


def _settings_text() -> str:
    """Every setting with its default, for --help."""
    listed = (f"{name} ({default}): {meaning}." for name, default, meaning in described())
    return "Settings, from the environment, with their defaults:\n\n" + "\n\n".join(listed)


def _settings() -> Settings:
    try:
        return from_environment(os.environ)
    except SettingsInvalid as fault:
        raise click.ClickException(str(fault)) from None


@click.group(epilog=_settings_text())
@click.version_option(package_name="kupa")
def main() -> None:
    """Card and tile games at tables that any program can sit down at."""


@main.command(epilog=_settings_text())
def serve() -> None:
    """Serve the API until told to stop (SIGTERM, Ctrl-C)."""
    from service.serving import Refuses, serve  # noqa: PLC0415 - the other commands start without it
    from service.store.schema import SchemaNewer  # noqa: PLC0415

    try:
        serve(_settings(), click.echo)
    except Refuses as reason:
        raise click.ClickException(str(reason)) from None
    except SchemaNewer as reason:
        raise click.ClickException(f"{reason}; start the release that wrote it, or a newer one.") from None


@main.command()
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="A file instead of the terminal.")
def openapi(output: Path | None) -> None:
    """Write the OpenAPI document as YAML."""
    from service.app import ROUTES  # noqa: PLC0415
    from service.web.openapi import as_yaml  # noqa: PLC0415

    text = as_yaml(ROUTES)
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8")


@main.command(epilog=_settings_text())
def migrate() -> None:
    """Bring the database up to date; it does no harm to run it again."""
    from service.store.opening import open_store  # noqa: PLC0415
    from service.store.schema import SchemaNewer  # noqa: PLC0415

    settings = _settings()

    async def run() -> None:
        store = await open_store(data_dir=settings.data_dir, database_url=settings.database_url)
        await store.close()

    try:
        asyncio.run(run())
    except SchemaNewer as reason:
        raise click.ClickException(f"{reason}; nothing was changed.") from None
    click.echo("The database is up to date.")


for command in (*COMMANDS, rebuild):
    main.add_command(command)

if __name__ == "__main__":
    main()
