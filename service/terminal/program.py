"""Playing by a program: objects, one a line, out on standard output and moves in on standard input."""

from __future__ import annotations

import json
import sys
from typing import Any

from service.terminal import places
from service.terminal.connection import Connection
from service.terminal.following import Line, follower
from service.terminal.places import Place
from service.terminal.play import FOR_EVER
from service.terminal.seated import Ears, Seated
from service.terminal.trouble import ServerSaid

PROTOCOL = """With --json, standard output is one object a line: {"place": …} first; {"line": …} for each line heard;
{"position": …, "moves": […]} whenever a move can be made; {"refused": …} with the problem; {"over": …} at the end.
Standard input is one line an answer to "moves": the number of a move in that list (from 0), or a move as an object."""


def run(place: Place) -> None:
    """Play until the table or the input ends."""
    connection = Connection(place.server, place.seat_token, invite=place.invite, patience=FOR_EVER)
    hearing = Connection(place.server, place.seat_token, invite=place.invite, patience=FOR_EVER)
    table = Seated(connection, place, "en")
    ears = Ears(follower(hearing, place.game, seated=True), 0, lambda: None)
    _say(place={"game": place.game, "kind": place.kind, "seat": place.seat, "seat_token": place.seat_token})
    heard = ears.news(None)
    while True:
        _heard(table, heard)
        if table.over:
            break
        if table.moves:
            answer = sys.stdin.readline()
            if not answer:
                return
            heard = [*_made(table, answer), *ears.news()]
        else:
            heard = ears.news(None)
    places.forget(place)
    _say(over=connection.get(table.path))


def _heard(table: Seated, lines: list[Line]) -> None:
    for line in table.take(lines):
        _say(line=line)
    table.look()
    if table.moves:
        _say(position=table.position, moves=table.moves)


def _made(table: Seated, answer: str) -> list[Line]:
    """Make the move that the program names; returns its lines."""
    move = _named(table.moves, answer)
    if move is None:
        wanted = "expected the number of a listed move, or a move as an object"
        _say(refused={"detail": wanted, "given": answer.strip()})
        return []
    try:
        return table.move(move)
    except ServerSaid as said:
        _say(refused=said.problem)
        return []


def _named(moves: list[dict[str, Any]], answer: str) -> dict[str, Any] | None:
    """The move that a line of input names, if it names one."""
    try:
        named = json.loads(answer)
    except ValueError:
        return None
    if isinstance(named, dict):
        return named
    if type(named) is int and 0 <= named < len(moves):
        return moves[named]
    return None


def _say(**told: Any) -> None:
    sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
    sys.stdout.flush()
