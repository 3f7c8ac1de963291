"""A last newline passes Python's `$`: nothing that has a pattern takes one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import structlog

from service import logs
from tests.api.server import Server, bearer

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("seed", ["abc\n", "a" * 63 + "\n", "\n", ""])
def test_no_seed_ends_with_a_newline(server: Server, seed):
    table = server.table(people=0, seats_more=2)
    answer = table.post("/seats", table.key, {"player": "anna", "seed": seed})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-value")
    opened = {"game": "shithead", "seats": 2, "sandbox": {"server_seed": "ab" * 32 + "\n"}}
    assert server.http.post("/v1/games", json=opened, headers=bearer(server.admin)).status_code == 400


@pytest.mark.parametrize("look", ["open%0A", "seat:0%0A", "open%0D%0A"])
def test_no_look_ends_with_a_newline(server: Server, look):
    table = server.table()
    answer = server.http.get(f"{table.url}/view?as={look}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-value")


def test_no_pattern_of_ours_ends_with_a_dollar():
    lenient = re.compile(r'pattern=r?f?"[^"]*\$"')
    for path in [*ROOT.glob("domain/**/*.py"), *ROOT.glob("service/**/*.py")]:
        assert not lenient.search(path.read_text(encoding="utf-8")), path


def test_the_document_says_it_as_json_schema_does(server: Server):
    assert "\\\\Z" not in server.http.get("/v1/openapi.json").text


def test_what_is_written_down_of_a_fault_holds_no_values(capsys):
    logs.configure()
    log = structlog.get_logger("test")

    def fault() -> None:
        hidden_card = "queen-of-hearts"
        raise ValueError(len(hidden_card))

    try:
        fault()
    except ValueError:
        log.exception("request failed")
    said = capsys.readouterr().out
    assert "ValueError" in said
    assert "in fault" in said
    assert "queen-of-hearts" not in said.replace('hidden_card = "queen-of-hearts"', "")
