"""A game without words of its own: told by its names and shown as it comes, so that any game can be played at once."""

from typing import Any

import msgspec
from rich.console import RenderableType
from rich.text import Text

from domain.game import Event, Game, Move, type_of
from service.terminal.talk import Talk
from service.terminal.words import LANGUAGES, Phrase, Voice, clean


def plain_talk(name: str, game: Game | None) -> Talk:
    """Words made from the names of `game`'s events and moves (None: a game unknown here)."""
    events = game.events if game else ()
    moves = game.moves if game else ()
    return Talk(
        game=name,
        titles=game.titles if game else dict.fromkeys(LANGUAGES, name),
        face=lambda card: Text(clean(str(card)), "bold"),
        events={event: _named(event) for event in events},
        moves={move: _named(move) for move in moves},
        board=_shown,
        opened=_shown,
        result=lambda result, _voice: Text(clean(msgspec.json.encode(result).decode())),
    )


def _named(kind: type[Event] | type[Move]) -> Phrase:
    """`totem.card_turned` with its fields: `card turned, seat 2, card S01`."""
    words = type_of(kind).partition(".")[2].replace("_", " ")
    slots = "".join(f", {field.replace('_', ' ')} {{{field}}}" for field in kind.__struct_fields__ if field != "to")
    return Phrase(words + slots, words + slots)


def _shown(view: dict[str, Any], _voice: Voice) -> RenderableType:
    lines = (f"{name}: {msgspec.json.encode(value).decode()}" for name, value in view.items() if name != "rules")
    return Text("\n".join(clean(line) for line in lines))
