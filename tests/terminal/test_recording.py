from __future__ import annotations

import json
import random
import zipfile
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from domain.table.view import to_act
from service.terminal.connection import Connection
from service.terminal.look import Eye, Look, eye_of
from service.terminal.recording import read
from service.terminal.sources import from_file, from_server
from service.terminal.trouble import Exit, Trouble
from tests.terminal.conftest import Played, Server


def test_every_look_at_every_version_is_what_the_api_shows(server: Server, played: Played):
    recording = read(played.lines)
    path = f"/v1/games/{played.game}/view"
    versions = random.Random(4).sample(range(1, recording.version + 1), 25)
    for version in versions:
        for eye, asked in ((None, ""), (0, "&as=seat:0"), (2, "&as=seat:2")):
            shown = server.call("GET", f"{path}?at={version}{asked}")
            table = recording.view(version, eye)
            assert msgspec.to_builtins(table.inner) == _listless(shown["view"], table.inner)
            assert list(to_act(table)) == shown["to_act"]
            assert recording.hashes[version - 1] == shown["head"]
        opened = server.call("GET", f"{path}?at={version}&as=open")
        assert recording.zones(version) == opened["view"]["zones"]


def _listless(view, like):
    """JSON lists as the tuples that the view's type has."""
    return msgspec.to_builtins(msgspec.convert(view, type(like)))


def test_a_step_back_gives_the_same_as_a_way_there(played: Played):
    forwards, about = read(played.lines), read(played.lines)
    versions = range(1, forwards.version + 1)
    there = [(forwards.view(n, 0), forwards.zones(n)) for n in versions]
    for n in random.Random(5).sample(versions, 40):
        assert (about.view(n, 0), about.zones(n)) == there[n - 1]


TAMPERINGS = {
    "one letter of a hidden card changed": lambda lines: _swap(lines, b'"stock":["', b'"stock":["9C","'),
    "a line left out": lambda lines: lines[:20] + lines[21:],
    "two lines exchanged": lambda lines: [*lines[:20], lines[21], lines[20], *lines[22:]],
    "a line sent twice": lambda lines: [*lines[:20], lines[19], *lines[20:]],
    "half a line": lambda lines: [*lines[:20], lines[20][:40]],
    "the first line missing": lambda lines: lines[1:],
}


def _swap(lines: list[bytes], old: bytes, new: bytes) -> list[bytes]:
    at = next(n for n, line in enumerate(lines) if old in line)
    return [*lines[:at], lines[at].replace(old, new, 1), *lines[at + 1 :]]


@pytest.mark.parametrize("tampering", TAMPERINGS.values(), ids=TAMPERINGS)
def test_the_first_line_that_does_not_hold_is_named(played: Played, tampering):
    tampered = tampering(played.lines)
    first = next(n for n, (one, other) in enumerate(zip(tampered, played.lines, strict=False), 1) if one != other)
    with pytest.raises(Trouble) as end:
        read(tampered)
    assert end.value.exit_code == Exit.FAULT
    # A changed line shows at the link of the next one; a misplaced one by itself.
    assert end.value.details["line"] in (first, first + 1)
    assert f"Line {end.value.details['line']} does not verify" in end.value.message


def test_a_line_that_is_linked_and_makes_no_sense_is_named_too(played: Played):
    recording = read(played.lines[:10])
    alien = msgspec.json.decode(played.lines[10]) | {"type": "shithead.cards_blessed"}
    with pytest.raises(Trouble, match=r"Line 11 does not verify: its shithead\.cards_blessed cannot be read"):
        recording.add(json.dumps(alien).encode())


def test_an_impossible_history_is_named_by_the_line_that_cannot_follow(played: Played):
    lines = list(played.lines[:14])
    strange = msgspec.json.decode(lines[-1])
    forged = {key: value for key, value in strange.items() if key not in ("move", "to", "salt", "round")} | {
        "type": "shithead.cards_played",
        "data": {"seat": 0, "zone": "open", "cards": ["2C"], "open": []},
    }
    recording = read([*lines[:-1], json.dumps(forged).encode()])
    with pytest.raises(Trouble, match="Line 14 does not verify: it cannot follow on what came before"):
        recording.zones(14)


def test_nothing_and_no_table_are_faults():
    for lines in ([], [b"{}"], [b"[]"], [b"\xff"], [b'{"seq":1}'], [b'{"seq":1,"sealed":true,"hash":"00"}', b"{}"]):
        with pytest.raises(Trouble) as end:
            read(lines)
        assert end.value.exit_code == Exit.FAULT


def test_a_bundle_is_read_by_its_lines(tmp_path: Path, played: Played):
    bundle = tmp_path / "evidence.zip"
    with zipfile.ZipFile(bundle, "w") as file:
        file.writestr("events.ndjson", b"\n".join(played.lines) + b"\n")
    assert from_file(bundle, quiet=True).hashes == read(played.lines).hashes
    with zipfile.ZipFile(bundle, "w") as file:
        file.writestr("other.txt", b"")
    with pytest.raises(Trouble, match="without a readable"):
        from_file(bundle, quiet=True)


def test_what_is_sealed_is_not_looked_at(server: Server):
    rules = {"turn_timeout_s": 0, "swap_timeout_s": 0}
    table = server.call("POST", "/v1/games", server.key, json={"game": "shithead", "seats": 2, "rules": rules})
    path, host = f"/v1/games/{table['id']}", table["host_token"]
    token = server.call("POST", f"{path}/seats", host, json={})["seat_token"]
    server.call("POST", f"{path}/seats", host, json={"bot": "easy"})
    server.call("POST", f"{path}/start", host)
    with closing(Connection(server.url, token)) as own, closing(Connection(server.url)) as stranger:
        mine = Look(from_server(own, table["id"], quiet=True), 0)
        theirs = Look(from_server(stranger, table["id"], quiet=True))
    version = min(mine.recording.version, theirs.recording.version)
    mine.check(version, 0)
    theirs.check(version, None)
    assert mine.as_json(version, 0)["view"]["hand"]
    refused: list[tuple[Look, Eye]] = [(mine, 1), (mine, "open"), (theirs, 0), (theirs, "open")]
    for look, eye in refused:
        with pytest.raises(Trouble, match="still sealed") as end:
            look.check(version, eye)
        assert end.value.exit_code == Exit.REFUSED


def test_looks_are_named_as_in_the_api():
    assert [eye_of(text) for text in ("open", "public", "seat:3", "3")] == ["open", None, 3, 3]
    with pytest.raises(ValueError):
        eye_of("somebody")
