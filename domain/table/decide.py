"""What a table answers to a command: the events that follow and the table after them, or a refusal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.fair import commitment
from domain.game import Card, Deal, DeckInvalid, Due, Event, Game, Move, Refused, RulesInvalid, Secret, Whisper, type_of
from domain.lines import Entry
from domain.table import events as told
from domain.table import moves as asked
from domain.table.state import (
    Between,
    Ended,
    Open,
    Playing,
    Stretch,
    Table,
    Voided,
    created,
    evolve,
    in_play,
    is_absent,
    stretches,
)

HOST, TABLE = "host", "table"


class Step(Struct, frozen=True):
    """An accepted command: the entries it adds, and the table after them."""

    entries: tuple[Entry, ...]
    table: Table


class Recording:
    """The events of one command, each folded as it is told, so that the next can depend on it."""

    def __init__(self, table: Table, by: str, move: Move, at: str) -> None:
        self.table, self.by, self.move, self.at = table, by, move, at
        self.entries: list[Entry] = []

    def tell(self, *events: Event, round_: int | None = None) -> None:
        """Add events in order; hidden ones open with `round_`, or else with the running round."""
        for event in events:
            hidden = isinstance(event, Whisper | Secret)
            first = not self.entries
            assert not first or hidden == self.move.hidden, f"{type_of(event)} begins a command"
            entry = Entry(
                seq=self.table.version + 1,
                at=self.at,
                by=self.by,
                event=event,
                round=(round_ or self.table.round) if hidden else None,
                move=self.move if first else None,
            )
            self.entries.append(entry)
            self.table = evolve(self.table, entry)

    def step(self) -> Step:
        """What was recorded."""
        assert self.entries, f"{type_of(self.move)} told nothing"
        return Step(tuple(self.entries), self.table)


def open_table(table_id: str, move: asked.Create, at: str, games: Mapping[str, Game]) -> Step:
    """A new table. Raises RulesInvalid for rules that make no game; `move.rules` already has their type."""
    game = games[move.game]
    fewest, most = game.seats(move.rules)
    if not fewest <= move.seats <= most:
        raise RulesInvalid("seats", f"{game.name} is played by {fewest} to {most} under these rules")
    game.check(move.rules, move.seats)
    rules = plain(move.rules)
    event = told.Created(move.game, game.rules_version, rules, move.seats, move.visibility, move.sandbox)
    spelled = asked.Create(move.game, rules, move.seats, move.visibility, move.sandbox)
    entry = Entry(seq=1, at=at, by=HOST, event=event, move=spelled)
    return Step((entry,), created(entry, table_id, games))


def plain(value: Any) -> Any:
    """A struct as the JSON types that its line gives back, so that a replay holds equal values."""
    return msgspec.json.decode(msgspec.json.encode(value))


def owes_commit(table: Table) -> int | None:
    """The round whose seed the table must draw next, in the same transaction as the command before (G-04)."""
    coming = table.round + 1
    running = isinstance(table.phase, Open | Playing | Between)
    return coming if running and coming not in table.seeds else None


def check_decks(game: Game, rules: Any, seats: int, decks: Iterable[tuple[Card, ...]]) -> None:
    """Raises DeckInvalid unless each sandbox deck is the game's pack in some order (G-14)."""
    pack = Counter(game.pack(rules, seats))
    for number, deck in enumerate(decks, start=1):
        if Counter(deck) != pack:
            raise DeckInvalid(f"deck {number} is not the {pack.total()} cards of {game.name}'s pack in some order")


def due(table: Table) -> Due | None:
    """What the table must do next and when; for absent seats at once (G-07, G-09)."""
    match table.phase:
        case Playing():
            found = table.game.due(table.state)
            if found is None:
                return None
            absent = tuple(n for n in found.seats if is_absent(table, n))
            if absent:
                return Due(table.at, found.what, absent)
            return found if found.at else None
        case Between(due=at):
            ready = Due(at, "round") if at and _anybody_there(table) and not table.game.blocked(table.state) else None
            return _sooner(ready, table.game.due(table.state))
        case _:
            return None


def _sooner(ready: Due | None, own: Due | None) -> Due | None:
    """Between rounds the next round, or what the game itself owes if that comes first (H-22)."""
    if own is None or own.at is None:
        return ready
    return own if ready is None or ready.at is None or own.at <= ready.at else ready


def awaited(table: Table) -> tuple[int, ...]:
    """The seats that the table waits for, clock or no clock, ascending."""
    match table.phase:
        case Playing():
            found = table.game.due(table.state)
            return found.seats if found else ()
        case Between(awaited=seats, ready=ready):
            return tuple(n for n in seats if n not in ready)
        case _:
            return ()


def _anybody_there(table: Table) -> bool:
    """G-09: with every seat in play that is not a bot absent, the clock starts no round."""
    people = [n for n in in_play(table) if (seat := table.seats[n]) and not seat.bot]
    return any(not is_absent(table, n) for n in people)


def decide(table: Table, by: str, move: Move, at: str) -> Step:
    """The step that `move` by `by` (`host`, `table`, `seat:<n>`, `referee:<key>`) takes, or raises Refused."""
    assert at >= table.at, f"{at} lies before {table.at}"
    recording = Recording(table, by, move, at)
    match table.phase, move:
        case ((Ended() | Voided()), _):
            raise Refused("G-12", "this table is over")
        case _, asked.Commit():
            _commit(recording, move)
        case Open(), asked.Sit():
            _sit(recording, move)
        case Open(), asked.Leave(seat=n):
            _free(recording, n)
        case Open(), asked.Start():
            _start(recording)
        case Open(), asked.Void():
            recording.tell(told.Voided(*_everything(table, extra=1)))
        case _, asked.Void() if by != HOST:
            recording.tell(told.Voided(*_everything(table, extra=1)))
        case ((Playing() | Between()), asked.Leave(seat=n)):
            _leave(recording, n)
        case Between() as phase, asked.Ready(seed=seed):
            _ready(recording, phase, seed)
        case ((Playing() | Between()), asked.Act()):
            _act(recording)
        case ((Playing() | Between()), asked.VoidRound()):
            _void_round(recording)
        case _, asked.CallLastRound():
            _call_last_round(recording)
        case ((Playing() | Between()), _) if not type_of(move).startswith("table."):
            _play(recording, move)
        case _:
            raise Refused("G-02", _wrong_time(table, move))
    return recording.step()


def _wrong_time(table: Table, move: Move) -> str:
    match table.phase:
        case Open():
            return f"{type_of(move)} has to wait until the table has started"
        case Playing():
            return f"{type_of(move)} is not open while a round is played"
        case _:
            return f"{type_of(move)} is not open between rounds"


def _commit(recording: Recording, move: asked.Commit) -> None:
    table = recording.table
    assert move.round == owes_commit(table), f"round {move.round} is not the one to commit"
    recording.tell(told.SeedDrawn(move.server_seed, move.decks), round_=move.round)
    text = commitment(table.id, move.round, bytes.fromhex(move.server_seed))
    recording.tell(told.RoundCommitted(move.round, text))


def _sit(recording: Recording, move: asked.Sit) -> None:
    table = recording.table
    if not 0 <= move.seat < table.size:
        raise Refused("G-02", f"this table has the seats 0 to {table.size - 1}")
    if table.seats[move.seat]:
        raise Refused("G-02", f"seat {move.seat} is taken")
    if any(seat and seat.player == move.player for seat in table.seats):
        raise Refused("G-15", "this player already sits at this table")
    recording.tell(told.SeatTaken(move.seat, move.player, move.bot, move.seed))


def _free(recording: Recording, n: int) -> None:
    if not (0 <= n < recording.table.size and recording.table.seats[n]):
        raise Refused("G-02", f"nobody sits at seat {n}")
    recording.tell(told.SeatFreed(n))


def _start(recording: Recording) -> None:
    free = [n for n, seat in enumerate(recording.table.seats) if seat is None]
    if free:
        raise Refused("G-02", f"still free: seat {', '.join(map(str, free))}")
    blocked = recording.table.game.blocked(recording.table.state)
    if blocked:
        raise Refused("G-02", f"a round cannot start yet: seat {', '.join(map(str, blocked))} must act first")
    _next_round(recording)


def _next_round(recording: Recording) -> None:
    """Deal the next round to the seats in play, from its deck and dice."""
    table = recording.table
    number, seats = table.round + 1, in_play(table)
    creator = table.creator if table.round and table.creator in seats else min(seats)
    recording.tell(told.RoundStarted(number, seats, creator))
    table = recording.table
    pack = table.game.pack(table.rules, table.size)
    scripted = table.decks[number - 1] if number <= len(table.decks) else None
    deck = scripted or table.dice.shuffle("deck", pack)
    deal = Deal(number, seats, deck, table.dice, recording.at, creator, table.sandbox)
    recording.tell(*table.game.deal(table.state, deal))
    _settle(recording)


def _play(recording: Recording, move: Move) -> None:
    """A move of the game itself, which also hears those between rounds."""
    table, seat = recording.table, _seat_of(recording)
    recording.tell(*table.game.decide(table.state, seat, move, recording.at, table.dice))
    _settle(recording)


def _seat_of(recording: Recording) -> int:
    assert recording.by.startswith("seat:"), f"{recording.by} plays no cards"
    n = int(recording.by[5:])
    sitter = recording.table.seats[n]
    assert sitter is not None, f"nobody sits at seat {n}"
    if sitter.left:
        raise Refused("G-09", "you have left this table")
    return n


def _ready(recording: Recording, phase: Between, seed: str | None) -> None:
    n = _seat_of(recording)
    if n not in phase.awaited:
        raise Refused("G-09", "this seat is out for good")
    if n in phase.ready:
        raise Refused("G-02", "you are ready already")
    recording.tell(told.SeatReadied(n, seed))
    _settle(recording)


def _leave(recording: Recording, n: int) -> None:
    """Leaving ends that seat's play; with fewer than two seats left the table ends after the round (G-09)."""
    table = recording.table
    sitter = table.seats[n] if 0 <= n < table.size else None
    if sitter is None or sitter.left:
        raise Refused("G-09", f"nobody plays at seat {n}")
    recording.tell(told.SeatLeft(n))
    recording.tell(*table.game.leave(recording.table.state, n, recording.at, recording.table.dice))
    _settle(recording)


def _act(recording: Recording) -> None:
    """Do what is due; a call that comes too early, too late or twice finds nothing to do."""
    table = recording.table
    found = due(table)
    if found is None or found.at is None or found.at > recording.at:
        raise Refused("G-07", "nothing is due")
    if isinstance(table.phase, Between) and found.what == "round":
        _next_round(recording)
        return
    recording.tell(*table.game.when_due(table.state, found, recording.at, table.dice))
    _settle(recording)


def _settle(recording: Recording) -> None:
    """End the round when it is over, the table when no round can follow; start the next when all are ready."""
    table = recording.table
    match table.phase:
        case Playing():
            result = table.game.over(table.state)
            if result is not None:
                seeds, opened = _round(table, table.round)
                recording.tell(told.RoundEnded(table.round, plain(result), in_play(table), seeds, opened))
                _end_if_over(recording)
        case Between() as phase:
            _end_if_over(recording)
            still = recording.table.phase
            everybody = isinstance(still, Between) and set(phase.awaited) <= set(phase.ready)
            if everybody and not table.game.blocked(table.state):
                _next_round(recording)
        case _:
            pass


def _end_if_over(recording: Recording) -> None:
    table = recording.table
    limit = table.rules.rounds
    ends: tuple[tuple[Callable[[], bool], Any], ...] = (
        (lambda: limit is not None and table.played >= limit, "rounds"),
        (lambda: table.game.finished(table.state), "finished"),
        (lambda: len(in_play(table)) < 2, "abandoned"),  # noqa: PLR2004 - one seat cannot play
    )
    reason = next((reason for over, reason in ends if over()), None)
    if reason:
        recording.tell(told.Ended(reason, *_everything(table, extra=1)))


def _call_last_round(recording: Recording) -> None:
    table = recording.table
    if table.rules.rounds is not None:
        raise Refused("G-08", "the number of rounds is fixed at this table")
    recording.tell(told.LastRoundCalled())


def _void_round(recording: Recording) -> None:
    """Only the running round, or the last one before the next deal, can be voided, and only once (G-11)."""
    table = recording.table
    if table.round in table.voided:
        raise Refused("G-11", "this round was voided already")
    closed = table.round in table.hidden and table.rules.unseal == "round"
    seeds, opened = _round(table, table.round) if closed else ({}, ())
    recording.tell(told.RoundVoided(table.round, seeds, opened))


def _round(table: Table, number: int) -> tuple[told.Seeds, told.Ranges]:
    """The seed and the hidden lines that round `number` opens now (G-05)."""
    if table.rules.unseal == "table_end":
        return {}, ()
    return {str(number): table.seeds[number]}, stretches(table.hidden.get(number))


def _everything(table: Table, extra: int) -> tuple[int, told.Seeds, told.Ranges]:
    """The count of lines with `extra` more, and whatever is still closed, for the ending line."""
    hidden: Mapping[int, Stretch] = table.hidden
    ranges = sorted(stretch for chain in hidden.values() for stretch in stretches(chain))
    seeds = {str(number): seed for number, seed in sorted(table.seeds.items())}
    return table.version + extra, seeds, tuple(ranges)
