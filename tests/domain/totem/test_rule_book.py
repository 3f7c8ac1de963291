"""The rule book and the code name the same rulings, and every table rule stands in the book with its default."""

import re
from pathlib import Path

from msgspec import structs

from domain.game import TableRules, type_of
from domain.totem import GAME, REFEREE_MOVES, TABLE_MOVES
from domain.totem.rules import TotemRules

FOLDER = Path(__file__).parents[3] / "domain" / "totem"
BOOK = (FOLDER / "RULES.md").read_text()
CLAUSES = re.findall(r"^- \*\*(T-\d\d)\*\*", BOOK, re.MULTILINE)
OWN = [field for field in structs.fields(TotemRules) if field.name not in TableRules.__struct_fields__]


def test_every_clause_stands_once_and_in_order():
    assert [f"T-{number:02}" for number in range(1, 58)] == CLAUSES


def test_every_ruling_that_the_code_cites_stands_in_the_book():
    cited = {ruling for path in FOLDER.glob("*.py") for ruling in re.findall(r"T-\d\d", path.read_text())}
    assert len(cited) > 30
    assert cited <= set(CLAUSES)


def test_every_table_rule_stands_in_the_book_with_its_default():
    for field in OWN:
        if isinstance(field.default, bool):
            written = str(field.default).lower()
        elif isinstance(field.default, int):
            written = f"{field.default:,}"
        else:
            written = field.default or ""
        assert re.search(rf"`{field.name}`[^`]*\b{written}\b", BOOK), field.name


def test_every_move_and_event_has_a_name_of_its_own():
    moves = [type_of(move) for move in (*GAME.moves, *REFEREE_MOVES, *TABLE_MOVES)]
    events = [type_of(event) for event in GAME.events]
    assert all(re.fullmatch(r"totem\.[a-z_]+", name) for name in moves + events)
    assert len(set(moves + events)) == len(moves) + len(events)
