"""The commands of the terminal: play, replay, watch, games, ledger, keys, completion."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click
from click.shell_completion import get_completion_class

from domain.game import STRENGTHS
from domain.games import GAMES
from service.terminal.direction import held
from service.terminal.ledger import ledger
from service.terminal.listing import games, keys
from service.terminal.options import EXIT_CODES, Access, access, language, spoken, tables, told
from service.terminal.trouble import Exit, Trouble

if TYPE_CHECKING:
    from service.terminal.look import Eye, Look
    from service.terminal.places import Place

SEATS_DEFAULT = 3
STANDARD_INPUT = "-"
BOT_DELAY_MS = 700
"""How long bots wait at a table opened here, so that a person can follow."""


def _rule(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    rules = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not of the form name=value")
        try:
            rules[name] = json.loads(value)
        except ValueError:
            rules[name] = value
    return rules


def _seed(_context: click.Context, _option: click.Parameter, given: str | None) -> str | None:
    """A seed that a table will take, looked at before one is opened."""
    if given is not None and not re.fullmatch("[A-Za-z0-9_-]{1,64}", given):
        raise click.BadParameter(f"{given!r}: 1 to 64 of A-Z a-z 0-9 _ -")
    return given


@click.command(epilog=EXIT_CODES)
@click.argument("game", type=click.Choice(tuple(GAMES)), required=False)
@click.option("--table", shell_complete=tables, help="Join this table, or come back to it.")
@click.option(
    "--seats", type=click.IntRange(min=1), default=SEATS_DEFAULT, show_default=True, help="Seats of a new table."
)
@click.option(
    "--people", type=click.IntRange(min=1), default=1, show_default=True, help="How many of them are for people."
)
@click.option("--bots", type=click.Choice(STRENGTHS), default="normal", show_default=True, help="Strength of the bots.")
@click.option("--rule", "rules", multiple=True, callback=_rule, metavar="NAME=VALUE", help="A table rule; repeatable.")
@click.option("--private", is_flag=True, help="Open a table that only those with its invite can find.")
@click.option("--seed", callback=_seed, help="Your own share of the shuffle: A-Z a-z 0-9 _ -, up to 64 of them.")
@click.option("--plain", is_flag=True, help="Lines that scroll, in place of a full screen.")
@told
@language
@access
def play(
    *,
    game: str | None,
    table: str | None,
    access: Access,
    lang: str,
    plain: bool,
    as_json: bool,
    seed: str | None,
    **wished: Any,
) -> None:
    """Play in the terminal, against bots or people.

    Without --table a new one is opened: you, --people minus one free seats, and bots. With --json, standard output
    is one object a line and moves are read from standard input, by their number in the list or as objects.
    """
    from rich.console import Console  # noqa: PLC0415 - each command loads what it needs, so that kupa starts fast

    place = _place(game, table, access, {**wished, "seed": seed})
    if as_json:
        from service.terminal.program import run  # noqa: PLC0415

        run(place)
        return
    from service.terminal.play import Player  # noqa: PLC0415

    over, player = False, Player(place, spoken(lang), Console(), plain=plain)
    try:
        over = player.run()
    finally:
        player.close()
        if not over:
            goes_on = "The table goes on. Come back:" if spoken(lang) == "en" else held("השולחן ממשיך. לחזרה:")
            click.echo(f"{goes_on} kupa play --table {place.game}{access.again}", err=True)


def _place(game: str | None, table: str | None, access: Access, wished: dict[str, Any]) -> Place:
    from service.terminal.games import talk_of  # noqa: PLC0415
    from service.terminal.opening import Wish, join, open_table, same_game  # noqa: PLC0415

    connection = access.holder()
    if table is not None:
        same_game(connection, game, table)
        return access.place(table) or join(connection, table, seed=wished["seed"], invite=access.invite)
    if game is None:
        names = ", ".join(GAMES)
        raise Trouble(
            *(Exit.USAGE, f"Which game? One of: {names}.", "Or --table to join one."),
            he=f"איזה משחק? אחד מאלה: {held(names)}.",
            hint_he=f"או {held('--table')} להצטרפות לשולחן.",
        )
    if wished["people"] > wished["seats"]:
        people, seats = wished["people"], wished["seats"]
        raise Trouble(Exit.USAGE, f"{people} people on {seats} seats.", he=f"{people} אנשים על {seats} מושבים.")
    unhurried = talk_of(game).alone if wished["people"] == 1 else {}
    wished["rules"] = {"bot_delay_ms": BOT_DELAY_MS, **unhurried, **wished["rules"]}
    return open_table(connection, Wish(kind=game, **wished))


def _eye(_context: click.Context, _option: click.Parameter, given: str | None) -> Any:
    from service.terminal.look import eye_of  # noqa: PLC0415

    try:
        return "unset" if given is None else eye_of(given)
    except ValueError:
        raise click.BadParameter(f"{given!r}: open, public, or a seat: 0, 1, 2 …") from None


def _hash(_context: click.Context, _option: click.Parameter, given: str | None) -> str | None:
    if given is not None and not re.fullmatch("[0-9a-f]{64}", given):
        raise click.BadParameter(f"{given!r}: 64 hex digits, in small letters")
    return given


@click.command(epilog=EXIT_CODES)
@click.argument("game_or_file", shell_complete=tables)
@click.option("--at", type=click.IntRange(min=1), help="Version to begin at (with --json: to print).")
@click.option(
    "--as", "eye", callback=_eye, metavar="EYE", help="open, public, or a seat: 0, 1, 2 … Default: open if it is."
)
@click.option("--beside", callback=_eye, metavar="EYE", help="A second look, side by side.")
@click.option("--head", callback=_hash, metavar="HASH", help="The hash that the last line must have.")
@told
@language
@access
def replay(
    *,
    game_or_file: str,
    at: int | None,
    eye: Any,
    beside: Any,
    head: str | None,
    access: Access,
    lang: str,
    as_json: bool,
) -> None:
    """Step through a table: a game by its id, a file of lines (NDJSON), or - for standard input.

    Every line is checked against the hash of the one before while it is read. The last line of a file is checked only
    by --head: as the table's head it stands in every answer about the table. With --json the table as of --at (the
    last version by default) is printed and nothing is asked; "vouched" says whether the last line was checked too.
    """
    look = _look(game_or_file, access, quiet=as_json)
    if head is not None:
        look.recording.vouch(head)
    last = look.recording.version
    eyes = [_default_eye(look, at or last) if eye == "unset" else eye, *([] if beside == "unset" else [beside])]
    for one in eyes:
        look.check(at or (last if as_json else 1), one)
    if as_json or not sys.stdout.isatty():
        shown = [look.as_json(at or last, one) for one in eyes]
        sys.stdout.write(json.dumps(shown[0] if len(shown) == 1 else shown, ensure_ascii=False) + "\n")
        return
    from rich.console import Console  # noqa: PLC0415

    from service.terminal import keyboard  # noqa: PLC0415
    from service.terminal.replay import Replay  # noqa: PLC0415

    if game_or_file == STANDARD_INPUT:
        keyboard.take_keys_from_terminal()
    Replay(look, spoken(lang), Console(), at=at or 1, eyes=eyes).run()


def _look(game_or_file: str, access: Access, *, quiet: bool) -> Look:
    from service.terminal import sources  # noqa: PLC0415
    from service.terminal.look import Look  # noqa: PLC0415

    path = Path(game_or_file)
    if game_or_file == STANDARD_INPUT:
        return Look(sources.from_input(quiet=quiet))
    if path.is_file():
        return Look(sources.from_file(path, quiet=quiet))
    if path.suffix or len(path.parts) > 1:
        raise Trouble(Exit.USAGE, f"There is no file {game_or_file}.", he=f"אין קובץ {held(game_or_file)}.")
    place = access.place(game_or_file)
    if place is not None:
        connection = access.by(place.seat_token, place.invite)
        return Look(sources.from_server(connection, game_or_file, quiet=quiet), place.seat)
    return Look(sources.from_server(access.reader(game_or_file), game_or_file, quiet=quiet))


def _default_eye(look: Look, version: int) -> Eye:
    return look.own if look.recording.sealed(version) else "open"


@click.command(epilog=EXIT_CODES)
@click.argument("game", shell_complete=tables)
@click.option("--after", type=click.IntRange(min=0), default=0, help="Begin after this line.")
@told
@language
@access
def watch(*, game: str, after: int, access: Access, lang: str, as_json: bool) -> None:
    """Watch a table until it ends: what happens, in words; with --json its lines, one a line."""
    from rich.console import Console  # noqa: PLC0415

    from service.terminal import watch as watching  # noqa: PLC0415

    connection = access.reader(game)
    connection.patience = float("inf")
    if as_json:
        watching.watch(connection, game, after)
    else:
        watching.tell(connection, game, after, spoken(lang), Console())


@click.command(epilog='Bash: eval "$(kupa completion bash)" in ~/.bashrc. Fish: kupa completion fish | source.')
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes kupa's commands, options and tables in your shell."""
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(context.find_root().command, {}, "kupa", "_KUPA_COMPLETE").source())


COMMANDS: tuple[click.Command, ...] = (play, replay, watch, games, ledger, keys, completion)
