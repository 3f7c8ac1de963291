"""What a table answers to a command: the events that follow and the table after them, or a refusal."""

from __future__ import annotations

from domain.fair import commitment
from domain.game import Move, Refused, type_of
from domain.table import events as told
from domain.table import moves as asked
from domain.table.due import due
from domain.table.opening import HOST, TABLE, owes_commit
from domain.table.recording import Recording, Step
from domain.table.rounds import everything, next_round, round_opening, settle
from domain.table.state import Between, Ended, Open, Playing, Table, Voided
from domain.tokens import Transfer, account_undone, round_undone, seat_account

REVERSALS_IN_A_LINE_MAX = 400
"""A line has 65,535 bytes, and a reversal takes at most 140 of them."""


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
        case Open(), asked.Start(creator=creator):
            _start(recording, creator)
        case Open(), _ if type(move) in table.game.anytime:
            _play(recording, move)
        case Open(), asked.Void():
            recording.tell(told.Voided(*everything(table, extra=1)))
        case _, asked.Void() if by != HOST:
            recording.tell(told.Voided(*everything(table, extra=1)))
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
    back = _given_back(recording, account_undone(recording.table.books, seat_account(n), "G-02"))
    recording.tell(told.SeatFreed(n, back))


def _start(recording: Recording, creator: int | None) -> None:
    free = [n for n, seat in enumerate(recording.table.seats) if seat is None]
    if free:
        raise Refused("G-02", f"still free: seat {', '.join(map(str, free))}")
    blocked = recording.table.game.blocked(recording.table.state)
    if blocked:
        raise Refused("G-02", f"a round cannot start yet: seat {', '.join(map(str, blocked))} must act first")
    next_round(recording, creator)


def _play(recording: Recording, move: Move) -> None:
    """A move of the game itself, which also hears those between rounds."""
    table = recording.table
    if type(move) in table.game.table_moves or type(move) in table.game.referee_moves:
        _referee_or_table(recording, move)
        return
    seat = _seat_of(recording)
    recording.tell(*table.game.decide(table.state, seat, move, recording.at, table.dice))
    settle(recording)


def _referee_or_table(recording: Recording, move: Move) -> None:
    """A move that no seat makes: the table's own judging, or a referee's."""
    table, kind = recording.table, type(move)
    if kind in table.game.table_moves:
        assert recording.by == TABLE, f"{recording.by} does not judge"
        answer = table.game.table_moves[kind]
    else:
        assert recording.by.startswith("referee:"), f"{recording.by} is no referee"
        answer = table.game.referee_moves[kind]
    recording.tell(*answer(table.state, move, recording.at, table.dice))
    settle(recording)


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
    settle(recording)


def _leave(recording: Recording, n: int) -> None:
    """Leaving ends that seat's play; with fewer than two seats left the table ends after the round (G-09)."""
    table = recording.table
    sitter = table.seats[n] if 0 <= n < table.size else None
    if sitter is None or sitter.left:
        raise Refused("G-09", f"nobody plays at seat {n}")
    recording.tell(told.SeatLeft(n))
    recording.tell(*table.game.leave(recording.table.state, n, recording.at, recording.table.dice))
    settle(recording)


def _act(recording: Recording) -> None:
    """Do what is due; a call that comes too early, too late or twice finds nothing to do."""
    table = recording.table
    found = due(table)
    if found is None or found.at is None or found.at > recording.at:
        raise Refused("G-07", "nothing is due")
    if isinstance(table.phase, Between) and found.what == "round":
        next_round(recording)
        return
    recording.tell(*table.game.when_due(table.state, found, recording.at, table.dice))
    settle(recording)


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
    seeds, opened = round_opening(table, table.round) if closed else ({}, ())
    back = _given_back(recording, round_undone(table.books, "G-11"))
    recording.tell(told.RoundVoided(table.round, seeds, opened, back))


def _given_back(recording: Recording, back: tuple[Transfer, ...]) -> tuple[Transfer, ...]:
    """Tell the reversals that do not fit into one line; the rest is for the line that follows."""
    while len(back) > REVERSALS_IN_A_LINE_MAX:
        recording.tell(told.TransfersReversed(back[:REVERSALS_IN_A_LINE_MAX]))
        back = back[REVERSALS_IN_A_LINE_MAX:]
    return back
