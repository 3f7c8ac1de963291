"""Totem at the terminal: shapes in colour, everybody's top card, and one key that grabs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from domain.game import Event
from domain.totem import events as e
from service.terminal.cards import row
from service.terminal.direction import LTR, POP
from service.terminal.games.totem_words import CLAUSES_HE, EVENTS, MOVES
from service.terminal.talk import Talk
from service.terminal.words import Phrase, Voice

SHAPES = "▲◆●■★✚✖♠♣♥♦☾☼☂⚑⚓♪▼◐◧✦✿❄☘☎♞♜⬟⬢◩◒✱♛☁☗✂"
"""One for each of the 36 symbols that a pack may have."""
COLOURS = {"purple": "magenta", "green": "green", "orange": "dark_orange", "yellow": "bright_yellow"}
ARROWS = {"inward": "→←", "outward": "←→", "coloured": "◨◧"}
SHADES = ("magenta", "green", "dark_orange", "bright_yellow")


def face(card: str) -> Text:
    """A card as its shape in its colour, with the colour's first letter: `▲p`; arrows as arrows."""
    if card in ARROWS:
        return Text(f"{LTR}{ARROWS[card]}{POP}", "bold white")
    number, _, colour = card.removeprefix("s").partition("-")
    if not number.isdigit() or not 1 <= int(number) <= len(SHAPES):
        return Text(card)
    return Text(f"{LTR}{SHAPES[int(number) - 1]}{colour[:1]}{POP}", f"bold {COLOURS.get(colour, 'white')}")


def tile(card: str | None) -> Text:
    """A card that lies on top, large enough to be seen at a glance."""
    if card is None:
        return Text("  ·  ", "dim")
    text = face(card)
    return Text(f"  {text.plain}  ", f"{text.style} reverse")


class _Phase(Struct):
    """The part of a phase that is told; which fields there are depends on it."""

    phase: str = "undealt"
    seat: int | None = None
    revealer: int | None = None
    losers: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()


class _Board(Struct):
    """The part of a board that is drawn; a newer server may send more."""

    phase: _Phase
    playing: tuple[int, ...] = ()
    draws: tuple[int, ...] = ()
    ups: tuple[int, ...] = ()
    tops: tuple[str | None, ...] = ()
    pot: int = 0
    reveal: int = 0


def board(view: dict[str, Any], voice: Voice) -> RenderableType:
    """Everybody's top card and how many they have, and what the table waits for."""
    seen = msgspec.convert(view["board"], _Board)
    if seen.phase.phase == "undealt":
        return Text(voice.pick("The cards are not dealt yet.", "הקלפים עוד לא חולקו."), "italic")
    grid = _grid(voice)
    for seat in range(len(seen.draws)):
        turn = seen.phase.phase in ("turning", "showing") and seen.phase.seat == seat
        name = Text.assemble(("▶ " if turn else "  ", "bold yellow"), voice.who(seat))
        top = tile(seen.tops[seat]) if seat in seen.playing else Text(voice.pick("out", "בחוץ"), "dim")
        grid.add_row(*voice.ordered((name, top, str(seen.ups[seat]), str(seen.draws[seat]))))
    return Group(voice.aside(grid), voice.line(_middle(seen, voice)))


def _grid(voice: Voice) -> Table:
    grid = Table(box=None, padding=(0, 2), show_edge=False)
    for title in voice.ordered(voice.pick(",top,face up,to turn up", ",עליון,גלויים,להפוך").split(",")):
        grid.add_column(title, header_style="dim", justify="right" if voice.rtl else "left")
    return grid


def _middle(seen: _Board, voice: Voice) -> Text:
    said = Text(voice.pick(f"Under the totem {seen.pot}", f"מתחת לטוטם {seen.pot}"))
    if "coloured" in seen.tops:
        said.append(voice.pick("   colours match", "   הצבע קובע"), "bold magenta")
    waits = {
        "counting": voice.pick("   one, two, three …", "   אחת, שתיים, שלוש …"),
        "choosing": voice.pick("   somebody chooses who takes the cards", "   בוחרים מי ייקח את הקלפים"),
        "refereeing": voice.pick("   a dead heat: the referee looks", "   תיקו: השופט בודק"),
        "waiting": voice.pick("   nobody can turn a card up", "   איש אינו יכול להפוך קלף"),
    }
    return said.append(waits.get(seen.phase.phase, ""), "yellow")


def opened(zones: dict[str, Any], voice: Voice) -> RenderableType:
    """Every pile in its order: draw piles, next card first; face-up piles, oldest first; the pot."""
    lines = []
    for zone, cards in zones.items():
        kind, _, seat = zone.partition(":")
        named = {
            "draw": voice.pick("to turn up", "להפוך"),
            "up": voice.pick("face up", "גלויים"),
            "pot": voice.pick("under the totem", "מתחת לטוטם"),
        }.get(kind, kind)
        whose = Text.assemble(voice.who(int(seat)), " ") if seat.isdigit() else Text()
        head = Text.assemble(whose, (named, "dim"), f" {len(cards)}: ")
        lines.append(voice.line(head + row(map(face, cards))))
    return Group(*lines)


def result(outcome: Any, voice: Voice) -> Text:
    """Who won, and how many cards the others were left with."""
    winners = outcome.get("winners", ())
    if winners:
        phrase = Phrase("{who} has won.", "{who} ניצח.", "You have won!", "ניצחת!")
        said = Text(" ").join(voice.say(phrase, {"seat": seat}) for seat in winners)
    else:
        said = Text(voice.pick("Nobody has won.", "אין מנצח."))
    said.stylize("bold")
    for standing in outcome.get("standings", ()):
        if standing["seat"] not in winners:
            left = Text.assemble(" ", voice.who(standing["seat"]), f": {voice.many(standing['cards'])}.")
            said.append_text(left)
    return said


def timed(move: dict[str, Any], milliseconds: int) -> dict[str, Any]:
    """A grab says how long after the card was shown it was made; the server believes it within bounds."""
    return {**move, "reaction_ms": milliseconds} if move.get("type") == "totem.grab" else move


QUIET: frozenset[type[Event]] = frozenset({e.TurnPassed, e.TurnStarted, e.DrawPilesStacked, e.TakenShuffled})
KEYS: Mapping[str, str] = {"totem.grab": " "}

TOTEM = Talk(
    game="totem",
    titles={"en": "Totem", "he": "טוטם"},
    face=face,
    events=EVENTS,
    moves=MOVES,
    quiet=QUIET,
    board=board,
    opened=opened,
    result=result,
    clauses_he=CLAUSES_HE,
    alone={"turn_timeout_ms": 0},
    keys=KEYS,
    timed=timed,
)
