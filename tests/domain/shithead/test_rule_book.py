"""RULES.md says what the code does: clauses, refusals and table rules."""

import re
from pathlib import Path

from domain.shithead import rules
from domain.shithead.rules import ShitheadRules

FOLDER = Path(rules.__file__).parent
TEXT = (FOLDER / "RULES.md").read_text()
SHARED = {"rounds", "unseal", "ready_timeout_s", "absent_after", "bot_delay_ms"}


def test_every_ruling_that_refuses_stands_in_the_rules():
    sources = "".join(path.read_text() for path in FOLDER.glob("*.py"))
    refusing = set(re.findall(r'"(S-\d\d)"', sources))
    assert len(refusing) > 10
    assert [ruling for ruling in refusing if f"**{ruling}**" not in TEXT] == []


def test_every_clause_from_1_to_41_stands_in_the_rules_once():
    assert [TEXT.count(f"**S-{number:02}**") for number in range(1, 42)] == [1] * 41


def test_every_table_rule_of_the_game_stands_in_the_rules():
    assert [name for name in ShitheadRules.__struct_fields__ if name not in SHARED and f"`{name}`" not in TEXT] == []
