"""Programs of others that re-check what Kupa writes, installed where they are missing, or else a clear failure."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / ".external"
"""Where programs from PyPI are kept from run to run, each in an environment of its own."""
BEANCOUNT = "beancount==3.2.0"
SECONDS_MAX = 600


def run(*command: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command and keep what it says."""
    return subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS_MAX, check=False, env={**os.environ, **(env or {})}
    )


def must(*command: str | Path, env: dict[str, str] | None = None) -> None:
    """Run a command that installs something; if it cannot, say which and why."""
    done = run(*command, env=env)
    if done.returncode:
        pytest.fail(f"cannot install: {' '.join(map(str, command))}\n{done.stdout[-1_000:]}{done.stderr[-2_000:]}")


def from_debian(program: str) -> str:
    """The path of a program that Debian has a package of the same name for."""
    found = shutil.which(program)
    if found is None:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            pytest.fail(f"{program} is missing: install it (Debian, Ubuntu: apt-get install {program}), or run as root")
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        must("apt-get", "update", "-q", env=quiet)
        must("apt-get", "install", "-q", "-y", "--no-install-recommends", program, env=quiet)
        found = shutil.which(program)
    assert found is not None, f"the package {program} has no program of that name"
    return found


def from_pypi(requirement: str, program: str) -> Path:
    """The path of a program in an environment that holds this requirement and nothing of ours."""
    folder = TOOLS / requirement.replace("==", "-")
    path = folder / "bin" / program
    if not path.exists():
        venv.create(folder, with_pip=True, clear=True)
        must(folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", requirement)
    assert path.exists(), f"{requirement} has no {program}"
    return path


@pytest.fixture(scope="session")
def hledger() -> str:
    """hledger, from Debian."""
    return from_debian("hledger")


@pytest.fixture(scope="session")
def bean_check() -> Path:
    """Beancount's bean-check, from PyPI."""
    return from_pypi(BEANCOUNT, "bean-check")


def says(command: Sequence[str | Path]) -> tuple[int, str]:
    """A program's verdict: its exit code, and all that it said."""
    done = run(*command)
    return done.returncode, done.stdout + done.stderr


__all__ = ["says"]
