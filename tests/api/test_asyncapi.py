"""The document of the socket against the socket: what it says fits, and what comes in is what it describes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from service.routes.socket import handler
from service.routes.socket_shapes import Asked, Auth, Pong
from service.web.socket_document import text
from tests.api.test_socket import tell
from tests.api.totem import TotemTable, bearer
from tests.faults.serving import Service
from tests.websocket import Closed, Socket

SNAPSHOT = Path(__file__).parents[2] / "api-spec" / "asyncapi.yaml"
DOCUMENT: dict[str, Any] = yaml.safe_load(SNAPSHOT.read_text(encoding="utf-8"))
MESSAGES: dict[str, Any] = DOCUMENT["components"]["messages"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("asyncapi") / "data") as running:
        yield running
    TotemTable.close_all()


def faults(name: str, value: Any) -> list[str]:
    schema = {**MESSAGES[name]["payload"], "components": DOCUMENT["components"]}
    return [error.message for error in Draft202012Validator(schema).iter_errors(value)]


def test_the_committed_copy_is_current(accept: bool):
    if accept:
        SNAPSHOT.write_text(text(), encoding="utf-8")
    assert SNAPSHOT.read_text(encoding="utf-8") == text(), "written in service/web/asyncapi.yaml; copy it"


def test_the_service_serves_it_and_the_other_document_and_the_start_page_name_it(service: Service):
    assert httpx.get(f"{service.base}/v1/asyncapi.json").json() == DOCUMENT
    assert 'href="/v1/asyncapi.json"' in httpx.get(service.base).text
    openapi = httpx.get(f"{service.base}/v1/openapi.json").json()
    feed, move = openapi["paths"]["/v1/games/{game_id}/events"], openapi["paths"]["/v1/games/{game_id}/moves"]
    for described in (openapi["info"], feed["get"], move["post"]):
        assert "/v1/games/{game_id}/socket" in described["description"]
        assert "/v1/asyncapi.json" in described["description"]


def test_the_address_is_that_of_the_socket():
    [path] = handler(lambda: None).paths  # type: ignore[arg-type, return-value]
    assert DOCUMENT["channels"]["table"]["address"] == path.replace(":str", "")


@pytest.mark.parametrize(("name", "kind"), [("auth", Auth), ("move", Asked), ("pong", Pong)])
def test_what_comes_in_has_the_fields_that_the_document_names(name: str, kind: type[Any]):
    described = MESSAGES[name]["payload"]["properties"]
    assert set(described) == {"type", *kind.__struct_fields__}
    assert described["type"]["const"] == kind.__struct_config__.tag


def test_every_message_is_used_by_exactly_one_operation():
    used = [message["$ref"] for one in DOCUMENT["operations"].values() for message in one["messages"]]
    assert sorted(used) == sorted(f"#/channels/table/messages/{name}" for name in MESSAGES)


def test_what_the_socket_says_fits_the_document(service: Service):
    table = TotemTable(service.base, service.admin(), seats=2).start(flips=1)
    heard: list[Any] = []

    async def listen(after: int | None = None) -> Socket:
        socket = await Socket.open(service.base, f"{table.path}/socket")
        cursor = {} if after is None else {"after": after}
        await socket.say({"type": "auth", "token": table.seats[1], **cursor})
        return socket

    async def to_the_end(socket: Socket) -> None:
        while True:
            heard.append(await asyncio.wait_for(socket.hear(), 10))

    async def story() -> None:
        socket = await listen(10_000)
        await socket.say({"type": "move", "move": {"type": "totem.grab", "reveal": 1}, "id": "x"})
        await socket.say({"type": "move", "move": {"type": "totem.turn_up"}})
        await socket.say("[]")
        await asyncio.sleep(0.5)
        resumed = await listen(0)
        await asyncio.to_thread(httpx.delete, f"{service.base}{table.path}/seats/0", headers=bearer(table.seats[0]))
        for one in (socket, resumed):
            with pytest.raises(Closed, match="1000"):
                await to_the_end(one)

    tell(story)
    kinds = set()
    for frame in heard:
        name = "sealed" if "sealed" in frame else "line" if "seq" in frame else frame["type"]
        kinds.add(name)
        assert faults(name, frame) == [], frame
    assert kinds == MESSAGES.keys() - {"auth", "move", "pong"}
