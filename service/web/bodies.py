"""Strict reading of JSON bodies: depth, doubled keys, unknown fields and odd text are found before they do harm."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NoReturn, get_args

import msgspec

from service.problems import Fault, Problem
from service.web.limits import JSON_DEPTH_MAX

_OPENING, _CLOSING, _QUOTE, _ESCAPE = frozenset(b"[{"), frozenset(b"]}"), ord('"'), ord("\\")
_COLON, _CONTROLS = ord(":"), bytes(range(32))
_flat = msgspec.json.Decoder(dict[str, Any]).decode
_PLACE = re.compile(r"^(.*?)(?: - at `(key in )?\$(.*)`)?$", re.DOTALL)
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`", re.DOTALL)


class Shape:
    """A type that bodies are read as, with the tags that its union knows, to be named when another comes."""

    def __init__(self, type_: Any) -> None:
        self.decode: Callable[[bytes], Any] = msgspec.json.Decoder(type_).decode
        members = [part for part in (get_args(type_) or (type_,)) if hasattr(part, "__struct_config__")]
        self.tags = [str(member.__struct_config__.tag) for member in members]
        self.place = f".{members[0].__struct_config__.tag_field}" if members else None


@lru_cache(maxsize=64)
def shape(type_: Any) -> Shape:
    """The shape of a type, made once."""
    return Shape(type_)


def read(body: bytes, type_: Any) -> Any:
    """The value of `body` as `type_`. Raises Problem malformed-json, unknown-field or invalid-value."""
    wanted = shape(type_)
    if too_deep(body):
        raise Problem("malformed-json", f"The body is nested more than {JSON_DEPTH_MAX} deep.")
    if not is_simple(body):
        _check_text(_plain(body))
    try:
        return wanted.decode(body)
    except msgspec.ValidationError as error:
        raise problem_of(_with_tags(str(error), wanted)) from None
    except msgspec.DecodeError as error:
        raise Problem("malformed-json", f"{error}.") from None


def _with_tags(message: str, wanted: Shape) -> str:
    """Name the tags there are when another was sent."""
    reason, _, path = message.partition(" - at `$")
    if reason.startswith("Invalid value") and path == f"{wanted.place}`":
        return f"{reason}; there are {', '.join(wanted.tags)} - at `${path}"
    return message


def is_simple(body: bytes) -> bool:
    """Whether the slow looks of `read` would find nothing: one flat object in plain ASCII, as nearly every move is.

    With as many colons as it has keys, none is doubled, none lies deeper, and no text holds one.
    """
    if not body.isascii() or _ESCAPE in body or body.translate(None, _CONTROLS) != body:
        return False
    try:
        found = _flat(body)
    except msgspec.DecodeError:
        return False
    return len(found) == body.count(_COLON)


def too_deep(body: bytes) -> bool:
    """Whether brackets outside strings nest deeper than allowed: decoders would run out of stack."""
    if body.count(b"[") + body.count(b"{") <= JSON_DEPTH_MAX:
        return False
    depth, quoted, escaped = 0, False, False
    for byte in body:
        if escaped:
            escaped = False
        elif byte == _ESCAPE:
            escaped = quoted
        elif byte == _QUOTE:
            quoted = not quoted
        elif not quoted and byte in _OPENING:
            depth += 1
            if depth > JSON_DEPTH_MAX:
                return True
        elif not quoted and byte in _CLOSING:
            depth -= 1
    return False


def _plain(body: bytes) -> Any:
    """The body as plain values, refusing what decoders pass over: doubled keys, NaN, a byte order mark."""
    try:
        return _strict.decode(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise Problem("malformed-json", "The body is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise Problem("malformed-json", f"{error.msg} (character {error.pos}).") from None
    except ValueError:  # a number of thousands of digits
        raise Problem("malformed-json", "A number is out of all bounds.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Problem("malformed-json", "An object has the same key twice.")
    return found


def _no_constant(name: str) -> NoReturn:
    raise Problem("malformed-json", f"{name} is not JSON.")


_strict = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)


def _check_text(value: Any) -> None:
    for pointer, text in _texts(value, ""):
        if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text if letter > "\ud7ff"):
            fault = Fault(_speakable(pointer), "body", "a zero byte or half a surrogate pair is no text")
            raise Problem("invalid-value", "A text cannot be kept as it is.", errors=(fault,))


def _texts(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """Every text in `value`, keys included, with the pointer to it."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, f"{pointer}/{index}")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield pointer, key
            yield from _texts(item, f"{pointer}/{escape(key)}")


def _speakable(pointer: str) -> str:
    return pointer.encode("utf-8", "replace").decode().replace("\0", "?")


def escape(name: str) -> str:
    """A name as a part of an RFC 6901 pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def pointer_of(path: str) -> str:
    """The RFC 6901 pointer of a msgspec path: `.rules.decks[0]` becomes `/rules/decks/0`."""
    parts = re.findall(r"\.([^.\[]+)|\[([^\]]*)\]", path)
    return "".join("/" + escape(name or index) for name, index in parts)


def problem_of(message: str, under: str = "") -> Problem:
    """The problem that a msgspec validation message tells of; `under` is the pointer to what was read."""
    match = _PLACE.match(message)
    assert match is not None
    reason, pointer = match[1], under + pointer_of(match[3] or "")
    if unknown := _UNKNOWN.fullmatch(reason):
        fault = Fault(f"{pointer}/{escape(unknown[1])}", "body", "there is no such field")
        return Problem("unknown-field", f"There is no field {unknown[1]!r} here.", errors=(fault,))
    if missing := _MISSING.fullmatch(reason):
        fault = Fault(f"{pointer}/{escape(missing[1])}", "body", "this field is required")
        return Problem("invalid-value", f"The field {missing[1]!r} is missing.", errors=(fault,))
    fault = Fault(pointer, "body", reason)
    return Problem("invalid-value", f"{reason}, at {pointer or 'the top'}.", errors=(fault,))
