"""The schemas of the document: made from the types that requests are decoded with, and from the games' events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from domain.game import Event, Secret, Whisper, type_of
from domain.games import GAMES
from domain.table import events as told
from service.problems import CODES, ProblemDocument
from service.web import game_shapes
from service.web.schema_names import REF, SPARSE, Schema, camel, components_of, one_of, owned_name, ref, renamed, whole

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


class Schemas:
    """Every component, and the schema of each type that a call takes or gives."""

    def __init__(self, takes: Iterable[Any], gives: Iterable[Any]) -> None:
        self.components: dict[str, Schema] = {}
        self._of: dict[Any, Schema] = {}
        self._requests([*takes, game_shapes.ANY_MOVE])
        self._asked = frozenset(self.components)
        self._lines()
        for game in GAMES.values():
            self._add_shown(components_of([game_shapes.view_type(game)])[1])
        self.components["OpenView"] = OPEN_VIEW
        self._answers(gives)
        self._problem()

    def of(self, type_: Any) -> Schema:
        """The schema of a type."""
        return self._of[type_]

    def _requests(self, types: list[Any]) -> None:
        types = [type_ for n, type_ in enumerate(types) if type_ not in types[:n]]
        schemas, components = components_of(types)
        self._add(components)
        self._of.update(zip(types, schemas, strict=True))
        self._name_union("Move", game_shapes.ANY_MOVE)
        self._name_union("OpenTable", game_shapes.OPEN_ASKED)

    def _name_union(self, name: str, type_: Any) -> None:
        self.components[name] = one_of(self._of[type_], self.components)
        self._of[type_] = ref(name)

    def _answers(self, gives: Iterable[Any]) -> None:
        types = list(dict.fromkeys(type_ for type_ in gives if type_ not in self._of and type_ not in (str, dict)))
        schemas, components = components_of(types)
        del components["Heard"]
        shown = self._add_shown(components)
        self._of.update((type_, renamed(schema, shown)) for type_, schema in zip(types, schemas, strict=True))
        self._name_union("TableOpened", game_shapes.TABLE_OPENED)
        self._name_union("Table", game_shapes.TABLE_RESOURCE)
        self.components["View"] = self._view(self.components["View"])
        self.components["MoveList"]["properties"]["items"] = {"type": "array", "items": ref("Move")}

    def _lines(self) -> None:
        """A line a kind of event, told apart by `type`; and the entry that stands for a line not heard."""
        mapping = {}
        for events in (told.EVENTS, *(game.events for game in GAMES.values())):
            _, components = components_of(list(events))
            data = {kind: components.pop(camel(type_of(kind))) for kind in events}
            shown = self._add_shown(components)
            for kind, schema in data.items():
                name = camel(type_of(kind))
                self._add({name: line_of(kind, renamed(whole(schema), shown))})
                mapping[type_of(kind)] = REF + name
        union = [{"$ref": target} for target in mapping.values()]
        self.components["Line"] = {"oneOf": union, "discriminator": {"propertyName": "type", "mapping": mapping}}
        self.components["SealedEntry"] = SEALED
        self.components["Heard"] = {"oneOf": [ref("Line"), ref("SealedEntry")]}

    def _view(self, schema: Schema) -> Schema:
        """The answer of a view: one kind a game, told apart by `game`."""
        mapping = {}
        for game in GAMES.values():
            name, view = "View" + camel(game.name), game_shapes.view_type(game)
            views = {"anyOf": [ref(owned_name(view)), ref("OpenView")]}
            fields = {**schema["properties"], "game": {"type": "string", "const": game.name}, "view": views}
            self._add({name: {**schema, "properties": fields}})
            mapping[game.name] = REF + name
        union = [{"$ref": target} for target in mapping.values()]
        return {"oneOf": union, "discriminator": {"propertyName": "game", "mapping": mapping}}

    def _problem(self) -> None:
        _, components = components_of([ProblemDocument])
        problem = components.pop("ProblemDocument")
        problem["properties"]["code"] = {"type": "string", "enum": [*CODES]}
        for name in ("ruling", "version", "errors"):  # left out where they do not apply, never null
            field = problem["properties"].pop(name)
            problem["properties"][name] = field["anyOf"][0] if "anyOf" in field else {**field, "minItems": 1}
        problem["properties"]["errors"].pop("default")
        self._add({**components, "Problem": problem})

    def _add_shown(self, components: Mapping[str, Schema]) -> dict[str, str]:
        """Add components as answers carry them; those that requests have too get a second name."""
        names = {name: name + "Shown" for name in components if name in self._asked}
        self._add({names.get(name, name): renamed(whole(schema), names) for name, schema in components.items()})
        return names

    def _add(self, components: Mapping[str, Schema]) -> None:
        for name, schema in components.items():
            made = {key: value for key, value in schema.items() if key != SPARSE} | {"title": name}
            assert self.components.get(name, made) == made, f"two schemas are called {name}"
            self.components[name] = made


def line_of(kind: type[Event], schema: Schema) -> Schema:
    """The schema of a line: who, when, what, and the hash of the line before."""
    hidden = {"type", "to"} if issubclass(kind, Whisper) else {"type"}
    data = {name: field for name, field in schema.get("properties", {}).items() if name not in hidden}
    required = [name for name in data if name in schema["required"]]
    fields: Schema = {
        "v": {"type": "integer", "const": 1},
        "game": {"type": "string", "format": "uuid"},
        "seq": {"type": "integer", "minimum": 1},
        "at": {"type": "string", "format": "date-time"},
        "by": {"type": "string", "description": "host, seat:<n>, table or referee:<key id>."},
        "type": {"type": "string", "const": type_of(kind)},
        "data": {"type": "object", "properties": data, "required": required},
        "prev": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    }
    if issubclass(kind, Whisper | Secret):
        hearer: Schema = {"type": "integer"} if issubclass(kind, Whisper) else {"type": "string", "const": "table"}
        fields |= {"to": hearer, "round": {"type": "integer"}, "salt": {"type": "string"}}
    always = [*fields]
    fields["move"] = MOVE_TOLD
    text = " ".join((kind.__doc__ or "").split())
    return {"type": "object", "description": text, "properties": fields, "required": always}
