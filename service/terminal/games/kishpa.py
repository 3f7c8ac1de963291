"""Kishpa at the terminal: tiles in colour, the own rack laid as far as it goes, everybody's tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from domain.kishpa import events as e
from domain.kishpa.distance import tiles_away
from domain.kishpa.pack import DOLLS, Meld
from domain.kishpa.rack import laid_out
from service.terminal.cards import row
from service.terminal.direction import LTR, POP
from service.terminal.games.kishpa_words import CLAUSES_HE, EVENTS, MOVES
from service.terminal.talk import Talk
from service.terminal.words import Phrase, Voice

COLOURS = {"R": "red", "B": "blue", "Y": "yellow", "K": "bright_black"}
"""The colours of the tiles; the letter stands beside, for whoever sees none."""
ON_PAPER = {"R": "red", "B": "blue", "Y": "dark_goldenrod", "K": "black"}
JOKER = "★"
DISCARDS_SHOWN_MAX = 8
HAND_TILES = 14
BALANCE_MIN = 2


def face(tile: str) -> Text:
    """A tile as text in its colour, `R7`, held left to right wherever it stands; dolls by their sign."""
    if tile in DOLLS:
        return Text(f"{LTR}☻{tile[1]}{POP}", f"bold {COLOURS[tile[1]]}")
    return Text(f"{LTR}{tile}{POP}", f"bold {COLOURS.get(tile[:1], 'white')}")


def piece(tile: str, joker: str | None = None) -> Text:
    """A tile as a little piece of ivory: for the rack, the kishpa, the newest discard. A joker has a star."""
    colour = ON_PAPER.get(tile[1] if tile in DOLLS else tile[:1], "black")
    star = JOKER if tile == joker else ""
    return Text(f" {LTR}{face(tile).plain}{star}{POP} ", f"bold {colour} on white")


class _Rules(Struct, frozen=True):
    run_wrap: str = "none"


class _Evening(Struct, frozen=True):
    accounts: dict[str, int] = {}
    left: tuple[int, ...] = ()
    called: bool = False


class _Won(Struct, frozen=True):
    seat: int
    melds: tuple[Meld, ...]
    payment: int


class _View(Struct):
    """The part of a view that is drawn; a newer server may send more."""

    seat: int | None = None
    rules: _Rules = _Rules()
    evening: _Evening = _Evening()
    phase: str = "undealt"
    seats: tuple[int, ...] = ()
    last: bool = False
    kishpa: str | None = None
    joker: str | None = None
    exposer: int | None = None
    stock: int = 0
    discards: tuple[str, ...] = ()
    tiles: tuple[int, ...] = ()
    hand: tuple[str, ...] = ()
    drawn: str | None = None
    turn: int | None = None
    awaited: tuple[int, ...] = ()
    won: _Won | None = None


def board(view: dict[str, Any], voice: Voice) -> RenderableType:
    """Everybody's tokens and tiles, the middle of the table, and the viewer's own rack, laid as far as it goes."""
    seen = msgspec.convert(view, _View)
    if seen.phase == "undealt":
        waiting = Text(voice.pick("The tiles are not dealt yet.", "האריחים עוד לא חולקו."), "italic")
        return Group(voice.aside(_seats(seen, voice)), voice.line(waiting))
    lines = [_middle(seen, voice)]
    if seen.won is not None:
        lines.append(_laid_open(seen.won, seen.joker, voice))
    if seen.hand:
        lines += [row(map(piece, seen.hand))] if seen.joker is None else _rack(seen, seen.joker, voice)
    return Group(voice.aside(_seats(seen, voice)), *map(voice.line, lines))


def _grid(voice: Voice, titles: tuple[str, ...]) -> Table:
    grid = Table(box=None, padding=(0, 1), show_edge=False)
    for title in voice.ordered(titles):
        grid.add_column(title, header_style="dim", justify="right" if voice.rtl else "left")
    return grid


def _seats(seen: _View, voice: Voice) -> Table:
    grid = _grid(voice, ("", voice.pick("tokens", "אסימונים"), voice.pick("tiles", "אריחים"), ""))
    accounts = seen.evening.accounts
    for account, tokens in accounts.items():
        if not account.startswith("seat:"):
            continue
        seat = int(account[5:])
        acting = seat == seen.turn or seat in seen.awaited
        name = Text.assemble(("▶ " if acting else "  ", "bold yellow"), voice.who(seat))
        held = str(seen.tiles[seat]) if seat < len(seen.tiles) else ""
        grid.add_row(*voice.ordered((name, str(tokens), held, _standing(seat, seen, voice))))
    bowl = Text(voice.pick("  the bowl", "  הקערה"), "yellow")
    grid.add_row(*voice.ordered((bowl, str(accounts.get("bowl", 0)), "", Text())))
    return grid


def _standing(seat: int, seen: _View, voice: Voice) -> Text:
    """What else is to say of a seat."""
    if seat in seen.evening.left:
        return Text(voice.pick("left", "עזב"), "dim")
    if seen.won is not None and seen.won.seat == seat:
        return Text(voice.pick(f"wins {seen.won.payment}", f"ניצח {seen.won.payment}"), "bold green")
    if seat == seen.exposer:
        return Text(voice.pick("exposed the kishpa", "חשף את הכישפה"), "magenta")
    return Text()


def _middle(seen: _View, voice: Voice) -> Text:
    said = Text()
    if seen.kishpa is not None and seen.joker is not None:
        said.append(voice.pick("Kishpa ", "כישפה "))
        said.append_text(piece(seen.kishpa)).append(voice.pick("   joker ", "   ג'וקר "))
        said.append_text(piece(seen.joker, seen.joker)).append("   ")
    said.append(voice.pick(f"Stock {seen.stock}   Discards ", f"ערימה {seen.stock}   השלכות "))
    if seen.discards:
        shown = seen.discards[-DISCARDS_SHOWN_MAX:]
        said.append("… " if len(seen.discards) > len(shown) else "")
        said.append_text(row((*map(face, shown[:-1]), piece(shown[-1], seen.joker))))
    if seen.last:
        said.append(voice.pick("   the last bowl", "   הקערה האחרונה"), "bold yellow")
    return said


def _melds(melds: Iterable[Meld], joker: str | None) -> Text:
    return Text("  ").join(Text("").join(piece(tile, joker) for tile in meld.tiles) for meld in melds)


def _laid_open(won: _Won, joker: str | None, voice: Voice) -> Text:
    return Text.assemble((voice.pick("Won with ", "נוצח עם "), "dim"), _melds(won.melds, joker))


def _rack(seen: _View, joker: str, voice: Voice) -> list[Text]:
    """What lies in melds, what fits nowhere yet, the tile that came last, and how far it is to a win."""
    wrap = seen.rules.run_wrap == "high_one"
    rack = laid_out(seen.hand, joker, wrap=wrap)
    lines = []
    if rack.melds:
        lines.append(Text.assemble((voice.pick("Melds  ", "קבוצות  "), "dim"), _melds(rack.melds, joker)))
    loose = Text(" ").join(piece(tile, joker) for tile in rack.loose)
    lines.append(Text.assemble((voice.pick("Loose  ", "לבד  "), "dim"), loose))
    if seen.phase != "over" and len(seen.hand) >= HAND_TILES:
        away = tiles_away(seen.hand, joker, wrap=wrap)
        en, he = (f"{away} tiles from a win", f"{away} אריחים מניצחון") if away else ("ready to win", "אפשר לנצח")
        said = Text(voice.pick(en, he), "green" if away == 0 else "dim")
        if seen.drawn is not None and len(seen.hand) > HAND_TILES:
            said.append(voice.pick("   came last: ", "   הגיע אחרון: "), "dim").append_text(face(seen.drawn))
        lines.append(said)
    return lines


def opened(zones: dict[str, Any], voice: Voice) -> RenderableType:
    """Every tile where it lies: hands by seat, kishpa, discards, stock."""
    grid = _grid(voice, ("", voice.pick("hand", "יד")))
    for seat in sorted(int(zone[5:]) for zone in zones if zone.startswith("hand:")):
        grid.add_row(*voice.ordered((voice.who(seat), row(map(face, zones[f"hand:{seat}"])))))
    heaps = (
        ("kishpa", "Kishpa", "כישפה"),
        ("spent", "Out of play", "מחוץ למשחק"),
        ("discards", "Discards", "השלכות"),
        ("stock", "Stock", "ערימה"),
    )
    lines = [
        Text.assemble((voice.pick(en, he), "dim"), f" {len(zones.get(zone, ()))}: ")
        + row(map(face, zones.get(zone, ())))
        for zone, en, he in heaps
    ]
    return Group(voice.aside(grid), *map(voice.line, lines))


def result(outcome: Any, voice: Voice) -> Text:
    """Who won and how much, and who leads the evening."""
    winners, leaders = outcome.get("winners", ()), outcome.get("leaders", ())
    if winners:
        phrase = Phrase("{who} wins {payment} from everybody.", "{who} ניצח {payment} מכל אחד.",
            "You win {payment} from everybody.", "ניצחת {payment} מכל אחד.")  # fmt: skip
        said = voice.say(phrase, {"seat": winners[0], "payment": outcome.get("payment", 0)})
    else:
        said = Text(voice.pick("Nobody wins.", "אין מנצח."))
    said.stylize("bold")
    if leaders:
        last = outcome.get("last")
        en, he = (" The evening is won by ", " בערב ניצח: ") if last else (" In front: ", " מובילים: ")
        said.append(voice.pick(en, he)).append_text(Text(", ").join(voice.who(seat) for seat in leaders))
    return said


def calls(position: dict[str, Any]) -> list[dict[str, Any]]:
    """Beside the listed moves: between rounds a load for who cannot pay, and the last round's button."""
    seen = msgspec.convert(position.get("view", {}), _View)
    if position.get("status") != "running" or seen.phase not in {"undealt", "over"} or seen.seat is None:
        return []
    short = seen.evening.accounts.get(f"seat:{seen.seat}", 0) < BALANCE_MIN
    asked = [{"type": "kishpa.load"}] if short and seen.seat not in seen.evening.left else []
    return asked if seen.evening.called else [*asked, {"type": "table.last_round"}]


KISHPA = Talk(
    game="kishpa",
    titles={"en": "Kishpa", "he": "כישפה"},
    face=face,
    events=EVENTS,
    moves=MOVES,
    quiet=frozenset({e.TurnStarted, e.TileDrawn, e.StockLaid, e.DollReturned, e.HandShown}),
    board=board,
    opened=opened,
    result=result,
    calls=calls,
    clauses_he=CLAUSES_HE,
    alone={"turn_timeout_s": 0, "exposure_timeout_s": 0},
)
