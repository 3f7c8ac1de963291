from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from rich.console import Console

from domain.games import GAMES
from service.terminal.games import TALKS
from service.terminal.places import kept
from service.terminal.play import Player
from tests.terminal.conftest import Server
from tests.terminal.proxy import proxy_to
from tests.terminal.terminal import KUPA, Terminal

FAST = ("--rule", "bot_delay_ms=0")
VERSION = re.compile(r" · \u2066?v(\d+)")
GAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}")
MY_MOVE = ("Your move:", "התור שלך:")
CUT_SECONDS = 4
RESULT = ("is the shithead", "You are the shithead", "Nobody is the shithead")


@pytest.fixture
def open_terminal(environment: dict[str, str]) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def opening(*arguments: str, size: tuple[int, int] = (36, 100), **more: str) -> Terminal:
        opened.append(Terminal(*arguments, environment=environment | more, size=size))
        return opened[-1]

    yield opening
    for terminal in opened:
        terminal.close()


def version_of(terminal: Terminal) -> int:
    return max((int(found) for found in VERSION.findall(terminal.picture)), default=0)


def press_first_key_until(terminal: Terminal, done: Callable[[], bool], seconds: float = 60.0) -> None:
    """Press the first legal move's key whenever a new position waits for one."""
    end, answered = time.monotonic() + seconds, 0
    while not done():
        assert time.monotonic() < end, terminal.picture
        if not terminal.read(0.05):
            return
        version = version_of(terminal)
        if version > answered and any(text in terminal.picture for text in MY_MOVE):
            answered = version
            terminal.send("1")


def test_a_game_against_bots_is_played_to_its_end_by_the_first_key(open_terminal, server: Server):
    terminal = open_terminal("play", "shithead", *FAST)
    picture = terminal.until("ready to begin")
    assert "you are seat 0" in picture
    assert any(suit in picture for suit in "♣♦♥♠")
    assert "\x1b[1;31m" in terminal.output, "red suits are red"
    press_first_key_until(terminal, lambda: False)
    assert terminal.finish() == 0
    last = terminal.output.rsplit("\x1b[?1049l", 1)[-1]
    assert any(text in last for text in RESULT)
    assert "The table has ended." in last
    game = GAME.search(last)
    assert game is not None
    assert server.call("GET", f"/v1/games/{game[0]}")["status"] == "ended"


def test_a_cut_of_the_network_in_mid_game_loses_nothing(open_terminal, server: Server):
    with proxy_to(server.port) as proxy:
        terminal = open_terminal("play", "shithead", *FAST, KUPA_SERVER=proxy.url)
        terminal.until("ready to begin")
        press_first_key_until(terminal, lambda: version_of(terminal) > 40)
        terminal.until_any(MY_MOVE)
        proxy.cut()
        terminal.send("1")
        terminal.until("No connection", 10)
        during = version_of(terminal)
        time.sleep(CUT_SECONDS)
        terminal.read(0.1)
        assert version_of(terminal) == during
        proxy.mend()
        press_first_key_until(terminal, lambda: False)
        assert terminal.finish() == 0
        game = GAME.search(terminal.output.rsplit("\x1b[?1049l", 1)[-1])
    assert game is not None
    lines = server.call("GET", f"/v1/games/{game[0]}/events?limit=1000")["items"]
    moves = [
        line for line in lines if line.get("by") == "seat:0" and line.get("move", {}).get("type") == "shithead.play"
    ]
    told = terminal.output.count("You lay ")
    assert moves
    assert told >= len(moves), "every play of one's own was told"


def test_a_closed_terminal_costs_no_game(open_terminal, environment, server: Server, monkeypatch):
    terminal = open_terminal("play", "shithead", *FAST)
    terminal.until("ready to begin")
    terminal.send("q")
    terminal.until("Press q again")
    terminal.send("q")
    assert terminal.finish() == 0
    game = GAME.search(terminal.output)
    assert game is not None
    assert f"kupa play --table {game[0]}" in terminal.output
    monkeypatch.setenv("XDG_STATE_HOME", environment["XDG_STATE_HOME"])
    place = kept(game[0], server.url)
    assert place is not None
    assert place.seat == 0
    again = open_terminal("play", "--table", game[0])
    again.until("ready to begin")
    press_first_key_until(again, lambda: False)
    assert again.finish() == 0
    assert kept(game[0], server.url) is None, "an ended table's token is forgotten"


def test_i3_a_token_that_was_replaced_ends_the_terminal_with_its_reason(open_terminal, server: Server):
    terminal = open_terminal("play", "shithead", *FAST)
    game = GAME.search(terminal.until("ready to begin"))
    assert game is not None
    server.call("POST", f"/v1/games/{game[0]}/seats/0/token", server.key)
    assert terminal.finish() == 4
    assert "The token was replaced or withdrawn." in terminal.output


def test_two_people_meet_at_a_private_table(open_terminal, environment, tmp_path):
    host = open_terminal("play", "shithead", "--seats", "2", "--people", "2", "--private", *FAST)
    picture = host.until("Waiting for 1 more")
    game, invite = GAME.search(picture), re.search(r"--invite\s+([0-9a-f]+)", picture)
    assert game is not None
    assert invite is not None
    other = {"XDG_STATE_HOME": str(tmp_path / "other")}
    stranger = open_terminal("play", "--table", game[0], **other, KUPA_KEY=_new_key(environment))
    assert stranger.finish() == 4
    guest = open_terminal("play", "--table", game[0], "--invite", invite[1], **other)
    for terminal in (host, guest):
        terminal.until("ready to begin")
        terminal.send("1")
    host.until("You are ready.")
    guest.until_any(("begins", "You begin"))


def _new_key(environment: dict[str, str]) -> str:
    made = subprocess.run(
        [KUPA, "keys", "create"],
        env={"PATH": "/usr/bin:/bin"} | environment,
        capture_output=True,
        check=True,
        text=True,
    )
    return made.stdout.strip()


def test_the_game_is_played_in_hebrew(open_terminal):
    terminal = open_terminal("play", "shithead", *FAST, "--lang", "he")
    picture = terminal.until("אפשר להתחיל")
    assert re.search(r"\u2066(10|[2-9JQKA])[♣♦♥♠]\u2069", picture), "cards keep their direction"
    title = picture.splitlines()[0]
    assert title.startswith("  "), "lines begin on the right"
    press_first_key_until(terminal, lambda: False)
    assert terminal.finish() == 0
    assert "השולחן הסתיים" in terminal.output


def test_on_a_small_terminal_the_keys_still_fit(open_terminal):
    terminal = open_terminal("play", "shithead", "--seats", "6", *FAST, size=(14, 60))
    picture = terminal.until("ready to begin")
    assert "Shithead" in picture.splitlines()[0]
    assert len(picture.splitlines()) <= 14
    terminal.send("1")
    terminal.until_any(("Your move:", "Waiting for"))


@pytest.mark.parametrize("game", [game for game in GAMES if game not in TALKS] or ["shithead"])
def test_a_game_is_played_before_it_has_words_of_its_own(open_terminal, game):
    terminal = open_terminal("play", game, *FAST)
    terminal.until_any(MY_MOVE)
    before = version_of(terminal)
    press_first_key_until(terminal, lambda: version_of(terminal) > before)
    assert version_of(terminal) > before


def test_a_terminal_of_another_size_gets_another_picture(open_terminal):
    terminal = open_terminal("play", "shithead", *FAST)
    assert widest_rule(terminal.until("ready to begin")) == 100
    before = len(terminal.output)
    terminal.resize(24, 70)
    while len(terminal.output) == before or "ready to begin" not in terminal.picture:
        assert terminal.read(5)
    assert widest_rule(terminal.picture) == 70


def widest_rule(picture: str) -> int:
    return max(len(line) for line in picture.splitlines() if "─" in line)


def test_an_interrupt_leaves_the_terminal_as_it_was(open_terminal):
    terminal = open_terminal("play", "shithead", *FAST)
    terminal.until("ready to begin")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.finish() == 130
    assert terminal.output.count("\x1b[?1049h") == terminal.output.count("\x1b[?1049l") == 1
    assert "The table goes on. Come back: kupa play --table" in terminal.output


def test_a_plain_terminal_scrolls(open_terminal):
    terminal = open_terminal("play", "shithead", "--plain", *FAST)
    terminal.until("ready to begin")
    assert "\x1b[?1049h" not in terminal.output
    terminal.send("1")
    terminal.until("You are ready.")


def test_a_key_that_is_no_move_is_answered(open_terminal):
    terminal = open_terminal("play", "shithead", *FAST)
    terminal.until("ready to begin")
    terminal.send("z")
    terminal.until("z is no move now.")


@pytest.mark.parametrize(("lang", "words"), [("en", "Not allowed: "), ("he", "אסור: ")])
def test_a_refusal_names_its_clause_in_words(server: Server, environment, monkeypatch, lang, words):
    monkeypatch.setenv("XDG_STATE_HOME", environment["XDG_STATE_HOME"])
    program = start_program(environment)
    assert program.stdout is not None
    place = json.loads(program.stdout.readline())["place"]
    program.kill()
    program.communicate()
    held = kept(place["game"], server.url)
    assert held is not None
    # The keys are read from the input's file, which pytest takes away; this player presses none.
    monkeypatch.setattr(sys, "stdin", sys.__stdin__)
    player = Player(held, lang, Console(file=io.StringIO()))
    player.table.look()
    player._make({"type": "shithead.pick_up"})
    player.close()
    assert player.notice is not None
    assert player.notice.plain.startswith(words)
    clause = re.search(r"\[([SG]-\d+)\]", player.notice.plain)
    assert clause is not None
    assert len(player.notice.plain) > len(words) + len(clause[0]) + 20


def start_program(environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [KUPA, "play", "shithead", "--json", *FAST, *arguments],
        env={"PATH": "/usr/bin:/bin"} | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_program_plays_by_objects_one_a_line(environment):
    program = start_program(environment)
    assert program.stdin is not None
    assert program.stdout is not None
    seqs, refused, over = [], [], None
    for text in program.stdout:
        told = json.loads(text)
        if "line" in told:
            seqs.append(told["line"]["seq"])
        elif "refused" in told:
            refused.append(told["refused"])
        elif "moves" in told:
            wanted = ('{"type": "shithead.flip", "position": 1}', "99", "nonsense") if len(refused) < 3 else ("0",)
            program.stdin.write(wanted[min(len(refused), len(wanted) - 1)] + "\n")
            program.stdin.flush()
        elif "over" in told:
            over = told["over"]
    assert program.wait(20) == 0
    program.communicate()
    assert over is not None
    assert over["status"] == "ended"
    assert seqs == list(range(1, over["version"] + 1)), "every line once, in order"
    assert refused[0]["code"] == "refused"
    assert "number of a listed move" in refused[1]["detail"]
    assert refused[2]["given"] == "nonsense"
