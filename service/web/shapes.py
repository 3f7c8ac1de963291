"""The JSON that calls take and give, as types: requests are decoded with them, and the document is made from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.games import GAMES
from domain.table.moves import Seed

PLAYER_LETTERS_MAX = 64
TABLE_NAME_LETTERS_MAX = 100
SEATS_ASKED_MAX = 1_000
DECKS_MAX = 100
DECK_CARDS_MAX = 1_000

TableId = Annotated[
    str, Meta(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", description="A table: a UUID of version 7.")
]
Version = Annotated[int, Meta(ge=0, le=2**53 - 1, description="Number of lines so far: the seq of the last one.")]
Head = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="Hash of the table's last line.")]
Time = Annotated[
    str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\Z", description="RFC 3339, UTC, six decimals.")
]
SeatNumber = Annotated[int, Meta(ge=0, le=SEATS_ASKED_MAX - 1)]
PlayerLabel = Annotated[
    str,
    Meta(min_length=1, max_length=PLAYER_LETTERS_MAX, description="The key's own label for a person; absent: a guest."),
]
Invite = Annotated[str, Meta(min_length=1, max_length=128, description="The invite of a private table.")]
TokenText = Annotated[str, Meta(pattern=r"^kupa_(key|host|seat)_[0-9a-f-]{1,36}_[0-9a-f]{48}\Z")]
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
    server_seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")] = "00" * 32


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


Marked = Annotated[bool, Meta(description="True at a sandbox table, left out elsewhere.")] | msgspec.UnsetType
"""G-14: sandbox tables are marked in every answer."""


class Written(Struct, frozen=True, kw_only=True):
    """What a write did: the table's version and head after it, and its lines as the caller hears them."""

    version: Version
    head: Head
    events: list[Heard]
    sandbox: Marked = msgspec.UNSET


class GrabAnswered(Struct, frozen=True):
    """The one final answer of a grab, and the outcome that the judging line tells of it."""

    answer: Literal["won", "lost", "late", "foul", "void"]
    outcome: Annotated[str, Meta(max_length=32)]


class Moved(Written, frozen=True, kw_only=True):
    """A move made; a grab (Totem) is answered when it is judged, its lines are those of the judgement."""

    grab: GrabAnswered | msgspec.UnsetType = msgspec.UNSET


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


class HeardAt(Struct, frozen=True, kw_only=True):
    """What a seat had heard when the table came to `version`."""

    version: Version
    events: list[Heard]


class History(Struct, frozen=True, kw_only=True):
    """A page of what a seat had heard, command by command; `next` is its last version as text, null at the end."""

    items: list[HeardAt]
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
    sandbox: Marked = msgspec.UNSET


class MoveList(Struct, frozen=True, kw_only=True):
    """The caller's legal moves, each ready to be sent."""

    version: Version
    head: Head
    items: list[Any]
    next: None
    sandbox: Marked = msgspec.UNSET
