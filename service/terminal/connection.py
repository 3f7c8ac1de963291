"""One server over HTTP: every call is retried until it is answered, and writes carry a key so that none acts twice."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
from msgspec import Struct

from service.terminal.trouble import Exit, ServerSaid, Trouble, Unreachable

PATIENCE_SECONDS = 60.0
"""How long a call goes on trying before it gives up."""
ANSWER_SECONDS = 10.0
"""How long one try waits for an answer, beyond what it asked the server to wait."""
DELAY_SECONDS_MIN, DELAY_SECONDS_MAX = 0.1, 2.0
PASSING = frozenset(
    {"table-busy", "request-in-progress", "rate-limited", "too-many-streams", "unavailable", "internal"}
)
"""Problems that pass: the same request may be sent again, with its key."""
GATEWAY = frozenset({502, 503, 504})

State = Callable[[bool], None]
"""Called with False when the line is lost and with True when it is back."""


class Answer(Struct, frozen=True):
    """A good answer: its JSON, and whether it repeats one already given to the same key."""

    body: Any
    replayed: bool = False


class Connection:
    """The server at `server`, asked with `token`. `told` hears of the line's loss and return."""

    def __init__(
        self,
        server: str,
        token: str | None = None,
        *,
        invite: str | None = None,
        patience: float = PATIENCE_SECONDS,
        told: State = lambda _up: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.server, self.patience = server.rstrip("/"), patience
        self._told, self._sleep, self._up = told, sleep, True
        headers = {"User-Agent": "kupa-terminal", "Accept": "application/json"}
        if invite:
            headers["Kupa-Invite"] = invite
        self._client = httpx.Client(base_url=self.server, headers=headers, timeout=ANSWER_SECONDS)
        self.token = token
        self.skew = 0.0
        """Seconds that the server's clock is ahead of ours."""

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def get(self, path: str, params: Mapping[str, Any] | None = None, *, wait: float = 0.0) -> Any:
        """The JSON at `path`; `wait` is how many seconds the server was asked to hold the answer back."""
        return self._call("GET", path, params=params, wait=wait).body

    def post(self, path: str, body: Any = None, *, token: str | None = None) -> Answer:
        """Do something once, however often it must be sent: it carries an Idempotency-Key of its own."""
        return self._call("POST", path, body={} if body is None else body, token=token, key=secrets.token_urlsafe(24))

    def delete(self, path: str, *, token: str | None = None) -> Answer:
        """Undo something once."""
        return self._call("DELETE", path, token=token, key=secrets.token_urlsafe(24))

    def _call(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        token: str | None = None,
        key: str | None = None,
        wait: float = 0.0,
    ) -> Answer:
        request = self._client.build_request(
            method,
            path,
            params=params,
            json=body,
            headers=self.headers(token, key),
            timeout=httpx.Timeout(ANSWER_SECONDS, read=ANSWER_SECONDS + wait),
        )
        given_up = time.monotonic() + self.patience
        for delay in _delays():
            tried = self._try(request)
            if isinstance(tried, Answer):
                self._line(up=True)
                return tried
            asked_to_wait, trouble = tried
            pause = max(delay, asked_to_wait)
            if time.monotonic() + pause > given_up:
                raise trouble
            self._line(up=not isinstance(trouble, Unreachable))
            self._sleep(pause)
        raise AssertionError("delays never end")

    def _try(self, request: httpx.Request) -> Answer | tuple[float, Trouble]:
        """Send it once: the answer, or how long to wait for what passes. Raises what will not pass."""
        try:
            response = self._client.send(request)
        except httpx.TransportError as error:
            return 0.0, Unreachable(self.server, str(error) or type(error).__name__)
        self._set_clock(response)
        if response.is_success:
            return Answer(_json(response), response.headers.get("Idempotent-Replayed") == "true")
        trouble = said_by(response)
        if not passes(response.status_code, trouble.code):
            self._line(up=True)
            raise trouble
        if not trouble.code:
            return 0.0, Unreachable(self.server, f"HTTP {response.status_code}")
        return _retry_after(response), trouble

    def headers(self, token: str | None = None, key: str | None = None) -> dict[str, str]:
        """The headers of a request by `token` (or this connection's own) with an idempotency key."""
        headers = {}
        if token or self.token:
            headers["Authorization"] = f"Bearer {token or self.token}"
        if key:
            headers["Idempotency-Key"] = key
        return headers

    def stream(self, path: str, headers: Mapping[str, str], read_seconds: float) -> Any:
        """An answer that is read as it comes; silence for longer than `read_seconds` ends it."""
        timeout = httpx.Timeout(ANSWER_SECONDS, read=read_seconds)
        return self._client.stream("GET", path, headers={**self.headers(), **headers}, timeout=timeout)

    def _line(self, *, up: bool) -> None:
        if up != self._up:
            self._up = up
            self._told(up)

    def _set_clock(self, response: httpx.Response) -> None:
        date = response.headers.get("Date")
        if date:
            self.skew = (parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds()


def passes(status: int, code: str) -> bool:
    """Whether another try may mend this answer: a passing problem, or a gateway that found no server behind it."""
    return code in PASSING or (status in GATEWAY and not code)


def said_by(response: httpx.Response) -> ServerSaid:
    """The problem that an answer tells of."""
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    return ServerSaid(response.status_code, problem if isinstance(problem, dict) else {})


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        raise Trouble(
            *(Exit.FAULT, "The server's answer is no JSON.", "Is this really a Kupa server?"),
            he="תשובת השרת אינה JSON.",
            hint_he="האם זה באמת שרת של Kupa?",
        ) from None


def _retry_after(response: httpx.Response) -> float:
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else 0.0


def _delays() -> Iterator[float]:
    """Longer and longer pauses, up to a bound."""
    delay = DELAY_SECONDS_MIN
    while True:
        yield delay
        delay = min(delay * 2, DELAY_SECONDS_MAX)
