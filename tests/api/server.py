"""The service behind a socket on a free port, in a thread of this process; and tables made by speaking to it."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any, Self

import httpx
import uvicorn

from domain.games import GAMES
from service.app import create_app
from service.first import ADMIN_KEY, prepare
from service.settings import Settings

Json = dict[str, Any]
UNLIMITED = 1_000_000


def settings(folder: Path, **changes: Any) -> Settings:
    """Settings for a test: an empty folder, no limit in the way."""
    given = {
        "data_dir": str(folder),
        "first_table": False,
        "opens_per_minute": UNLIMITED,
        "tokens_per_minute": UNLIMITED,
        "failures_per_minute": UNLIMITED,
    }
    return Settings(**{**given, **changes})


class Server:
    """The application, served from `__enter__` to `__exit__`."""

    def __init__(self, wanted: Settings) -> None:
        asyncio.run(prepare(wanted))
        self.settings = wanted
        self.app = create_app(wanted)
        config = uvicorn.Config(self.app, host="127.0.0.1", port=0, log_config=None, lifespan="on")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run)

    def __enter__(self) -> Self:
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        self.base = f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"
        self.admin = (self.settings.folder / ADMIN_KEY).read_text().strip()
        self.http = httpx.Client(base_url=self.base, timeout=20)
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()
        self.server.should_exit = True
        self.thread.join()

    def key(self, *scopes: str, **more: Any) -> str:
        """A new API key."""
        made = self.http.post("/v1/keys", json={"scopes": scopes, **more}, headers=bearer(self.admin))
        assert made.status_code == 201, made.text
        return str(made.json()["key"])

    def table(self, game: str = "shithead", *, people: int = 2, bots: int = 0, **asked: Any) -> Seated:
        """A table with so many people and bots at it, not started; `seats_more` stay free."""
        key = asked.pop("key", self.admin)
        rules = {**quick(game), **asked.pop("rules", {})}
        free = asked.pop("seats_more", 0)
        body = {"game": game, "seats": people + bots + free, "rules": rules, **asked}
        opened = self.http.post("/v1/games", json=body, headers=bearer(key))
        assert opened.status_code == 201, opened.text
        table = Seated(self, key, opened.json())
        for n in range(people):
            table.sit(f"player {n}")
        for _ in range(bots):
            table.post("/seats", table.host, {"bot": "easy"})
        return table


class Seated:
    """One table and the tokens of everybody at it."""

    def __init__(self, server: Server, key: str, opened: Json) -> None:
        self.server, self.http, self.key, self.opened = server, server.http, key, opened
        self.id, self.host, self.invite = opened["id"], opened["host_token"], opened.get("invite")
        self.url = f"/v1/games/{self.id}"
        self.seats: list[str] = []

    def sit(self, player: str, **more: Any) -> httpx.Response:
        """Take the next free seat with the table's key."""
        known = {"invite": self.invite} if self.invite else {}
        answer = self.post("/seats", self.key, {"player": player, **known, **more})
        assert answer.status_code == 201, answer.text
        self.seats.append(answer.json()["seat_token"])
        return answer

    def start(self) -> Json:
        answer = self.http.post(f"{self.url}/start", headers=bearer(self.host))
        assert answer.status_code == 200, answer.text
        made: Json = answer.json()
        return made

    def get(self, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        headers = {**(bearer(token) if token else {}), **more.pop("headers", {})}
        return self.http.get(self.url + path, headers=headers, **more)

    def post(self, path: str, token: str | None, body: Any = None, **more: Any) -> httpx.Response:
        headers = {**(bearer(token) if token else {}), **more.pop("headers", {})}
        return self.http.post(self.url + path, json=body, headers=headers, **more)

    def moves(self, seat: int, **query: Any) -> Json:
        answer = self.get("/moves", self.seats[seat], params=query)
        assert answer.status_code == 200, answer.text
        listed: Json = answer.json()
        return listed

    def end(self) -> None:
        """Void it, so that bots that would play on for ever leave the processor to other tests."""
        assert self.post("/void", self.server.key("referee")).is_success

    def status(self) -> str:
        return str(self.get("", self.host).json()["status"])


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


QUICK = {
    "rounds": 1,
    "max_turns_per_round": 20,
    "min_flip_interval_ms": 0,
    "countdown_ms": 0,
    "settle_ms": 0,
    "symbols": 3,
}


def quick(game: str) -> Json:
    """Table rules under which a whole game is short."""
    return {name: value for name, value in QUICK.items() if name in GAMES[game].rules.__struct_fields__}
