"""Strict reading of query strings: no unknown, doubled or nearly right parameter passes."""

from __future__ import annotations

import re
from functools import lru_cache
from types import NoneType
from typing import Any, TypeVar, get_args
from urllib.parse import unquote_to_bytes

import msgspec
from msgspec import Meta, Struct

from service.problems import Fault, Problem

Q = TypeVar("Q", bound=Struct)
CURSOR = Meta(extra={"cursor": True})
"""Marks a parameter that only ever repeats a `next`: a wrong one is cursor-invalid."""
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,15})")
_PAIR = re.compile(r"([^=]*)=?(.*)", re.DOTALL)


def read(query: bytes, type_: type[Q]) -> Q:
    """The parameters of a raw query string. Raises Problem unknown-parameter, invalid-value, cursor-invalid."""
    if not query and not _fields(type_)[1]:
        return type_()
    kinds, _ = _fields(type_)
    values: dict[str, Any] = {}
    for name, text in _pairs(query):
        if name not in kinds or name in values:
            reason = "given twice" if name in values else "there is no such parameter"
            raise Problem("unknown-parameter", f"{name!r}: {reason}.", errors=(Fault(name, "query", reason),))
        values[name] = _value(name, text, kinds[name])
    try:
        return msgspec.convert(values, type_)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        name = path.rstrip("`")
        raise _wrong(name, reason, kinds.get(name, (str, False))[1]) from None


def has_cursor(type_: type[Struct]) -> bool:
    """Whether one of the parameters is a cursor."""
    return any(cursor for _, cursor in _fields(type_)[0].values())


def _pairs(query: bytes) -> list[tuple[str, str]]:
    """Names and texts in order; raises Problem for bytes that are no UTF-8 text."""
    try:
        found = []
        for part in filter(None, query.decode("ascii").split("&")):
            match = _PAIR.fullmatch(part)
            assert match is not None
            name, text = (unquote_to_bytes(side.replace("+", " ")).decode("utf-8") for side in match.groups())
            found.append((name, text))
    except ValueError:
        raise Problem("invalid-value", "The query string is no text in UTF-8.") from None
    if any("\0" in name + text for name, text in found):
        raise Problem("invalid-value", "A zero byte is no text.")
    return found


def _value(name: str, text: str, kind: tuple[type, bool]) -> Any:
    type_, cursor = kind
    if type_ is int:
        if not _INTEGER.fullmatch(text):
            raise _wrong(name, "a whole number is expected", cursor)
        return int(text)
    if type_ is bool:
        if text not in ("true", "false"):
            raise _wrong(name, "true or false is expected", cursor)
        return text == "true"
    return text


def _wrong(name: str, reason: str, cursor: bool) -> Problem:  # noqa: FBT001 - one of two codes
    code = "cursor-invalid" if cursor else "invalid-value"
    return Problem(code, f"The parameter {name!r} does not fit: {reason}.", errors=(Fault(name, "query", reason),))


@lru_cache(maxsize=64)
def _fields(type_: type[Struct]) -> tuple[dict[str, tuple[type, bool]], bool]:
    """The plain type of each parameter and whether it is a cursor; and whether any is required."""
    fields = msgspec.structs.fields(type_)
    kinds = {field.encode_name: _kind(field.type) for field in fields}
    return kinds, any(field.required for field in fields)


def _kind(annotation: Any) -> tuple[type, bool]:
    """The type inside an annotation: int, bool, or else str."""
    cursor = any(meta is CURSOR for meta in getattr(annotation, "__metadata__", ()))
    inner = [_kind(part) for part in get_args(annotation) if part is not NoneType and not isinstance(part, Meta)]
    if annotation in (int, bool):
        return annotation, cursor
    kinds = {kind for kind, _ in inner}
    found: type = next((kind for kind in (int, bool) if kind in kinds), str)
    return found, cursor or any(marked for _, marked in inner)
