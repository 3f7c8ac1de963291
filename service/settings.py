"""Every setting of the service, read once from the environment: `KUPA_` and the name of the field."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

PREFIX = "KUPA_"
PerMinute = Annotated[int, Meta(ge=1, le=1_000_000_000)]


class SettingsInvalid(ValueError):
    """A setting that cannot be obeyed; the text names its variable."""


class Settings(Struct, frozen=True, kw_only=True):
    """What the operator decides. Times in seconds, sizes in bytes, rates a minute; each field has its default."""

    host: Annotated[str, Meta(min_length=1, description="address to listen on")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65_535, description="port to listen on")] = 8000
    data_dir: Annotated[
        str, Meta(min_length=1, description="folder of the SQLite file, the server key and admin.key")
    ] = "./kupa-data"
    database_url: Annotated[str, Meta(description="PostgreSQL instead of SQLite: postgresql://…")] | None = None
    workers: Annotated[int, Meta(ge=1, le=64, description="processes that serve; more than one needs PostgreSQL")] = 1
    server_key: (
        Annotated[
            str,
            Meta(
                pattern=r"^[0-9a-f]{64}\Z",
                description="32 bytes in hex behind every token's secret, instead of the file server.key; "
                "several hosts on one database need the same",
            ),
        ]
        | None
    ) = None
    allow_admin_key: Annotated[
        bool, Meta(description="listen beyond loopback although admin.key still lies in the data folder")
    ] = False
    sandbox: Annotated[bool, Meta(description="allow sandbox tables, which deal a named order")] = True
    first_table: Annotated[bool, Meta(description="open a table with bots when the data folder is empty")] = True
    opens_per_minute: Annotated[PerMinute, Meta(description="tables that one key may open a minute")] = 600
    tokens_per_minute: Annotated[PerMinute, Meta(description="seats and tokens that one caller may ask for")] = 1_200
    failures_per_minute: Annotated[PerMinute, Meta(description="failed tokens a minute before 429, by address")] = 300
    stream_heartbeat_s: Annotated[
        float, Meta(ge=0.05, le=60, description="seconds after which a silent live feed says that it is alive")
    ] = 7.0
    stream_buffer_bytes: Annotated[
        int, Meta(ge=65_536, description="bytes of lines that may wait for a reader who takes none; then it is cut off")
    ] = 1_048_576
    streams_per_token: Annotated[int, Meta(ge=1, le=100_000, description="live feeds open at once by one token")] = 32
    streams_max: Annotated[int, Meta(ge=1, le=1_000_000, description="live feeds open at once in one process")] = 10_000

    @property
    def folder(self) -> Path:
        """The data folder."""
        return Path(self.data_dir)

    @property
    def loopback(self) -> bool:
        """Whether nobody but this machine can connect."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def __repr__(self) -> str:
        return f"Settings({self.host}:{self.port}, {self.data_dir})"  # never the server key, never a password


def variable(field: str) -> str:
    """The environment variable of a field."""
    return PREFIX + field.upper()


def from_environment(environment: Mapping[str, str]) -> Settings:
    """The settings of `environment`; an empty value counts as absent. Raises SettingsInvalid."""
    given = {field: environment.get(variable(field), "") for field in Settings.__struct_fields__}
    try:
        settings = msgspec.convert({field: text for field, text in given.items() if text}, Settings, strict=False)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        raise SettingsInvalid(f"{variable(path.rstrip('`'))}: {reason}") from None
    if settings.workers > 1 and not settings.database_url:
        raise SettingsInvalid("KUPA_WORKERS: more than one process needs PostgreSQL (KUPA_DATABASE_URL)")
    return settings


def described() -> Iterator[tuple[str, str, str]]:
    """(variable, default, what it is) of every setting."""
    for field in msgspec.structs.fields(Settings):
        default: Any = field.default
        shown = {None: "unset", True: "1", False: "0"}.get(default, str(default))
        yield variable(field.name), shown, _meaning(field.type)


def _meaning(annotated: Any) -> str:
    """The description inside an annotation, also where it may be None."""
    for meta in getattr(annotated, "__metadata__", ()):
        if meta.description:
            return str(meta.description)
    return next(filter(None, map(_meaning, getattr(annotated, "__args__", ()))), "")
