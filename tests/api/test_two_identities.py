"""Roads along the links of the document, from opening a table to moves, walked while others try each step of a seat.

Schemathesis draws the steps. A harness adds what a document cannot say: which token a step needs, and that a start
needs every seat taken. Before each step that belongs to one seat, one host or one key, the same request is sent by
everybody who is none of them.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple, cast

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis import settings as how
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.stateful import APIStateMachine

from service.app import ROUTES
from service.web.openapi import document
from tests.api.server import Seated, Server, bearer
from tests.api.test_contract import HONEST

ROAD = ("openTable", "sitDown", "startTable", "getView", "listMoves", "makeMove")
BESIDE = ("getTable", "readFeed", "renewSeatToken", "leaveSeat")
OWN = ("startTable", "listMoves", "makeMove", "renewSeatToken", "leaveSeat")
"""The calls at a table that are one seat's, one host's or one key's."""
OPEN = ("getTable", "getView", "readFeed")
"""Those that anybody may make, and hears what everybody hears."""
TURNED_AWAY = {401, 403, 404}
SEATS = 4
ROADS, STEPS = 12, 60
REACHED_MIN, TRIED_MIN = 3, 50
"""How often each call must have been answered well, and each of OWN been tried by others: no run is empty."""


class Seat(NamedTuple):
    """Who holds a seat: the key that sat, and the seat's token."""

    key: str
    token: str


class Table:
    """What is known of a table that was opened on the road."""

    def __init__(self, opened: dict[str, Any]) -> None:
        self.url, self.host = f"/v1/games/{opened['id']}", opened["host_token"]
        self.invite = opened.get("invite")
        self.seats: dict[int, Seat] = {}
        self.started = False


class Company:
    """One key walks the road, one sits down beside it, one has only a table elsewhere; what they did is counted."""

    def __init__(self, server: Server) -> None:
        self.server, self.referee = server, server.key("referee")
        self.first, self.beside, self.stranger = (server.key("play") for _ in range(3))
        self.elsewhere: Seated = server.table(key=self.stranger)
        self.elsewhere.start()
        self.reached: Counter[str] = Counter()
        self.tried: Counter[str] = Counter()

    def strangers(self) -> list[str]:
        """Good tokens that have no part in any table of the road."""
        return [self.stranger, self.elsewhere.seats[0], self.elsewhere.host]


def machine(company: Company) -> type[APIStateMachine]:
    """The state machine over the links of the document."""
    config = {"generation": {"mode": "positive"}, "checks": {"positive_data_acceptance": {"expected-statuses": HONEST}}}
    schema = schemathesis.openapi.from_dict(linked(), config=SchemathesisConfig.from_dict(config))
    drawn: Any = schema.include(operation_id=[*ROAD, *BESIDE]).as_state_machine()

    class Road(drawn):  # type: ignore[misc]
        """One run along the links."""

        def setup(self) -> None:
            self.tables: dict[str, Table] = {}

        def teardown(self) -> None:
            for table in self.tables.values():
                token = company.referee if table.started else table.host
                company.server.http.post(f"{table.url}/void", headers=bearer(token))

        def before_call(self, case: Any) -> None:
            name, table = name_of(case), self.table(case)
            prepare(case, name)
            if table is None:
                return
            if name == "startTable":
                fill(company, table)
            if name == "makeMove":
                play(case, acting(company, table)[1])
            if name in OWN:
                for other in others(company, case, table):
                    answer = case.call(base_url=company.server.base, headers=bearer(other))
                    company.tried[name] += 1
                    assert answer.status_code in TURNED_AWAY, f"{name} as somebody else: {answer.status_code}"
            if name in OPEN:
                alike(company, case)

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            table = self.table(case)
            token = token_of(company, case, table) if table is not None else company.first
            return {"base_url": company.server.base, "headers": bearer(token), "timeout": 10}

        def after_call(self, response: Any, case: Any) -> None:
            super().after_call(response, case)
            name, table = name_of(case), cast("Table", self.table(case))
            if not 200 <= response.status_code < 300:
                return
            company.reached[name] += 1
            if name == "openTable":
                opened = response.json()
                self.tables[opened["id"]] = Table(opened)
            elif name == "startTable":
                table.started = True
            elif name in ("sitDown", "renewSeatToken"):
                sat = response.json()
                table.seats[sat["seat"]] = Seat(token_of(company, case, table), sat["seat_token"])
            elif name == "leaveSeat" and not table.started:
                del table.seats[seat_of(case)]

        def table(self, case: Any) -> Table | None:
            return self.tables.get(str((case.path_parameters or {}).get("game_id")))

    return Road


def linked() -> dict[str, Any]:
    """The document; a body that a link gives is sent as it is, not mixed with one that was drawn."""
    made = document(ROUTES)
    for path in made["paths"].values():
        for operation in path.values():
            for answer in operation["responses"].values():
                for link in answer.get("links", {}).values():
                    link["x-schemathesis"] = {"merge_body": False}
    return made


def name_of(case: Any) -> str:
    return str(case.operation.definition.raw["operationId"])


def prepare(case: Any, name: str) -> None:
    """Let a step that was drawn be one that can succeed, and be answered at once."""
    for header in ("Authorization", "Accept", "Idempotency-Key", "Kupa-Invite", "Last-Event-ID"):
        case.headers.pop(header, None)
    for parameter in ("wait", "min_version", "follow"):
        case.query.pop(parameter, None)
    if name == "openTable":
        case.body = {**case.body, "seats": SEATS}
        for field in ("rules", "sandbox"):
            case.body.pop(field, None)
    if name == "sitDown":
        case.body = {"player": case.body.get("player") or "somebody"}


def fill(company: Company, table: Table) -> None:
    """Let the key beside take what is free."""
    for _ in range(SEATS):
        asked = {"invite": table.invite} if table.invite else {}
        sat = company.server.http.post(f"{table.url}/seats", json=asked, headers=bearer(company.beside))
        if sat.status_code != httpx.codes.CREATED:
            return
        table.seats[sat.json()["seat"]] = Seat(company.beside, sat.json()["seat_token"])


def play(case: Any, listed: list[dict[str, Any]]) -> None:
    """Keep the move that the link gave if it is listed still, else take another."""
    if listed and case.body not in listed:
        case.body = listed[0]
        case.headers.pop("If-Match", None)


def seat_of(case: Any) -> int:
    return int(case.path_parameters["seat"])


def token_of(company: Company, case: Any, table: Table) -> str:
    """Whose step it is."""
    match name_of(case):
        case "startTable":
            return table.host
        case "leaveSeat":
            return table.seats[seat_of(case)].token if seat_of(case) in table.seats else table.host
        case "renewSeatToken":
            return table.seats[seat_of(case)].key if seat_of(case) in table.seats else company.first
        case "listMoves" | "makeMove":
            return acting(company, table)[0]
        case "getView" | "readFeed" if table.seats:
            return table.seats[min(table.seats)].token
        case _:
            return company.first


def acting(company: Company, table: Table) -> tuple[str, list[dict[str, Any]]]:
    """The token of a seat that has moves, and they; else any seat's, or at an empty table the host's, and none."""
    for seat in table.seats.values():
        listed = company.server.http.get(f"{table.url}/moves", headers=bearer(seat.token))
        if listed.is_success and (items := listed.json()["items"]):
            return seat.token, items
    return next((seat.token for seat in table.seats.values()), table.host), []


def others(company: Company, case: Any, table: Table) -> list[str]:
    """Good tokens that are not for this step: of strangers, and of those at the table who are somebody else."""
    name, keys, seats = name_of(case), [company.first, company.beside], dict(table.seats)
    if name in ("listMoves", "makeMove"):
        return [*company.strangers(), *keys, table.host]
    found = [*company.strangers(), *keys, table.host, *(seat.token for seat in seats.values())]
    mine = seats.get(seat_of(case)) if name != "startTable" else None
    rightful = {"startTable": {table.host}, "leaveSeat": {table.host}, "renewSeatToken": set[str]()}[name]
    if mine is not None:
        rightful.add(mine.token if name == "leaveSeat" else mine.key)
    return [token for token in found if token not in rightful]


def alike(company: Company, case: Any) -> None:
    """A stranger hears what everybody hears, and no more; asked again if the table moved on meanwhile by its clock."""

    def told(token: str | None) -> tuple[int, bytes]:
        answer = case.call(base_url=company.server.base, headers=bearer(token) if token else {})
        return answer.status_code, answer.content

    while True:
        before, heard, after = told(None), [told(token) for token in company.strangers()], told(None)
        if before == after:
            assert heard == [before] * len(heard), f"{name_of(case)} tells a stranger more"
            return


def test_nobody_takes_a_step_that_is_another_s(server: Server):
    company = Company(server)
    machine(company).run(
        settings=how(
            max_examples=ROADS,
            stateful_step_count=STEPS,
            phases=[Phase.generate],
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=[*HealthCheck],
        )
    )
    assert {name for name in (*ROAD, *BESIDE) if company.reached[name] < REACHED_MIN} == set()
    assert {name for name in OWN if company.tried[name] < TRIED_MIN} == set()
