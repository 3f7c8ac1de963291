"""Hatchatul at the terminal: four cards face down in a row for each, and what one is shown only while one is."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from domain.hatchatul import events as e
from domain.hatchatul import opening_events as opening
from service.terminal.cards import FACE_DOWN, row
from service.terminal.direction import LTR, POP
from service.terminal.games.hatchatul_words import CLAUSES_HE, EVENTS, MOVES
from service.terminal.talk import Talk
from service.terminal.words import Phrase, Voice

Card = int | str
ACTIONS = {"peek": "◉", "swap": "⇄", "draw2": "+2"}
CAT_MAX = 6
SLOTS = (1, 2, 3, 4)
LOOK_MS = 1_500
"""Who looks last sees the cards until a bot takes the first one: long enough to read two (H-06)."""


def face(card: Card) -> Text:
    """A card as text: cats green, rats red, action cards by their signs: ◉ Peek, ⇄ Swap, +2 Draw Two."""
    if isinstance(card, int):
        return Text(f"{LTR}{card}{POP}", "bold green" if card <= CAT_MAX else "bold red")
    return Text(f"{LTR}{ACTIONS.get(card, card)}{POP}", "bold magenta")


def _tile(card: Card) -> Text:
    """A card that lies before one just now."""
    return Text(f" {face(card).plain} ", "bold black on white")


class _Look(Struct):
    slot: int | None
    card: Card


class _View(Struct):
    """The part of a view that is drawn; a newer server may send more."""

    seat: int | None = None
    phase: str = "undealt"
    seats: tuple[int, ...] = ()
    turn: int | None = None
    owed: int = 0
    extra: bool = False
    held: str | None = None
    peeking: tuple[int, ...] = ()
    knocker: int | None = None
    lap: tuple[int, ...] = ()
    stock: int = 0
    discard_top: Card | None = None
    discard_count: int = 0
    rows: tuple[tuple[Card | None, ...], ...] = ()
    shown: tuple[_Look, ...] = ()
    known: tuple[Card | None, ...] | None = None
    totals: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    left: tuple[int, ...] = ()


def board(view: dict[str, Any], voice: Voice) -> RenderableType:
    """Everybody's row of four as the viewer sees it, the middle of the table, and what there is to do now."""
    seen = msgspec.convert(view, _View)
    if seen.phase == "undealt":
        return Text(voice.pick("The cards are not dealt yet.", "הקלפים עוד לא חולקו."), "italic")
    lines = [_middle(seen, voice), *filter(None, (_hand(seen, voice), _to_do(seen, voice)))]
    return Group(voice.aside(_rows(seen, voice)), *map(voice.line, lines))


def _grid(voice: Voice, titles: str) -> Table:
    grid = Table(box=None, padding=(0, 1), show_edge=False)
    for title in voice.ordered(titles.split(",")):
        grid.add_column(title, header_style="dim", justify="right" if voice.rtl else "left")
    return grid


def _rows(seen: _View, voice: Voice) -> Table:
    grid = _grid(voice, voice.pick(",row,points,", ",שורה,נקודות,"))
    for seat, cards in enumerate(seen.rows):
        name = Text.assemble(("▶ " if seat == seen.turn else "  ", "bold yellow"), voice.who(seat))
        own = seat == seen.seat
        slots = row(_slot(seen, slot, card, own=own) for slot, card in zip(SLOTS, cards, strict=False))
        cells = (name, slots, str(seen.totals[seat]), _standing(seat, seen, voice))
        grid.add_row(*voice.ordered(cells))
    return grid


def _slot(seen: _View, slot: int, card: Card | None, *, own: bool) -> Text:
    """One slot and its number, `9·1`: its face, what its owner is shown or may remember of it, or its back."""
    look = next((look.card for look in seen.shown if own and look.slot == slot), None)
    known = seen.known[slot - 1] if own and seen.known else None
    if look is not None:
        drawn = _tile(look)
    elif card is not None:
        drawn = face(card)
    elif known is not None:
        drawn = Text.assemble(("(", "dim"), face(known), (")", "dim"))
    else:
        drawn = Text(FACE_DOWN, "blue")
    return Text.assemble(drawn, (f"·{slot}", "dim"))


def _standing(seat: int, seen: _View, voice: Voice) -> Text:
    """What else is to say of a seat."""
    if seat in seen.left:
        return Text(voice.pick("left", "עזב"), "dim")
    if seat in seen.out:
        return Text(voice.pick("out", "מחוץ למשחק"), "dim")
    if seat == seen.knocker:
        return Text(voice.pick("knocked", "דפק"), "bold yellow")
    if seat in seen.peeking:
        return Text(voice.pick("may look", "רשאי להציץ"), "dim")
    return Text(voice.pick("last turn", "תור אחרון") if seat in seen.lap else "", "yellow")


def _middle(seen: _View, voice: Voice) -> Text:
    counts = voice.pick("Stock {}   Pile {}", "קופה {}   ערימה {}")
    said = Text(counts.format(seen.stock, seen.discard_count))
    if seen.discard_top is not None:
        said.append(": ").append_text(_tile(seen.discard_top))
    return said


def _hand(seen: _View, voice: Voice) -> Text | None:
    """The drawn card: the viewer's own number, anybody's action card, or a back."""
    if seen.phase != "holding" or seen.turn is None:
        return None
    number = next((look.card for look in seen.shown if look.slot is None), None)
    card = seen.held if number is None else number
    drawn = Text(FACE_DOWN, "blue") if card is None else _tile(card)
    own = seen.turn == seen.seat
    holder = voice.pick("In your hand ", "ביד שלך ") if own else voice.pick("In hand ", "ביד ")
    return Text.assemble((holder, "dim"), drawn)


_TO_DO = {
    "turn_start": ("Take one card: from the stock, or the top of the pile.", "לוקחים קלף אחד: מהקופה או מראש הערימה."),
    "holding": ("Put it into a slot, or throw it.", "מניחים אותו בשורה, או זורקים אותו."),
    "peek": ("Peek at one card of your row, or throw it unused.", "מציצים בקלף אחד משלך, או זורקים בלי להשתמש."),
    "swap": ("Swap a card of yours with one of theirs, or throw it unused.", "מחליפים קלף שלך בקלף של אחר, או זורקים."),
    "draw2": ("Play two turns for it, or throw it unused.", "משחקים שני תורות, או זורקים בלי להשתמש."),
    "turn_end": ("End the turn, or knock.", "מסיימים את התור, או דופקים."),
    "last_turn": ("End the turn: the last lap is on.", "מסיימים את התור: זו ההקפה האחרונה."),
    "peeking": ("Look once at your outer cards, or do without.", "מציצים פעם אחת בקיצוניים, או מוותרים."),
}


def _to_do(seen: _View, voice: Voice) -> Text | None:
    """What the viewer may do now, in a sentence; None if it is not their turn."""
    if seen.seat is not None and seen.seat in seen.peeking:
        return Text(voice.pick(*_TO_DO["peeking"]), "italic")
    if seen.seat is None or seen.seat != seen.turn:
        return None
    step = seen.held or seen.phase
    step = "last_turn" if step == "turn_end" and seen.knocker is not None else step
    if step not in _TO_DO:
        return None
    said = Text(voice.pick(*_TO_DO[step]), "italic")
    if seen.owed > 1:
        said.append(voice.pick(f" {seen.owed} turns are owed.", f" נותרו {seen.owed} תורות."))
    return said


def opened(zones: dict[str, Any], voice: Voice) -> RenderableType:
    """Every card where it lies: the rows by seat, then stock, pile, hand, and what was set aside."""
    grid = _grid(voice, voice.pick(",row", ",שורה"))
    for seat in sorted(int(zone[4:]) for zone in zones if zone.startswith("row:")):
        grid.add_row(*voice.ordered((voice.who(seat), row(map(face, zones[f"row:{seat}"])))))
    heaps = (
        ("stock", "Stock", "קופה"),
        ("discard", "Pile", "ערימה"),
        ("held", "In hand", "ביד"),
        ("aside", "Aside", "בצד"),
    )
    lines = [
        Text.assemble((voice.pick(en, he), "dim"), f" {len(zones.get(zone, ()))}: ")
        + row(map(face, zones.get(zone, ())))
        for zone, en, he in heaps
    ]
    return Group(voice.aside(grid), *map(voice.line, lines))


_WINS = Phrase("{who} has the lowest row.", "השורה הנמוכה של {who}.", "Your row is the lowest!", "השורה הנמוכה שלך!")
_SHARED = ("The lowest row is shared by ", "השורה הנמוכה משותפת ל")
_GAME = ("The game is won by ", "במשחק ניצח ")


def result(outcome: Any, voice: Voice) -> Text:
    """Who had the lowest row, everybody's points and totals, and on a line of its own who has won the game."""
    said = Text()
    winners = outcome.get("winners", ())
    if len(winners) == 1:
        said.append_text(voice.say(_WINS, {"seat": winners[0]}))
    elif winners:
        said.append(voice.pick(*_SHARED)).append_text(_names(winners, voice)).append(".")
    for score in outcome.get("scores", ()):
        points = f" {score['points']:+d} → {score['total']}"
        said.append("  " if said.plain else "").append_text(voice.who(score["seat"])).append(f"{LTR}{points}{POP}")
    if outcome.get("final"):
        leaders = outcome.get("leaders", ())
        said.append("\n" if said.plain else "").append(voice.pick(*_GAME), "bold").append_text(_names(leaders, voice))
    return said if said.plain else Text(voice.pick("Nobody has won it.", "אין מנצח."), "bold")


def _names(seats: Any, voice: Voice) -> Text:
    return Text(", ").join(voice.who(seat) for seat in seats)


HATCHATUL = Talk(
    game="hatchatul",
    titles={"en": "Hatchatul", "he": "חתחתול"},
    face=face,
    events=EVENTS,
    moves=MOVES,
    quiet=frozenset(
        {e.TurnStarted, e.TurnEnded, e.PlayBegun, e.DrawnCardShown, opening.PeekingEnded, opening.RowsLaid, e.StockLaid}
    ),
    looks=frozenset({opening.OuterCardsShown, e.SlotShown}),
    board=board,
    opened=opened,
    result=result,
    clauses_he=CLAUSES_HE,
    alone={"turn_timeout_s": 0, "peek_timeout_s": 0, "bot_delay_ms": LOOK_MS},
)
