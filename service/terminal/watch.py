"""Looking on: a table's lines in words as they happen, or as they are stored for programs."""

from __future__ import annotations

import json
import sys

from rich.console import Console
from rich.text import Text

from service.terminal.connection import Connection
from service.terminal.following import follower
from service.terminal.games import talk_of
from service.terminal.words import Language


def watch(connection: Connection, game: str, after: int) -> None:
    """Write each line as JSON until the table ends."""
    connection.get(f"/v1/games/{game}")
    for lines in follower(connection, game, seated=False).lines(after):
        for line in lines:
            sys.stdout.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
        sys.stdout.flush()


def tell(connection: Connection, game: str, after: int, lang: Language, console: Console) -> None:
    """Tell each public line in words until the table ends, and show the table where it stands."""
    resource = connection.get(f"/v1/games/{game}")
    talk = talk_of(resource["game"])
    bots = frozenset(seat["seat"] for seat in resource["seats"] if seat.get("bot"))
    voice = talk.voice(lang, None, bots)
    title = f" · {voice.held(game)} · {voice.status(resource['status'])}"
    console.print(voice.line(Text.assemble((talk.titles[lang], "bold"), title)))
    for lines in follower(connection, game, seated=False).lines(after):
        for line in lines:
            if not talk.is_quiet(line):
                console.print(voice.line(Text.assemble((f"{line['seq']:>5} ", "dim"), talk.tell(line, voice))))
    view = connection.get(f"/v1/games/{game}/view")["view"]
    board = talk.board(view, voice)
    console.print(voice.line(board) if isinstance(board, Text) else board)
