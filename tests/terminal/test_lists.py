from __future__ import annotations

import json
import os
import subprocess

import pytest

from tests.terminal.conftest import Played, Server
from tests.terminal.terminal import KUPA, Terminal
from tests.terminal.test_replay import kupa


def test_games_are_listed_for_people_and_for_programs(environment, played: Played):
    shown = kupa(environment, "games", "--status", "ended")
    assert played.game in shown.stdout
    listed = json.loads(kupa(environment, "games", "--json", "--most", "500").stdout)["items"]
    assert played.game in {table["id"] for table in listed}
    assert {"id", "game", "status", "version", "head"} <= set(listed[0])
    mine = json.loads(kupa(environment, "games", "--mine", "--json", "--most", "1").stdout)["items"]
    assert len(mine) == 1


def test_keys_are_made_listed_used_and_revoked(environment, server: Server):
    made = json.loads(kupa(environment, "keys", "create", "--scope", "play", "--json").stdout)
    assert made["key"].startswith("kupa_key_")
    listed = json.loads(kupa(environment, "keys", "list", "--json").stdout)["items"]
    assert made["id"] in {key["id"] for key in listed}
    assert "key" not in listed[0]
    without = kupa(environment | {"KUPA_KEY": made["key"]}, "keys", "list", "--json")
    assert without.exit_code == 4
    assert json.loads(without.stderr)["problem"]["code"] == "scope-missing"
    gone = json.loads(kupa(environment, "keys", "revoke", made["id"], "--json").stdout)["items"][0]
    assert gone["revoked"]
    strange = json.loads(kupa(environment, "keys", "revoke", "nope", "--json").stderr)
    assert (strange["problem"]["code"], strange["hint"]) == ("not-found", "`kupa keys list` shows the ids of all keys.")
    dead = kupa(environment | {"KUPA_KEY": made["key"]}, "games", "--mine", "--json")
    assert json.loads(dead.stderr)["problem"]["code"] == "token-revoked"


def test_a_finished_table_is_watched_to_its_end(environment, played: Played):
    told = kupa(environment, "watch", played.game)
    assert told.exit_code == 0
    assert "is the shithead" in told.stdout
    lines = [json.loads(line) for line in kupa(environment, "watch", played.game, "--json").stdout.splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(played.lines) + 1))
    assert lines == [json.loads(line) for line in played.lines]


def test_a_running_table_is_watched_as_it_goes_on(environment, server: Server):
    rules = {"turn_timeout_s": 0, "swap_timeout_s": 0}
    table = server.call("POST", "/v1/games", server.key, json={"game": "shithead", "seats": 2, "rules": rules})
    watching = Terminal("watch", table["id"], environment=environment)
    try:
        watching.until("A table of shithead for 2 is opened.")
        path = f"/v1/games/{table['id']}"
        for _ in range(2):
            server.call("POST", f"{path}/seats", table["host_token"], json={"bot": "normal"})
        server.call("POST", f"{path}/start", table["host_token"])
        assert watching.finish() == 0
        assert "The table has ended." in watching.output
    finally:
        watching.close()


@pytest.mark.parametrize("command", ["games", "play shithead", "watch x", "replay x", "keys list"])
def test_a_server_that_is_not_there_is_told_by_words_and_exit_code(environment, command):
    away = environment | {"KUPA_SERVER": "http://127.0.0.1:9"}
    run = kupa(away, *command.split(), "--patience", "0", "--json")
    assert run.exit_code == 3
    told = json.loads(run.stderr)
    assert "127.0.0.1:9" in told["error"]
    assert "make serve" in told["hint"]
    worded = kupa(away, *command.split(), "--patience", "0")
    assert worded.exit_code == 3
    assert "make serve" in worded.stderr


def test_an_address_without_a_scheme_is_understood_and_nonsense_is_not(environment, server: Server):
    near = environment | {"KUPA_SERVER": server.url.removeprefix("http://")}
    assert kupa(near, "games", "--json").exit_code == 0
    assert kupa(environment | {"KUPA_SERVER": "gopher://x"}, "games").exit_code == 2
    assert kupa(environment | {"KUPA_SERVER": "http://x:port"}, "games").exit_code == 2


def test_play_without_a_game_says_which_there_are(environment):
    run = kupa(environment, "play", "--json")
    assert run.exit_code == 2
    assert "shithead" in json.loads(run.stderr)["error"]


def test_a_rule_that_does_not_exist_is_refused_by_name(environment):
    run = kupa(environment, "play", "shithead", "--rule", "jokers=3", "--json")
    assert run.exit_code == 4
    assert "jokers" in json.loads(run.stderr)["error"]
    assert kupa(environment, "play", "shithead", "--rule", "jokers").exit_code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_completion(environment, shell):
    run = kupa(environment, "completion", shell)
    assert run.exit_code == 0
    assert "_KUPA_COMPLETE" in run.stdout


def test_completion_knows_commands_games_and_tables(environment, played: Played):
    def completed(words: str, at: int) -> str:
        asked = {"_KUPA_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
        env = {"PATH": os.environ["PATH"]} | environment | asked
        return subprocess.run([KUPA], env=env, capture_output=True, text=True, timeout=60, check=False).stdout

    assert {"plain,play", "plain,replay", "plain,watch"} <= set(completed("kupa ", 1).split())
    assert "plain,shithead" in completed("kupa play ", 2)
    assert played.game in completed(f"kupa watch {played.game[:12]}", 2)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("play", "shithead", "--seed", "a b"), "1 to 64 of"),
        (("play", "shithead", "--key-file", "/none/such"), "There is no key file"),
        (("play", "kishpa", "--table", "{game}"), "plays shithead, not kishpa"),
    ],
)
def test_what_a_command_was_given_is_looked_at_before_a_table_is_opened(environment, played: Played, asked, said):
    def tables() -> list[str]:
        listed = kupa(environment, "games", "--json", "--most", "500").stdout
        return [table["id"] for table in json.loads(listed)["items"]]

    before = tables()
    refused = kupa(environment, *(word.format(game=played.game) for word in asked))
    assert refused.exit_code == 2
    assert said in " ".join(refused.stderr.replace("│", " ").split())
    assert tables() == before


def test_the_base_of_every_curl_is_a_server_too(environment, server: Server, played: Played):
    shown = kupa(environment, "games", "--server", f"{server.url}/v1", "--status", "ended")
    assert shown.exit_code == 0
    assert played.game in shown.stdout


def test_a_place_past_the_end_is_read_again_from_the_beginning(environment, played: Played):
    told = kupa(environment, "watch", played.game, "--after", "999999", "--json")
    assert told.exit_code == 0
    assert [json.loads(line)["seq"] for line in told.stdout.splitlines()] == list(range(1, len(played.lines) + 1))
