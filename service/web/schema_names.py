"""Schemas of types as plain JSON, under names that no other game's can take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, inspect

from domain.games import GAMES

Schema = dict[str, Any]
REF = "#/components/schemas/"
SPARSE = "x-sparse"
"""Marks the schema of a struct that leaves out fields which have their default; it is gone from the document."""


def ref(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": REF + name}


def camel(tag: str) -> str:
    """`shithead.pick_up` as a component's name: ShitheadPickUp."""
    return "".join(part.title() for part in re.split(r"[._]", tag))


def owned_name(type_: type[Struct]) -> str:
    """The name of a struct's component: by its tag, or its own, which begins with its game's."""
    tag = type_.__struct_config__.tag
    if isinstance(tag, str) and "." in tag:
        return camel(tag)
    name, owner = type_.__name__, type_.__module__.split(".")[1]
    return camel(owner) + name if owner in GAMES and not name.startswith(camel(owner)) else name


def as_json(schema: Any) -> Any:
    r"""A schema as plain JSON. Patterns end with `\Z` in Python, where `$` lets a last newline pass; JSON says `$`."""
    return msgspec.json.decode(msgspec.json.encode(schema).replace(rb'\\Z"', b'$"'))


def components_of(types: list[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """The schemas of these types, and their components by name."""
    schemas, components = msgspec.json.schema_components(types, ref_template=REF + "{name}")
    plain = as_json([list(schemas), components])
    names: dict[str, str] = {}
    for struct in structs(inspect.multi_type_info(types)):
        qualified = f"{struct.__module__}.{struct.__qualname__}"  # what is used where two have one name
        name = struct.__name__ if struct.__name__ in components else qualified
        names[name] = owned_name(struct)
        if struct.__struct_config__.omit_defaults:
            plain[1][name][SPARSE] = True
    return [renamed(_plain(schema), names) for schema in plain[0]], {
        names[name]: renamed(_plain(schema), names) for name, schema in plain[1].items()
    }


def structs(found: Any) -> Iterator[type[Struct]]:
    """Every struct type within these descriptions of types, each once."""
    seen: dict[type[Struct], None] = {}
    waiting = [*found]
    while waiting:
        info = waiting.pop()
        if isinstance(info, inspect.StructType):
            if info.cls in seen:
                continue
            seen[info.cls] = None
            waiting += [field.type for field in info.fields]
        for part in ("type", "types", "item_type", "item_types", "key_type", "value_type"):
            inner = getattr(info, part, ())
            waiting += inner if isinstance(inner, tuple) else [inner]
    yield from seen


def _plain(schema: Any) -> Any:
    """Every enum with its type, an enum of one value as a const."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _plain(value) if key not in ("default", "enum") else value for key, value in schema.items()}
    values = made.get("enum")
    if isinstance(values, list) and all(isinstance(value, str) for value in values):
        made = {"type": "string", **made}
        if len(values) == 1:
            made["const"] = made.pop("enum")[0]
    return made


def tags_of(components: Mapping[str, Schema]) -> dict[str, str]:
    """The components that are members of a tagged union, by their tag."""
    found = {}
    for name, schema in components.items():
        for field in ("type", "game"):
            tag = schema.get("properties", {}).get(field, {}).get("const")
            if tag is not None:
                found[str(tag)] = name
    return found


def one_of(schema: Schema, components: Mapping[str, Schema]) -> Schema:
    """A tagged union, also of one member, as `oneOf` with its discriminator."""
    members = schema.get("anyOf", [schema])
    names = [member["$ref"].removeprefix(REF) for member in members]
    tags = {name: tag for tag, name in tags_of({name: components[name] for name in names}).items()}
    field = "type" if "const" in components[names[0]]["properties"].get("type", {}) else "game"
    mapping = {tags[name]: REF + name for name in names}
    return {"oneOf": members, "discriminator": {"propertyName": field, "mapping": mapping}}


def renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """The schema with references to renamed components."""
    if isinstance(schema, list):
        return [renamed(part, names) for part in schema]
    if isinstance(schema, dict):
        return {key: renamed(value, names) for key, value in schema.items()}
    if isinstance(schema, str) and schema.startswith(REF):
        name = schema.removeprefix(REF)
        return REF + names.get(name, name)
    return schema


def whole(schema: Schema) -> Schema:
    """As answers carry it: fields with a default are there too; fields that may be unset need not be."""
    fields: dict[str, Schema] = schema.get("properties", {})
    if not fields:
        return schema
    always: list[str] = schema["required"]
    required = [
        name for name, field in fields.items() if name in always or ("default" in field and SPARSE not in schema)
    ]
    bare = {name: {key: value for key, value in field.items() if key != "default"} for name, field in fields.items()}
    open_ = {key: value for key, value in schema.items() if key != "additionalProperties"}
    return {**open_, "properties": bare, "required": required}
