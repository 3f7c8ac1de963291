"""The real program in a pseudo-terminal of its own: keys in, pictures out."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

KUPA = Path(sys.executable).with_name("kupa")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
HOME = "\x1b[H"


SETTLING_READS_MAX = 20


PIPED = 'exec 3<>"$1" && piped="$2" && shift 2 && exec "$@" <"$piped"'
"""Whoever leads a session and opens a terminal owns it; then the program runs with a file in place of the keys."""


class Terminal:
    """`kupa` with these arguments on a terminal of 100 by 36; everything it wrote is in `output`.

    With `piped` that file is its standard input, and the terminal is still its own.
    """

    def __init__(
        self, *arguments: str, environment: dict[str, str], size: tuple[int, int] = (36, 100), piped: Path | None = None
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        told = {"TERM": "xterm-256color", "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": "/nonexistent"}
        command = [str(KUPA), *arguments]
        if piped is not None:
            command = ["sh", "-c", PIPED, "sh", os.ttyname(slave), str(piped), *command]
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=told | environment, start_new_session=True
        )
        os.close(slave)
        self.output = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def read(self, seconds: float) -> bool:
        """Read what it writes within so many seconds; False once it is gone."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if ready:
            try:
                data = os.read(self._master, 65_536)
            except OSError:
                return False
            self.output += self._decoder.decode(data)
            return bool(data)
        return True

    def send(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def resize(self, rows: int, columns: int) -> None:
        """Give the terminal another size, and tell the program as a terminal does."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)

    @property
    def picture(self) -> str:
        """The last whole picture, without colours."""
        return plain(self.output.rsplit(HOME, 1)[-1])

    def until(self, text: str, seconds: float = 20.0) -> str:
        """Read until the last picture has this text; returns the picture."""
        return self.until_any((text,), seconds)

    def until_any(self, texts: tuple[str, ...], seconds: float = 20.0) -> str:
        """Read until the last picture has one of these texts; returns the picture."""
        end = time.monotonic() + seconds
        while not any(text in self.picture for text in texts):
            alive = self.read(0.1)
            if not alive and any(text in self.picture for text in texts):
                break
            assert alive, f"kupa ended before {texts}:\n{self.picture}"
            assert time.monotonic() < end, f"no {texts} within {seconds} s:\n{self.picture}"
        self.settle()
        return self.picture

    def settle(self) -> None:
        """Read on until the picture stands still for a moment: a picture may come in pieces."""
        for _ in range(SETTLING_READS_MAX):
            before = len(self.output)
            if not self.read(0.1) or len(self.output) == before:
                return

    def finish(self, seconds: float = 20.0) -> int:
        """Read to the end; returns the exit code."""
        end = time.monotonic() + seconds
        while self.read(0.1):
            assert time.monotonic() < end, f"kupa goes on:\n{self.picture}"
        return self.process.wait(seconds)

    def close(self) -> None:
        """End it, if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)


def plain(text: str) -> str:
    """Text without colours and other escapes."""
    return _ESCAPES.sub("", text).replace("\r", "")
