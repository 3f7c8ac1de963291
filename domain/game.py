"""What a game is: moves in, events out, and who hears each event. Start reading here; `gate.py` is next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from domain.tokens import Tokens

if TYPE_CHECKING:
    from domain.fair import Dice


def type_of(value: type[Move | Event] | Move | Event) -> str:
    """The public name of a move or an event, its msgspec tag: `shithead.play`, `table.created`."""
    return _tag(value if isinstance(value, type) else type(value))


@cache
def _tag(kind: type[Move | Event]) -> str:
    """Asked some dozen times a move; msgspec makes the configuration anew each time."""
    return str(kind.__struct_config__.tag)


Card = str | int
"""A card or tile by its name; a game may call its number cards by whole numbers."""


class Move(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"):
    """Something a seat (or the host, or the table itself) asks for. Tag: `<game>.<verb>`."""

    hidden: ClassVar[bool] = False
    """True if the move names hidden things: then it lies on a hidden line."""


class Event(Struct, frozen=True, tag_field="type"):
    """Something that happened, heard by everybody. Tag: `<game>.<noun>_<past participle>`."""

    ends_showing: ClassVar[bool] = False
    """True if this event ends a phase, and with it what fleeting whispers showed in it (G-06)."""


class Whisper(Event, frozen=True):
    """An event that one seat hears. `to` is that seat."""

    fleeting: ClassVar[bool] = False
    """True for a look that is served only for a while (G-06)."""

    to: int


class Secret(Event, frozen=True):
    """An event that nobody hears until its round opens: the order of a stock, a blind card, a seed."""


class TimedOut(Event, frozen=True):
    """Base of a game's event for a seat whose clock ran out; the table counts them for absence (G-09)."""

    seat: int


class Refused(Exception):
    """The rules say no: `ruling` is a clause id of RULES.md or TABLE.md, `reason` a sentence for the seat.

    Raised by `decide` only. The reason depends on nothing but what the asking seat has heard.
    """

    def __init__(self, ruling: str, reason: str) -> None:
        super().__init__(f"{reason} [{ruling}]")
        self.ruling = ruling
        self.reason = reason


class RulesInvalid(ValueError):
    """These table rules fit their schema and still make no game; `field` is where, the text says why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


class DeckInvalid(ValueError):
    """A sandbox deck is not this game's pack."""


Timeout = Annotated[int, Meta(ge=0, le=86_400)]
"""Seconds; 0 = no clock."""


class TableRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table rules that every game has (G-05, G-07, G-08, G-09, G-16); a game's own struct adds its own."""

    rounds: Annotated[int, Meta(ge=1, le=1_000)] | None = 1
    unseal: Literal["round", "table_end"] = "round"
    turn_timeout_s: Timeout = 120
    ready_timeout_s: Timeout = 30
    absent_after: Annotated[int, Meta(ge=0, le=100)] = 3
    bot_delay_ms: Annotated[int, Meta(ge=0, le=60_000)] = 0


class Due(Struct, frozen=True):
    """What must happen without anybody's move: at which time (`at`, RFC 3339), what, and for which seats.

    `seats` are those whose clock runs; empty when the table itself acts (a countdown, a grab window).
    `at` is None while no clock runs for them: then only absence (G-09) can make it due.
    """

    at: str | None
    what: str
    seats: tuple[int, ...] = ()


class Deal(Struct, frozen=True):
    """All that a deal may depend on: one round's deck (index 0 is dealt first), its dice, and who sits in it.

    `seats` are the seats in play, ascending; `creator` is the seat of the table's creator (K-04). At a `sandbox`
    table seat 0 begins unless a rule names another (T-05).
    """

    round: int
    seats: tuple[int, ...]
    deck: tuple[Any, ...]
    dice: Dice
    at: str
    creator: int
    sandbox: bool = False


class Game(Struct, frozen=True, kw_only=True):
    """One game as one value made of pure functions. `State`, `View` and results are the game's own structs.

    Times are RFC 3339 strings of fixed width (`domain/times.py`), so they compare as strings.
    """

    name: str
    rules_version: int
    """Pinned in `table.created`; a table plays on under the version it opened with."""
    titles: Mapping[str, str]
    """The game's name by language: `en`, `he`."""
    rules: type[TableRules]
    moves: tuple[type[Move], ...]
    events: tuple[type[Event], ...]
    seats: Callable[[Any], tuple[int, int]]
    """(rules) -> fewest and most seats."""
    check: Callable[[Any, int], None]
    """(rules, seats) -> None, or raises RulesInvalid."""
    pack: Callable[[Any, int], tuple[Any, ...]]
    """(rules, seats) -> the cards in published order, before any shuffle: strings, or whole numbers and strings."""
    initial: Callable[[Any, int], Any]
    """(rules, seats) -> the state before the first deal."""
    deal: Callable[[Any, Deal], list[Event]]
    """(state as the last round left it, deal) -> the events that set the round up."""
    decide: Callable[[Any, int, Any, str, Dice], list[Event]]
    """(state, seat, move, at, dice) -> at least one event, or raises Refused. Also asked between rounds."""
    evolve: Callable[[Any, Any], Any]
    """(state, event) -> state; never refuses, raises on an impossible history."""
    leave: Callable[[Any, int, str, Dice], list[Event]]
    """(state, seat, at, dice) -> what follows a seat's leaving, which `table.seat_left` has already told."""
    over: Callable[[Any], Any | None]
    """(state) -> the round's result (a Struct of public facts) once the round is over, else None."""
    finished: Callable[[Any], bool]
    """(state after a round) -> True if the game itself knows that no round can follow."""
    due: Callable[[Any], Due | None]
    """(state) -> what is due next, if anything."""
    when_due: Callable[[Any, Due, str, Dice], list[Event]]
    """(state, due, at, dice) -> the table's own events for it; `due.seats` may be some of those awaited."""
    hears: frozenset[str] = frozenset()
    """Tags of table events that `evolve` and `see` fold as well. Without `table.round_voided` among them, voiding a
    round puts state and views back to what they were before its deal (G-11), and tells them again who has left, if they
    hear `table.seat_left`; without `table.last_round_called` the table itself ends after the round that was called
    (G-08)."""
    anytime: tuple[type[Move], ...] = ()
    """Moves that a seat may make before the start too; they have calls of their own and are never listed."""
    table_moves: Mapping[type[Move], Callable[[Any, Any, str, Dice], list[Event]]] = {}
    """Moves that the table itself makes, with (state, move, at, dice) -> events."""
    referee_moves: Mapping[type[Move], Callable[[Any, Any, str, Dice], list[Event]]] = {}
    """Moves that a referee makes, with (state, move, at, dice) -> events, or Refused."""
    out: Callable[[Any], tuple[int, ...]] = lambda _state: ()
    """(state) -> seats that are out for good although they have not left (eliminated)."""
    blocked: Callable[[Any], tuple[int, ...]] = lambda _state: ()
    """(state between rounds) -> the seats that must do something before a round can start (K-81)."""
    zones: Callable[[Any], Mapping[str, tuple[Any, ...]]]
    """(state) -> every card by the zone it lies in, for the conservation check; {} before a deal."""
    empty_view: Callable[[Any, int, int | None], Any]
    """(rules, seats, seat or None for a spectator) -> the view before the first deal."""
    see: Callable[[Any, Any], Any]
    """(view, event heard) -> view."""
    cover: Callable[[Any], Any] = lambda view: view
    """(view) -> the view once its seat's next command has begun, whatever it asks for: no look lies open (G-06)."""
    to_act: Callable[[Any], tuple[int, ...]]
    """(view) -> the seats that the game waits for, ascending."""
    options: Callable[[Any], list[Move]]
    """(view) -> that seat's legal moves, each ready to be sent; [] for a spectator."""
    tokens: Tokens | None = None
    """For a game played for tokens."""
    bot: Bot


def voids(game: Game) -> bool:
    """Whether the game itself takes back what a voided round did (see `Game.hears`)."""
    return "table.round_voided" in game.hears


def every_move(game: Game) -> tuple[type[Move], ...]:
    """Every move of a game, whoever makes it."""
    return (*game.moves, *game.table_moves, *game.referee_moves)


class Bot(Struct, frozen=True):
    """A computer player (G-16): `remember` folds each line its seat heard; `choose` picks one of the options.

    choose(strength, memory, view, options, below) -> move; `below(n)` gives a number in [0, n).
    """

    memory: Callable[[Any, int], Any]
    """(rules, seat) -> an empty memory."""
    remember: Callable[[Any, Any], Any]
    """(memory, event heard) -> memory."""
    choose: Callable[[str, Any, Any, Sequence[Move], Callable[[int], int]], Move]


STRENGTHS = ("easy", "normal", "hard")
