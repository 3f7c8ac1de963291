from __future__ import annotations

import io

from rich.console import Console

from service.terminal import progress


def counted(monkeypatch, *, terminal: bool, patience: float, quiet: bool = False) -> str:
    written = io.StringIO()
    monkeypatch.setattr(progress, "Console", lambda **_: Console(file=written, force_terminal=terminal, width=80))
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", patience)
    count = 4 * progress.STRIDE
    assert list(progress.counted(range(count), "verifying", count, quiet=quiet)) == list(range(count))
    return written.getvalue()


def test_what_takes_longer_than_a_moment_shows_how_far_it_is(monkeypatch):
    shown = counted(monkeypatch, terminal=True, patience=-1.0)
    assert "verifying" in shown
    assert f"/{4 * progress.STRIDE}" in shown


def test_what_is_done_in_a_moment_shows_nothing(monkeypatch):
    assert counted(monkeypatch, terminal=True, patience=60.0) == ""


def test_programs_see_no_bar(monkeypatch):
    assert counted(monkeypatch, terminal=True, patience=-1.0, quiet=True) == ""
    assert counted(monkeypatch, terminal=False, patience=-1.0) == ""
