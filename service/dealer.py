"""The only dice: seeds, salts and ids, all from the operating system's source of secrets."""

from __future__ import annotations

import secrets
import time
from typing import Protocol
from uuid import UUID

SEED_BYTES = 32
SALT_BYTES = 16


class Dealer(Protocol):
    """Where everything random comes from; tests and simulations bring their own."""

    def server_seed(self) -> str:
        """32 bytes in hex, for one round of one table."""

    def salt(self) -> str:
        """16 bytes in hex, for one hidden line."""

    def new_id(self) -> str:
        """A UUID of version 7: lower case, sortable by its millisecond."""

    def below(self, limit: int) -> int:
        """A number in [0, limit), for bots."""


class SecretDealer:
    """The dealer that serves: nothing it gives can be guessed from what it gave before."""

    def server_seed(self) -> str:
        return secrets.token_hex(SEED_BYTES)

    def salt(self) -> str:
        return secrets.token_hex(SALT_BYTES)

    def new_id(self) -> str:
        milliseconds = time.time_ns() // 1_000_000
        value = (milliseconds << 80) | secrets.randbits(80)
        value = value & ~(0xF << 76) | (0x7 << 76)
        return str(UUID(int=value & ~(0x3 << 62) | (0x2 << 62)))

    def below(self, limit: int) -> int:
        return secrets.randbelow(limit)
