"""Bearer tokens: how they are made from the server key, kept as hashes only, and resolved to whoever asks."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal, NamedTuple, cast

import structlog

from service.callers import Host, Key, SeatHolder, Spectator, Who
from service.problems import Problem
from service.settings import Settings
from service.store.port import Store, Unavailable
from service.store.rows import TokenRow
from service.store.side_rows import REVOKED

log = structlog.get_logger(__name__)
KEY_BYTES = 32
SECRET_DIGITS = 48
"""Hex digits of the HMAC that make a secret: 192 bits."""
TOKENS_KEPT_MAX = 50_000
KEPT_SECONDS = 1.0
"""How long a token is believed after the store, or its list of revocations, was last asked; longer is never."""
SLEPT_SECONDS = 60.0
"""Who has not heard of revocations for so long begins anew: rows of the outbox are dropped some day."""
HEAR_SECONDS = 0.25
"""How often the list of revocations is asked: the delay with which one reaches another process."""

Kind = Literal["key", "host", "seat"]
_BEARER = re.compile(r"(?i:bearer) +kupa_(key|host|seat)_([0-9a-f-]{1,36})_([0-9a-f]{48})")


class Minter:
    """Makes tokens whose secret follows from their id and the server key, so that a replay gives the same again."""

    def __init__(self, server_key: bytes) -> None:
        assert len(server_key) == KEY_BYTES, "the server key has 32 bytes"
        self._key = server_key

    def _secret(self, kind: str, name: str) -> str:
        mac = hmac.digest(self._key, f"kupa token\0{kind}\0{name}".encode(), "sha256")
        return mac.hex()[:SECRET_DIGITS]

    def text(self, kind: str, token_id: str) -> str:
        """The bearer text `kupa_<kind>_<id>_<secret>` of a token."""
        return f"kupa_{kind}_{token_id}_{self._secret(kind, token_id)}"

    def row(
        self,
        kind: str,
        token_id: str,
        owner: str,
        at: str,
        *,
        game: str | None = None,
        seat: int | None = None,
        scopes: tuple[str, ...] = (),
        expires: str | None = None,
    ) -> TokenRow:
        """The token at rest."""
        return TokenRow(
            id=token_id,
            kind=cast("Kind", kind),
            digest=self.digest(self._secret(kind, token_id)),
            owner=owner,
            at=at,
            game=game,
            seat=seat,
            scopes=scopes,
            expires=expires,
        )

    def invite(self, game: str) -> str:
        """The invite of a private table."""
        return self._secret("invite", game)

    def digest(self, secret: str) -> str:
        """SHA-256 in hex, as kept at rest."""
        return hashlib.sha256(secret.encode()).hexdigest()


class Token(NamedTuple):
    """A token at rest, and whose it is."""

    row: TokenRow
    who: Who


class Auth:
    """Resolves the Authorization header. Rows are kept; who revokes one here calls `forget`.

    While `listen` runs, a row is believed until the outbox tells of its revocation. Without it, or with the store
    away, it is read again after a second. Where `several` processes serve, one that writes is read each time.
    """

    def __init__(self, store: Store, minter: Minter, now: Callable[[], str], *, several: bool = False) -> None:
        self._store, self._minter, self._now, self._several = store, minter, now, several
        self._kept: OrderedDict[str, tuple[Token, float]] = OrderedDict()
        self._heard = -KEPT_SECONDS
        """When every revocation before it was known here (a time of the loop's clock)."""
        self._posted: int | None = None
        """The outbox row up to which revocations were heard."""
        self._forgotten = 0
        self.followers: list[Callable[[str | None], None]] = []
        """Told when tokens of a table (None: of no table) were revoked here: the live feeds, which look again."""

    async def resolve(
        self, header: str | None, *, fresh: bool = False, writing: bool = False, revoked: bool = False
    ) -> Who:
        """Who sends this header; nobody in particular without one. With `fresh` the store is asked in any case.

        It is asked before `writing` too, if another process may have revoked the token a moment ago. With `revoked` a
        token that was revoked still says whose it was: only to give an old answer once more.

        Raises Problem token-invalid, token-revoked.
        """
        if header is None:
            return Spectator()
        match = _BEARER.fullmatch(header)
        fresh = fresh or (writing and self._several)
        token = await self._token(match[2], fresh=fresh) if match else None
        if match is None or token is None or token.row.kind != match[1]:
            raise invalid("The token is malformed or unknown.")
        row = token.row
        if not hmac.compare_digest(row.digest, self._minter.digest(match[3])):
            raise invalid("The token is malformed or unknown.")
        if row.revoked is not None and not revoked:
            raise invalid("The token was revoked.", code="token-revoked")
        if row.expires is not None and row.expires <= self._now():
            raise invalid("The token has expired.")
        return token.who

    def forget(self, *, token_id: str | None = None, game: str | None = None) -> None:
        """Ask the store again about this token, or all of this table: some were just revoked."""
        self._forgotten += 1
        gone = [
            kept for kept, (token, _) in self._kept.items() if kept == token_id or (game and token.row.game == game)
        ]
        for kept in gone:
            del self._kept[kept]
        for follower in self.followers:
            follower(game)

    async def listen(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Hear of revocations again and again, until cancelled."""
        while True:
            try:
                await self.hear()
            except Unavailable as away:
                log.warning("revocations cannot be heard of now", reason=str(away))
            await sleep(HEAR_SECONDS)

    async def hear(self) -> None:
        """Forget what was revoked anywhere since the last time. Raises Unavailable."""
        time = asyncio.get_running_loop().time()
        if self._posted is None or time - self._heard > SLEPT_SECONDS:
            self._posted = await self._store.posted()
            self._kept.clear()  # nobody would tell of one that was revoked since it was read
            self._forgotten += 1
        while rows := await self._store.outbox(self._posted):
            for row in rows:
                if row.kind == REVOKED:
                    self.forget(token_id=row.body.decode(), game=row.game)
            self._posted = rows[-1].id
        self._heard = time

    async def _token(self, token_id: str, *, fresh: bool) -> Token | None:
        time = asyncio.get_running_loop().time()
        kept = self._kept.get(token_id)
        if kept is not None and time - max(kept[1], self._heard) < KEPT_SECONDS and not fresh:
            return kept[0]
        forgotten = self._forgotten
        row = await self._store.token(token_id)
        token = Token(row, _who(row)) if row is not None else None
        if token is not None and forgotten == self._forgotten:  # else it may have died while it was read
            self._kept[token_id] = (token, time)
            self._kept.move_to_end(token_id)
            if len(self._kept) > TOKENS_KEPT_MAX:
                self._kept.popitem(last=False)
        return token


def invalid(detail: str, code: str = "token-invalid") -> Problem:
    """The 401 for a token that was sent and does not work."""
    return Problem(code, detail, headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})


def missing() -> Problem:
    """The 401 for a call that needs a token and came without."""
    return Problem("token-missing", "This call needs a token.", headers={"WWW-Authenticate": "Bearer"})


def _who(row: TokenRow) -> Who:
    match row:
        case TokenRow(kind="seat", game=str(game), seat=int(seat)):
            return SeatHolder(game=game, seat=seat, key=row.owner, token=row.id)
        case TokenRow(kind="host", game=str(game)):
            return Host(game=game, key=row.owner)
        case TokenRow(kind="key"):
            return Key(id=row.id, scopes=row.scopes)
        case _:
            raise AssertionError(f"token {row.id} is no {row.kind} token")


def server_key(settings: Settings) -> bytes:
    """The key behind all secrets: from the settings, or from `server.key` in the data folder, made if missing."""
    if settings.server_key is not None:
        return bytes.fromhex(settings.server_key)
    path = settings.folder / "server.key"
    settings.folder.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        write_secret(path, secrets.token_hex(KEY_BYTES))
    return bytes.fromhex(path.read_text(encoding="ascii").strip())


def write_secret(path: Path, text: str) -> None:
    """Write a file that only its owner can read, whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
