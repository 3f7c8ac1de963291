"""How each event changes a table: `evolve` refuses nothing, and raises on an impossible history."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from domain.fair import Dice, round_key
from domain.game import Event, Game, Secret, TimedOut, Whisper, type_of, voids
from domain.lines import Entry
from domain.table import events as told
from domain.table.state import Between, Ended, Open, Playing, Seat, Stretch, Table, Voided, fleeting_tags, in_play
from domain.table.voiding import undone
from domain.times import deadline
from domain.tokens import Books, booked


def created(entry: Entry, table_id: str, games: Mapping[str, Game]) -> Table:
    """The table that its first line opens."""
    event = entry.event
    assert isinstance(event, told.Created), f"a table begins with table.created, not {type_of(event)}"
    game = games[event.game]
    rules = msgspec.convert(event.rules, game.rules)
    state = game.initial(rules, event.seats)
    return Table(
        id=table_id,
        game=game,
        rules=rules,
        size=event.seats,
        visibility=event.visibility,
        sandbox=event.sandbox,
        version=entry.seq,
        at=entry.at,
        command=entry.seq,
        seats=(None,) * event.seats,
        phase=Open(),
        state=state,
        fleeting=fleeting_tags(game, rules),
    )


def evolve(table: Table, entry: Entry) -> Table:
    """The table after `entry`. Never refuses; raises on an impossible history."""
    event = entry.event
    assert entry.seq == table.version + 1, f"line {entry.seq} after {table.version}"
    of_game = not type_of(event).startswith("table.")
    table = replace(
        table,
        version=entry.seq,
        at=entry.at,
        command=entry.seq if entry.move is not None else table.command,
        seats=_heard_from(table, entry),
        shown=_still_shown(table, entry) if table.shown else (),
        state=table.game.evolve(table.state, event) if of_game else table.state,
    )
    if isinstance(event, Whisper | Secret):
        table = _hid(table, entry)
    elif transfers := getattr(event, "transfers", ()):
        table = replace(table, books=booked(table.books, entry.seq, transfers))
    if not of_game:
        return _evolve_table(table, event)
    return _missed(table, event.seat) if isinstance(event, TimedOut) else table


def _heard_from(table: Table, entry: Entry) -> tuple[Seat | None, ...]:
    """A seat that gives a command is no longer absent."""
    if entry.move is None or not entry.by.startswith("seat:"):
        return table.seats
    n = int(entry.by[5:])
    seat = table.seats[n]
    return _with(table.seats, n, replace(seat, misses=0)) if seat and seat.misses else table.seats


def _missed(table: Table, n: int) -> Table:
    seat = table.seats[n]
    assert seat is not None, f"the clock of the empty seat {n} ran out"
    return replace(table, seats=_with(table.seats, n, replace(seat, misses=seat.misses + 1)))


def _still_shown(table: Table, entry: Entry) -> tuple[tuple[int, int], ...]:
    """G-06: a look ends with its seat's next command, the clock's move for that seat, or its phase.

    The end of a phase spares looks given by that same command: who looks last must see it too.
    """
    event, shown = entry.event, table.shown
    if entry.move is not None and entry.by.startswith("seat:"):
        shown = tuple(look for look in shown if look[1] != int(entry.by[5:]))
    if isinstance(event, TimedOut):
        shown = tuple(look for look in shown if look[1] != event.seat)
    if event.ends_showing:
        shown = tuple(look for look in shown if look[0] >= table.command and entry.move is None)
    return shown


def _hid(table: Table, entry: Entry) -> Table:
    """A hidden line joins the chain of its round, and a look those still shown."""
    assert entry.round is not None, f"line {entry.seq} is hidden and belongs to no round"
    older = table.hidden.get(entry.round)
    joined = older is not None and older[2] == entry.seq - 1
    stretch: Stretch = (older[0], older[1], entry.seq) if joined and older else (older, entry.seq, entry.seq)
    shown = table.shown
    if isinstance(entry.event, Whisper) and type_of(entry.event) in table.fleeting:
        shown = (*shown, (entry.seq, entry.event.to))
    return replace(table, hidden={**table.hidden, entry.round: stretch}, shown=shown)


def _evolve_table(table: Table, event: Event) -> Table:
    """The table's own part of an event of its own, then the game's if it wants to hear it."""
    after = _by_tag(table, event)
    if type_of(event) in table.game.hears:
        return replace(after, state=table.game.evolve(table.state, event))
    return after


def _by_tag(table: Table, event: Event) -> Table:
    match event:
        case told.SeedDrawn(server_seed=seed, decks=decks):
            coming = table.round + 1
            first = (table.scripted_seed or seed) if table.sandbox else ""
            return replace(table, seeds={**table.seeds, coming: seed}, decks=decks or table.decks, scripted_seed=first)
        case told.RoundCommitted(round=n, commitment=text):
            return replace(table, commitments={**table.commitments, str(n): text})
        case told.SeatTaken(seat=n, player=player, bot=bot, seed=own):
            return replace(table, seats=_with(table.seats, n, Seat(player, bot, own)))
        case told.SeatFreed(seat=n):
            return replace(table, seats=_with(table.seats, n, None))
        case told.SeatLeft(seat=n):
            return _left(table, n)
        case told.SeatReadied(seat=n, seed=own):
            return _readied(table, n, own)
        case told.TransfersReversed():
            return table
        case told.LastRoundCalled():
            return _called(table)
        case told.RoundStarted():
            return _started(table, event)
        case told.RoundEnded(round=n, result=result, seats=awaited):
            table = _opened(table, event, ended=frozenset({n}))
            return _rested(replace(table, played=table.played + 1, results=(*table.results, result)), awaited)
        case told.RoundVoided(round=n):
            return _round_voided(_opened(table, event, ended=frozenset({n})), n)
        case told.Ended() | told.Voided():
            over = Ended() if isinstance(event, told.Ended) else Voided()
            return replace(_opened(table, event, ended=frozenset(table.seeds)), phase=over)
        case _:
            raise AssertionError(f"{type_of(event)} after line {table.version - 1}")


def _with(seats: tuple[Seat | None, ...], n: int, seat: Seat | None) -> tuple[Seat | None, ...]:
    return (*seats[:n], seat, *seats[n + 1 :])


def _left(table: Table, n: int) -> Table:
    seat = table.seats[n]
    assert seat is not None, f"the empty seat {n} left"
    table = replace(table, seats=_with(table.seats, n, replace(seat, left=True)))
    if isinstance(table.phase, Between):
        awaited = tuple(m for m in table.phase.awaited if m != n)
        ready = tuple(m for m in table.phase.ready if m != n)
        return replace(table, phase=Between(awaited, ready, table.phase.due))
    return table


def _readied(table: Table, n: int, own: str | None) -> Table:
    seat, phase = table.seats[n], table.phase
    assert seat is not None, f"the empty seat {n} is ready"
    assert isinstance(phase, Between), f"seat {n} is ready in mid-round"
    ready = tuple(sorted((*phase.ready, n)))
    seats = _with(table.seats, n, replace(seat, seed=own))
    return replace(table, seats=seats, phase=Between(phase.awaited, ready, phase.due))


def _called(table: Table) -> Table:
    """The next dealt round is the last; calling again puts nothing off (G-08)."""
    table = replace(table, called_at=table.called_at or table.version)
    if type_of(told.LastRoundCalled()) in table.game.hears:
        return replace(table, called=True)
    coming = table.played + (2 if isinstance(table.phase, Playing) else 1)
    return replace(table, called=True, last=table.last or coming)


def _started(table: Table, event: told.RoundStarted) -> Table:
    """The round's dice are thrown: the server's seed with every seat's; seat seeds count for one round (G-04)."""
    own = {n: seat.seed if seat else None for n, seat in enumerate(table.seats)}
    return replace(
        table,
        round=event.round,
        creator=event.creator,
        phase=Playing(),
        before=None if voids(table.game) else table.state,
        books=Books(table.books.balances),
        called=False,
        dice=Dice(round_key(table.id, event.round, bytes.fromhex(table.seeds[event.round]), own)),
        seats=tuple(replace(seat, seed=None) if seat else None for seat in table.seats),
    )


def _opened(
    table: Table, event: told.RoundEnded | told.RoundVoided | told.Ended | told.Voided, ended: frozenset[int]
) -> Table:
    """A round's end opens exactly the rounds whose seeds it reveals (G-05), and ends every look (G-06)."""
    rounds = frozenset(int(n) for n in event.seeds)
    return replace(
        table,
        opened=table.opened | rounds,
        ended=table.ended | ended,
        hidden={n: stretch for n, stretch in table.hidden.items() if n not in rounds},
        seeds={n: seed for n, seed in table.seeds.items() if n not in rounds},
        shown=(),
    )


def _rested(table: Table, awaited: tuple[int, ...]) -> Table:
    return replace(table, phase=Between(awaited, (), deadline(table.at, table.rules.ready_timeout_s)))


def _round_voided(table: Table, n: int) -> Table:
    """Results, dealer and totals return to what they were before that deal (G-11)."""
    if isinstance(table.phase, Between):
        table = replace(table, played=table.played - 1, results=table.results[:-1])
    assert n == table.round, f"round {n} voided in round {table.round}"
    last = table.played + 1 if table.called and table.last else table.last
    state = table.state
    if not voids(table.game):
        left = (seat for seat, sitter in enumerate(table.seats) if sitter and sitter.left)
        state = undone(table.game, table.game.evolve, table.before, left, called=table.called)
    return _rested(replace(table, state=state, voided=table.voided | {n}, last=last), in_play(table))
