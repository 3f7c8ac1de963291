"""Endless rounds: how often a full position came back, and when that ends the round (S-34)."""

import hashlib

import msgspec

from domain.shithead.state import Playing

DIGEST_BYTES = 8
_encode = msgspec.msgpack.Encoder().encode


def digest(state: Playing) -> bytes:
    """A fingerprint of the full position: mover, pile and stock in order, each zone of every seat still in."""
    holdings = [state.holdings[seat] for seat in state.in_play]
    position = _encode((state.turn, state.pile, state.stock, holdings))
    return hashlib.blake2b(position, digest_size=DIGEST_BYTES).digest()


def times_seen(state: Playing) -> int:
    """How often the position that stands now has occurred; 0 if nothing that could repeat led to it."""
    return state.seen.count(state.seen[-DIGEST_BYTES:]) if state.seen else 0
