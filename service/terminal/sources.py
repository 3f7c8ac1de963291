"""Where a recording comes from: a file of lines, an evidence bundle, or a server's feed."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import httpx

from service.terminal.connection import ANSWER_SECONDS, Connection, said_by
from service.terminal.direction import held
from service.terminal.progress import counted
from service.terminal.recording import Recording, read
from service.terminal.trouble import Exit, Trouble

BUNDLED = "events.ndjson"
"""The lines inside an evidence bundle."""
TRIES_MAX = 5


def from_file(path: Path, *, quiet: bool) -> Recording:
    """The lines of a file, or of the bundle that it is."""
    try:
        whole = path.read_bytes()
    except OSError as error:
        raise Trouble(
            Exit.USAGE, f"{path} cannot be read: {error.strerror}.", he=f"אי אפשר לקרוא את {held(path)}."
        ) from None
    return _read(whole, str(path), quiet=quiet)


def from_input(*, quiet: bool) -> Recording:
    """The lines on standard input, or of the bundle that comes there, read to its end."""
    return _read(sys.stdin.buffer.read(), "Standard input", quiet=quiet)


def _read(whole: bytes, name: str, *, quiet: bool) -> Recording:
    if zipfile.is_zipfile(BytesIO(whole)):
        whole = _bundled(whole, name)
    lines = [line for line in whole.split(b"\n") if line]
    return read(counted(lines, "verifying", len(lines), quiet=quiet))


def _bundled(whole: bytes, name: str) -> bytes:
    try:
        with zipfile.ZipFile(BytesIO(whole)) as bundle:
            return bundle.read(BUNDLED)
    except (KeyError, zipfile.BadZipFile):
        he = f"{held(name)} הוא קובץ zip בלי {held(BUNDLED)} קריא."
        raise Trouble(Exit.FAULT, f"{name} is a zip file without a readable {BUNDLED}.", he=he) from None


def from_server(connection: Connection, game: str, *, quiet: bool) -> Recording:
    """All lines of a table as they are stored and may be heard; they must lead to the head that the table names."""
    resource = connection.get(f"/v1/games/{game}")
    version: int = resource["version"]
    lines = _lines(connection, f"/v1/games/{game}/events", version)
    recording = read(counted(lines, "fetching", version, quiet=quiet))
    recording.vouch(resource["head"])
    return recording


def _lines(connection: Connection, path: str, version: int) -> Iterator[bytes]:
    """Lines 1 … version as NDJSON, taken up again where a cut left them."""
    had = 0
    for left in range(TRIES_MAX, 0, -1):
        try:
            for line in _once(connection, path, had):
                had += 1
                yield line
                if had == version:
                    return
        except httpx.TransportError as error:
            if left == 1:
                raise Trouble(
                    *(Exit.UNREACHABLE, f"The feed broke off at line {had} of {version}: {error}."),
                    he=f"השידור נקטע בשורה {had} מתוך {version}: {held(error)}.",
                ) from None
    if had < version:
        raise Trouble(
            *(Exit.FAULT, f"The feed ends at line {had}, and the table has {version}."),
            he=f"השידור נגמר בשורה {had}, ובשולחן יש {version}.",
        )


def _once(connection: Connection, path: str, after: int) -> Iterator[bytes]:
    headers = {"Accept": "application/x-ndjson"}
    with connection.stream(f"{path}?after={after}", headers, ANSWER_SECONDS) as response:
        if not response.is_success:
            response.read()
            raise said_by(response)
        rest = b""
        for chunk in response.iter_bytes():
            *lines, rest = (rest + chunk).split(b"\n")
            yield from filter(None, lines)
        if rest:
            yield rest
