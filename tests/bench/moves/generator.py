"""wrk as the generator: a thread for each table, each with one connection and the table's script."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

SCRIPT = Path(__file__).parent / "moves.lua"


class Script(Struct, frozen=True):
    """What one connection sends: the path, the Authorization header of each seat, and (seat, body) in order."""

    path: str
    headers: Sequence[str]
    moves: Sequence[tuple[int, bytes]]


class Result(Struct, frozen=True):
    """Requests a second, percentiles of their latency in milliseconds, and how many went wrong."""

    per_second: float
    p50: float
    p90: float
    p99: float
    wrong: int

    def __str__(self) -> str:
        wrong = f"   {self.wrong} WRONG" if self.wrong else ""
        return f"{self.per_second:>9,.0f}/s {self.p50:>8.1f} {self.p90:>8.1f} {self.p99:>8.1f}{wrong}"


def play(base: str, scripts: Sequence[Script], seconds: float, *, pause_ms: int = 0) -> Result:
    """Send these scripts at once for so many seconds, each as fast as it is answered or with a pause between."""
    wrk = shutil.which("wrk")
    assert wrk is not None, "wrk is missing: apt-get install wrk"
    with written(scripts) as folder:
        number = str(len(scripts))
        command = [
            wrk,
            "-t",
            number,
            "-c",
            number,
            "-d",
            f"{seconds:.0f}s",
            "--timeout",
            "20s",
            "-s",
            str(SCRIPT),
            base,
        ]
        given = [str(folder), str(pause_ms), uuid.uuid4().hex[:8]]
        done = subprocess.run([*command, "--", *given], capture_output=True, text=True, check=True)
    line = next(line for line in done.stdout.splitlines() if line.startswith("RESULT"))
    requests, duration, p50, p90, p99, refused, broken = map(int, line.split()[1:])
    return Result(requests / duration * 1e6, p50 / 1e3, p90 / 1e3, p99 / 1e3, refused + broken)


@contextmanager
def written(scripts: Sequence[Script]) -> Iterator[Path]:
    """A folder with each script in a file named by its number."""
    with tempfile.TemporaryDirectory(prefix="kupa-bench-") as name:
        for number, script in enumerate(scripts):
            moves = [b"%d %s" % move for move in script.moves]
            head = [script.path.encode(), b"%d" % len(script.headers), *(text.encode() for text in script.headers)]
            Path(name, str(number)).write_bytes(b"\n".join([*head, *moves]) + b"\n")
        yield Path(name)
