"""The arrows between the parts: the rules know nothing of the world, and no game knows another."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOMAIN = ROOT / "domain"

# What the domain may import besides msgspec and itself. A module is pure when calling it twice with the same
# arguments gives the same answer and touches nothing; json, pathlib, logging and asyncio are absent on purpose.
PURE_STDLIB = frozenset(
    {
        "__future__", "abc", "base64", "binascii", "bisect", "collections", "dataclasses", "datetime", "enum",
        "fractions", "functools", "hashlib", "heapq", "hmac", "itertools", "math", "operator", "re", "string",
        "struct", "types", "typing", "unicodedata", "uuid",
    }
)  # fmt: skip

# Pure modules have a few doors to the clock, to chance and to the machine.
IMPURE_NAMES = {
    "datetime": frozenset({"now", "utcnow", "today", "fromtimestamp"}),  # the last reads the local time zone
    "uuid": frozenset({"uuid1", "uuid4", "uuid6", "uuid7", "getnode"}),
    "hashlib": frozenset({"file_digest"}),
}
IMPURE_BUILTINS = frozenset({"open", "input", "print", "exec", "eval", "compile", "__import__", "breakpoint"})


def test_the_domain_imports_only_msgspec_and_the_pure_parts_of_the_standard_library():
    assert list(every_fault(DOMAIN)) == []


def test_the_domain_has_files_to_look_at():
    assert len(list(DOMAIN.rglob("*.py"))) > 1


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import time", "imports time"),
        ("import random as dice", "imports random"),
        ("from secrets import token_bytes", "imports secrets"),
        ("import os.path", "imports os"),
        ("import math, socket", "imports socket"),
        ("def late():\n    import asyncio", "imports asyncio"),
        ("if TYPE_CHECKING:\n    from pathlib import Path", "imports pathlib"),
        ("import litestar", "imports litestar"),
        ("import service", "imports service"),
        ("from service.store import lines", "imports service"),
        ("from datetime import datetime\ndatetime.now()", "uses datetime.now"),
        ("from datetime import date as day\nday.today()", "uses datetime.today"),
        ("import datetime\nclock = datetime.datetime.utcnow", "uses datetime.utcnow"),
        ("from uuid import uuid4", "uses uuid.uuid4"),
        ("import uuid\nuuid.uuid7()", "uses uuid.uuid7"),
        ("open('cards.txt')", "calls open"),
        ("print('a card')", "calls print"),
        ("from domain.hatchatul.pack import PACK", "imports the game hatchatul"),
        ("from domain import hatchatul", "imports the game hatchatul"),
        ("from ..hatchatul import pack", "imports the game hatchatul"),
    ],
)
def test_an_impure_line_is_found(source: str, fault: str):
    assert faults(source, "domain.totem.decide", games={"hatchatul", "totem"}) == [fault]


@pytest.mark.parametrize(
    "source",
    [
        "from __future__ import annotations",
        "import msgspec\nfrom msgspec import Struct",
        "from collections.abc import Iterable",
        "from datetime import datetime\ndatetime.fromisoformat('2026-11-30')",
        "from domain.game import Refused",
        "from domain.totem.pack import PACK",
        "from . import pack\nfrom .moves import Grab\nfrom ..tokens import Transfer",
        "def hearable(line, caller, now):\n    return now.version",
        "import struct as datetime_like\ndatetime_like.now",
    ],
)
def test_a_pure_line_is_let_through(source: str):
    assert faults(source, "domain.totem.decide", games={"hatchatul", "totem"}) == []


def test_only_the_list_of_games_imports_them_all():
    source = "from domain import hatchatul, totem"
    assert faults(source, "domain.games", games={"hatchatul", "totem"}) == []
    assert faults(source, "domain.game", games={"hatchatul", "totem"}) == [
        "imports the game hatchatul",
        "imports the game totem",
    ]


def test_a_fault_in_a_folder_is_named_with_its_file(tmp_path: Path):
    game = tmp_path / "domain" / "totem"
    game.mkdir(parents=True)
    (game / "RULES.md").write_text("T-01")
    (game / "pack.py").write_text("import msgspec\n")
    (game / "bot.py").write_text("import random\n")
    assert list(every_fault(tmp_path / "domain")) == ["domain.totem.bot imports random"]


def every_fault(domain: Path) -> Iterator[str]:
    """All that the files below `domain` may not do, as `module fault`. A folder with a RULES.md is a game."""
    games = {rules.parent.name for rules in domain.glob("*/RULES.md")}
    for path in sorted(domain.rglob("*.py")):
        parts = path.relative_to(domain.parent).with_suffix("").parts
        module = ".".join(parts)  # a package's __init__ keeps its name: its relative imports then resolve alike
        for fault in faults(path.read_text(encoding="utf-8"), module, games):
            yield f"{module} {fault}"


def faults(source: str, module: str, games: set[str]) -> list[str]:
    """What this source of that module may not do, in the order of its text."""
    tree = ast.parse(source)
    doors = bound_names(tree)
    found = [fault for node in ast.walk(tree) for fault in node_faults(node, module, games, doors)]
    return list(dict.fromkeys(found))


def node_faults(node: ast.AST, module: str, games: set[str], doors: dict[str, str]) -> Iterator[str]:
    match node:
        case ast.Import() | ast.ImportFrom():
            for name in imported(node, module):
                yield from import_faults(name, module, games)
        case ast.Attribute(attr=attr):
            origin = doors.get(root_name(node), "")
            if attr in IMPURE_NAMES.get(origin, ()):
                yield f"uses {origin}.{attr}"
        case ast.Call(func=ast.Name(id=name)) if name in IMPURE_BUILTINS:
            yield f"calls {name}"


def import_faults(name: str, module: str, games: set[str]) -> Iterator[str]:
    """What is wrong with importing `name`, a full dotted name, in `module`."""
    top, _, rest = name.partition(".")
    game = rest.partition(".")[0]
    if top == "domain":
        if game in games and module != "domain.games" and not module.startswith(f"domain.{game}."):
            yield f"imports the game {game}"
    elif top != "msgspec" and top not in PURE_STDLIB:
        yield f"imports {top}"
    elif rest in IMPURE_NAMES.get(top, ()):
        yield f"uses {name}"


def imported(node: ast.Import | ast.ImportFrom, module: str) -> list[str]:
    """The full dotted names that an import statement brings in."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    package = module.split(".")[: -node.level] if node.level else []
    base = ".".join([*package, *([node.module] if node.module else [])])
    return [f"{base}.{alias.name}" for alias in node.names]


def bound_names(tree: ast.AST) -> dict[str, str]:
    """The names that an import of a module with doors binds, each with that module."""
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                origin = alias.name if isinstance(node, ast.Import) else node.module
                if origin in IMPURE_NAMES:
                    bound[alias.asname or alias.name] = origin
    return bound


def root_name(node: ast.expr) -> str:
    """`a` of `a.b.c`; nothing for any other expression."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
