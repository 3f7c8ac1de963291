"""Examples of any event or move, made from its type: every choice that a field offers appears in one of them."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

TEXTS = ("7H", "R7", "s01", "purple", "0" * 64)
"""Texts of which one fits each pattern that a field may have."""


def samples(kind: Any) -> Iterator[Any]:
    """Instances of `kind`, an event or a move: one plain, then one for each further choice of each field."""
    choices = {name: list(_values(annotation)) for name, annotation in _hints(kind).items()}
    plain = {name: values[0] for name, values in choices.items()}
    yield kind(**plain)
    for name, values in choices.items():
        for value in values[1:]:
            made = kind(**{**plain, name: value})
            if _valid(made):
                yield made


def _valid(made: Any) -> bool:
    try:
        msgspec.convert(msgspec.to_builtins(made), type(made))
    except msgspec.ValidationError:
        return False
    return True


def _hints(kind: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__struct_fields__}


def _values(annotation: Any) -> Iterator[Any]:
    origin, inner = get_origin(annotation), get_args(annotation)
    patterns = [meta.pattern for meta in inner[1:] if isinstance(meta, msgspec.Meta) and meta.pattern]
    if origin is Annotated and patterns:
        yield next(text for text in TEXTS if re.search(patterns[0], text))
    elif origin is Annotated:
        yield from _values(inner[0])
    elif origin is Literal:
        yield from inner
    elif origin in (Union, types.UnionType):
        for part in inner:
            yield from [None] if part is type(None) else _values(part)
    elif origin is tuple:
        yield tuple(next(_values(part)) for part in inner if part is not Ellipsis)
        if Ellipsis in inner:
            yield ()
    elif origin is dict or annotation is dict:
        yield {}
    elif annotation is bool:
        yield from (False, True)
    elif annotation is int:
        yield 2
    elif annotation is str:
        yield "7H"
    elif annotation is Any:
        yield {"shithead": 2, "places": [1, 0]}
    else:
        assert issubclass(annotation, msgspec.Struct), annotation
        yield next(samples(annotation))
