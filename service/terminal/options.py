"""Options that several commands share: which server, as whom, in which language, for whom."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import rich_click as click
from click import get_current_context
from click.core import ParameterSource
from click.shell_completion import CompletionItem
from msgspec import Struct

from service.terminal import places
from service.terminal.connection import Connection
from service.terminal.direction import held, unmarked
from service.terminal.places import Place
from service.terminal.trouble import Exit, ServerSaid, Trouble
from service.terminal.words import LANGUAGES, Language

EXIT_CODES = "Exit codes: 0 done · 1 a record does not verify · 2 usage · 3 no answer · 4 refused · 130 interrupted."
FIRST_PATIENCE_SECONDS = 5.0
"""How long a command tries to reach its server before it says that there is none."""
COMPLETION_SECONDS = 0.5


class Access(Struct, frozen=True, kw_only=True):
    """Where to ask, and as whom. `key` was named by the user; `key_file` is where a key lies that was not."""

    server: str
    key: str | None
    key_file: Path
    invite: str | None = None
    patience: float = FIRST_PATIENCE_SECONDS

    def by(self, token: str | None, invite: str | None = None) -> Connection:
        """A connection by this token, which lasts as long as the command."""
        connection = Connection(self.server, token, invite=invite or self.invite, patience=self.patience)
        get_current_context().call_on_close(connection.close)
        return connection

    def anybody(self) -> Connection:
        """A connection for what anybody may ask: by the key that was named, if one was."""
        return self.by(self.key)

    def holder(self) -> Connection:
        """A connection for what needs a key."""
        return self.by(self.key or self._kept())

    def reader(self, table: str) -> Connection:
        """A connection that may read this table: anybody's, or the kept key's if the table is hidden from strangers."""
        connection = self.anybody()
        try:
            connection.get(f"/v1/games/{table}")
        except ServerSaid as said:
            if said.code != "not-found" or self.key or not self._kept():
                raise
            return self.holder()
        return connection

    def place(self, table: str) -> Place | None:
        """The seat kept here for this table: of the key that was named, else of the kept key or whoever sat last."""
        own = self.key is not None or named("key_file")
        return places.kept(table, self.server, self.key or self._kept(), only=own)

    @property
    def again(self) -> str:
        """What must be said again with a command to act by the key that was named."""
        return " --key KEY" if self.key else ""

    def _kept(self) -> str | None:
        try:
            return self.key_file.read_text(encoding="ascii").strip() or None
        except (OSError, UnicodeDecodeError):
            return None


def named(option: str) -> bool:
    """Whether the user named this option, on the command line or in the environment."""
    source = get_current_context().get_parameter_source(option)
    return source in (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)


def _server() -> str:
    return f"http://{os.environ.get('KUPA_HOST') or '127.0.0.1'}:{os.environ.get('KUPA_PORT') or '8000'}"


def _key_file() -> Path:
    return Path(os.environ.get("KUPA_DATA_DIR") or "kupa-data") / "admin.key"


def _language() -> str:
    """The language of the environment, where it is one of ours."""
    spoken = (os.environ.get("LC_ALL") or os.environ.get("LANG") or "")[:2]
    return spoken if spoken in LANGUAGES else "en"


def access(command: Callable[..., None]) -> Callable[..., None]:
    """Options for the server and the key; the command gets them as `access`."""

    @click.option("--server", envvar="KUPA_SERVER", default=_server, help="The service; else by KUPA_HOST, KUPA_PORT.")
    @click.option("--key", envvar="KUPA_KEY", help="API key.")
    @click.option(
        "--key-file",
        type=click.Path(dir_okay=False, path_type=Path),
        envvar="KUPA_KEY_FILE",
        default=_key_file,
        help="File with an API key, used where one is needed; else admin.key in the data folder.",
    )
    @click.option("--invite", envvar="KUPA_INVITE", help="Invite of a private table.")
    @click.option(
        "--patience",
        type=click.FloatRange(min=0),
        default=FIRST_PATIENCE_SECONDS,
        help="Seconds to wait for it.",
    )
    @functools.wraps(command)
    def with_access(
        *, server: str, key: str | None, key_file: Path, invite: str | None, patience: float, **others: Any
    ) -> None:
        if "://" not in server:
            server = f"http://{server}"
        if not server.startswith(("http://", "https://")):
            example = "--server http://127.0.0.1:8000"
            raise Trouble(
                *(Exit.USAGE, f"{server} is no http address.", f"As in {example}"),
                he=f"{held(server)} אינה כתובת http.",
                hint_he=f"למשל {held(example)}",
            )
        if key is None and named("key_file") and not key_file.is_file():
            raise Trouble(Exit.USAGE, f"There is no key file {key_file}.", he=f"אין קובץ מפתח {held(key_file)}.")
        base = server.rstrip("/").removesuffix("/v1")
        command(
            access=Access(server=base, key=key, key_file=key_file, invite=invite, patience=patience),
            **others,
        )

    return with_access


language: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    envvar="KUPA_LANG",
    default=_language,
    help="Language: English or Hebrew.",
)


def told(command: Callable[..., None]) -> Callable[..., None]:
    """Adds --json, and tells troubles in words or as JSON, each with its exit code."""

    @click.option("--json", "as_json", is_flag=True, help="JSON on standard output, for programs.")
    @functools.wraps(command)
    def telling(*, as_json: bool, **others: Any) -> None:
        try:
            # What was copied from a screen brings its marks of direction along.
            given = {name: unmarked(value) if isinstance(value, str) else value for name, value in others.items()}
            command(as_json=as_json, **given)
        except Trouble as trouble:
            trouble.show(as_json=as_json, lang=spoken(others.get("lang", "en")))
            sys.exit(trouble.exit_code)
        except httpx.InvalidURL as error:
            he = f"זו אינה כתובת של שרת: {held(error)}."
            wrong = Trouble(Exit.USAGE, f"That is no address of a server: {error}.", he=he)
            wrong.show(as_json=as_json, lang=spoken(others.get("lang", "en")))
            sys.exit(Exit.USAGE)
        except KeyboardInterrupt:
            sys.exit(Exit.INTERRUPTED)
        except BrokenPipeError:
            # Whoever read our output has had enough; nothing more is to be written, at exit neither.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    return telling


def tables(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Public tables whose id begins so, for shell completion."""
    server = os.environ.get("KUPA_SERVER") or _server()
    try:
        found = httpx.get(f"{server}/v1/games", params={"limit": "20"}, timeout=COMPLETION_SECONDS).json()["items"]
    except (httpx.HTTPError, ValueError, LookupError, TypeError):
        return []
    return [
        CompletionItem(table["id"], help=f"{table['game']}, {table['status']}")
        for table in found
        if table["id"].startswith(begun)
    ]


def spoken(lang: str) -> Language:
    """The language by its name."""
    return "he" if lang == "he" else "en"
