"""What can go wrong at the terminal: each with its exit code, a sentence, and what to do about it."""

from __future__ import annotations

import json
import sys
from enum import IntEnum
from typing import Any

from rich.console import Console
from rich.text import Text

from service.terminal.words import clean


class Exit(IntEnum):
    """Exit codes of every terminal command."""

    OK = 0
    FAULT = 1
    """A record does not verify, or the server broke its word."""
    USAGE = 2
    """The command line makes no sense."""
    UNREACHABLE = 3
    """No answer from the server within the patience given."""
    REFUSED = 4
    """The server answered with a problem: no permission, no such table, not by the rules."""
    INTERRUPTED = 130


class Trouble(Exception):
    """An end that is no success. `hint` says what would help; `details` go into the JSON form."""

    def __init__(self, exit_code: Exit, message: str, hint: str = "", **details: Any) -> None:
        super().__init__(message)
        self.exit_code, self.message, self.hint, self.details = exit_code, clean(message), clean(hint), details

    def show(self, *, as_json: bool) -> None:
        """Print it to standard error, in words or as one JSON object."""
        if as_json:
            shown = {"error": self.message, "hint": self.hint or None, "exit_code": int(self.exit_code), **self.details}
            sys.stderr.write(json.dumps(shown, ensure_ascii=False) + "\n")
            return
        console = Console(stderr=True, soft_wrap=True)
        console.print(Text.assemble(("✗ ", "bold red"), self.message))
        if self.hint:
            console.print(Text(f"  {self.hint}", "dim"))


class ServerSaid(Trouble):
    """A problem document (RFC 9457) from the server."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status, self.problem = status, problem
        self.code = str(problem.get("code", ""))
        self.ruling: str | None = problem.get("ruling")
        self.detail = clean(str(problem.get("detail") or problem.get("title") or f"HTTP {status}"))
        faults = "; ".join(f"{fault.get('pointer')}: {fault.get('detail')}" for fault in problem.get("errors", ()))
        hint = HINTS.get(self.code, "")
        super().__init__(
            Exit.REFUSED, f"{self.detail}{f' ({faults})' if faults else ''}", hint, status=status, problem=problem
        )


class Unreachable(Trouble):
    """The server cannot be reached, or gave no answer in time."""

    def __init__(self, server: str, reason: str) -> None:
        super().__init__(
            Exit.UNREACHABLE,
            f"No answer from {server}: {reason}",
            "Is it running? `make serve` starts one on http://127.0.0.1:8000; --server names another.",
        )


HINTS = {
    "token-missing": "Give an API key with --key, KUPA_KEY, or --key-file.",
    "token-invalid": "Is this key for this server? The server's first key lies in its data folder as admin.key.",
    "token-revoked": "The token was replaced or withdrawn.",
    "scope-missing": "An admin makes a key with more scopes: kupa keys create --scope play.",
    "not-found": "Check the id; a private table also needs --invite. `kupa games` lists the public ones.",
    "table-full": "Every seat is taken; `kupa watch` lets you look on.",
}
