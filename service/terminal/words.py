"""How the terminal speaks: phrases in two languages, filled with names, cards and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, Literal

from msgspec import Struct
from rich.align import Align
from rich.console import RenderableType
from rich.text import Text

from domain.games import GAMES
from service.terminal.direction import POP, RTL, Fixed, cell, held, paragraph

Language = Literal["en", "he"]
LANGUAGES: tuple[Language, ...] = ("en", "he")

_BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Phrase(Struct, frozen=True):
    """One thing to say, in English and Hebrew, with `{slots}` for the fields of what is told.

    `{who}` is the one who did it, named by the field `actor`; the `_you` forms are for that one's own ears.
    A slot may say how its field is shown: `{card:card}`, `{cards:cards}`, `{n:seat}`, `{count:many}` (so many cards),
    `{taken:count}` (the same of a list), `{open:plus}` (further cards, if any). Hebrew speaks in the past tense, which
    has one written form for every "you".
    """

    en: str
    he: str
    en_you: str | None = None
    he_you: str | None = None
    actor: str = "seat"

    def form(self, lang: Language, *, you: bool) -> str:
        """The text for this language and ear."""
        if lang == "he":
            return (self.he_you if you else None) or self.he
        return (self.en_you if you else None) or self.en


STRENGTHS_HE = {"easy": "קל", "normal": "רגיל", "hard": "קשה"}
STATUSES_HE = {"open": "פתוח", "running": "במשחק", "ended": "הסתיים", "voided": "בוטל"}


class Voice(Struct, frozen=True):
    """Who speaks to whom: the language, the listener's own seat, which seats are bots, and how cards look."""

    lang: Language
    seat: int | None
    bots: frozenset[int]
    face: Callable[[Any], Text]

    @property
    def rtl(self) -> bool:
        """Whether this language runs from right to left."""
        return self.lang == "he"

    def ordered(self, cells: Sequence[Any]) -> Sequence[Any]:
        """Columns in reading order, each in its own direction."""
        return [cell(content) for content in cells[::-1]] if self.rtl else cells

    def aside(self, part: RenderableType) -> RenderableType:
        """A table on the side where this language begins, its columns held in their places."""
        return Align.right(Fixed(part)) if self.rtl else part

    def line(self, text: Text) -> RenderableType:
        """A line of its own, in reading direction from the side where this language begins."""
        return paragraph(text) if self.rtl else text

    def held(self, token: object) -> str:
        """A number with its sign, an id, a name from outside: as it is, whatever stands around it."""
        return held(token) if self.rtl else str(token)

    def keyed(self, key: str, choice: Text | str) -> Text:
        """What a key does, the key on the side where this language begins."""
        parts = ((f" {key} ", "reverse"), " ", choice)
        return Text.assemble(*(parts[::-1] if self.rtl else parts))

    def who(self, seat: int) -> Text:
        """The name of a seat, `you` for one's own."""
        if seat == self.seat:
            return Text("you" if self.lang == "en" else "את/ה", "bold cyan")
        if self.lang == "en":
            return Text(f"{'bot' if seat in self.bots else 'seat'} {seat}", "cyan")
        return Text(f"{'בוט' if seat in self.bots else 'מושב'} {seat}", "cyan")

    def cards(self, cards: Iterable[Any]) -> Text:
        """Cards in a sentence."""
        return Text(" ").join(self.face(card) for card in cards)

    def many(self, count: int) -> str:
        """So many cards."""
        if self.lang == "en":
            return f"{count} card" if count == 1 else f"{count} cards"
        return "קלף אחד" if count == 1 else f"{count} קלפים"

    def name(self, word: str) -> str:
        """A game or a strength as this language calls it; as it is, if it has no such word."""
        if word in GAMES:
            return GAMES[word].titles[self.lang] if self.rtl else word
        return STRENGTHS_HE.get(word, word) if self.rtl else word

    def status(self, word: str) -> str:
        """What a table's status is called."""
        return STATUSES_HE.get(word, word) if self.rtl else word

    def pick(self, en: str, he: str) -> str:
        """The text of this voice's language."""
        return he if self.lang == "he" else en

    def say(self, phrase: Phrase, told: Any) -> Text:
        """`phrase` about `told`, an event, a move or a mapping of slots."""
        actor = _field(told, phrase.actor)
        form = phrase.form(self.lang, you=actor is not None and actor == self.seat)
        said = Text(RTL if self.rtl else "")
        for literal, slot, how, _ in Formatter().parse(form):
            said.append(literal)
            if slot == "who":
                said.append_text(_opening(self.who(actor), first=_begins(said.plain)))
            elif slot:
                said.append_text(self._shown(_field(told, slot), how))
        return said.append(POP) if self.rtl else said

    def _shown(self, value: Any, how: str | None) -> Text:
        match how:
            case "name":
                return Text(self.held(self.name(clean(str(value)))))
            case "card":
                return self.face(value)
            case "cards":
                return self.cards(value)
            case "seat":
                return self.who(value)
            case "many":
                return Text(self.many(value))
            case "plus":
                return Text(" + ") + self.cards(value) if value else Text()
            case "count":
                return Text(self.many(len(value)))
            case _:
                return Text(self.held(clean(str(value))))


def _field(told: Any, name: str) -> Any:
    return told.get(name) if isinstance(told, Mapping) else getattr(told, name, None)


def _begins(said: str) -> bool:
    """Whether what comes next begins a sentence."""
    return said.strip(RTL).rstrip()[-1:] in ("", ".", "!", "?")


def _opening(name: Text, *, first: bool) -> Text:
    """A name as it stands in its sentence: with a capital letter at the beginning."""
    if not first:
        return name
    return Text(name.plain[:1].upper() + name.plain[1:], name.style)


def clean(text: str) -> str:
    """Text of others without what could steer a terminal: no control characters, no direction overrides."""
    return "".join(letter for letter in text if letter.isprintable() and letter not in _BIDI_CONTROLS)
