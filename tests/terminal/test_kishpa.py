"""Kishpa at the terminal: tiles in colour, a rack laid by itself, tokens, and buttons beside the moves."""

from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
from typing import Any

import msgspec
import pytest
from rich.console import Console

from domain.game import type_of
from domain.games import GAMES
from domain.kishpa.moves import Load
from domain.table.moves import CallLastRound
from domain.table.view import options
from service.terminal.games import talk_of
from service.terminal.games.kishpa import board, calls, face, opened, piece
from service.terminal.seated import CALLS
from tests.evening import evening
from tests.playing import Sitting
from tests.terminal.terminal import KUPA

KISHPA = GAMES["kishpa"]
TALK = talk_of("kishpa")
HEBREW = re.compile("[א-ת]")


def shown(part: Any, width: int = 120) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(part)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return re.sub("[\u2066-\u2069]", "", text)


def view_of(sitting: Sitting, seat: int | None, version: int | None = None) -> dict[str, Any]:
    """The game's view as the API gives it."""
    made: dict[str, Any] = msgspec.to_builtins(sitting.view(seat, version).inner)
    return made


def dealt(seed: int = 0) -> Sitting:
    sitting = Sitting(KISHPA, KISHPA.rules(), 3, seed=seed).seat_all()
    while sitting.table.state.__class__.__name__ == "Exposing":
        sitting.let_due()
    return sitting


@pytest.mark.parametrize("lang", ["en", "he"])
def test_the_board_of_every_version_can_be_drawn_by_every_seat(lang):
    sitting = evening(seed=9)
    for version in range(4, len(sitting.lines) + 1, 5):
        for seat in (0, None):
            text = shown(board(view_of(sitting, seat, version), TALK.voice(lang, seat)))
            assert ("the bowl" in text) == (lang == "en")
            assert bool(HEBREW.search(text)) == (lang == "he")


def test_the_rack_shows_each_own_tile_once_and_nobody_elses():
    sitting = dealt()
    hand = sitting.view(0).inner.hand
    text = shown(board(view_of(sitting, 0), TALK.voice("en", 0)))
    rack = text[text.index("Loose") if "Melds" not in text else text.index("Melds") :]
    found = re.findall(r"☻[RK]|[RBYK]\d+", rack.partition("from a win")[0])
    assert sorted(tile.replace("☻", "D") for tile in found) == sorted(hand)
    assert "tiles from a win" in text
    assert "Loose" not in shown(board(view_of(sitting, None), TALK.voice("en", None)))


def test_a_joker_has_a_star_and_tiles_their_colours():
    assert piece("R6", "R6").plain.count("★") == 1
    assert piece("R6", "R7").plain.count("★") == 0
    assert {str(face(tile).style) for tile in ("R1", "B1", "Y1", "K1")} == {
        "bold red",
        "bold blue",
        "bold yellow",
        "bold bright_black",
    }
    assert shown(face("DR")).strip() == "☻R"


def test_the_open_table_shows_every_tile():
    sitting = dealt()
    text = shown(opened(dict(KISHPA.zones(sitting.table.state)), TALK.voice("en", None)), width=400)
    tiles = re.findall(r"☻[RK]|[RBYK]\d+", text)
    assert len(tiles) == 106


def test_what_has_a_call_of_its_own_is_offered_between_rounds_only():
    sitting = dealt()
    position = {"status": "running", "view": view_of(sitting, 0)}
    assert calls(position) == []
    before = {"status": "open", "view": view_of(sitting, 0, 4)}
    assert calls(before) == []
    while not sitting.table.played:
        moves = [(n, move) for n in range(3) for move in options(sitting.view(n))]
        if moves:
            seat, move = random.Random(1).choice(moves)
            sitting.give(f"seat:{seat}", move)
        else:
            sitting.let_due()
    between = {"status": "running", "view": view_of(sitting, 0)}
    assert calls(between) == [{"type": "table.last_round"}]
    assert calls({**between, "view": view_of(sitting, None)}) == []
    poor = view_of(sitting, 0)
    poor["evening"]["accounts"]["seat:0"] = 1
    assert {"type": "kishpa.load"} in calls({"status": "running", "view": poor})
    sitting.give("host", CallLastRound())
    assert calls({"status": "running", "view": view_of(sitting, 0)}) == []


def test_each_call_beside_the_moves_has_its_path_and_its_words():
    assert set(CALLS) == {type_of(Load), type_of(CallLastRound)}
    for tag in CALLS:
        assert TALK.offer({"type": tag}, TALK.voice("en", 0)).plain


def test_the_end_of_a_round_says_who_won_and_who_leads():
    result = {"winners": [1], "payment": 4, "leaders": [1, 0], "last": False}
    voice = TALK.voice("en", 0)
    assert (
        TALK.result(result, voice).plain.replace("\u2066", "") == "Seat 1 wins 4 from everybody. In front: seat 1, you"
    )
    nobody = {"winners": [], "payment": 0, "leaders": [2], "last": True}
    assert TALK.result(nobody, voice).plain == "Nobody wins. The evening is won by seat 2"


def test_a_program_plays_a_round_and_the_last_bowl_against_bots(environment):
    """By the first move of each list; between rounds the last one listed, which is the last round's button."""
    rules = ("max_turns_per_round=6", "bot_delay_ms=0", "false_win_penalty=1")
    given = [argument for rule in rules for argument in ("--rule", rule)]
    command: list[Any] = [KUPA, "play", "kishpa", "--json", "--seats", "2", *given]
    pipe = subprocess.PIPE
    lines: list[str] = []
    over: dict[str, Any] | None = None
    with subprocess.Popen(command, env={**os.environ, **environment}, stdin=pipe, stdout=pipe, text=True) as played:
        assert played.stdin
        assert played.stdout
        for text in played.stdout:
            said = json.loads(text)
            if "line" in said:
                lines.append(said["line"].get("type"))
            if "moves" in said:
                buttons = [move for move in said["moves"] if move["type"] == "table.last_round"]
                played.stdin.write(json.dumps((buttons or said["moves"])[0]) + "\n")
                played.stdin.flush()
            over = said.get("over", over)
    assert played.returncode == 0
    assert over is not None
    assert over["status"] == "ended"
    assert lines.count("table.last_round_called") == 1
    dealt = lines[: lines.index("table.last_round_called")].count("table.round_started")
    assert lines.count("table.round_ended") == dealt + 1, "the next deal after the call is the last"
    assert sum(each["balance"] for each in over["results"][-1]["statements"]) + over["results"][-1]["bowl"] == 4_000
