"""The schemas of the document: made from the types that requests are decoded with, and from the games' events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from domain.game import Event, Secret, Whisper, type_of
from domain.games import GAMES
from domain.table import events as told
from service import shapes
from service.problems import CODES, ProblemDocument

Schema = dict[str, Any]
REF = "#/components/schemas/"
OPEN_VIEW: Schema = {
    "type": "object",
    "title": "OpenView",
    "description": "With `as=open`: where every card lay, by zone, and what each seat saw.",
    "properties": {
        "zones": {"type": "object", "additionalProperties": {"type": "array", "items": {}}},
        "seats": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["zones", "seats"],
}
SEALED: Schema = {
    "type": "object",
    "title": "SealedEntry",
    "description": "In the place of a line that the caller may not hear now; the line's hash, so the chain verifies.",
    "properties": {
        "seq": {"type": "integer", "minimum": 1},
        "sealed": {"type": "boolean", "const": True},
        "hash": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    },
    "required": ["seq", "sealed", "hash"],
}
MOVE_TOLD: Schema = {
    "type": "object",
    "description": "On the first line of each command: the move as accepted.",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
    "additionalProperties": True,
}


def ref(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": REF + name}


def camel(tag: str) -> str:
    """`shithead.pick_up` as a component's name: ShitheadPickUp."""
    return "".join(part.title() for part in re.split(r"[._]", tag))


class Schemas:
    """Every component, and the schema of each type that a call takes or gives."""

    def __init__(self, takes: Iterable[Any], gives: Iterable[Any]) -> None:
        self.components: dict[str, Schema] = {}
        self._of: dict[Any, Schema] = {}
        self._requests([*takes, shapes.ANY_MOVE])
        self._asked = frozenset(self.components)
        self._lines()
        self._views()
        self._answers(gives)
        self._problem()

    def of(self, type_: Any) -> Schema:
        """The schema of a type."""
        return self._of[type_]

    def _requests(self, types: list[Any]) -> None:
        types = [type_ for n, type_ in enumerate(types) if type_ not in types[:n]]
        schemas, components = _components(types)
        names = {tagged: camel(tag) for tag, tagged in _tags(components).items() if "." in tag}
        self._add(components, names)
        for type_, schema in zip(types, schemas, strict=True):
            self._of[type_] = _renamed(schema, names)
        self._name_union("Move", shapes.ANY_MOVE)
        self._name_union("OpenTable", shapes.OPEN_ASKED)

    def _name_union(self, name: str, type_: Any) -> None:
        self.components[name] = _one_of(self._of[type_], self.components)
        self._of[type_] = ref(name)

    def _answers(self, gives: Iterable[Any]) -> None:
        """Answers carry every field, so every field is required; components that requests share get a second name."""
        types = list(dict.fromkeys(type_ for type_ in gives if type_ not in self._of and type_ not in (str, dict)))
        schemas, components = _components(types)
        whole = {name: _whole(schema) for name, schema in components.items() if name not in REPLACED}
        names = {name: name + "Shown" for name in whole if name in self._asked}
        self._add(whole, names)
        for type_, schema in zip(types, schemas, strict=True):
            self._of[type_] = _renamed(schema, names)
        self._name_union("TableOpened", shapes.TABLE_OPENED)
        self._name_union("Table", shapes.TABLE_RESOURCE)
        self.components["View"] = self._view(self.components["View"])
        self.components["MoveList"]["properties"]["items"] = {"type": "array", "items": ref("Move")}

    def _lines(self) -> None:
        """A line a kind of event, told apart by `type`; and the entry that stands for a line not heard."""
        mapping = {}
        for owner, events in (("table", told.EVENTS), *((game.name, game.events) for game in GAMES.values())):
            _, components = _components(list(events))
            kinds = {type_.__name__: type_ for type_ in events}
            for tag, name in _tags(components).items():
                line = camel(tag)
                data = _renamed(_data(_whole(components.pop(name)), kinds[name]), self._prefixed(owner, components))
                self.components[line] = _line(tag, kinds[name], data)
                mapping[tag] = REF + line
            self._add({name: _whole(schema) for name, schema in components.items()}, self._prefixed(owner, components))
        union = [{"$ref": target} for target in mapping.values()]
        self.components["Line"] = {"oneOf": union, "discriminator": {"propertyName": "type", "mapping": mapping}}
        self.components["SealedEntry"] = SEALED
        self.components["Heard"] = {"oneOf": [ref("Line"), ref("SealedEntry")]}

    def _views(self) -> None:
        for game in GAMES.values():
            _, components = _components([shapes.view_type(game)])
            whole = {name: _whole(schema) for name, schema in components.items()}
            self._add(whole, self._prefixed(game.name, whole))
        self.components["OpenView"] = OPEN_VIEW

    def _view(self, schema: Schema) -> Schema:
        """The answer of a view: one kind a game, told apart by `game`."""
        mapping = {}
        for game in GAMES.values():
            name = "View" + camel(game.name)
            views = {"anyOf": [ref(_prefix(game.name, shapes.view_type(game).__name__)), ref("OpenView")]}
            fields = {**schema["properties"], "game": {"type": "string", "const": game.name}, "view": views}
            self.components[name] = {**schema, "title": name, "properties": fields, "required": [*fields]}
            mapping[game.name] = REF + name
        union = [{"$ref": target} for target in mapping.values()]
        return {"oneOf": union, "discriminator": {"propertyName": "game", "mapping": mapping}}

    def _prefixed(self, owner: str, components: Iterable[str]) -> dict[str, str]:
        """Names that begin with their owner's, so that no two games' can meet; those asked for keep theirs."""
        named = {name: _prefix(owner, name) for name in components}
        return {name: called + "Shown" if called in self._asked else called for name, called in named.items()}

    def _problem(self) -> None:
        _, components = _components([ProblemDocument])
        problem = components["ProblemDocument"]
        problem["properties"]["code"] = {"type": "string", "enum": [*CODES]}
        for name in ("ruling", "version", "errors"):  # left out where they do not apply, never null
            field = problem["properties"].pop(name)
            problem["properties"][name] = field["anyOf"][0] if "anyOf" in field else {**field, "minItems": 1}
        problem["properties"]["errors"].pop("default")
        self._add(components, {"ProblemDocument": "Problem"})

    def _add(self, components: Mapping[str, Schema], names: Mapping[str, str]) -> None:
        for name, schema in components.items():
            called = names.get(name, name)
            made = {**_renamed(schema, names), "title": called}
            assert self.components.get(called, made) == made, f"two schemas are called {called}"
            self.components[called] = made


REPLACED = ("Heard",)


def _components(types: list[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """The schemas of these types, and their components, as plain JSON."""
    schemas, components = msgspec.json.schema_components(types, ref_template=REF + "{name}")
    plain = msgspec.json.decode(msgspec.json.encode([list(schemas), components]))
    return [_plain(schema) for schema in plain[0]], {name: _plain(schema) for name, schema in plain[1].items()}


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


def _tags(components: Mapping[str, Schema]) -> dict[str, str]:
    """The components that are members of a tagged union, by their tag."""
    found = {}
    for name, schema in components.items():
        for field in ("type", "game"):
            tag = schema.get("properties", {}).get(field, {}).get("const")
            if tag is not None:
                found[str(tag)] = name
    return found


def _one_of(schema: Schema, components: Mapping[str, Schema]) -> Schema:
    """A tagged union, also of one member, as `oneOf` with its discriminator."""
    members = schema.get("anyOf", [schema])
    names = [member["$ref"].removeprefix(REF) for member in members]
    tags = {name: tag for tag, name in _tags({name: components[name] for name in names}).items()}
    field = "type" if "const" in components[names[0]]["properties"].get("type", {}) else "game"
    mapping = {tags[name]: REF + name for name in names}
    return {"oneOf": members, "discriminator": {"propertyName": field, "mapping": mapping}}


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """The schema with references to renamed components."""
    if isinstance(schema, list):
        return [_renamed(part, names) for part in schema]
    if isinstance(schema, dict):
        return {key: _renamed(value, names) for key, value in schema.items()}
    if isinstance(schema, str) and schema.startswith(REF):
        name = schema.removeprefix(REF)
        return REF + names.get(name, name)
    return schema


def _whole(schema: Schema) -> Schema:
    """As answers carry it: fields with a default are there too; fields that may be unset need not be."""
    fields: dict[str, Schema] = schema.get("properties", {})
    required = [name for name, field in fields.items() if name in schema["required"] or "default" in field]
    bare = {name: {key: value for key, value in field.items() if key != "default"} for name, field in fields.items()}
    open_ = {key: value for key, value in schema.items() if key != "additionalProperties"}
    return {**open_, "properties": bare, "required": required} if fields else schema


def _prefix(owner: str, name: str) -> str:
    return name if name.startswith(camel(owner)) else camel(owner) + name


def _data(schema: Schema, kind: type[Event]) -> Schema:
    """An event's fields as they lie in `data`: without its tag, and without its hearer."""
    hidden = {"type", "to"} if issubclass(kind, Whisper) else {"type"}
    fields = {name: field for name, field in schema.get("properties", {}).items() if name not in hidden}
    return {"type": "object", "properties": fields, "required": [name for name in fields if name in schema["required"]]}


def _line(tag: str, kind: type[Event], data: Schema) -> Schema:
    """The schema of a line: who, when, what, and the hash of the line before."""
    assert type_of(kind) == tag
    digest = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    fields: Schema = {
        "v": {"type": "integer", "const": 1},
        "game": {"type": "string", "format": "uuid"},
        "seq": {"type": "integer", "minimum": 1},
        "at": {"type": "string", "format": "date-time"},
        "by": {"type": "string", "description": "host, seat:<n>, table or referee:<key id>."},
        "type": {"type": "string", "const": tag},
        "data": data,
        "prev": digest,
    }
    if issubclass(kind, Whisper | Secret):
        hearer: Schema = {"type": "integer"} if issubclass(kind, Whisper) else {"type": "string", "const": "table"}
        fields |= {"to": hearer, "round": {"type": "integer"}, "salt": {"type": "string"}}
    required = [*fields]
    fields["move"] = MOVE_TOLD
    text = " ".join((kind.__doc__ or "").split())
    return {"type": "object", "title": camel(tag), "description": text, "properties": fields, "required": required}
