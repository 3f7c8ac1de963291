"""The quick look at a body never lets through what the slow one finds; a clock's text is that of its moment."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.times import text
from service import clock
from service.problems import Problem
from service.web import bodies

KEYS = ("a", "b", "a:b", "\\u0061", "é")
VALUES = (
    "1",
    '"x"',
    '"x:y"',
    '{"a": 1}',
    '{"a": 1, "a": 2}',
    '["a", {"b": 1}]',
    '"\\u0000"',
    '"\\ud800"',
    "NaN",
    '"\0"',
)


@pytest.mark.parametrize("body", [{"type": "shithead.play", "cards": ["10D"]}, {"a": 1, "b": "c"}, {}])
def test_a_move_is_simple(body):
    assert bodies.is_simple(json.dumps(body).encode())


@pytest.mark.parametrize(
    "body",
    [
        b'{"a": 1, "a": 2}',
        b'{"a": {"b": 1, "b": 2}}',
        b'{"a": [{"b": 1, "b": 2}]}',
        b'{"a": "\\u0000"}',
        b'{"a": "\\ud800"}',
        b'{"a": "\0"}',
        '{"a": "é"}'.encode(),
        b'\xef\xbb\xbf{"a": 1}',
        b'{"a": NaN}',
        b'{"a": 1',
        b"[]",
        b"",
    ],
)
def test_all_else_is_looked_at_twice(body):
    assert not bodies.is_simple(body)


@given(st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(VALUES)), max_size=4))
def test_what_is_simple_the_slow_look_finds_nothing_in(pairs):
    body = "{" + ", ".join(f'"{key}": {value}' for key, value in pairs) + "}"
    try:
        bodies._check_text(bodies._plain(body.encode()))
    except Problem:
        assert not bodies.is_simple(body.encode())


def test_the_clock_writes_times_as_everything_else_does():
    before, told, after = text(datetime.now(UTC)), clock.now(), text(datetime.now(UTC))
    assert before <= told <= after
    assert len(told) == len(before) == 27
    assert text(datetime.fromisoformat(told)) == told
