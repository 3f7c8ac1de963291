"""The JSON that calls take and give, as types: requests are decoded with them, and the document is made from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

import msgspec
from msgspec import Meta, Struct

from domain.game import Game, TableRules
from domain.games import GAMES
from domain.table.moves import Ready, Seed

PLAYER_LETTERS_MAX = 64
TABLE_NAME_LETTERS_MAX = 100
SEATS_ASKED_MAX = 1_000
DECKS_MAX = 100
DECK_CARDS_MAX = 1_000

TableId = Annotated[
    str, Meta(pattern="^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", description="A table: a UUID of version 7.")
]
Version = Annotated[int, Meta(ge=0, le=2**53 - 1, description="Number of lines so far: the seq of the last one.")]
Head = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="Hash of the table's last line.")]
Time = Annotated[
    str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$", description="RFC 3339, UTC, six decimals.")
]
SeatNumber = Annotated[int, Meta(ge=0, le=SEATS_ASKED_MAX - 1)]
PlayerLabel = Annotated[
    str,
    Meta(min_length=1, max_length=PLAYER_LETTERS_MAX, description="The key's own label for a person; absent: a guest."),
]
Invite = Annotated[str, Meta(min_length=1, max_length=128, description="The invite of a private table.")]
TokenText = Annotated[str, Meta(pattern="^kupa_(key|host|seat)_[0-9a-f-]{1,36}_[0-9a-f]{48}$")]
if TYPE_CHECKING:
    GameName = str
else:
    GameName = Literal[tuple(GAMES)]
Scope = Literal["play", "audit", "referee", "admin"]
Status = Literal["open", "running", "ended", "voided"]
Card = Annotated[str, Meta(min_length=1, max_length=16)] | Annotated[int, Meta(ge=0, le=99)]


class SandboxAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Deal a named order: one deck a round, index 0 dealt first; `server_seed` decides all other chance."""

    decks: Annotated[
        tuple[Annotated[tuple[Card, ...], Meta(max_length=DECK_CARDS_MAX)], ...], Meta(max_length=DECKS_MAX)
    ] = ()
    server_seed: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] = "00" * 32


class SitAsked(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Sit down, or (the host) seat a bot. `seat` absent: the lowest free one."""

    player: PlayerLabel | None = None
    seat: SeatNumber | None = None
    seed: Seed | None = None
    bot: Literal["easy", "normal", "hard"] | None = None
    invite: Invite | None = None


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object; the body may be left out."""


class KeyAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A new API key. `expires` absent: never."""

    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=4, extra_json_schema={"uniqueItems": True})]
    expires: Time | None = None


class Heard(Struct, frozen=True):
    """A line as stored, or a sealed entry in the place of one that the caller may not hear."""


class Written(Struct, frozen=True, kw_only=True):
    """What a write did: the table's version and head after it, and its lines as the caller hears them."""

    version: Version
    head: Head
    events: list[Heard]


class Sat(Written, frozen=True, kw_only=True):
    """The seat taken, and its token (none for a bot)."""

    seat: SeatNumber
    seat_token: TokenText | msgspec.UnsetType = msgspec.UNSET


class SeatResource(Struct, frozen=True, kw_only=True):
    """A seat of a table: `player` is an opaque id, null while it is free."""

    seat: SeatNumber
    player: str | None
    bot: Literal["easy", "normal", "hard"] | msgspec.UnsetType | None = msgspec.UNSET
    seed: str | msgspec.UnsetType | None = msgspec.UNSET
    left: bool | msgspec.UnsetType = msgspec.UNSET


class DueShown(Struct, frozen=True):
    """What the table itself does next, and when."""

    at: Time
    what: str


class TableResource(Struct, frozen=True, kw_only=True, tag_field="game"):
    """A table as everybody may know it."""

    id: TableId
    name: str | None
    status: Status
    visibility: Literal["public", "private"]
    sandbox: bool
    opened_at: Time
    at: Time
    version: Version
    head: Head
    round: int
    rules_version: int
    seats: list[SeatResource]
    to_act: list[SeatNumber]
    due: DueShown | None
    commitments: dict[str, Head]
    results: list[Any]


class DirectoryEntry(Struct, frozen=True, kw_only=True):
    """A table in the directory; `size` counts its seats, `free` those that nobody has taken."""

    id: TableId
    game: str
    name: str | None
    status: Status
    visibility: Literal["public", "private"]
    sandbox: bool
    size: int
    free: int
    version: Version
    head: Head
    opened_at: Time
    at: Time


class Directory(Struct, frozen=True, kw_only=True):
    """A page of tables, newest first; `next` is the cursor to go on with."""

    items: list[DirectoryEntry]
    next: str | None


class FeedPage(Struct, frozen=True, kw_only=True):
    """A page of the feed; `next` is the last seq as text, null at the head."""

    items: list[Heard]
    next: str | None


class KeyShown(Struct, frozen=True, kw_only=True):
    """An API key, without its secret."""

    id: str
    scopes: tuple[Scope, ...]
    created_at: Time
    expires: Time | None
    revoked: Time | None


class KeyMade(KeyShown, frozen=True, kw_only=True):
    """A new API key; `key` is shown this once."""

    key: TokenText


class KeyList(Struct, frozen=True, kw_only=True):
    """Every API key, newest first."""

    items: list[KeyShown]
    next: None


class Health(Struct, frozen=True):
    """The service's own word on how it is."""

    status: Literal["live", "ready"]


def _camel(game: Game) -> str:
    return game.name.title()


def _tagged(game: Game, name: str, base: type[Struct], *fields: Any, strict: bool = False) -> type[Struct]:
    """A struct like `base` with more fields, tagged with the game's name in `game`."""
    return msgspec.defstruct(
        name + _camel(game),
        fields,
        bases=(base,),
        tag_field="game",
        tag=game.name,
        kw_only=True,
        frozen=True,
        forbid_unknown_fields=strict,
    )


class OpenAsked(Struct, frozen=True, kw_only=True):
    """What a request to open a table says besides its game and rules."""

    seats: Annotated[int, Meta(ge=1, le=SEATS_ASKED_MAX, description="How many play; the rulebook has the bounds.")]
    visibility: Literal["public", "private"] = "public"
    name: Annotated[str, Meta(min_length=1, max_length=TABLE_NAME_LETTERS_MAX)] | None = None
    sandbox: SandboxAsked | None = None


class TableOpened(Written, frozen=True, kw_only=True):
    """A table that was just opened: its resource, the host's token, and a private table's invite."""

    host_token: TokenText
    invite: Invite | msgspec.UnsetType = msgspec.UNSET


def open_asked(game: Game) -> type[Struct]:
    """The request that opens a table of `game`."""
    rules = ("rules", game.rules, msgspec.field(default_factory=game.rules))
    return _tagged(game, "Open", OpenAsked, rules, strict=True)


def table_resource(game: Game) -> type[Struct]:
    """The resource of a table of `game`."""
    return _tagged(game, "Table", TableResource, ("rules", game.rules))


def table_opened(game: Game) -> type[Struct]:
    """The answer to opening a table of `game`: its resource, the lines, the host's token."""
    written = Written.__struct_fields__
    resource = [(f.name, f.type) for f in msgspec.structs.fields(TableResource) if f.name not in written]
    return _tagged(game, "Opened", TableOpened, *resource, ("rules", game.rules))


def view_type(game: Game) -> type[Any]:
    """The struct of the game's view."""
    rules: TableRules = game.rules()
    return type(game.empty_view(rules, game.seats(rules)[0], None))


def moves_of(game: Game) -> Any:
    """What a seat may send to a table of `game`: its moves, and being ready for the next round."""
    return _union([Ready, *game.moves])


def _union(types: list[type[Any]]) -> Any:
    return Union[tuple(types)]  # noqa: UP007 - made from a list


OPEN_ASKED = _union([open_asked(game) for game in GAMES.values()])
TABLE_OPENED = _union([table_opened(game) for game in GAMES.values()])
TABLE_RESOURCE = _union([table_resource(game) for game in GAMES.values()])
MOVES: dict[str, Any] = {game.name: moves_of(game) for game in GAMES.values()}
ANY_MOVE = _union([Ready, *(move for game in GAMES.values() for move in game.moves)])
ANY_VIEW = _union([view_type(game) for game in GAMES.values()])


class View(Struct, frozen=True, kw_only=True):
    """A table as the caller sees it: `seat` is theirs, or null; `view` is the game's own."""

    game: str
    version: Version
    head: Head
    status: Status
    round: int
    to_act: list[SeatNumber]
    due: DueShown | None
    seat: SeatNumber | None
    view: Any


class MoveList(Struct, frozen=True, kw_only=True):
    """The caller's legal moves, each ready to be sent."""

    version: Version
    head: Head
    items: list[Any]
    next: None


class SeatBounds(Struct, frozen=True):
    """How many can play."""

    fewest: int
    most: int


class RulebookSummary(Struct, frozen=True, kw_only=True):
    """A game: its titles by language, the version of its rules, how many play."""

    game: str
    titles: dict[str, str]
    rules_version: int
    seats: SeatBounds
    href: str


class RulebookList(Struct, frozen=True, kw_only=True):
    """Every game."""

    items: list[RulebookSummary]
    next: None


class Clause(Struct, frozen=True):
    """A clause of the rules; refusals name it in `ruling`."""

    id: str
    chapter: str
    text: str


class Rulebook(RulebookSummary, frozen=True, kw_only=True):
    """A game's rules: `rules` and `moves` are JSON Schemas, `pack` the cards in published order."""

    rules: dict[str, Any]
    defaults: dict[str, Any]
    moves: dict[str, Any]
    pack: list[str | int]
    clauses: list[Clause]
