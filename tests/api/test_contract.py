"""The document against the service: schemathesis sends what it allows and what it forbids, and looks at each answer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.app import ROUTES
from service.web.openapi import EXAMPLES as RECORDED
from tests.api.server import Server

SEED = 20_261_130
EXAMPLES = 5
SECONDS_MAX = 240
# What may honestly be answered to a request that fits its schema: who asks and how the table stands decide too.
HONEST = ["2xx", "304", "400", "401", "403", "404", "406", "409", "412", "415", "422", "429", "503"]

SEAT, HOST, PLAYER, ADMIN, REFEREE = "seat", "host", "player", "admin", "referee"
CALLERS = {
    "openTable": PLAYER,
    "sitDown": PLAYER,
    "renewSeatToken": PLAYER,
    "leaveSeat": SEAT,
    "startTable": HOST,
    "callLastRound": HOST,
    "voidTable": HOST,
    "listTables": PLAYER,
    "getTable": PLAYER,
    "getView": SEAT,
    "listMoves": SEAT,
    "makeMove": SEAT,
    "readFeed": SEAT,
    "reportFoul": REFEREE,
    "reverseFoul": REFEREE,
    "enterGrip": REFEREE,
    "makeKey": ADMIN,
    "listKeys": ADMIN,
    "revokeKey": ADMIN,
    "loadTokens": SEAT,
    "readLedger": SEAT,
    "listAccounts": SEAT,
    "readStatement": SEAT,
    "readTrialBalance": SEAT,
    "exportLedger": SEAT,
    "readPlayerLedger": PLAYER,
}
TOKENS = {name for name in CALLERS if "Ledger" in name or name.endswith(("Tokens", "Accounts", "Statement", "Balance"))}
"""The calls that need a game that is played for tokens."""
STRICTER = {f"POST /v1/games/{{game_id}}/{call}" for call in ("moves", "fouls", "grips")}
"""A table refuses the moves of other games, fouls of who does not play there and grips without a dead heat; the
document knows of no table."""
ALL = len(ROUTES) - 1
"""Every call but the one that gives the document, which schemathesis has made already."""
TESTED = {
    "examples": sum(1 for file in RECORDED.glob("*.json") if b'"request"' in file.read_bytes()),
    "coverage": ALL,
    "fuzzing": ALL,
}
"""How many calls each phase must really have made, at least; examples are there for those with a body."""
OF_ITS_OWN = {
    # A version that the table has not reached within two seconds: ask again later.
    "getView": ["checks = { not_a_server_error = { expected-statuses = ['2xx', '3xx', '4xx', '503'] } }"],
}


PLACES = '"path.account" = "seat:1", "path.player" = "player 0"'


def settings(server: Server) -> str:
    """Who calls what, at which table: each call has a table of its own, in the state that it needs."""
    lines = [
        f"seed = {SEED}",
        "continue-on-failure = true",
        'warnings = { fail-on = ["missing_test_data", "missing_auth"] }',
        "request-timeout = 5",
        "max-stream-events = 3",
        "[generation]",
        f"max-examples = {EXAMPLES}",
        'database = "none"',
        "[checks]",
        f"positive_data_acceptance = {{ expected-statuses = {HONEST} }}",
        f"negative_data_rejection = {{ expected-statuses = {[*HONEST[1:], '405', '413']} }}",
    ]
    for name, role in CALLERS.items():
        game = "kishpa" if name in TOKENS else "totem" if role == REFEREE else "shithead"
        table = server.table(game, seats_more=1 if name == "sitDown" else 0)
        if name in TOKENS or role == REFEREE or name in ("getView", "listMoves", "makeMove", "readFeed"):
            table.start()
        tokens = {SEAT: table.seats[0], HOST: table.host, PLAYER: table.key, ADMIN: server.admin}
        tokens[REFEREE] = server.key("referee")
        lines += [
            "[[operations]]",
            f'include-operation-id = "{name}"',
            f'headers = {{ Authorization = "Bearer {tokens[role]}" }}',
            f'parameters = {{ "path.game_id" = "{table.id}", "path.seat" = 0, {PLACES} }}',
            *OF_ITS_OWN.get(name, ()),
        ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("phase", TESTED)
def test_the_service_keeps_what_its_document_says(server: Server, tmp_path: Path, phase: str):
    config = tmp_path / "schemathesis.toml"
    config.write_text(settings(server), encoding="utf-8")
    run = subprocess.run(
        [
            *(Path(sys.executable).with_name("st"), "--config-file", config),
            *("run", f"{server.base}/v1/openapi.json", "--phases", phase, "--no-color", "--output-sanitize", "false"),
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-8_000:] + run.stderr[-2_000:]
    tested = re.search(r"Tested: (\d+)", run.stdout)
    assert tested is not None
    assert int(tested[1]) >= TESTED[phase]
    assert stricter_than_documented(run.stdout) <= STRICTER


def stricter_than_documented(said: str) -> set[str]:
    """The operations that mostly refused what the document allows: a run that never gets further shows nothing."""
    warned = said.partition("Schema validation mismatch")[2].partition("\U0001f4a1")[0]
    return {line.strip().removeprefix("- ") for line in warned.splitlines() if line.startswith("  - ")}


def test_warnings_of_a_run_are_read():
    said = "x\nSchema validation mismatch: 2 operations\n\n  - GET /a\n  - POST /b\n\n\U0001f4a1 Check\n  - GET /c\n"
    assert stricter_than_documented(said) == {"GET /a", "POST /b"}
    assert stricter_than_documented("all good") == set()
