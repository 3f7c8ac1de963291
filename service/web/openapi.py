"""The OpenAPI 3.1 document: what each route and its operation say of themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

import msgspec
import yaml

from service.problems import CODES, MEDIA_TYPE
from service.web.document_parts import HEADERS, LINKS, PARAMETERS, SECURITY, TAGS, TEXT, problems_of
from service.web.document_schemas import Schemas
from service.web.operations import NDJSON, SSE, Gives, Operation, Route
from service.web.schema_names import Schema, ref

EXAMPLES = Path(__file__).resolve().parents[2] / "api-spec" / "examples"
"""Recorded from real runs: `<operation>.json`, each `{request?, response}`. An installed package has none."""


def encoded(routes: Sequence[Route]) -> bytes:
    """The document as JSON."""
    return msgspec.json.encode(document(routes))


def document(routes: Sequence[Route]) -> Schema:
    """The whole document."""
    operations = [route.operation for route in routes]
    bodies = [operation.body for operation in operations if operation.body is not None]
    queries = [operation.query for operation in operations if operation.query is not None]
    gives = [given.type for operation in operations for given in operation.gives.values()]
    schemas = Schemas([*bodies, *queries], gives)
    paths: Schema = {}
    for route in routes:
        paths.setdefault(route.path.replace(":str", ""), {})[route.method.lower()] = _operation(route, schemas)
    hidden = {query.__name__ for query in queries}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kupa",
            "version": metadata.version("kupa"),
            "description": TEXT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": {name: schema for name, schema in sorted(schemas.components.items()) if name not in hidden},
            "headers": HEADERS,
            "securitySchemes": SECURITY,
        },
    }


def _operation(route: Route, schemas: Schemas) -> Schema:
    """One operation of the document: the first sentence of its route's docstring is its summary."""
    operation = route.operation
    summary, _, rest = " ".join((route.serve.__doc__ or "").split()).partition(". ")
    made: Schema = {"operationId": operation.id, "tags": [operation.tag], "summary": summary.rstrip(".")}
    made["description"] = rest
    made["parameters"] = [*_path_parameters(route.path), *_parameters(operation, schemas)]
    made["security"] = [{} if role == "anyone" else {role + "Token": []} for role in operation.roles]
    if operation.body is not None:
        content: Schema = {"schema": schemas.of(operation.body), **_example(operation.id, "request")}
        made["requestBody"] = {
            "required": not operation.body_optional,
            "content": {"application/json": content},
        }
    made["responses"] = {
        **{str(status): _answer(operation, status, given, schemas) for status, given in operation.gives.items()},
        **_unchanged(operation),
        **_problems(operation),
    }
    return {key: value for key, value in made.items() if value or key == "security"}


def _path_parameters(path: str) -> list[Schema]:
    return [
        {"name": name, "in": "path", "required": True, **PARAMETERS[name]}
        for name in PARAMETERS
        if f"{{{name}:str}}" in path
    ]


def _parameters(operation: Operation, schemas: Schemas) -> list[Schema]:
    """The query parameters, each with its bounds, and the headers that the call obeys."""
    found: list[Schema] = []
    if operation.query is not None:
        fields = schemas.components[operation.query.__name__]["properties"]
        found += [{"name": name, "in": "query", "schema": _bare(schema)} for name, schema in fields.items()]
    wanted = {
        "Idempotency-Key": operation.keyed,
        "If-Match": operation.if_match,
        "If-None-Match": operation.conditional,
        "Last-Event-ID": operation.resumes,
        "Kupa-Invite": operation.on_table and "anyone" in operation.roles,
    }
    needed: Schema = {"required": True} if operation.key_required else {}
    return found + [
        {"name": name, "in": "header", **(needed if name == "Idempotency-Key" else {}), **PARAMETERS[name]}
        for name, there in wanted.items()
        if there
    ]


def _bare(schema: Schema) -> Schema:
    """A parameter that is absent rather than null."""
    options = [option for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    bare = {**options[0], **{k: v for k, v in schema.items() if k != "anyOf"}} if len(options) == 1 else dict(schema)
    if bare.get("default", ...) is None:
        del bare["default"]
    return bare


def _answer(operation: Operation, status: int, given: Gives, schemas: Schemas) -> Schema:
    headers = {
        "ETag": operation.versioned,
        "Location": operation.located,
        "Idempotent-Replayed": operation.keyed,
        "RateLimit": operation.limit is not None,
        "RateLimit-Policy": operation.limit is not None,
        "Vary": operation.varies,
    }
    made: Schema = {
        "description": given.meaning,
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name, there in headers.items() if there},
        "content": {media: _content(operation, media, given, schemas) for media in operation.media},
        "links": LINKS.get((operation.id, status)),
    }
    return {key: value for key, value in made.items() if value}


STREAMED = {
    NDJSON: "One line, or sealed entry, after another, each ended by a newline; while following, an empty line is a "
    "heartbeat.",
    SSE: "Server-sent events. Without an event name: a line, or sealed entry, as stored, its `id` the seq. `hello`: a "
    "View. `end` and `reset`: `{head, version}`. A comment is a heartbeat.",
}
"""What is in an answer that comes piece by piece."""


def _content(operation: Operation, media: str, given: Gives, schemas: Schemas) -> Schema:
    match media:
        case _ if given.type is str:
            return {"schema": {"type": "string"}}
        case _ if media in STREAMED:
            return {"schema": {"type": "string", "description": STREAMED[media]}}
        case _ if given.type is dict:
            return {"schema": {"type": "object"}}
        case _:
            return {"schema": schemas.of(given.type), **_example(operation.id, "response")}


def _unchanged(operation: Operation) -> Mapping[str, Schema]:
    if not operation.conditional:
        return {}
    headers = {"ETag": {"$ref": "#/components/headers/ETag"}}
    return {"304": {"description": "The caller has this version already.", "headers": headers}}


def _problems(operation: Operation) -> Mapping[str, Schema]:
    """Every status that can go wrong here, with the codes that it may have."""
    by_status: dict[int, list[str]] = {}
    for code in problems_of(operation):
        by_status.setdefault(CODES[code].status, []).append(code)
    return {str(status): _problem(status, codes) for status, codes in sorted(by_status.items())}


TOLD = {
    401: ("WWW-Authenticate",),
    409: ("Retry-After",),
    412: ("ETag",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}
"""The headers that problems of a status may carry."""


def _problem(status: int, codes: Sequence[str]) -> Schema:
    schema = {"allOf": [ref("Problem"), {"properties": {"code": {"enum": [*codes]}, "status": {"const": status}}}]}
    made: Schema = {
        "description": "; ".join(f"`{code}`: {CODES[code].title}" for code in codes) + ".",
        "content": {MEDIA_TYPE: {"schema": schema}},
    }
    if status in TOLD:
        made["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in TOLD[status]}
    return made


def _example(operation_id: str, part: str) -> Schema:
    """What was recorded of this operation, if it was."""
    file = EXAMPLES / f"{operation_id}.json"
    if not file.is_file():
        return {}
    recorded = msgspec.json.decode(file.read_bytes())
    return {"examples": {"recorded": {"value": recorded[part]}}} if part in recorded else {}


def as_yaml(routes: Sequence[Route]) -> str:
    """The document as YAML, as it is committed."""
    plain = msgspec.json.decode(encoded(routes))
    text: str = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=120)
    return text
