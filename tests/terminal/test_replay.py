from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from tests.terminal.conftest import Played
from tests.terminal.terminal import Terminal

RIGHT, LEFT, UP, DOWN, END, HOME = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B", "\x1b[F", "\x1b[H"


@pytest.fixture
def replayed(environment: dict[str, str], played: Played) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def replaying(*arguments: str) -> Terminal:
        opened.append(Terminal("replay", *arguments, environment=environment))
        return opened[-1]

    yield replaying
    for terminal in opened:
        terminal.close()


def kupa(environment: dict[str, str], *arguments: str) -> Result:
    """The command as it runs, in this process; what it writes goes to no terminal."""
    return CliRunner().invoke(main, list(arguments), env=environment, prog_name="kupa")


def test_a_finished_game_is_stepped_through_to_its_decisive_move(replayed, played: Played):
    last = len(played.lines)
    terminal = replayed(played.game)
    terminal.until(f" 1/{last} ")
    terminal.send(RIGHT + RIGHT)
    terminal.until(f" 3/{last} ")
    terminal.send(LEFT)
    terminal.until(f" 2/{last} ")
    terminal.send(END)
    terminal.until("The table has ended.")
    terminal.send(HOME)
    terminal.until(f" 1/{last} ")
    terminal.send("d")
    decisive = decisive_line(played)
    picture = terminal.until(f" {decisive}/{last} ")
    assert "everything open" in picture
    terminal.send("g77\r")
    terminal.until(f" 77/{last} ")
    terminal.send("q")
    assert terminal.finish() == 0


def decisive_line(played: Played) -> int:
    lines = [json.loads(line) for line in played.lines]
    ended = next(line["seq"] for line in lines if line["type"] == "table.round_ended")
    return max(line["seq"] for line in lines[:ended] if "move" in line)


def test_two_seats_are_seen_side_by_side(replayed, played: Played):
    terminal = replayed(played.game, "--at", "60", "--as", "1", "--beside", "2")
    picture = terminal.until("seat 2")
    assert re.search(r"seat 1 .*seat 2", picture), "side by side"
    assert len(re.findall("In hand", picture)) == 2
    terminal.send("s")
    terminal.until("spectator")
    terminal.send("b")
    picture = terminal.until_any(("seat 2",))
    terminal.send("0")
    terminal.until("seat 0")
    terminal.send("7")
    terminal.until("There is no seat 7")
    terminal.send("q")
    assert terminal.finish() == 0


def test_a_file_is_replayed_as_the_game_is(environment, played: Played, tmp_path: Path):
    file = tmp_path / "game.ndjson"
    file.write_bytes(b"\n".join(played.lines) + b"\n")
    for extra in ((), ("--as", "1"), ("--as", "public"), ("--as", "open", "--beside", "0")):
        shown = [
            kupa(environment, "replay", which, "--at", "50", "--json", *extra) for which in (str(file), played.game)
        ]
        assert [run.exit_code for run in shown] == [0, 0]
        assert shown[0].stdout == shown[1].stdout
    told = json.loads(kupa(environment, "replay", str(file), "--at", "50", "--as", "1", "--json").stdout)
    assert (told["version"], told["seat"], told["as"], told["last"]) == (50, 1, "seat:1", len(played.lines))
    assert told["view"]["hand"]


def test_a_tampered_file_ends_at_its_first_fault(environment, played: Played, tmp_path: Path):
    file = tmp_path / "game.ndjson"
    lines = [*played.lines[:30], *played.lines[31:]]
    file.write_bytes(b"\n".join(lines))
    run = kupa(environment, "replay", str(file), "--json")
    assert run.exit_code == 1
    assert run.stdout == ""
    told = json.loads(run.stderr)
    assert told["line"] == 31
    assert "Line 31 does not verify" in told["error"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--at", "100000"), 2, "There is no version 100000"),
        (("--as", "9"), 2, "There is no seat 9"),
        (("--as", "me"), 2, "open, public, or a seat"),
    ],
)
def test_a_look_that_is_not_to_be_had_is_told_with_its_exit_code(environment, played: Played, arguments, code, words):
    run = kupa(environment, "replay", played.game, "--json", *arguments)
    assert run.exit_code == code
    assert words in run.stderr


def test_what_is_not_there_is_told(environment, played: Played):
    assert kupa(environment, "replay", "no-such-file.ndjson").exit_code == 2
    gone = kupa(environment, "replay", "01a22a59-499f-76cb-b05d-4353ce64db98", "--json")
    assert gone.exit_code == 4
    assert json.loads(gone.stderr)["problem"]["code"] == "not-found"
