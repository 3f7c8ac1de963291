"""Endless rounds: how often a full position came back, and when that ends the round (S-34)."""

import hashlib

from domain.shithead.state import Playing

DIGEST_BYTES = 8


def digest(state: Playing) -> bytes:
    """A fingerprint of the full position: mover, pile and stock in order, each zone of every seat still in."""
    parts = [str(state.turn), " ".join(state.pile), " ".join(state.stock)]
    for seat in state.in_play:
        holding = state.holdings[seat]
        blind = " ".join(card or "-" for card in holding.blind)
        parts += (" ".join(holding.hand), " ".join(holding.open), blind)
    return hashlib.blake2b("|".join(parts).encode(), digest_size=DIGEST_BYTES).digest()


def times_seen(state: Playing) -> int:
    """How often the position that stands now has occurred; 0 if nothing that could repeat led to it."""
    return state.seen.count(state.seen[-DIGEST_BYTES:]) if state.seen else 0
