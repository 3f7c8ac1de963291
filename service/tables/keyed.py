"""Requests with a key of their own: the twin that still runs, and the answer given once more."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from typing import Any

import msgspec

from domain.game import Refused
from domain.gate import Caller
from service.callers import Mint
from service.problems import Problem
from service.store.port import Unit
from service.store.rows import IdempotencyRow
from service.tables.answers import Answer, Idempotency
from service.tables.live import Live
from service.tables.registry import Registry

TWIN_WAIT_SECONDS = 2.0
STORED_REFUSALS = ("refused", "table-full")
"""The refusals that a key keeps: those that depend on the table as it was (API.md)."""


Mark = tuple[str, str]
"""A caller and its key."""


class Keys:
    """Idempotency keys in use in this process, and those used before (in the store)."""

    def __init__(self, registry: Registry, mint: Mint) -> None:
        self.registry, self.mint, self.store = registry, mint, registry.store
        self._running: dict[Mark, asyncio.Event | None] = {}
        """Keys in use, each with what its twins wait for: most have none."""

    def running(self, caller: str, idem: Idempotency | None) -> Running:
        """Hold the key while its request runs; a twin waits a while for it, then is told to come again."""
        return Running(self, (caller, idem.key) if idem is not None else None)

    async def hold(self, mark: Mark) -> None:
        """Take the key, once nobody runs with it. Raises Problem request-in-progress."""
        if mark in self._running:
            await self._twin_gone(mark)
        self._running[mark] = None

    def let_go(self, mark: Mark) -> None:
        """The request with this key has its answer."""
        done = self._running.pop(mark)
        if done is not None:
            done.set()

    async def _twin_gone(self, mark: Mark) -> None:
        try:
            async with asyncio.timeout(TWIN_WAIT_SECONDS):
                while mark in self._running:
                    twin = self._running[mark] = self._running[mark] or asyncio.Event()
                    await twin.wait()
        except TimeoutError:
            raise Problem("request-in-progress", "The same request is still running.", retry_after=1) from None

    def row(
        self,
        caller: str,
        idem: Idempotency,
        game: str,
        at: str,
        *,
        status: int,
        span: tuple[int, int] = (0, 0),
        extra: dict[str, Any] | None = None,
        problem: Problem | None = None,
    ) -> IdempotencyRow:
        """What a key is kept with; `span` is its first and last line."""
        return IdempotencyRow(
            caller=caller,
            key=idem.key,
            fingerprint=idem.fingerprint,
            game=game,
            status=status,
            first=span[0],
            last=span[1],
            at=at,
            extra=msgspec.json.encode(extra or {}),
            problem=_kept(problem) if problem else None,
        )

    async def replay(
        self, caller: str, idem: Idempotency | None, audience: Caller, held: Live | None = None
    ) -> Answer | None:
        """The answer of the request that used this key before, as it may be heard now; None if none did.

        `held` is the table whose lock the asker holds. Raises Problem: the stored refusal, or
        idempotency-key-reused if it was another request.
        """
        row = await self.store.idempotency(caller, idem.key) if idem else None
        if row is None or idem is None:
            return None
        if row.fingerprint != idem.fingerprint:
            raise Problem("idempotency-key-reused", "This key was used for another request.")
        if row.problem is not None:
            raise _told_again(row.problem)
        live = await self._as_of(row, held)
        lines = (
            await self.store.lines(row.game, after=row.first - 1, limit=row.last - row.first + 1) if row.last else []
        )
        extra = msgspec.json.decode(row.extra)
        version, head, location = extra.pop("_version"), extra.pop("_head"), extra.pop("_location", None)
        return Answer(
            status=row.status,
            game=row.game,
            version=version,
            head=head,
            events=live.hear(lines, audience),
            extra=self.uncovered(extra),
            replayed=True,
            location=location,
        )

    async def _as_of(self, row: IdempotencyRow, held: Live | None) -> Live:
        """The table at least as it was when the key was used, maybe by another process."""
        live = held or await self.registry.get(row.game)
        async with nullcontext() if held else live.lock:
            table = await self.registry.current(row.game, live)
            if table.version < row.last:
                await self.registry.catch_up(row.game, live)
        return live

    async def refuse(self, caller: str, idem: Idempotency | None, game: str, at: str, problem: Problem) -> None:
        """Keep a refusal with its key, so that the same request gets the same answer."""
        if idem is not None and problem.code in STORED_REFUSALS:
            row = self.row(caller, idem, game, at, status=409, problem=problem)
            await self.store.commit(Unit(game=game, at=at, idempotency=row))

    def covered(self, extra: dict[str, Any], secrets: dict[str, str]) -> dict[str, Any]:
        """An answer's extra as kept: secrets by their token's id."""
        return {**extra, "_secrets": secrets} if secrets else {**extra}

    def uncovered(self, extra: dict[str, Any]) -> dict[str, Any]:
        """The extra as given: each secret follows from its id again."""
        secrets: dict[str, str] = extra.pop("_secrets", {})
        return {**extra, **{name: self._secret(name, token_id) for name, token_id in secrets.items()}}

    def _secret(self, name: str, token_id: str) -> str:
        return self.mint.invite(token_id) if name == "invite" else self.mint.text(name.removesuffix("_token"), token_id)


class Running:
    """Holds a key for as long as it is entered."""

    __slots__ = ("keys", "mark")

    def __init__(self, keys: Keys, mark: Mark | None) -> None:
        self.keys, self.mark = keys, mark

    async def __aenter__(self) -> None:
        if self.mark is not None:
            await self.keys.hold(self.mark)

    async def __aexit__(self, *_: object) -> None:
        if self.mark is not None:
            self.keys.let_go(self.mark)


def refusal(refused: Refused, version: int) -> Problem:
    """A refusal by the rules as a problem."""
    return Problem("refused", refused.reason, ruling=refused.ruling, version=version)


def _kept(problem: Problem) -> bytes:
    return msgspec.json.encode([problem.code, problem.detail, problem.ruling, problem.version])


def _told_again(kept: bytes) -> Problem:
    code, detail, ruling, version = msgspec.json.decode(kept)
    return Problem(code, detail, ruling=ruling, version=version, headers={"Idempotent-Replayed": "true"})
