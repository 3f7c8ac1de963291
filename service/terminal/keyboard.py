"""Single keys from a terminal, without Enter; another thread may wake whoever waits for one."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import time
import tty
from collections import deque
from types import TracebackType
from typing import Any, Self

from service.terminal.direction import held
from service.terminal.trouble import Exit, Trouble

NAMED = {"\x1b[C": "right", "\x1b[D": "left", "\x1b[A": "up", "\x1b[B": "down", "\x1b[H": "home", "\x1b[F": "end"}
NAMED |= {"\x1b[5~": "page up", "\x1b[6~": "page down", "\x1b[1~": "home", "\x1b[4~": "end", "\x1bOH": "home"}
NAMED |= {"\x1bOF": "end", "\x1bOC": "right", "\x1bOD": "left", "\x1bOA": "up", "\x1bOB": "down"}
_READ_BYTES = 1_024
_ESCAPE_LETTERS_MAX = 4
END = "\x04"
"""What is read when the input is over, and what Ctrl-D sends."""


class Keyboard:
    """Keys as they are pressed. Where the input is no terminal, each letter of it is a key."""

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()
        self._typed = deque[str]()
        self._woken, self._waker = os.pipe()
        self._before: list[Any] | None = None

    def __enter__(self) -> Self:
        if os.isatty(self._input):
            self._before = termios.tcgetattr(self._input)
            tty.setcbreak(self._input)
            # A terminal of another size wants another picture.
            signal.signal(signal.SIGWINCH, lambda _number, _frame: self.wake())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)

    def wake(self) -> None:
        """Make `key` return, from any thread."""
        os.write(self._waker, b"!")

    def key(self, seconds: float | None = None) -> str | None:
        """The next key, by its letter or name; None when woken, or after so many seconds."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._typed:
            left = None if until is None else max(0.0, until - time.monotonic())
            ready, _, _ = select.select([self._input, self._woken], [], [], left)
            if self._woken in ready:
                os.read(self._woken, _READ_BYTES)
                return None
            if not ready:
                return None
            read = os.read(self._input, _READ_BYTES)
            self._typed.extend(keys(read.decode(errors="replace")) if read else [END])
        return self._typed.popleft()


def take_keys_from_terminal() -> None:
    """Standard input held something else and is over: what is pressed is read from the terminal itself."""
    try:
        os.dup2(os.open("/dev/tty", os.O_RDONLY), sys.stdin.fileno())
    except OSError:
        raise Trouble(
            *(Exit.USAGE, "There is no terminal to press keys on.", "--json prints one version."),
            he="אין מסוף ללחוץ בו על מקשים.",
            hint_he=f"{held('--json')} מדפיס גרסה אחת.",
        ) from None


def keys(text: str) -> list[str]:
    """What was typed, key by key: arrows and their like by name, line ends as `enter`."""
    found: list[str] = []
    at = 0
    while at < len(text):
        sequence = next((text[at : at + n] for n in (_ESCAPE_LETTERS_MAX, 3) if text[at : at + n] in NAMED), None)
        if sequence:
            found.append(NAMED[sequence])
            at += len(sequence)
            continue
        letter = text[at]
        found.append("enter" if letter in "\r\n" else letter)
        at += 1
    return found
