"""What the terminal needs to know of a game: words for everything that happens or may be done, and a board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import RenderableType
from rich.text import Text

from domain.game import Event, Move, type_of
from service.terminal.table_words import TABLE_EVENTS, TABLE_MOVES, TABLE_QUIET
from service.terminal.words import Language, Phrase, Voice, clean

Wording = Phrase | Callable[[Any], Phrase]
"""A phrase, or a choice of one by what happened."""


class Talk(Struct, frozen=True, kw_only=True):
    """One game at the terminal. Events and moves are told from their words, views drawn by `board`.

    `quiet` are events that the board shows well enough. `alone` are table rules for a table of one person and bots:
    nobody waits there, so no clock has to run.
    """

    game: str
    titles: Mapping[str, str]
    face: Callable[[Any], Text]
    events: Mapping[type[Event], Wording]
    moves: Mapping[type[Move], Wording]
    quiet: frozenset[type[Event]] = frozenset()
    looks: frozenset[type[Event]] = frozenset()
    """What is told only as long as the look lasts, and then covered again (G-06)."""
    board: Callable[[dict[str, Any], Voice], RenderableType]
    """(view as the API gives it, voice) -> what one seat, or a spectator, sees."""
    opened: Callable[[dict[str, Any], Voice], RenderableType]
    """(every zone with its cards, voice) -> the table with nothing hidden."""
    result: Callable[[Any, Voice], Text]
    """(a round's result as the API gives it, voice) -> how it ended."""
    calls: Callable[[dict[str, Any]], list[dict[str, Any]]] = lambda _position: []
    """(what the API gives as the view) -> what may be done by calls of their own, beside the listed moves."""
    clauses_he: Mapping[str, str] = {}
    """The clauses that refusals cite, in Hebrew."""
    alone: Mapping[str, Any] = {}
    keys: Mapping[str, str] = {}
    """Moves that have a key of their own, whatever else is listed, by their type."""
    timed: Callable[[dict[str, Any], int], dict[str, Any]] = lambda move, _milliseconds: move
    """(move, ms since the last news was shown) -> the move as it is sent."""

    def voice(self, lang: Language, seat: int | None, bots: frozenset[int] = frozenset()) -> Voice:
        """The voice that speaks of this game to `seat`."""
        return Voice(lang, seat, bots, self.face)

    def tell(self, line: Mapping[str, Any], voice: Voice) -> Text:
        """A line of the feed in words, a sealed entry too."""
        if line.get("sealed"):
            return Text(voice.pick("something hidden happened", "קרה משהו נסתר"), "dim italic")
        event = _as(self.kind(line), {**line["data"], **({"to": line["to"]} if "to" in line else {})})
        if event is None:
            return _unknown(line["type"], line["data"])
        said = self._worded({**TABLE_EVENTS, **self.events}[type(event)], event, voice)
        if line["type"] == "table.round_ended":
            said = Text(" ").join((said, self.result(line["data"]["result"], voice)))
        return said

    def kind(self, line: Mapping[str, Any]) -> type[Event] | None:
        """What kind of event a line tells; None for a sealed one, and for what this program does not know."""
        known = {type_of(event): event for event in (*TABLE_EVENTS, *self.events)}
        return known.get(line.get("type", ""))

    def is_quiet(self, line: Mapping[str, Any]) -> bool:
        """True if there is no need to tell this line beside a board."""
        return bool(line.get("sealed")) or line["type"] in {type_of(event) for event in (*TABLE_QUIET, *self.quiet)}

    def is_look(self, line: Mapping[str, Any]) -> bool:
        """True if this line is to be covered again."""
        return line.get("type") in {type_of(event) for event in self.looks}

    def offer(self, move: Mapping[str, Any], voice: Voice) -> Text:
        """A legal move in words."""
        known = {type_of(kind): kind for kind in (*TABLE_MOVES, *self.moves)}
        fields = {name: value for name, value in move.items() if name != "type"}
        made = _as(known.get(move["type"]), fields)
        if made is None:
            return _unknown(move["type"], fields)
        return self._worded({**TABLE_MOVES, **self.moves}[type(made)], made, voice)

    def _worded(self, wording: Wording, told: Any, voice: Voice) -> Text:
        return voice.say(wording if isinstance(wording, Phrase) else wording(told), told)


def _as(kind: type[Any] | None, fields: Mapping[str, Any]) -> Any | None:
    """An event or move of this kind; None if this program knows no such thing."""
    try:
        return None if kind is None else msgspec.convert({"type": type_of(kind), **fields}, kind)
    except msgspec.ValidationError:
        return None


def _unknown(tag: str, fields: Mapping[str, Any]) -> Text:
    """Something newer than this program, as well as it can be told."""
    name = tag.partition(".")[2].replace("_", " ")
    return Text(clean(f"{name} {msgspec.json.encode(fields).decode() if fields else ''}".strip()))
