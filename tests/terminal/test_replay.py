from __future__ import annotations

import json
import re
import zipfile
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
            kupa(environment, "replay", which, "--at", "50", "--json", "--head", played.head, *extra)
            for which in (str(file), played.game)
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


def test_nothing_vouches_for_the_last_line_of_a_file_but_its_head(environment, played: Played, tmp_path: Path):
    file = tmp_path / "game.ndjson"
    forged = played.lines[-1].replace(b'"reason":"rounds"', b'"reason":"finished"')
    assert forged != played.lines[-1]
    for last, vouched in ((played.lines[-1], True), (forged, False)):
        file.write_bytes(b"\n".join([*played.lines[:-1], last]))
        alone = kupa(environment, "replay", str(file), "--json")
        assert (alone.exit_code, json.loads(alone.stdout)["vouched"]) == (0, False)
        checked = kupa(environment, "replay", str(file), "--json", "--head", played.head)
        assert checked.exit_code == (0 if vouched else 1)
        if vouched:
            assert json.loads(checked.stdout)["vouched"] is True
        else:
            assert json.loads(checked.stderr)["line"] == len(played.lines)
            assert f"and not to {played.head}" in json.loads(checked.stderr)["error"]
    assert json.loads(kupa(environment, "replay", played.game, "--json").stdout)["vouched"] is True


def test_the_head_of_an_earlier_line_is_told_from_a_strange_one(environment, played: Played, tmp_path: Path):
    file = tmp_path / "game.ndjson"
    file.write_bytes(b"\n".join(played.lines))
    earlier = json.loads(played.lines[40])["prev"]
    told = json.loads(kupa(environment, "replay", str(file), "--json", "--head", earlier).stderr)
    assert told["hint"] == "It is the hash of line 40: take the head of the last line."
    assert json.loads(kupa(environment, "replay", str(file), "--json", "--head", "0" * 64).stderr)["hint"] is None
    assert kupa(environment, "replay", str(file), "--head", "abc").exit_code == 2


def test_the_terminal_says_that_nothing_vouches_for_the_last_line(replayed, played: Played, tmp_path: Path):
    file, last = tmp_path / "game.ndjson", len(played.lines)
    file.write_bytes(b"\n".join(played.lines))
    terminal = replayed(str(file))
    terminal.until(f"nothing vouches for the last, {last}.")
    terminal.send(RIGHT)
    assert "nothing vouches" not in terminal.until(f" 2/{last} ")
    terminal.send(END)
    terminal.until(f" {last}/{last} ")
    assert "nothing vouches" in terminal.picture
    terminal.send("q")
    assert terminal.finish() == 0
    checked = replayed(str(file), "--head", played.head)
    assert "nothing vouches" not in checked.until(f" 1/{last} ")
    checked.send("q")


def test_a_record_on_standard_input_is_replayed(environment, played: Played, tmp_path: Path):
    bundle = tmp_path / "evidence.zip"
    with zipfile.ZipFile(bundle, "w") as file:
        file.writestr("events.ndjson", b"\n".join(played.lines))
    asked = ["replay", "-", "--at", "50", "--json", "--head", played.head]
    shown = [
        CliRunner().invoke(main, asked, env=environment, input=record)
        for record in (b"\n".join(played.lines), bundle.read_bytes())
    ]
    assert [run.exit_code for run in shown] == [0, 0]
    assert shown[0].stdout == shown[1].stdout
    assert json.loads(shown[0].stdout)["version"] == 50
    nothing = CliRunner().invoke(main, ["replay", "-", "--json"], env=environment, input=b"")
    assert nothing.exit_code == 1


def test_who_pipes_a_record_in_steps_through_it_by_the_keys_of_the_terminal(
    environment, played: Played, tmp_path: Path
):
    file, last = tmp_path / "game.ndjson", len(played.lines)
    file.write_bytes(b"\n".join(played.lines))
    terminal = Terminal("replay", "-", environment=environment, piped=file)
    try:
        terminal.until(f" 1/{last} ")
        terminal.send(RIGHT)
        terminal.until(f" 2/{last} ")
        terminal.send("q")
        assert terminal.finish() == 0
    finally:
        terminal.close()


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
