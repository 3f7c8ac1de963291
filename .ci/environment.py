"""Brings .venv in step with requirements.lock; does nothing, quickly, when it already is."""

import fcntl
import hashlib
import os
import subprocess
import sys
import tomllib
import venv
from collections import deque
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements.lock"
STAMP = VENV / "in-step-with"
LOG_LINES_SHOWN = 25
PACKAGES_A_WORD = 15


def main() -> None:
    folder = os.open(ROOT, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)  # two `make` at once must not install over each other
    wanted = fingerprint()
    if STAMP.exists() and STAMP.read_text() == wanted and PYTHON.exists():
        return
    STAMP.unlink(missing_ok=True)
    create()
    pip("--require-hashes", "-r", str(LOCK))
    pip("--no-deps", "--no-build-isolation", "--no-index", "-e", str(ROOT))
    STAMP.write_text(wanted)
    say(".venv is ready")


def fingerprint() -> str:
    """What an installation depends on: the lock, the package's own metadata, and where it stands."""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())
    package = repr((configuration["build-system"], configuration["project"], configuration["tool"]["setuptools"]))
    return hashlib.sha256(LOCK.read_bytes() + package.encode() + str(ROOT).encode()).hexdigest()


def create() -> None:
    """Make .venv anew, unless it is what runs this; then only see to it that it has pip."""
    if Path(sys.prefix) == VENV:
        if find_spec("pip") is None:  # somebody stopped us while it was being made
            subprocess.run([PYTHON, "-m", "ensurepip"], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        return
    say(f"making .venv with Python {sys.version.split()[0]}; this happens once and takes a minute or two")
    venv.create(VENV, clear=True, with_pip=True)


def pip(*arguments: str) -> None:
    """Install with few words; on failure show pip's last ones and end."""
    command = [PYTHON, "-m", "pip", "--no-input", "--disable-pip-version-check", "install", "--progress-bar", "off"]
    last: deque[str] = deque(maxlen=LOG_LINES_SHOWN)
    fetched = 0
    with subprocess.Popen(  # noqa: S603  (our own interpreter and arguments)
        [*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ) as process:
        for line in process.stdout or ():
            last.append(line)
            if line.startswith("Collecting"):
                fetched += 1
                if fetched % PACKAGES_A_WORD == 0:
                    say(f"fetched {fetched} packages")
            elif line.startswith("Installing collected"):
                say("installing")
    if process.returncode:
        sys.exit("".join(last) + "setup failed: pip said the above; run make again once it is cured")


def say(words: str) -> None:
    print(f"setup: {words}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
