"""Seats kept on this machine: each belongs to the key that sat, also where two people share a home."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from service.terminal.places import Place, folder, forget, keep, kept, mark
from tests.terminal.conftest import Server
from tests.terminal.terminal import KUPA, Terminal
from tests.terminal.test_play import GAME

HERE = "http://here"
OLD = Place(server=HERE, game="ab-1", kind="shithead", seat=0, seat_token="t0")
MINE = replace(OLD, seat=1, key=mark("mine"))
YOURS = replace(OLD, seat=2, key=mark("yours"))


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_a_seat_is_found_by_the_key_that_sat_and_by_no_other_that_is_named():
    keep(MINE)
    keep(YOURS)
    assert kept("ab-1", HERE, "mine", only=True) == MINE
    assert kept("ab-1", HERE, "yours", only=True) == YOURS
    assert kept("ab-1", HERE, "third", only=True) is None
    assert kept("ab-1", "http://there", "mine") is None
    assert kept("ab", HERE, "mine") is None


def test_where_no_key_is_named_ones_own_seat_comes_first_then_any():
    keep(YOURS)
    assert kept("ab-1", HERE, "mine") == YOURS
    assert kept("ab-1", HERE) == YOURS
    keep(MINE)
    keep(replace(YOURS, seat=3))
    assert kept("ab-1", HERE, "mine") == MINE


def test_a_seat_kept_before_there_were_marks_still_counts():
    keep(OLD)
    assert kept("ab-1", HERE, "mine", only=True) == OLD


def test_only_the_seat_that_is_over_is_forgotten_and_no_key_lies_in_a_file():
    keep(MINE)
    keep(YOURS)
    forget(MINE)
    assert kept("ab-1", HERE, "mine", only=True) is None
    [left] = folder().iterdir()
    assert kept("ab-1", HERE, "yours") == YOURS
    assert "yours" not in left.name + left.read_text()
    assert left.stat().st_mode & 0o077 == 0


@contextmanager
def window(environment: dict[str, str], *arguments: str) -> Iterator[Terminal]:
    terminal = Terminal("play", *arguments, environment=environment)
    try:
        yield terminal
    finally:
        terminal.close()


@pytest.mark.parametrize("lang", ["en", "he"])
def test_a_second_person_on_the_same_machine_takes_the_free_seat(server: Server, environment, lang):
    made = subprocess.run([KUPA, "keys", "create"], env=environment, capture_output=True, check=True, text=True)
    second = made.stdout.strip()
    with window(environment, "shithead", "--people", "2", "--seats", "2", "--lang", lang) as host:
        picture = host.until({"en": "Waiting for 1 more", "he": "ממתינים לעוד 1"}[lang])
        assert "--key KEY" in picture
        assert {"en": "the same key returns to its own seat", "he": "אותו מפתח חוזר למושב שלו"}[lang] in picture
        game = GAME.search(picture)
        assert game is not None
        with window(environment, "--table", game[0]) as again:
            again.until("you are seat 0")
        with window(environment, "--table", game[0], "--key", second) as guest:
            guest.until("you are seat 1")
            assert len(list(folder().iterdir())) == 2
        with window(environment, "--table", game[0], "--key", second) as guest:
            guest.until("you are seat 1")
            guest.send("q")
            guest.send("q")
            guest.finish()
            assert f"Come back: kupa play --table {game[0]} --key KEY" in guest.output
    assert [seat["player"] is None for seat in server.call("GET", f"/v1/games/{game[0]}")["seats"]] == [False, False]
