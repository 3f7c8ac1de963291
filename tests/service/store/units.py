"""Units for the store's tests: real lines of real events, with every kind of side row."""

from typing import Any
from uuid import UUID, uuid4

from msgspec.structs import replace

from domain.game import type_of
from domain.lines import NO_LINE, Entry, encode, line_hash
from domain.table.events import SeatReadied
from service.store.port import Unit
from service.store.rows import (
    DirectoryRow,
    GrabRow,
    IdempotencyRow,
    LedgerRow,
    OutboxRow,
    PlayerRow,
    SeatRow,
    StoredLine,
    TokenRow,
)

AT = "2026-11-30T10:00:00.000000Z"
LATER = "2026-11-30T10:00:01.000000Z"


def new_game() -> str:
    return str(uuid4())


def lines_of(game: str, first: int, count: int = 1, *, prev: str = NO_LINE, seed: str | None = None):
    """So many chained lines from seq `first`; another `seed` gives other bytes."""
    lines = []
    for seq in range(first, first + count):
        event = SeatReadied(seq % 4, seed)
        line = encode(Entry(seq, AT, "seat:1", event), game, prev, "")
        lines.append(StoredLine(seq, type_of(event), line))
        prev = line_hash(line)
    return tuple(lines)


def key_row(game: str, key: str, first: int = 1, last: int = 1, **changes: Any) -> IdempotencyRow:
    row = IdempotencyRow(f"seat:{game}:1", key, "f" * 64, game, 200, first, last, AT)
    return replace(row, **changes)


def directory_row(game: str, version: int = 1, **changes: Any) -> DirectoryRow:
    row = DirectoryRow(
        game=game,
        kind="shithead",
        status="open",
        visibility="public",
        sandbox=False,
        owner="k1",
        name=None,
        invite=None,
        seats=4,
        free=3,
        version=version,
        head="0" * 64,
        opened_at=AT,
        at=AT,
    )
    return replace(row, **changes)


def grab_row(game: str, name: str, seat: int = 1, **changes: Any) -> GrabRow:
    row = GrabRow(name, game, seat, AT, 7, 12, 245, 30, b'{"type":"totem.grab","reveal":3}')
    return replace(row, **changes)


def full_unit(game: str, first: int = 1, count: int = 3) -> Unit:
    """A unit with something in every table; its ids follow from the game, so that it can be made twice."""
    last = first + count - 1
    mark = f"{UUID(game).hex}{first}"
    return Unit(
        game=game,
        at=AT,
        lines=lines_of(game, first, count),
        idempotency=key_row(game, f"key-{mark}", first, last, extra=b'{"seat":1}'),
        directory=directory_row(game, last, name="שולחן", due_at=LATER, bot_to_act=True),
        tokens=(TokenRow(f"t{mark}", "seat", "d" * 64, "k1", AT, game, 1, ("seat", "play")),),
        players=(PlayerRow("k1", f"label-{mark}", f"p{mark}"),),
        seats=(SeatRow(game, 1, "k1", f"p{mark}", f"t{mark}", first),),
        ledger=(LedgerRow(game, first, 0, 1, "bank", "seat:1", 60, "opening", "K-20", -60, 60),),
        outbox=(OutboxRow("ended", game, b'{"seq":1}'),),
        grabs=(grab_row(game, f"g{mark}"),),
    )
