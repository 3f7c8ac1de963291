"""Lists of tables and keys in Hebrew: words in Hebrew, every line in one direction, and JSON as it always is."""

from __future__ import annotations

import json

import pytest
from click.testing import Result

from service.terminal.direction import LTR, POP, RTL, held, unmarked
from tests.terminal.conftest import Played, Server
from tests.terminal.terminal import Terminal, plain
from tests.terminal.test_direction import HEBREW, LATIN, enclosed, loose
from tests.terminal.test_replay import kupa


def rows(run: Result) -> list[str]:
    """What was printed, each line a row of cells, each of which has a direction of its own."""
    assert run.exit_code == 0, run.stderr
    printed = [line.strip() for line in run.stdout.splitlines() if line.strip()]
    assert all(enclosed(line) and line[0] == LTR for line in printed), printed
    assert {loose(line).strip() for line in printed} == {""}, "every cell is a piece of its own"
    return printed


def columns(row: str) -> list[str]:
    """The cells of a row from the right, without what fixes their direction."""
    return [cell.strip() for cell in unmarked(row.replace(POP, "\t")).split("\t") if cell.strip()][::-1]


def test_tables_are_listed_in_hebrew_from_the_right(environment, played: Played):
    head, *listed = rows(kupa(environment, "games", "--status", "ended", "--most", "500", "--lang", "he"))
    assert columns(head) == ["מזהה", "משחק", "מצב", "מושבים", "גרסה", "שם"]
    row = next(row for row in listed if played.game in row)
    assert columns(row) == [played.game, "שיטהד", "הסתיים", "3/3", str(len(played.lines))]
    assert held("שיטהד") in row
    assert held("3/3") in row


def test_the_language_of_the_environment_is_taken(environment, played: Played):
    hebrew = kupa(environment | {"KUPA_LANG": "he"}, "games", "--status", "ended")
    assert "הסתיים" in hebrew.stdout
    for english in (environment, environment | {"KUPA_LANG": "he"}):
        told = kupa(english, "games", "--status", "ended", "--lang", "en").stdout
        assert not HEBREW.search(told)
        assert unmarked(told) == told
        assert told.split()[:6] == ["id", "game", "status", "seats", "version", "name"]


def test_keys_are_listed_and_revoked_in_hebrew(environment):
    made = kupa(environment, "keys", "create", "--scope", "play", "--scope", "audit", "--lang", "he")
    assert made.stdout.startswith("kupa_key_"), "a key is what it is in every language"
    key_id = made.stdout.split("_")[2]
    head, *listed = rows(kupa(environment, "keys", "list", "--lang", "he"))
    assert columns(head) == ["מזהה", "הרשאות", "נוצר", "בתוקף עד", "בוטל"]
    row = next(row for row in listed if key_id in row)
    assert held("play audit") in row, "scopes are words of the API"
    head, gone = rows(kupa(environment, "keys", "revoke", key_id, "--lang", "he"))
    assert len(columns(gone)) == 4, "id, scopes, made, revoked"
    assert columns(head)[-1] == "בוטל"


def test_a_list_in_hebrew_stands_on_the_right_of_a_terminal(environment, played: Played):
    terminal = Terminal("games", "--status", "ended", "--lang", "he", environment=environment)
    try:
        assert terminal.finish() == 0
        printed = [line for line in plain(terminal.output).splitlines() if HEBREW.search(line)]
    finally:
        terminal.close()
    assert all(enclosed(line.strip()) for line in printed), printed
    assert all(line.startswith(" ") for line in printed), "the first column stays free"
    assert len({len(unmarked(line.rstrip())) for line in printed}) == 1, "all end in the same column"


def test_empty_lists_and_wrong_ids_are_told_in_hebrew(environment, server: Server):
    fresh = server.call("POST", "/v1/keys", server.key, json={"scopes": ["play"]})["key"]
    none = kupa(environment | {"KUPA_KEY": fresh}, "games", "--mine", "--lang", "he")
    assert none.exit_code == 0
    assert none.stdout == ""
    assert none.stderr.strip() == f"{RTL}אין שולחן. {held('kupa play shithead')} פותח אחד.{POP}"
    wrong = kupa(environment, "keys", "revoke", "nope", "--lang", "he")
    assert wrong.exit_code == 4
    assert held("kupa keys list") in wrong.stderr
    assert not LATIN.search(loose(wrong.stderr.strip().splitlines()[-1].strip()))


@pytest.mark.parametrize("command", ["games", "keys list", "keys create", "keys revoke x"])
def test_troubles_of_lists_are_told_in_hebrew_and_json_is_never_translated(environment, command: str):
    away = environment | {"KUPA_SERVER": "http://127.0.0.1:9"}
    told = kupa(away, *command.split(), "--patience", "0", "--lang", "he")
    assert told.exit_code == 3
    assert "אין תשובה" in told.stderr
    program = kupa(away, *command.split(), "--patience", "0", "--lang", "he", "--json")
    assert "No answer" in json.loads(program.stderr)["error"]


def test_a_list_for_programs_is_the_same_in_every_language(environment, played: Played):
    both = [kupa(environment, "games", "--status", "ended", "--json", "--lang", lang).stdout for lang in ("en", "he")]
    assert both[0] == both[1]
    assert played.game in both[0]
