"""What can go wrong at the terminal: each with its exit code, a sentence, and what to do about it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from rich.console import Console
from rich.text import Text

from service.problems import CODES
from service.terminal.direction import held, tell
from service.terminal.words import Language, clean


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
    """An end that is no success. `hint` says what would help; `details` go into the JSON form.

    `he` and `hint_he` are the same for people who read Hebrew; what comes from outside is held in them (`held`).
    """

    def __init__(
        self, exit_code: Exit, message: str, hint: str = "", *, he: str = "", hint_he: str = "", **details: Any
    ) -> None:
        super().__init__(message)
        self.exit_code, self.message, self.hint, self.details = exit_code, clean(message), clean(hint), details
        self.he, self.hint_he = he, hint_he

    def said(self, lang: Language) -> tuple[str, str]:
        """The message and the hint in this language, in English where there is no other."""
        if lang == "en":
            return self.message, self.hint
        return self.he or self.message, self.hint_he or self.hint

    def show(self, *, as_json: bool, lang: Language = "en") -> None:
        """Print it to standard error, in words or as one JSON object."""
        if as_json:
            shown = {"error": self.message, "hint": self.hint or None, "exit_code": int(self.exit_code), **self.details}
            sys.stderr.write(json.dumps(shown, ensure_ascii=False) + "\n")
            return
        console = Console(stderr=True, soft_wrap=True)
        message, hint = self.said(lang)
        lines = [Text.assemble(("✗ ", "bold red"), message), *([Text(f"  {hint}", "dim")] if hint else [])]
        for line in lines:
            if lang == "he":
                tell(console, line)
            else:
                console.print(line)


class ServerSaid(Trouble):
    """A problem document (RFC 9457) from the server."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status, self.problem = status, problem
        self.code = str(problem.get("code", ""))
        self.ruling: str | None = problem.get("ruling")
        self.detail = clean(str(problem.get("detail") or problem.get("title") or f"HTTP {status}"))
        faults = "; ".join(f"{fault.get('pointer')}: {fault.get('detail')}" for fault in problem.get("errors", ()))
        message = clean(f"{self.detail}{f' ({faults})' if faults else ''}")
        hint, hint_he = HINTS.get(self.code, ("", ""))
        # What the server says of this one case is English; what it is called has a Hebrew name.
        page = CODES.get(self.code)
        he = f"{page.title_he}: {held(message)}" if page else held(message)
        super().__init__(Exit.REFUSED, message, hint, he=he, hint_he=hint_he, status=status, problem=problem)


class Unreachable(Trouble):
    """The server cannot be reached, or gave no answer in time."""

    def __init__(self, server: str, reason: str) -> None:
        super().__init__(
            Exit.UNREACHABLE,
            f"No answer from {server}: {reason}",
            "Is it running? `make serve` starts one on http://127.0.0.1:8000; --server names another.",
            he=f"אין תשובה מ-{held(server)}: {held(clean(reason))}",
            hint_he=f"האם השרת פועל? {held('make serve')} מפעיל אחד ב-{held('http://127.0.0.1:8000')};"
            f" {held('--server')} בוחר אחר.",
        )


HINTS: Mapping[str, tuple[str, str]] = {
    "token-missing": (
        "Give an API key with --key, KUPA_KEY, or --key-file.",
        f"נותנים מפתח API ב-{held('--key')}, ב-{held('KUPA_KEY')} או ב-{held('--key-file')}.",
    ),
    "token-invalid": (
        "Is this key for this server? The server's first key lies in its data folder as admin.key.",
        f"האם המפתח שייך לשרת הזה? המפתח הראשון של השרת נמצא בתיקיית הנתונים שלו בשם {held('admin.key')}.",
    ),
    "token-revoked": ("The token was replaced or withdrawn.", "האסימון הוחלף או בוטל."),
    "scope-missing": (
        "An admin makes a key with more scopes: kupa keys create --scope play.",
        f"מנהל יוצר מפתח עם הרשאות נוספות: {held('kupa keys create --scope play')}.",
    ),
    "not-found": (
        "Check the id; a private table also needs --invite. `kupa games` lists the public ones.",
        f"בדקו את המזהה; שולחן פרטי דורש גם {held('--invite')}. {held('kupa games')} מונה את הציבוריים.",
    ),
    "table-full": (
        "Every seat is taken; `kupa watch` lets you look on.",
        f"כל המושבים תפוסים; עם {held('kupa watch')} אפשר לצפות.",
    ),
}
"""What would help with a problem of the server, in English and Hebrew."""
