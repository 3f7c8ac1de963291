"""The lines of one table, verified link by link as they are read, and the table as of any of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import msgspec

from domain.game import Event, Game, Move, type_of
from domain.games import GAMES
from domain.gate import folds
from domain.lines import FORMAT, NO_LINE, Entry, Line, decode, entry_of, heading_of, line_hash
from domain.table import events as told
from domain.table import moves as asked
from domain.table import view as seen
from domain.table.evolve import created, evolve
from domain.table.state import Table
from service.terminal.direction import held
from service.terminal.trouble import Exit, Trouble
from service.terminal.words import clean

STRIDE = 64
"""Every so many lines a fold is kept, so that a step back is short."""
S = TypeVar("S")


class Recording:
    """A table's lines up to some version. Sealed ones are there by their hash alone."""

    def __init__(self) -> None:
        self.raw: list[dict[str, Any]] = []
        self.hashes: list[str] = []
        self.entries: list[Entry | None] = []
        self.lines: list[Line | None] = []
        self.game: Game | None = None
        self.id = ""
        self.vouched = False
        """Whether the last line is vouched for too: the others are, by the line that follows each."""
        self._events: dict[str, type[Event]] = {}
        self._moves: dict[str, type[Move]] = {}
        self._views: dict[int | None, _Folds[seen.TableView]] = {}
        self._tables: _Folds[Table] | None = None

    @property
    def version(self) -> int:
        """The seq of the last line."""
        return len(self.raw)

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return int(self.raw[0]["data"]["seats"])

    @property
    def bots(self) -> frozenset[int]:
        """The seats that bots took."""
        sat = (line["data"] for line in self.raw if line.get("type") == "table.seat_taken")
        return frozenset(data["seat"] for data in sat if data.get("bot"))

    def add(self, line: bytes) -> None:
        """Take the next line. Raises Trouble naming the first thing in it that does not hold."""
        seq = self.version + 1
        raw = _object(line, seq)
        if raw.get("seq") != seq:
            raise fault(seq, f"its seq is {raw.get('seq')}, where {seq} must follow")
        if raw.get("sealed") is True:
            self._append(raw, str(raw.get("hash")), None, None)
            return
        try:
            full = decode(line)
        except msgspec.DecodeError as error:
            raise fault(seq, f"it is no event line: {error}") from None
        before = self.hashes[-1] if self.hashes else NO_LINE
        if full.prev != before:
            raise fault(seq, f"it says that the hash of the line before is {full.prev}, and that is {before}")
        if seq == 1:
            self._begin(full)
        if full.v != FORMAT or full.game != self.id:
            raise fault(seq, f"it is of format {full.v} and table {full.game}, not of format {FORMAT} and {self.id}")
        self._append(raw, line_hash(line), full, self._entry(full))

    def vouch(self, head: str) -> None:
        """Check the last line against `head`, the hash that it has elsewhere. Raises Trouble if they differ."""
        last = self.hashes[-1]
        if head != last:
            at = self.hashes.index(head) + 1 if head in self.hashes else None
            hint = f"It is the hash of line {at}: take the head of the last line." if at else ""
            raise Trouble(
                *(Exit.FAULT, f"The lines lead to the head {last}, and not to {head}.", hint),
                he=f"השורות מובילות אל {held(last)}, ולא אל {held(head)}.",
                hint_he=f"זה הגיבוב של שורה {at}: צריך את זה של השורה האחרונה." if at else "",
                line=self.version,
            )
        self.vouched = True

    def _begin(self, line: Line) -> None:
        if line.type != type_of(told.Created):
            raise fault(1, f"a table begins with table.created, not with {line.type}")
        name = line.data.get("game") if isinstance(line.data, dict) else None
        self.game, self.id = GAMES.get(str(name)), line.game
        if self.game is None:
            raise fault(1, f"there is no game {name!r} in this release")
        self._events = {type_of(event): event for event in (*told.EVENTS, *self.game.events)}
        self._moves = {type_of(move): move for move in (*asked.MOVES, *self.game.moves)}

    def _entry(self, line: Line) -> Entry:
        try:
            return entry_of(line, self._events, self._moves)
        except (KeyError, TypeError, msgspec.ValidationError) as error:
            raise fault(line.seq, f"its {line.type} cannot be read: {error}") from None

    def _append(self, raw: dict[str, Any], hash: str, line: Line | None, entry: Entry | None) -> None:
        self.raw.append(raw)
        self.hashes.append(hash)
        self.lines.append(line)
        self.entries.append(entry)

    def sealed(self, version: int) -> int | None:
        """The first sealed line up to `version`, if any."""
        return next((n for n, entry in enumerate(self.entries[:version], start=1) if entry is None), None)

    def view(self, version: int, seat: int | None) -> seen.TableView:
        """What `seat` (None: a spectator) saw as of `version`. The caller knows that its lines are not sealed."""
        if seat not in self._views:
            self._views[seat] = _Folds(self._first_view(seat), lambda view, n: self._see(view, n, seat))
        return self._views[seat].at(version)

    def _first_view(self, seat: int | None) -> seen.TableView:
        assert self.game is not None
        rules = msgspec.convert(self.raw[0]["data"]["rules"], self.game.rules)
        return seen.empty_view(self.game, rules, self.seats, seat)

    def _see(self, view: seen.TableView, version: int, seat: int | None) -> seen.TableView:
        line, entry = self.lines[version - 1], self.entries[version - 1]
        if line is None or entry is None or not folds(heading_of(line), seat):
            return view
        return seen.hear(view, entry)

    def zones(self, version: int) -> dict[str, Any]:
        """Every card where it lay as of `version`. The caller knows that no line up to it is sealed."""
        assert self.game is not None
        if self._tables is None:
            self._tables = _Folds(None, self._evolve)
        table = self._tables.at(version)
        return {zone: list(cards) for zone, cards in self.game.zones(table.state).items()}

    def _evolve(self, table: Table | None, version: int) -> Table:
        entry = self.entries[version - 1]
        assert self.game is not None
        assert entry is not None, f"line {version} is sealed"
        return created(entry, self.id, {self.game.name: self.game}) if table is None else evolve(table, entry)

    def voiced(self, version: int, seat: int | None, *, opened: bool) -> bool:
        """Whether line `version` is told to who looks as `seat` (or at everything)."""
        line = self.lines[version - 1]
        return opened or (line is not None and folds(heading_of(line), seat))


class _Folds(Generic[S]):
    """A fold over lines 1 … n for any n, with every STRIDE-th result kept."""

    def __init__(self, first: Any, step: Callable[[Any, int], S]) -> None:
        self._kept, self._step = [first], step

    def at(self, version: int) -> S:
        """The fold of lines 1 … version."""
        start = min(version // STRIDE, len(self._kept) - 1)
        value = self._kept[start]
        for n in range(start * STRIDE + 1, version + 1):
            try:
                value = self._step(value, n)
            except (AssertionError, LookupError, TypeError, ValueError, msgspec.ValidationError) as error:
                raise fault(n, f"it cannot follow on what came before ({type(error).__name__}: {error})") from None
            if n == len(self._kept) * STRIDE:
                self._kept.append(value)
        return value  # type: ignore[no-any-return]


def read(lines: Iterable[bytes]) -> Recording:
    """The recording of these lines, each without its line end. Raises Trouble at the first that does not hold."""
    recording = Recording()
    for line in lines:
        recording.add(line)
    if not recording.version:
        raise Trouble(Exit.FAULT, "There is no line in it.", he="אין בזה אף שורה.")
    return recording


def _object(line: bytes, seq: int) -> dict[str, Any]:
    try:
        raw = json.loads(line)
    except ValueError:
        raise fault(seq, "it is no JSON") from None
    if not isinstance(raw, dict):
        raise fault(seq, "it is no JSON object")
    return raw


def fault(seq: int, reason: str) -> Trouble:
    """The end of reading at a line that does not hold."""
    hint = "The lines before it hold. Get the record again; if it stays so, it is not what the service wrote."
    he = f"שורה {seq} אינה עומדת בבדיקה: {held(clean(reason))}."
    hint_he = "השורות שלפניה תקינות. הורידו את הרשומה שוב; אם זה נשאר, לא השירות כתב אותה."
    return Trouble(Exit.FAULT, f"Line {seq} does not verify: {reason}.", hint, he=he, hint_he=hint_he, line=seq)
