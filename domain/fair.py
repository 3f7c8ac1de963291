"""The provable shuffle `kupa-fair/1`: everything random in a round follows from its seeds (HMAC-SHA256 only)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar
from uuid import UUID

from msgspec import Struct

T = TypeVar("T")
SEED_BYTES = 32
WORD_LIMIT = 1 << 32


def commitment(game: str, round_: int, server_seed: bytes) -> str:
    """The hash published before any seat seed of the round: 64 hex digits."""
    message = b"kupa-fair/1 commit\0" + UUID(game).bytes + round_.to_bytes(4, "big") + server_seed
    return hashlib.sha256(message).hexdigest()


def round_key(game: str, round_: int, server_seed: bytes, seat_seeds: Mapping[int, str | None]) -> bytes:
    """The round's key: the server's seed bound to the game, the round and every seat's seed (absent = empty)."""
    message = b"kupa-fair/1 key\0" + UUID(game).bytes + round_.to_bytes(4, "big") + bytes([len(seat_seeds)])
    for seat in sorted(seat_seeds):
        seed = (seat_seeds[seat] or "").encode()
        message += bytes([seat]) + len(seed).to_bytes(2, "big") + seed
    return hmac.digest(server_seed, message, "sha256")


class Dice(Struct, frozen=True):
    """The dice of one round. Each purpose has its own stream, so no draw depends on the order of asking."""

    key: bytes

    def words(self, purpose: str) -> Iterator[int]:
        """The endless stream of 32-bit words for `purpose`."""
        stream = hmac.digest(self.key, b"kupa-fair/1 stream\0" + purpose.encode(), "sha256")
        block = 0
        while True:
            words = hmac.digest(stream, block.to_bytes(8, "big"), "sha256")
            yield from (int.from_bytes(words[i : i + 4], "big") for i in range(0, len(words), 4))
            block += 1

    def numbers(self, purpose: str, limit: int) -> Iterator[int]:
        """Endless unbiased numbers in [0, limit) from the stream of `purpose`."""
        words = self.words(purpose)
        while True:
            yield below(words, limit)

    def below(self, purpose: str, limit: int) -> int:
        """The first number in [0, limit) of `purpose`."""
        return next(self.numbers(purpose, limit))

    def shuffle(self, purpose: str, cards: Sequence[T]) -> tuple[T, ...]:
        """`cards` in an order decided by `purpose` (Fisher-Yates from the top down)."""
        shuffled, words = list(cards), self.words(purpose)
        for i in range(len(shuffled) - 1, 0, -1):
            j = below(words, i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled)


def below(words: Iterator[int], limit: int) -> int:
    """A number in [0, limit) without modulo bias: words past the last whole multiple are thrown away."""
    fair = WORD_LIMIT - WORD_LIMIT % limit
    return next(word for word in words if word < fair) % limit
