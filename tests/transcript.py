"""Golden games: a written game played again, with all that was said and who heard it, on one page.

A line `> seat 0: shithead.play cards=["4C"]` gives a command; `> table open {...}` opens the table; the lines
below a command say who heard what. `pytest --accept` writes the files anew; the diff is read in review.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from domain.game import Event, Move, Refused, Secret, Whisper, type_of
from domain.games import GAMES
from domain.lines import Entry
from tests.playing import MOVES, Sitting


def replayed(text: str) -> str:
    """The transcript that playing `text`'s story and commands gives."""
    out: list[str] = []
    sitting: Sitting | None = None
    for line in text.splitlines():
        if line.startswith("#"):
            out.append(line)
        if not line.startswith("> "):
            continue
        out += ["", line] if out else [line]
        who, said = line[2:].split(": ", 1)
        if who == "open":
            sitting = _open(json.loads(said))
            out += [heard(entry) for entry in sitting.entries]
            continue
        assert sitting is not None, "a transcript begins with `> open: {…}`"
        out += _given(sitting, who, said)
    return "\n".join(out) + "\n"


def _open(how: dict[str, Any]) -> Sitting:
    game = GAMES[how["game"]]
    rules = msgspec.convert(how.get("rules", {}), game.rules)
    return Sitting(game, rules, how["seats"], decks=how.get("decks", ()), seed=how.get("seed", 0))


def _given(sitting: Sitting, who: str, said: str) -> list[str]:
    before = len(sitting.entries)
    by = who.replace("seat ", "seat:")
    try:
        if said == "table.due":
            sitting.let_due()
        else:
            sitting.give(by, move(said))
    except Refused as no:
        return [f"  refused: {no}"]
    return [heard(entry) for entry in sitting.entries[before:]]


def move(said: str) -> Move:
    """`shithead.play cards=["4C"]` as a move."""
    tag, *fields = said.split(" ")
    given = dict(field.split("=", 1) for field in fields)
    return msgspec.convert({"type": tag, **{name: json.loads(value) for name, value in given.items()}}, MOVES[tag])


def heard(entry: Entry) -> str:
    """Who heard an entry, and what it said."""
    event: Event = entry.event
    fields = msgspec.to_builtins(event)
    del fields["type"]
    audience = "all"
    if isinstance(event, Whisper):
        audience = f"seat {fields.pop('to')}"
    elif isinstance(event, Secret):
        audience = "table"
    if "rules" in fields:
        fields["rules"] = {k: v for k, v in fields["rules"].items() if v != getattr(GAMES[fields["game"]].rules(), k)}
    body = " ".join(f"{name}={json.dumps(value, separators=(',', ':'))}" for name, value in fields.items())
    return f"  {audience}: {type_of(event)} {body}".rstrip()
