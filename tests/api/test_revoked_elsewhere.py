"""Two processes on one PostgreSQL: what was revoked at one of them writes nothing at the other, from that moment on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

from service import auth
from tests import postgres
from tests.api.server import Seated, Server, bearer, settings

OPENED = {"game": "shithead", "seats": 2}
LONG_SECONDS = 60.0


class Two:
    """Two servers on one database, a table that both know, and a key that both believe."""

    def __init__(self, url: str, here: Server, there: Server) -> None:
        self.url, self.here, self.there = url, here, there
        made = here.http.post("/v1/keys", json={"scopes": ["play", "admin", "referee"]}, headers=bearer(here.admin))
        self.key, self.key_id = made.json()["key"], made.json()["id"]
        self.table = here.table(key=self.key, people=1, seats_more=1)

    def revoke(self) -> None:
        """Take the key back at the one server, which the other has just believed."""
        assert self.read(self.key).status_code == 200
        gone = self.here.http.delete(f"/v1/keys/{self.key_id}", headers=bearer(self.here.admin))
        assert gone.status_code == 200

    def away(self) -> None:
        """Shut the database, for the servers too."""
        name = str(conninfo_to_dict(self.url)["dbname"])
        shut = SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(Identifier(name))
        hang_up = SQL("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {}").format(name)
        postgres.execute(postgres.url_of(self.url, "postgres"), shut, hang_up)

    def read(self, token: str) -> httpx.Response:
        return self.there.http.get(self.table.url, headers=bearer(token))

    def write(self, token: str, method: str, path: str, body: object = None) -> httpx.Response:
        return self.there.http.request(method, path, json=body, headers=bearer(token))


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Two]:
    """Nobody hears of a revocation by itself while the test runs: what is believed stays believed."""
    monkeypatch.setattr(auth, "HEAR_SECONDS", LONG_SECONDS)
    monkeypatch.setattr(auth, "KEPT_SECONDS", LONG_SECONDS)
    with postgres.database() as url:
        wanted = settings(tmp_path, database_url=url)
        with Server(wanted) as here, Server(wanted) as there:
            yield Two(url, here, there)


WRITES: dict[str, Callable[[Seated], tuple[str, str, object]]] = {
    "open": lambda _: ("POST", "/v1/games", OPENED),
    "sit": lambda table: ("POST", f"{table.url}/seats", {"player": "late"}),
    "renew": lambda table: ("POST", f"{table.url}/seats/0/token", {}),
    "void": lambda table: ("POST", f"{table.url}/void", {}),
    "make a key": lambda _: ("POST", "/v1/keys", {"scopes": ["admin"]}),
    "revoke a key": lambda _: ("DELETE", "/v1/keys/0", None),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_key_revoked_at_one_process_writes_nothing_at_the_other(
    two: Two, write: Callable[[Seated], tuple[str, str, object]]
):
    two.revoke()
    answer = two.write(two.key, *write(two.table))
    assert (answer.status_code, answer.json()["code"]) == (401, "token-revoked")
    assert two.read(two.key).status_code == 401, "and what was learned is remembered"


def test_a_read_may_still_be_answered_until_the_revocation_is_heard_of(two: Two):
    two.revoke()
    assert two.read(two.key).status_code == 200


def test_the_token_of_a_freed_seat_cannot_send_away_who_sits_there_next(two: Two):
    table, (freed,) = two.table, two.table.seats
    assert two.read(freed).status_code == 200
    assert table.http.delete(f"{table.url}/seats/0", headers=bearer(table.host)).status_code == 200
    table.sit("next", seat=0)
    answer = two.write(freed, "DELETE", f"{table.url}/seats/0")
    assert (answer.status_code, answer.json()["code"]) == (401, "token-revoked")
    assert table.get("").json()["seats"][0]["player"] is not None


def test_with_the_store_away_who_writes_hears_that_nothing_was_changed(two: Two):
    two.away()
    answer = two.write(two.key, "POST", "/v1/games", OPENED)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert "nothing was changed" in answer.json()["detail"]
    assert answer.headers["Retry-After"] == "2"


def test_a_good_key_writes_as_before(two: Two):
    for name in ("open", "sit", "renew"):
        assert two.write(two.key, *WRITES[name](two.table)).status_code == 201
