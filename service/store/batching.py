"""Which units go into one transaction, and what became of each: the pure part of group commit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from eventsourcing.persistence import InterfaceError, OperationalError

from service.store.port import KeyTaken, LinesTaken, Unavailable, Unit, Unsettled
from service.store.rows import GrabRow, IdempotencyRow, StoredLine, TokenRow
from service.store.side_rows import ends_play

BATCH_MAX = 256
NO_TRACKING = "this recorder keeps no tracking records; a follower has a tracking recorder of its own"


class Unreached(OperationalError):
    """The database took nothing from us: no connection, or a lock that was not given. Nothing was written."""


class Waiting(Protocol):
    """Something queued that holds a unit."""

    @property
    def unit(self) -> Unit: ...


W = TypeVar("W", bound=Waiting)
Fate = Exception | None
"""None: committed. Else what its sender is told; then nothing of the unit was written."""


def next_batch(waiting: Iterable[W], most: int = BATCH_MAX) -> list[W]:
    """The longest-waiting first, at most one of a table (the next was decided on what this one did; not so grabs).

    Nor two with one idempotency key: the second would make the whole batch fail. Who is passed over holds up
    those behind it at its own table only.
    """
    batch: list[W] = []
    tables: set[str] = set()
    keys: set[tuple[str, str]] = set()
    for one in waiting:
        row = one.unit.idempotency
        key = None if row is None else (row.caller, row.key)
        if (one.unit.grabs or one.unit.game not in tables) and key not in keys:
            batch.append(one)
        if not one.unit.grabs:
            tables.add(one.unit.game)
        if key is not None:
            keys.add(key)
        if len(batch) == most:
            break
    return batch


class Database(Protocol):
    """What settling needs of a database, from the committer's thread."""

    def write(self, units: Sequence[Unit]) -> None:
        """All of them in one transaction, or none and an error of eventsourcing's."""

    def stored(self, game: str, first: int, last: int) -> list[StoredLine]:
        """The table's lines from seq first to last."""

    def used(self, caller: str, key: str) -> IdempotencyRow | None:
        """The idempotency row of this key."""

    def token(self, token_id: str) -> TokenRow | None:
        """The token's row."""

    def player(self, key: str, label: str) -> str | None:
        """The player behind this label of that key."""

    def grab(self, grab_id: str) -> GrabRow | None:
        """The grab's row, while it lies undecided."""

    def grabs(self, game: str) -> list[GrabRow]:
        """The table's grabs that lie undecided."""

    def ended(self, game: str, after: int) -> bool:
        """Whether play has ended by a line after that one."""


def settle(database: Database, units: Sequence[Unit]) -> list[Fate]:
    """Commit the units, and say of each what became of it; one at fault never fails another.

    When the connection breaks, nobody knows whether the transaction went through. Then all are sent once more:
    the second transaction waits for the locks of the first, so it either goes through, or finds our own lines.
    """
    try:
        return _settle(database, units)
    except Unreached as fault:
        return [Unavailable(str(fault)) for _ in units]
    except (OperationalError, InterfaceError):
        pass
    try:
        return _settle(database, units)
    except (OperationalError, InterfaceError) as fault:
        return [Unsettled(str(fault)) for _ in units]


def _settle(database: Database, units: Sequence[Unit]) -> list[Fate]:
    try:
        database.write(units)
    except (OperationalError, InterfaceError):
        raise
    except Exception as fault:  # noqa: BLE001  (whatever one unit's rows do must not reach the others)
        return _sort_out(database, units, fault)
    return [None for _ in units]


def _sort_out(database: Database, units: Sequence[Unit], fault: Exception) -> list[Fate]:
    """The batch was refused: judge whom the database speaks against, and commit the rest."""
    judged = {
        place: fate for place, unit in enumerate(units) if not isinstance(fate := judge(database, unit), Unjudged)
    }
    rest = [place for place in range(len(units)) if place not in judged]
    if rest == [0] and len(units) == 1:
        return [fault]  # nobody else's doing: a wrong row, a wrong program
    # With nobody judged the fault lies in the rows themselves: halve until it is alone.
    half = len(rest) if judged else len(rest) // 2
    for part in (rest[:half], rest[half:]):
        if part:
            judged |= zip(part, _settle(database, [units[place] for place in part]), strict=True)
    return [judged[place] for place in range(len(units))]


class Unjudged:
    """The database holds nothing that speaks for or against the unit."""


def judge(database: Database, unit: Unit) -> Fate | Unjudged:
    """What the database says of a refused unit: it is there already (None), another took its place, or nothing."""
    used = None
    if unit.idempotency is not None:
        used = database.used(unit.idempotency.caller, unit.idempotency.key)
    # Asked before the lines: whoever takes a grab away meanwhile leaves lines in its place, where ours should be.
    left = ends_play(unit) and any(grab.id not in unit.judged for grab in database.grabs(unit.game))
    stored = database.stored(unit.game, unit.lines[0].seq, unit.lines[-1].seq) if unit.lines else []
    # Another process may have written the same public lines in the same microsecond; it has no row equal to ours.
    if tuple(stored) == unit.lines and used == unit.idempotency and _leaves_a_mark(database, unit):
        return None
    if used is not None:
        return KeyTaken(f"{used.caller} used this key for lines {used.first} to {used.last}")
    if stored:
        return LinesTaken(f"lines {unit.lines[0].seq} to {unit.lines[-1].seq} of {unit.game} are taken")
    # The lines of ours name a player of our making; somebody else gave this label another one meanwhile.
    if any(database.player(row.key, row.label) not in {None, row.player} for row in unit.players):
        return LinesTaken("another request made a player for this label; look it up again")
    if any(database.ended(unit.game, grab.version) for grab in unit.grabs):
        return LinesTaken("play has ended since this grab was accepted")
    if left:
        return LinesTaken("grabs came that this end of play does not know of")
    return Unjudged()


def _leaves_a_mark(database: Database, unit: Unit) -> bool:
    """Whether finding the unit's rows proves that it was written: it has lines, a key, or rows that are there."""
    if unit.lines or unit.idempotency is not None:
        return True
    if unit.grabs:
        return all(database.grab(grab.id) == grab for grab in unit.grabs)
    return bool(unit.tokens) and all(database.token(token.id) == token for token in unit.tokens)
