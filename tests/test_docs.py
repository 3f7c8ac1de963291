"""What is written is true: rule books, titles, README and runbook against the code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from domain.games import GAMES
from service.cli import main
from service.problems import CODES
from service.settings import described

ROOT = Path(__file__).parent.parent
BOOKS = {"table": "TABLE.md", **dict.fromkeys(GAMES, "RULES.md")}
CLAUSE = re.compile(r"^- \*\*([A-Z]-\d+[a-z]?)", re.MULTILINE)
TITLE = re.compile(r"^\| ([A-Z]-\d+[a-z]?) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def clauses(name: str) -> list[str]:
    return CLAUSE.findall((ROOT / "domain" / name / BOOKS[name]).read_text(encoding="utf-8"))


def cited(name: str) -> set[str]:
    """The clauses that a folder's code refuses by: the first argument of every Refused(…)."""
    found: set[str] = set()
    for path in (ROOT / "domain" / name).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return found


@pytest.mark.parametrize("name", BOOKS)
def test_no_clause_stands_twice(name):
    assert len(clauses(name)) == len(set(clauses(name)))


@pytest.mark.parametrize("name", BOOKS)
def test_every_clause_that_code_refuses_by_stands_in_its_rule_book(name):
    assert cited(name), "the code refuses something"
    assert cited(name) <= {*clauses(name), *clauses("table")}


@pytest.mark.parametrize("name", BOOKS)
def test_every_clause_has_a_title_in_both_languages(name):
    titles = TITLE.findall((ROOT / "domain" / name / "TITLES.md").read_text(encoding="utf-8"))
    assert {clause for clause, _, _ in titles} == set(clauses(name))
    for clause, english, hebrew in titles:
        assert english.strip(), clause
        assert re.search("[\u05d0-\u05ea]", hebrew), f"{clause} has no Hebrew title"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_in_the_readme_and_has_its_types_written_down(name):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"`{name}`" in readme
    assert f"domain/{name}/RULES.md" in readme
    types = (ROOT / "domain" / name / "TYPES.md").read_text(encoding="utf-8")
    game = GAMES[name]
    missing = [
        t.__struct_config__.tag for t in (*game.moves, *game.events) if f"`{t.__struct_config__.tag}`" not in types
    ]
    assert not missing


def test_the_runbook_lists_every_setting_with_its_default():
    runbook = (ROOT / "deploy" / "RUNBOOK.md").read_text(encoding="utf-8")
    for variable, default, meaning in described():
        assert f"| `{variable}` | {default} | {meaning} |" in runbook


def test_every_decision_note_is_in_the_list_and_fits_a_page():
    listed = (ROOT / "decisions" / "README.md").read_text(encoding="utf-8")
    notes = sorted((ROOT / "decisions").glob("[0-9]*.md"))
    assert len(notes) >= 5
    for note in notes:
        assert note.name in listed
        assert len(note.read_text(encoding="utf-8").splitlines()) <= 60


def test_every_command_that_is_named_exists():
    pages = [ROOT / "README.md", ROOT / "deploy" / "RUNBOOK.md", ROOT / "api-spec" / "clients.md"]
    problems = [text for page in CODES.values() for text in (page.text, page.text_he)]
    for text in (*problems, *(page.read_text(encoding="utf-8") for page in pages)):
        named = set(re.findall(r"(?:`|bin/)kupa\s+([a-z]+)", text))
        assert named <= main.commands.keys(), text


def test_no_help_offers_a_bundle_while_nothing_makes_one():
    assert "bundle" not in " ".join(command.help or "" for command in main.commands.values())


@pytest.mark.parametrize("page", ["README.md", "api-spec/clients.md"])
def test_lines_to_paste_hold_no_comment_which_an_interactive_zsh_would_take_for_a_command(page: str):
    text = (ROOT / page).read_text(encoding="utf-8")
    fenced = re.findall(r"^```(?:ba)?sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    indented = re.findall(r"^ {4}(?:make|\.venv).*$", text, re.MULTILINE)
    lines = [line for block in (*fenced, *indented) for line in block.splitlines()]
    assert lines
    assert not [line for line in lines if re.search(r"(?:^|\s)#", line)]
    assert "%N" not in text, "the date of macOS has no nanoseconds"
