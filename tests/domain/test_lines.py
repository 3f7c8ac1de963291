"""The event line: its published vector, canonical JSON against an independent writer, sealing."""

import json
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.game import Event, Secret, Whisper
from domain.lines import NO_LINE, Entry, canonical, decode, encode, entry_of, heading_of, line_hash, sealed
from domain.times import deadline, later

GAME = "0190b6a4-1111-7abc-8def-000000000001"
VECTOR = [
    (
        '{"at":"2026-11-29T22:01:00.000000Z","by":"host","data":{"game":"shithead","seats":3},"game":"0190b6a4-1111-7abc-'
        '8def-000000000001","move":{"type":"table.create"},"prev":"0000000000000000000000000000000000000000000000000000000'
        '000000000","seq":1,"type":"table.created","v":1}'
    ),
    (
        '{"at":"2026-11-29T22:01:05.250000Z","by":"table","data":{"card":"QH"},"game":"0190b6a4-1111-7abc-8def-00000000000'
        '1","prev":"d8c058066983a7a418f72d38917d775c2d556892d31c9148cc9422015f2a90e1","round":1,"salt":"00112233445566778'
        '899aabbccddeeff","seq":2,"to":1,"type":"shithead.card_drawn","v":1}'
    ),
    (
        '{"at":"2026-11-29T22:01:06.000000Z","by":"seat:1","data":{"name":"חתחתול"},"game":"0190b6a4-1111-7abc-8def-000000'
        '000001","prev":"45b8e0092f55e32c05c8735f6c8c22e2bee66236b150067ce3efc467b57aefd7","seq":3,"type":"table.ended","v'
        '":1}'
    ),
]
HASHES = [
    "d8c058066983a7a418f72d38917d775c2d556892d31c9148cc9422015f2a90e1",
    "45b8e0092f55e32c05c8735f6c8c22e2bee66236b150067ce3efc467b57aefd7",
    "46bb5040603f852ffb97c881c8c5dfa3d82deaf50014f7137c87b196dbff0494",
]


class Told(Event, frozen=True, tag="sample.told"):
    text: str
    cards: tuple[str, ...] = ()


class Shown(Whisper, frozen=True, tag="sample.shown"):
    card: str


class Kept(Secret, frozen=True, tag="sample.kept"):
    stock: tuple[str, ...]


EVENTS: dict[str, type[Event]] = {"sample.told": Told, "sample.shown": Shown, "sample.kept": Kept}


@pytest.mark.parametrize(("line", "hash_"), list(zip(VECTOR, HASHES, strict=True)))
def test_lines_of_the_vector_have_their_hashes(line, hash_):
    assert line_hash(line.encode()) == hash_


@pytest.mark.parametrize("line", VECTOR)
def test_lines_of_the_vector_come_out_as_they_went_in(line):
    assert canonical(msgspec.to_builtins(decode(line.encode()))) == line.encode()


def entry(event, **more: Any):
    return Entry(seq=7, at="2026-11-29T22:01:05.250000Z", by="seat:1", event=event, **more)


@pytest.mark.parametrize(
    ("event", "round_", "to"),
    [(Told("hello", ("QH",)), None, None), (Shown(1, "QH"), 2, 1), (Kept(("QH", "2C")), 2, "table")],
)
def test_an_event_survives_its_line(event, round_, to):
    written = entry(event, round=round_)
    line = encode(written, GAME, NO_LINE, "00" * 16)
    assert entry_of(decode(line), EVENTS, {}) == written
    assert heading_of(decode(line)).to == to
    assert rfc8785.dumps(json.loads(line)) == line


def test_only_hidden_lines_have_hearer_round_and_salt():
    public = json.loads(encode(entry(Told("x")), GAME, NO_LINE, "ff" * 16))
    hidden = json.loads(encode(entry(Shown(0, "QH"), round=1), GAME, NO_LINE, "ff" * 16))
    assert public.keys() == {"at", "by", "data", "game", "prev", "seq", "type", "v"}
    assert hidden.keys() == public.keys() | {"to", "round", "salt"}
    assert "to" not in hidden["data"]


def test_a_hidden_event_without_a_round_is_a_wrong_program():
    with pytest.raises(AssertionError, match="belongs to no round"):
        encode(entry(Shown(0, "QH")), GAME, NO_LINE, "ff" * 16)


def test_a_line_has_its_largest_size():
    fits = encode(entry(Told("x" * 65_000)), GAME, NO_LINE, "")
    with pytest.raises(AssertionError, match="bytes"):
        encode(entry(Told("x" * (65_000 + 65_535 - len(fits) + 1))), GAME, NO_LINE, "")


def test_a_sealed_entry_tells_place_and_hash_alone():
    line = encode(entry(Shown(0, "QH"), round=1), GAME, NO_LINE, "ff" * 16)
    assert json.loads(sealed(7, line)) == {"seq": 7, "sealed": True, "hash": line_hash(line)}
    assert canonical(json.loads(sealed(7, line))) == sealed(7, line)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.from_regex(r"[a-z_][a-z0-9_]*", fullmatch=True), inner)
    ),
    max_leaves=12,
)


@given(json_values)
def test_our_writer_agrees_with_an_independent_one(value):
    assert canonical(value) == rfc8785.dumps(value)


def test_times_have_one_width_and_sort_as_text():
    at = "2026-12-31T23:59:59.900000Z"
    assert later(at, milliseconds=100) == "2027-01-01T00:00:00.000000Z"
    assert at < later(at, seconds=1)
    assert deadline(at, 0) is None
    assert deadline(at, 30) == "2027-01-01T00:00:29.900000Z"


def test_equal_names_of_two_lines_are_one_object_and_long_texts_are_not_remembered():
    line = encode(entry(Told("a text of a table", ("10D", "QH"))), GAME, NO_LINE, "")
    first, second = (entry_of(decode(line), EVENTS, {}).event for _ in range(2))
    assert isinstance(first, Told)
    assert isinstance(second, Told)
    assert first == second
    assert all(one is other for one, other in zip(first.cards, second.cards, strict=True))
    assert first.text is not second.text
