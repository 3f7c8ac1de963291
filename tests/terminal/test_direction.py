"""Hebrew on terminals that reorder text: every line and every cell has one direction, and the marks take no room."""

from __future__ import annotations

import io
import random
import re
import time
from typing import Any

import msgspec
import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain.games import GAMES
from domain.totem.rules import TotemRules
from service.terminal.direction import LTR, POP, RTL, STAYS, Directed, Fixed, cell, held, paragraph, unmarked
from service.terminal.games import talk_of
from service.terminal.screen import Picture, Screen
from service.terminal.trouble import Exit, ServerSaid, Trouble, Unreachable
from service.terminal.words import Voice
from tests.evening import evening
from tests.playing import Sitting, play
from tests.terminal.conftest import Played, Server
from tests.terminal.terminal import Terminal
from tests.terminal.test_replay import kupa

HEBREW = re.compile("[א-ת]")
LATIN = re.compile("[A-Za-z]")
ISOLATE = re.compile(f"[{LTR}{RTL}][^{LTR}{RTL}{POP}]*{POP}")


def console(width: int = 80, *, terminal: bool = False) -> Console:
    return Console(file=io.StringIO(), width=width, color_system=None, force_terminal=terminal)


def lines(part: Any, width: int = 80) -> list[str]:
    """What is printed, line by line, without the spaces around."""
    made = console(width)
    made.print(part)
    return [line for line in map(str.strip, made.file.getvalue().splitlines()) if line]  # type: ignore[attr-defined]


def enclosed(line: str) -> bool:
    """Whether one piece holds all of the line, with nothing beside it, and each piece in it ends there."""
    depth = 0
    for at, letter in enumerate(line):
        depth += (letter in (LTR, RTL)) - (letter == POP)
        if depth < 0 or (depth == 0 and at < len(line) - 1):
            return False
    return depth == 0 and line[:1] in (LTR, RTL)


def loose(line: str) -> str:
    """What stands directly in the line, outside every piece within it."""
    inner = line[1:-1]
    while ISOLATE.search(inner):
        inner = ISOLATE.sub("", inner)
    return inner


def test_each_line_of_a_broken_paragraph_has_its_direction_and_goes_on_with_open_pieces():
    text = Text.assemble(RTL, "אחת שתיים שלוש ארבע ", LTR, "one two three four five", POP, " חמש", POP)
    broken = lines(paragraph(text), 20)
    assert len(broken) > 2
    assert all(enclosed(line) and line[0] == RTL for line in broken)
    assert [line.count(LTR) for line in broken if LATIN.search(line)] == [1] * sum(
        bool(LATIN.search(line)) for line in broken
    ), "the English goes on as English"
    assert " ".join(unmarked(line) for line in broken) == unmarked(text.plain)


def test_the_marks_take_no_room_and_the_first_column_stays_free():
    made = console(20)
    made.print(paragraph(Text("שלום לך")))
    printed = made.file.getvalue().rstrip("\n")  # type: ignore[attr-defined]
    assert unmarked(printed) == "שלום לך".rjust(20)
    full = console(8)
    full.print(paragraph(Text("א" * 7)))
    assert full.file.getvalue().startswith(" " + RTL)  # type: ignore[attr-defined]


def test_spaces_at_the_end_of_a_line_are_held_on_its_left():
    assert lines(paragraph(Text("ערימה  9 ")))[0].endswith(f" {STAYS[RTL]}{POP}")


def test_columns_stand_under_their_headers_whatever_is_in_them():
    grid = Table(box=None)
    for title in ("יתרה", "חשבון"):
        grid.add_column(cell(title), justify="right")
    for balance, account in (("-6000", "bank"), ("2011", "seat:0"), ("0", "קופה")):
        grid.add_row(cell(balance), cell(account))
    printed = lines(Fixed(grid))
    assert all(enclosed(line) and line[0] == LTR for line in printed)
    assert {loose(line).strip() for line in printed} == {""}, "every cell is a piece of its own"
    assert f"{LTR}-6000{POP}" in printed[1]
    assert f"{RTL}חשבון{POP}" in printed[0]
    ends = [[len(unmarked(line[: piece.end()])) for piece in ISOLATE.finditer(line)] for line in printed]
    assert ends == [ends[0]] * 4, "each column ends in the same place on every line"


@pytest.mark.parametrize(("token", "mark"), [("+2000", LTR), ("seat:0", LTR), ("דנה", RTL), (-7, LTR)])
def test_a_token_is_held_in_its_own_direction(token, mark):
    assert held(token) == f"{mark}{token}{POP}"
    assert unmarked(held(token)) == str(token)


def positions(game: str) -> list[tuple[Voice, dict[str, Any]]]:
    if game == "kishpa":
        sitting = evening(seed=9)
    else:
        rules = TotemRules(symbols=4) if game == "totem" else GAMES[game].rules()
        sitting = play(Sitting(GAMES[game], rules, 4, seed=3).seat_all(), random.Random(3), most=20_000)
    talk = talk_of(game)
    return [
        (talk.voice("he", seat, frozenset({1})), msgspec.to_builtins(sitting.view(seat, version).inner))
        for version in range(1, len(sitting.lines) + 1, len(sitting.lines) // 12)
        for seat in (0, None)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_every_line_of_every_board_has_one_direction(game):
    screen = Screen(console(), "he")
    for voice, view in positions(game):
        for line in lines(screen.aside(talk_of(game).board(view, voice))):
            assert enclosed(line), line
            if line[0] == LTR:
                assert not HEBREW.search(loose(line)), f"a row of a table holds each cell: {line}"


def test_a_whole_picture_has_one_direction_a_line_and_its_keys_stand_right_of_their_moves():
    voice = talk_of("shithead").voice("he", 0)
    picture = Picture(
        title=Text(f"שיטהד · {held('01a22d8f-5927')} · מושב 0 שלך"),
        board=Text("הקלפים עוד לא חולקו."),
        log=[Text(f"{RTL}בוט 1 התיישב{POP} " * 8)],
        notice=Text("אסור"),
        asked=Text("התור שלך:"),
        choices=[voice.keyed("1", Text(f"{RTL}להניח {LTR}7♥{POP}{POP}")), voice.keyed("2", "עוד")],
    )
    made = console(60, terminal=True)
    with Screen(made, "he") as screen:
        screen.show(picture)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", made.file.getvalue())  # type: ignore[attr-defined]
    told = [line.strip() for line in shown.splitlines() if line.strip() and "─" not in line]
    assert len(told) >= 6
    assert all(enclosed(line) for line in told), told
    keys = told[-1]
    assert keys[0] == LTR
    assert re.search(r"להניח 7♥  1 ", unmarked(keys))


def test_the_ledger_in_hebrew_has_one_direction_a_line(environment, server: Server):
    rules = {"turn_timeout_s": 0, "exposure_timeout_s": 0, "rounds": 1}
    opened = server.call("POST", "/v1/games", server.key, json={"game": "kishpa", "seats": 2, "rules": rules})
    path, host = f"/v1/games/{opened['id']}", opened["host_token"]
    for _ in range(2):
        server.call("POST", f"{path}/seats", host, json={"bot": "normal"})
    server.call("POST", f"{path}/start", host)
    until = time.monotonic() + 20
    while server.call("GET", path)["status"] != "ended":
        assert time.monotonic() < until, "two bots do not come to the end of a round"
        time.sleep(0.05)
    asked = (opened["id"], "--account", "seat:1", "--lang", "he")
    printed = [line.strip() for line in kupa(environment, "ledger", *asked).stdout.splitlines() if line.strip()]
    assert len(printed) >= 8
    assert all(enclosed(line) for line in printed), printed
    rows = [line for line in printed if line[0] == LTR]
    assert {loose(line).strip() for line in rows} == {""}
    assert any(f"{LTR}+2000{POP}" in line for line in rows)
    summary = next(line for line in printed if "נטו" in line)
    assert f"{RTL}{LTR}seat:1{POP}: יתרה" in summary
    assert re.search(f"נטו {LTR}[+-]\\d+{POP} = {LTR}[+-]\\d+ ILS{POP}", summary)


def test_troubles_are_told_in_hebrew_with_what_the_server_said_held_in_english(environment, played: Played):
    said = kupa(environment, "ledger", "01a22d8f-0000-7000-8000-000000000000", "--lang", "he")
    assert said.exit_code == 4
    told = [line.strip() for line in said.stderr.splitlines()]
    assert all(enclosed(line) and line[0] == RTL for line in told)
    assert re.search(f"✗ [א-ת ]+: {LTR}[A-Z][^{POP}]+{POP}", told[0]), told[0]
    assert f"{LTR}kupa games{POP}" in told[1]
    wrong = kupa(environment, "play", "kishpa", "--table", held(played.game), "--lang", "he")
    assert wrong.exit_code == 2, "an id that was copied with its marks is taken without them"
    assert "משחקים" in wrong.stderr
    english = kupa(environment, "play", "kishpa", "--table", played.game)
    assert not HEBREW.search(english.stderr)


def test_every_trouble_without_hebrew_is_told_in_english():
    assert Trouble(Exit.USAGE, "So.", "Do.").said("he") == ("So.", "Do.")
    assert HEBREW.search(Unreachable("http://x", "no route").said("he")[1])
    unknown = ServerSaid(418, {"code": "teapot", "detail": "Short and stout."})
    assert unknown.said("he") == (held("Short and stout."), "")


def test_text_can_be_measured_in_a_column_with_its_margin():
    made = console()
    measured = made.measure(Directed(Text("שתי מילים"), margin=1))
    assert (measured.minimum, measured.maximum) == (6, 10)


def test_a_replay_with_two_boards_side_by_side_has_one_direction_a_line(environment, played: Played):
    terminal = Terminal("replay", played.game, "--lang", "he", "--at", "40", "--beside", "0", environment=environment)
    try:
        picture = terminal.until(f"40/{len(played.lines)}")
    finally:
        terminal.close()
    told = [line.strip() for line in picture.splitlines() if line.strip() and "─" not in line]
    assert len(told) >= 8
    assert all(enclosed(line) for line in told), [line for line in told if not enclosed(line)]
    assert held(played.game) in told[0]
