"""Hatchatul at the terminal: rows face down, looks that come and go, and what there is to do."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from rich.console import Console

from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.rules import HatchatulRules
from service.terminal.games.hatchatul import HATCHATUL, board, face, opened
from tests.domain.hatchatul.scenario import stacked
from tests.playing import Sitting
from tests.terminal.conftest import Server
from tests.terminal.terminal import Terminal, plain

ROWS = [(9, 8, 7, 6), (1, 2, 3, 4)]
IN_TURN = [ROWS[seat][slot] for slot in range(4) for seat in (1, 0)]
MARKS = re.compile("[\u2066-\u2069]")
SHORT = ("--rule", 'mode={"rounds":1}', "--rule", "max_turns_per_round=6", "--rule", "bot_delay_ms=300")
VERSION = re.compile(r" · \u2066?v(\d+)")


def sitting(*stock: Any, **rules: Any) -> Sitting:
    """Two at a table; seat 1 begins."""
    return Sitting(GAME, HatchatulRules(**rules), 2, decks=[stacked([3, *stock], 2, rows=IN_TURN)]).seat_all()


def give(table: Sitting, seat: int, *moves: Any) -> None:
    for move in moves:
        table.give(f"seat:{seat}", move)


def drawn(part: Any) -> str:
    """As it is read: no colours, no marks of direction."""
    console = Console(file=io.StringIO(), width=100, color_system=None)
    console.print(part)
    return MARKS.sub("", console.file.getvalue())  # type: ignore[attr-defined]


def picture(table: Sitting, seat: int | None, lang: Any = "en") -> str:
    view = msgspec.to_builtins(table.view(seat).inner)
    return drawn(board(msgspec.json.decode(msgspec.json.encode(view)), HATCHATUL.voice(lang, seat)))


def line(text: str, seat: str) -> str:
    """The line of a picture that begins with this name."""
    return next(found for found in text.splitlines() if found.lstrip(" ▶").startswith(seat))


def test_every_row_lies_face_down_with_its_slots_numbered():
    table = sitting(5)
    for seat in (0, 1, None):
        text = picture(table, seat)
        for name in ("you" if seat == 0 else "seat 0", "you" if seat == 1 else "seat 1"):
            assert "▒▒·1 ▒▒·2 ▒▒·3 ▒▒·4" in line(text, name)
    assert "Look once at your outer cards" in picture(table, 1)
    assert "Look once" not in picture(table, None)


def test_a_look_lies_open_before_its_seat_alone_and_is_covered_again():
    table = sitting(5)
    give(table, 0, m.Skip())
    give(table, 1, m.PeekStart())
    assert " 1 ·1 ▒▒·2 ▒▒·3  4 ·4" in line(picture(table, 1), "you")
    assert "▒▒·1 ▒▒·2 ▒▒·3 ▒▒·4" in line(picture(table, 0), "seat 1")
    give(table, 1, m.DrawStock())
    assert "▒▒·1 ▒▒·2 ▒▒·3 ▒▒·4" in line(picture(table, 1), "you")


def test_the_drawn_card_is_in_the_hand_of_him_who_drew_it_and_a_back_to_others():
    table = sitting(5)
    give(table, 0, m.Skip())
    give(table, 1, m.Skip(), m.DrawStock())
    assert "In your hand  5 " in picture(table, 1)
    assert "Put it into a slot, or throw it." in picture(table, 1)
    assert "In hand ▒▒" in picture(table, 0)
    assert "5" not in picture(table, 0).replace("Stock 45", "")


def test_a_swap_shows_each_of_the_two_the_card_that_he_holds_now():
    table = sitting("swap")
    give(table, 0, m.Skip())
    give(table, 1, m.Skip(), m.DrawStock())
    assert "Swap a card of yours" in picture(table, 1)
    assert "In hand  ⇄ " in picture(table, 0)
    give(table, 1, m.UseSwap(2, 0, 3))
    assert "▒▒·1  7 ·2 ▒▒·3 ▒▒·4" in line(picture(table, 1), "you")
    assert "▒▒·1 ▒▒·2  2 ·3 ▒▒·4" in line(picture(table, 0), "you")
    spectator = picture(table, None)
    assert spectator.count("▒▒·1 ▒▒·2 ▒▒·3 ▒▒·4") == 2
    assert "End the turn, or knock." in picture(table, 1)


def test_with_the_memory_aid_what_one_knows_stays_in_brackets():
    table = sitting("peek", memory_aid=True)
    give(table, 0, m.Skip())
    give(table, 1, m.Skip(), m.DrawStock(), m.UsePeek(3), m.EndTurn())
    assert "▒▒·1 ▒▒·2 (3)·3 ▒▒·4" in line(picture(table, 1), "you")
    assert "▒▒·1 ▒▒·2 ▒▒·3 ▒▒·4" in line(picture(table, 0), "seat 1")


def test_owed_turns_a_knock_and_the_last_lap_are_told():
    table = sitting("draw2", 5, 5)
    give(table, 0, m.Skip())
    give(table, 1, m.Skip(), m.DrawStock(), m.UseDrawTwo())
    assert "2 turns are owed." in picture(table, 1)
    give(table, 1, m.Waive(), m.Knock())
    text = picture(table, 0)
    assert "knocked" in line(text, "seat 1")
    give(table, 0, m.DrawStock(), m.Throw())
    assert "the last lap is on" in picture(table, 0)


def test_hebrew_reads_from_the_right_and_the_slots_keep_their_order():
    table = sitting(5)
    text = picture(table, 0, "he")
    assert "▒▒·1 ▒▒·2 ▒▒·3 ▒▒·4" in text
    assert "קופה 45" in text
    assert "מציצים פעם אחת בקיצוניים" in text


def test_cats_and_rats_have_their_colours_and_action_cards_their_signs():
    assert {str(face(card).style) for card in range(7)} == {"bold green"}
    assert {str(face(card).style) for card in (7, 8, 9)} == {"bold red"}
    assert [MARKS.sub("", face(card).plain) for card in ("peek", "swap", "draw2")] == ["◉", "⇄", "+2"]


def test_the_result_tells_points_and_totals_and_who_has_won():
    table = sitting(5, 5)
    give(table, 0, m.Skip())
    give(table, 1, m.Skip(), m.DrawStock(), m.Throw(), m.Knock())
    give(table, 0, m.DrawStock(), m.Throw(), m.EndTurn())
    outcome = table.table.results[0]
    said = MARKS.sub("", HATCHATUL.result(outcome, HATCHATUL.voice("en", 1)).plain)
    assert said == "Your row is the lowest!  seat 0 +30 → 30  you +10 → 10"
    final = HATCHATUL.result({**outcome, "final": True, "leaders": [1]}, HATCHATUL.voice("en", 0)).plain
    assert MARKS.sub("", final).splitlines()[1] == "The game is won by seat 1", "on a line of its own"


def test_a_revealed_row_keeps_card_and_slot_apart_without_colours():
    table = sitting(5, 5)
    give(table, 0, m.Skip())
    give(table, 1, m.Skip(), m.DrawStock(), m.Throw(), m.Knock())
    give(table, 0, m.DrawStock(), m.Throw(), m.EndTurn())
    assert "9·1 8·2 7·3 6·4" in line(picture(table, 0), "you")
    assert "9·1 8·2 7·3 6·4" in picture(table, 0, "he")


def test_an_opened_table_shows_every_card_where_it_lies():
    table = sitting(5)
    zones = {zone: [*cards] for zone, cards in GAME.zones(table.table.state).items()}
    text = drawn(opened(zones, HATCHATUL.voice("en", 0)))
    assert "9 8 7 6" in line(text, "you")
    assert "1 2 3 4" in line(text, "seat 1")
    assert "Pile 1: 3" in text
    assert "Stock 45: 5" in text


@pytest.fixture
def open_terminal(environment: dict[str, str]) -> Iterator[Callable[..., Terminal]]:
    found: list[Terminal] = []

    def opening(*arguments: str, **more: str) -> Terminal:
        found.append(Terminal(*arguments, environment=environment | more))
        return found[-1]

    yield opening
    for terminal in found:
        terminal.close()


def version_of(terminal: Terminal) -> int:
    return max((int(found) for found in VERSION.findall(terminal.picture)), default=0)


def test_a_round_against_bots_is_played_by_the_first_key_and_what_one_saw_is_covered(open_terminal, server: Server):
    terminal = open_terminal("play", "hatchatul", *SHORT)
    terminal.resize(72, 100)  # with a Swap in hand there are so many keys that a small screen has no room for the log
    first = terminal.until("look at your outer cards")
    assert "▒▒·1 ▒▒·2 ▒▒·3 ▒▒·4" in MARKS.sub("", first)
    terminal.send("1")
    assert re.search(r"You see \d|You see [◉⇄+]", MARKS.sub("", terminal.until("You see")))
    covered = terminal.until("What you saw is covered again.")  # a bot has taken the first card
    assert "You see" not in covered
    terminal.until("draw from the stock")
    terminal.send("1")
    answered = 0
    while terminal.read(0.05):
        version = version_of(terminal)
        if version > answered and "Your move:" in terminal.picture:
            answered = version
            terminal.send("1")
    assert terminal.finish() == 0
    last = " ".join(plain(terminal.output.rsplit("\x1b[?1049l", 1)[-1]).split())
    assert "The table has ended." in last
    assert "The game is won by" in last
    game = re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}", last)
    assert game is not None
    assert server.call("GET", f"/v1/games/{game[0]}")["status"] == "ended"
