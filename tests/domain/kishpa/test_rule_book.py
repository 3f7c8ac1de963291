import re
from pathlib import Path

import pytest

import domain.kishpa
from domain.game import TableRules
from domain.kishpa.rules import KishpaRules

FOLDER = Path(domain.kishpa.__file__).parent
BOOK = (FOLDER / "RULES.md").read_text(encoding="utf-8")
CLAUSES = re.findall(r"^- \*\*(K-\d\d)\*\*", BOOK, re.MULTILINE)


def test_every_clause_stands_in_the_book_once_and_in_order():
    assert [f"K-{number:02}" for number in range(1, 85)] == CLAUSES


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_every_clause_that_the_code_cites_stands_in_the_book(path):
    cited = set(re.findall(r"K-\d+", path.read_text(encoding="utf-8")))
    assert cited <= set(CLAUSES)


@pytest.mark.parametrize("field", sorted(set(KishpaRules.__struct_fields__) - set(TableRules.__struct_fields__)))
def test_every_table_rule_is_named_in_the_book(field):
    assert f"`{field}" in BOOK


def test_every_refusal_of_the_code_is_tested():
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    refused = set(re.findall(r'Refused\("(K-\d\d)"', (FOLDER / "decide.py").read_text(encoding="utf-8")))
    assert refused == {"K-03", "K-22", "K-25", "K-27", "K-29", "K-51", "K-77", "K-83"}
    for clause in refused:
        assert re.search(rf'refuse\([^\n]*"{clause}"', tests), clause


def test_every_file_is_short_and_says_what_it_is():
    for path in FOLDER.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith('"""')
        assert len(text.splitlines()) <= 250, path.name


def test_every_clause_has_a_title_in_both_languages():
    rows = re.findall(
        r"^\| (K-\d\d) \| ([^|]+) \| ([^|]+) \|$", (FOLDER / "TITLES.md").read_text("utf-8"), re.MULTILINE
    )
    assert [clause for clause, _, _ in rows] == CLAUSES
    assert all(re.search(r"[א-ת]|\d", hebrew) for _, _, hebrew in rows)
