"""Tables of Totem over HTTP at a server of its own, with a match on the table when a test wants it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import httpx

from domain.games import GAMES

CALM = {"min_flip_interval_ms": 0, "turn_timeout_ms": 0, "choice_timeout_ms": 0, "settle_ms": 0, "dead_heat_ms": 0}
PAIR = ("s01-purple", "s01-green", "s02-purple", "s03-purple")


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


class TotemTable:
    """One table: its path and the tokens of everybody at it. Whoever makes some ends with `close_all`."""

    clients: ClassVar[list[httpx.Client]] = []

    @classmethod
    def close_all(cls) -> None:
        """Close every connection."""
        while cls.clients:
            cls.clients.pop().close()

    def __init__(self, base: str, key: str, seats: int = 3, tops: Sequence[str] = PAIR, **more: Any) -> None:
        self.http = httpx.Client(base_url=base, timeout=30)
        self.clients.append(self.http)
        rules = {**CALM, **more.pop("rules", {})}
        made = GAMES["totem"].rules(**rules)
        top = tuple(tops)
        pack = GAMES["totem"].pack(made, seats)
        rest = sorted((card for card in pack if card not in top), key=lambda card: not card.startswith("s"))
        deck = [*top[:seats], *rest, *top[seats:]]
        asked = {"game": "totem", "seats": seats, "rules": rules, "sandbox": {"decks": [deck]}, **more}
        opened = self.post("/v1/games", key, asked)
        self.id, self.host = opened["id"], opened["host_token"]
        self.path = f"/v1/games/{self.id}"
        invite = {"invite": opened["invite"]} if "invite" in opened else {}
        self.seats = [
            self.post(f"{self.path}/seats", key, {"player": f"player {n}", **invite})["seat_token"]
            for n in range(seats)
        ]

    def start(self, flips: int = 0) -> TotemTable:
        """Start it, and let the first seats turn a card up."""
        self.post(f"{self.path}/start", self.host)
        for seat in range(flips):
            self.move(seat, {"type": "totem.turn_up"})
        return self

    def move(self, seat: int, move: dict[str, Any]) -> dict[str, Any]:
        return self.post(f"{self.path}/moves", self.seats[seat], move)

    def post(self, path: str, token: str, body: Any = None) -> dict[str, Any]:
        answer = self.http.post(path, json=body, headers=bearer(token))
        assert answer.is_success, answer.text
        given: dict[str, Any] = answer.json()
        return given

    def get(self, path: str = "", token: str | None = None) -> httpx.Response:
        return self.http.get(self.path + path, headers=bearer(token) if token else {})
