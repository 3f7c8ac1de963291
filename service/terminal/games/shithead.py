"""Shithead at the terminal: its words, its board, and nothing else in the program that is Shithead's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from domain.game import Event, Move
from domain.playing_cards import in_order
from domain.shithead import events as e
from domain.shithead import moves as m
from service.terminal.cards import face, face_down, row, tile
from service.terminal.talk import Talk, Wording
from service.terminal.words import Phrase, Voice

# fmt: off
_READY = Phrase("{who} is ready.", "{who} מוכן.", "You are ready.", "סימנת שסיימת להחליף.")
_READY_BY_CLOCK = Phrase("{who} is ready: the time to swap is up.", "{who} מוכן: זמן ההחלפה נגמר.",
    "You are ready: the time to swap is up.", "סיימת להחליף: הזמן נגמר.")
_STARTS = Phrase("{who} begins.", "{who} מתחיל.", "You begin.", "ההתחלה אצלך.", "starter")
_STARTS_WITH = Phrase("{who} begins, with a {rank} in hand.", "{who} מתחיל, עם {rank} ביד.",
    "You begin, with a {rank} in hand.", "ההתחלה אצלך, עם {rank} ביד.", "starter")
_LAYS = Phrase("{who} lays {cards:cards}{open:plus}.", "{who} הניח {cards:cards}{open:plus}.",
    "You lay {cards:cards}{open:plus}.", "הנחת {cards:cards}{open:plus}.")
_LAYS_OPEN = Phrase("{who} lays {cards:cards} from the open cards.", "{who} הניח {cards:cards} מהגלויים.",
    "You lay {cards:cards} from your open cards.", "הנחת {cards:cards} מהגלויים.")
_TURNS = Phrase(
    "{who} turns face-down card {position}: {card:card} fits.", "{who} הפך את קלף {position}: {card:card} מתאים.",
    "You turn face-down card {position}: {card:card} fits.", "הפכת את קלף {position}: {card:card} מתאים.")
_TURNS_IN_VAIN = Phrase("{who} turns face-down card {position}: {card:card} does not fit, and is taken with the pile.",
    "{who} הפך את קלף {position}: {card:card} לא מתאים, ונלקח ליד עם הערימה.",
    "You turn face-down card {position}: {card:card} does not fit, and you take it with the pile.",
    "הפכת את קלף {position}: {card:card} לא מתאים, ולקחת אותו עם הערימה.")
_BURNS = {
    "ten": Phrase("A 10 burns the pile ({count:many}).", "10 שורף את הערימה ({count:many})."),
    "four": Phrase("Four of a kind burn the pile ({count:many}).", "ארבעה זהים שורפים את הערימה ({count:many})."),
}
_STALEMATE = Phrase("The round goes in circles and ends here.", "הסיבוב חוזר על עצמו ונעצר כאן.")
_DRINKS = {
    "pile": Phrase("{who} drinks for the pile: {sips}.", "{who} שתה על הערימה: {sips}.",
        "You drink for the pile: {sips}.", "שתית על הערימה: {sips}."),
    "blind": Phrase("{who} drinks for a card turned in vain: {sips}.", "{who} שתה על קלף שלא התאים: {sips}.",
        "You drink for a card turned in vain: {sips}.", "שתית על קלף שלא התאים: {sips}."),
}


EVENTS: Mapping[type[Event], Wording] = {
    e.Dealt: Phrase("{who} deals; {stock:many} stay in the stock.", "{who} חילק; בקופה נשארו {stock:many}.",
        "You deal; {stock:many} stay in the stock.", "חילקת; בקופה נשארו {stock:many}.", "dealer"),
    e.HandDealt: Phrase("{who} gets {cards:cards}.", "{who} קיבל {cards:cards}.",
        "Your hand: {cards:cards}.", "היד שלך: {cards:cards}.", "to"),
    e.DeckLaid: Phrase("The stock, next card first: {stock:cards}.", "הקופה, הקלף הבא ראשון: {stock:cards}."),
    e.CardsSwapped: Phrase(
        "{who} lays {hand:card} open and takes up {open:card}.", "{who} גילה {hand:card} ולקח ליד {open:card}.",
        "You lay {hand:card} open and take up {open:card}.", "גילית {hand:card} ולקחת ליד {open:card}."),
    e.SeatReadied: lambda event: _READY_BY_CLOCK if event.by_clock else _READY,
    e.PlayStarted: lambda event: _STARTS_WITH if event.rank else _STARTS,
    e.TurnStarted: Phrase("{who} is to move.", "התור של {who}.", "Your move.", "התור שלך."),
    e.CardsPlayed: lambda event: _LAYS if event.zone == "hand" else _LAYS_OPEN,
    e.BlindTurned: lambda event: _TURNS if event.fits else _TURNS_IN_VAIN,
    e.PileBurnt: lambda event: _BURNS[event.cause],
    e.CardsDrawn: Phrase("{who} draws {count:many}.", "{who} משך {count:many}.",
        "You draw {count:many}.", "משכת {count:many}."),
    e.CardsShown: Phrase("{who} draws {cards:cards}.", "{who} משך {cards:cards}.",
        "You draw {cards:cards}.", "משכת {cards:cards}.", "to"),
    e.PilePickedUp: Phrase(
        "{who} takes the pile ({cards:count}){open:plus}.", "{who} לקח את הערימה ({cards:count}){open:plus}.",
        "You take the pile ({cards:count}){open:plus}.", "לקחת את הערימה ({cards:count}){open:plus}."),
    e.SeatFinished: Phrase("{who} has no cards left: place {place}.", "ל{who} לא נשארו קלפים: מקום {place}.",
        "You have no cards left: place {place}.", "לא נשארו לך קלפים: מקום {place}."),
    e.StalemateDeclared: _STALEMATE,
    e.ClockPlayed: Phrase("{who} took too long: the clock plays.", "הזמן של {who} נגמר: השעון משחק במקומו.",
        "You took too long: the clock plays for you.", "הזמן שלך נגמר: השעון משחק במקומך."),
    e.SeatWithdrawn: Phrase(
        "The cards of {who} are out of the round, unseen.", "הקלפים של {who} יצאו מהסיבוב בלי שנראו.",
        "Your cards are out of the round, unseen.", "הקלפים שלך יצאו מהסיבוב בלי שנראו."),
    e.SipsTaken: lambda event: _DRINKS[event.cause],
    e.SipOwed: Phrase("{who} may name who drinks.", "{who} רשאי לבחור מי ישתה.",
        "You may name who drinks.", "אפשר לבחור מי ישתה."),
    e.SipGiven: Phrase("{who} names who drinks: {drinker:seat}.", "{who} בחר מי ישתה: {drinker:seat}.",
        "You name who drinks: {drinker:seat}.", "בחרת מי ישתה: {drinker:seat}."),
    e.GlassEmptied: Phrase("{who} finishes the glass.", "{who} סיים את הכוס.",
        "You finish the glass.", "סיימת את הכוס."),
}

MOVES: Mapping[type[Move], Wording] = {
    m.Swap: Phrase("lay {hand:card} open for {open:card}", "לגלות {hand:card} במקום {open:card}"),
    m.Ready: Phrase("ready to begin", "אפשר להתחיל"),
    m.Play: Phrase("{cards:cards}{open:plus}", "{cards:cards}{open:plus}"),
    m.PickUp: Phrase("take the pile{open:plus}", "לקחת את הערימה{open:plus}"),
    m.Flip: Phrase("turn face-down card {position}", "להפוך את קלף {position}"),
    m.JumpIn: Phrase("jump in with {cards:cards}", "לקפוץ עם {cards:cards}"),
    m.GiveSip: Phrase("{drinker:seat} drinks", "ישתה: {drinker:seat}"),
}

CLAUSES_HE: Mapping[str, str] = {
    "S-02": "לפני ההתחלה מחליפים קלף מהיד בקלף גלוי משלך, עד שמודיעים שאפשר להתחיל",
    "S-06": "המהלך הראשון בסיבוב חייב להיות במספר שקבע מי מתחיל",
    "S-13": "קופצים מחוץ לתור רק כדי להשלים בדיוק ארבעה זהים על הערימה",
    "S-15": "מניחים יחד רק קלפים באותו מספר, ומאותו מקום",
    "S-16": "גלויים מצטרפים ליד רק כשהקופה ריקה ומניחים את כל היד",
    "S-19": "לוקחים את הערימה רק אם יש בה קלפים, ואם כללי השולחן מתירים",
    "S-20": "כשנשארו רק הפוכים חייבים להפוך אחד מהם",
    "S-21": "מי שלוקח את הערימה כשהוא משחק מהגלויים מצרף גלויים באותו מספר",
    "S-23": "הופכים קלף הפוך אחד לפי מקומו, רק כשאין יד ואין גלויים",
    "S-25": "אי אפשר לסיים בקלף מיוחד על ערימה",
    "S-30": "על 7 מניחים 7 או פחות",
    "S-37": "נותנים לגימה רק אחרי ששרפת, ורק למי שיושב בשולחן",
    "S-39": "התור עובר לשמאל, ורק מי שבתור משחק",
    "S-40": "מניחים קלף שווה או גבוה מהקלף העליון; קלפים מיוחדים על הכול",
    "S-41": "משחקים קודם מהיד, אחר כך מהגלויים, ובסוף מההפוכים",
}
"""The clauses that refuse something, in Hebrew; the server's rulebook has them in English."""
# fmt: on


class _Seat(Struct):
    """The part of a seat that is drawn."""

    seat: int
    status: str = "seated"
    ready: bool = False
    hand: int = 0
    open: tuple[str, ...] = ()
    blind: tuple[int, ...] = ()
    sips_owed: int = 0


class _View(Struct):
    """The part of a view that is drawn; a newer server may send more."""

    seats: tuple[_Seat, ...]
    seat: int | None = None
    phase: str = "undealt"
    turn: int | None = None
    hand: tuple[str, ...] = ()
    stock: int = 0
    pile: tuple[str, ...] | None = ()
    pile_count: int = 0
    burnt: int = 0
    top: dict[str, Any] = {}
    lead: str | None = None
    shithead: int | None = None


PILE_SHOWN_MAX = 8


def board(view: dict[str, Any], voice: Voice) -> RenderableType:
    """Everybody's cards as the viewer sees them, the middle of the table, and the viewer's own hand, sorted."""
    seen = msgspec.convert(view, _View)
    if seen.phase == "undealt":
        return Text(voice.pick("The cards are not dealt yet.", "הקלפים עוד לא חולקו."), "italic")
    hand = Text.assemble((voice.pick("In hand ", "ביד "), "dim"), row(tile(card) for card in in_order(seen.hand)))
    lines = (_middle(seen, voice), hand) if seen.hand else (_middle(seen, voice),)
    return Group(voice.aside(_seats(seen, voice)), *map(voice.line, lines))


def _seats(seen: _View, voice: Voice) -> Table:
    grid = _grid(voice)
    for seat in seen.seats:
        name = Text.assemble(("▶ " if seat.seat == seen.turn else "  ", "bold yellow"), voice.who(seat.seat))
        opened = row(face(card) for card in seat.open)
        cells = (name, str(seat.hand), opened, face_down(seat.blind), _standing(seat, seen, voice))
        grid.add_row(*voice.ordered(cells))
    return grid


def _grid(voice: Voice) -> Table:
    grid = Table(box=None, padding=(0, 1), show_edge=False)
    for title in voice.ordered(voice.pick(",hand,open,face down,", ",יד,גלויים,הפוכים,").split(",")):
        grid.add_column(title, header_style="dim", justify="right" if voice.rtl else "left")
    return grid


def _standing(seat: _Seat, seen: _View, voice: Voice) -> Text:
    """What else is to say of a seat."""
    if seat.seat == seen.shithead:
        return Text(voice.pick("the shithead", "השיטהד"), "bold red")
    if seat.status == "finished":
        return Text(voice.pick("out of cards", "בלי קלפים"), "green")
    if seat.status == "left":
        return Text(voice.pick("left", "עזב"), "dim")
    swapping = voice.pick("ready", "מוכן") if seat.ready else voice.pick("swapping", "מחליף")
    return Text(swapping if seen.phase == "swapping" else "", "dim")


def _middle(seen: _View, voice: Voice) -> Text:
    counts = voice.pick("Stock {}   burnt {}   Pile {}", "קופה {}   נשרפו {}   ערימה {}")
    said = Text(counts.format(seen.stock, seen.burnt, seen.pile_count))
    top = seen.pile[-PILE_SHOWN_MAX:] if seen.pile is not None else tuple(filter(None, (seen.top.get("card"),)))
    if top:
        said.append(": … " if seen.pile_count > len(top) else ": ")
        said.append_text(row((*(face(card) for card in top[:-1]), tile(top[-1]))))
    if seen.lead:
        said.append(voice.pick(f"   first play: {seen.lead}", f"   המהלך הראשון: {seen.lead}"), "yellow")
    return said


def opened(zones: dict[str, Any], voice: Voice) -> RenderableType:
    """Every card where it lies: hands, open and face-down cards by seat, then stock, pile and burnt."""
    grid = _grid(voice)
    seats = sorted(int(zone[5:]) for zone in zones if zone.startswith("hand:"))
    for seat in seats:
        lying = (zones.get(f"{zone}:{seat}", ()) for zone in ("hand", "open", "blind"))
        cells = (voice.who(seat), *(row(face(card) for card in cards) for cards in lying), Text())
        grid.add_row(*voice.ordered(cells))
    heaps = (("stock", "Stock", "קופה"), ("pile", "Pile", "ערימה"), ("burnt", "Burnt", "נשרפו"))
    lines = [
        Text.assemble((voice.pick(en, he), "dim"), f" {len(zones.get(zone, ()))}: ")
        + row(map(face, zones.get(zone, ())))
        for zone, en, he in heaps
    ]
    return Group(voice.aside(grid), *map(voice.line, lines))


def result(outcome: Any, voice: Voice) -> Text:
    """Who lost, and who got out in which order."""
    loser, places = outcome.get("shithead"), outcome.get("places", ())
    if loser is None:
        said = Text(voice.pick("Nobody is the shithead.", "אין שיטהד."), "bold")
    else:
        phrase = Phrase("{who} is the shithead.", "{who} הוא השיטהד.", "You are the shithead!", "השיטהד הפעם אצלך!")
        said = voice.say(phrase, {"seat": loser})
        said.stylize("bold")
    if places:
        said.append(voice.pick(" Out first to last: ", " יצאו לפי הסדר: "))
        said.append_text(Text(", ").join(voice.who(seat) for seat in places))
    return said


SHITHEAD = Talk(
    game="shithead",
    titles={"en": "Shithead", "he": "שיטהד"},
    face=face,
    events=EVENTS,
    moves=MOVES,
    quiet=frozenset({e.TurnStarted, e.CardsDrawn, e.DeckLaid}),
    board=board,
    opened=opened,
    result=result,
    clauses_he=CLAUSES_HE,
    alone={"turn_timeout_s": 0, "swap_timeout_s": 0},
)
