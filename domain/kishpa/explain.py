"""Why each token moved: which state, which tile or round, which clause, who paid whom; in English and Hebrew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.game import Event
from domain.kishpa import events as told
from domain.kishpa.evening import ILS_PER_TOKEN
from domain.kishpa.moves import Load
from domain.kishpa.pack import number, one_of
from domain.table.accounts import many_he, name_of, paying
from domain.tokens import Tokens, Transfer, Words

COLOURS: Mapping[str, Words] = {
    "R": {"en": "red", "he": "אדום"},
    "B": {"en": "blue", "he": "כחול"},
    "Y": {"en": "yellow", "he": "צהוב"},
    "K": {"en": "black", "he": "שחור"},
}
Moment = Literal["deal", "replacement", "end"]
MOMENTS: Mapping[Moment, Words] = {
    "deal": {"en": "after the deal", "he": "אחרי החלוקה"},
    "replacement": {"en": "after the kishpa was replaced", "he": "אחרי שהכישפה הוחלפה"},
    "end": {"en": "at the end of the round", "he": "בסוף הסיבוב"},
}


class Scene(Struct, frozen=True):
    """What is known of a round when tokens move in it; all of it public."""

    round: int = 0
    last: bool = False
    kishpa: str = ""
    joker: str = ""
    moment: Moment = "deal"


def see(scene: Scene, event: Event) -> Scene:
    """The scene after `event`."""
    match event:
        case told.HandsDealt(round=number_, last=last):
            return Scene(round=number_, last=last)
        case told.KishpaFlipped(tile=tile, joker=joker):
            return replace(scene, kishpa=tile, joker=joker, moment="replacement" if scene.kishpa else "deal")
        case told.HandWon() | told.RoundExhausted():
            return replace(scene, moment="end")
        case _:
            return scene


def tile_named(tile: str) -> Words:
    """A tile in words, with its short name: `red 6 (R6)`."""
    colour = COLOURS[tile[0]]
    return {"en": f"{colour['en']} {tile[1:]} ({tile})", "he": f"{tile[1:]} {colour['he']} ({tile})"}


def explain(scene: Scene, event: Event, transfer: Transfer) -> Words:
    """The sentence for one transfer of `event`."""
    why, who = WHY[type(event)](scene, event, transfer), paying(transfer)
    return {"en": f"{why['en']}: {who['en']}", "he": f"{why['he']}: {who['he']}"}


def _in_round(scene: Scene, en: str, he: str) -> Words:
    return {"en": f"Round {scene.round}, {en}", "he": f"סיבוב {scene.round}, {he}"}


def _opening(_scene: Scene, _event: told.AccountsOpened, transfer: Transfer) -> Words:
    return {
        "en": f"Starting tokens, {transfer.amount} for everybody",
        "he": f"אסימוני פתיחה, {many_he(transfer.amount)} לכל אחד",
    }


def _load(_scene: Scene, _event: told.TokensLoaded, transfer: Transfer) -> Words:
    if transfer.clause == "K-81":
        return {"en": "Too little to pay with, so a load came by itself", "he": "לא היה די לתשלום, והטעינה באה מעצמה"}
    return {"en": "A load that was asked for", "he": "טעינה שהתבקשה"}


def _contribution(scene: Scene, _event: told.ContributionsPaid, transfer: Transfer) -> Words:
    kishpa = tile_named(scene.kishpa)
    if transfer.clause == "K-52":
        en, he = "the new kishpa is a 1, so the contribution is doubled", "הכישפה החדשה היא 1, ולכן התרומה מוכפלת"
    elif number(scene.kishpa) == 1:
        en, he = "contribution, doubled because the kishpa is a 1", "תרומה, כפולה כי הכישפה היא 1"
    else:
        en, he = "contribution", "תרומה"
    return _in_round(scene, f"{en}, kishpa {kishpa['en']}", f"{he}, הכישפה {kishpa['he']}")


def _bonus(scene: Scene, event: told.BonusPaid, transfer: Transfer) -> Words:
    moment, holder = MOMENTS[scene.moment], name_of(transfer.payee)
    state = _state(scene, event.row)
    return _in_round(
        scene,
        f"{moment['en']} {holder['en']} holds {state['en']}",
        f"{moment['he']} {holder['he']} מחזיק {state['he']}",
    )


def _state(scene: Scene, row: told.Row) -> Words:
    kishpa, joker = tile_named(scene.kishpa), tile_named(scene.joker)
    one = tile_named(one_of(scene.kishpa))
    rows: dict[told.Row, tuple[str, str]] = {
        "red_doll": (f"the red doll (DR), kishpa {kishpa['en']}", f"את הבובה האדומה (DR), הכישפה {kishpa['he']}"),
        "black_doll": (f"the black doll (DK), kishpa {kishpa['en']}", f"את הבובה השחורה (DK), הכישפה {kishpa['he']}"),
        "joker": (f"a joker, {joker['en']}", f"ג'וקר, {joker['he']}"),
        "one": (f"the 1 of the kishpa's colour, {one['en']}", f"את ה-1 בצבע הכישפה, {one['he']}"),
        "kishpa": (f"the kishpa's twin, {kishpa['en']}", f"את תאום הכישפה, {kishpa['he']}"),
    }
    return {"en": rows[row][0], "he": rows[row][1]}


def _exposure(scene: Scene, _event: told.KishpaExposed, transfer: Transfer) -> Words:
    kishpa, holder = tile_named(scene.kishpa), name_of(transfer.payee)
    return _in_round(
        scene,
        f"nobody holds a joker and {holder['en']} exposes the kishpa's twin, {kishpa['en']}",
        f"לאיש אין ג'וקר, {holder['he']} חושף את תאום הכישפה, {kishpa['he']}",
    )


def _false_win(scene: Scene, event: told.WinDenied, _transfer: Transfer) -> Words:
    return _in_round(
        scene, f"seat {event.seat} declared a win that was none", f"מושב {event.seat} הכריז על ניצחון שלא היה"
    )


def _win(scene: Scene, event: told.HandWon, _transfer: Transfer) -> Words:
    """The additive table of wins, part by part (K-62)."""
    parts = [
        ("2 for the win", "2 על הניצחון", True),
        (f"{event.jokers} for jokers among the fifteen", f"{event.jokers} על ג'וקרים בין החמישה עשר", event.jokers),
        ("1 for a joker thrown", "1 על ג'וקר שנזרק", event.joker_thrown),
        (f"1 for the kishpa's twin {scene.kishpa} kept", f"1 על תאום הכישפה {scene.kishpa} שנשאר", event.twin_kept),
    ]
    en = " + ".join(text for text, _, counts in parts if counts)
    he = " + ".join(text for _, text, counts in parts if counts)
    return _in_round(
        scene, f"seat {event.seat} wins {event.payment} ({en})", f"מושב {event.seat} מנצח {event.payment} ({he})"
    )


BOWL: Mapping[tuple[str, str], tuple[str, str]] = {
    ("bowl_won", "K-67"): ("two wins in a row take the bowl", "שני ניצחונות רצופים זוכים בקערה"),
    ("bowl_won", "K-70"): ("the winner of the last round takes the bowl", "המנצח בסיבוב האחרון זוכה בקערה"),
    ("bowl_won", "K-83"): ("the only player left takes the bowl", "השחקן היחיד שנשאר זוכה בקערה"),
    ("bowl_split", "K-70"): (
        "the last bowl is split, for another than the previous winner won",
        "הקערה האחרונה מתחלקת, כי ניצח אחר ולא המנצח הקודם",
    ),
    ("bowl_split", "K-71"): (
        "the last bowl is split, for there is no previous winner",
        "הקערה האחרונה מתחלקת, כי אין מנצח קודם",
    ),
    ("bowl_split", "K-73"): (
        "the last bowl is split, for nobody won the last round",
        "הקערה האחרונה מתחלקת, כי איש לא ניצח בסיבוב האחרון",
    ),
}


def _bowl(scene: Scene, _event: told.BowlPaid, transfer: Transfer) -> Words:
    return _in_round(scene, *BOWL[transfer.code, transfer.clause])


WHY: Mapping[type[Event], Callable[..., Words]] = {
    told.AccountsOpened: _opening,
    told.TokensLoaded: _load,
    told.ContributionsPaid: _contribution,
    told.BonusPaid: _bonus,
    told.KishpaExposed: _exposure,
    told.WinDenied: _false_win,
    told.HandWon: _win,
    told.BowlPaid: _bowl,
}

TOKENS = Tokens(
    load=Load,
    worth={"ILS": ILS_PER_TOKEN},
    tells=frozenset({"kishpa.hands_dealt", "kishpa.kishpa_flipped", "kishpa.round_exhausted"}),
    scene=Scene,
    see=see,
    explain=explain,
)
