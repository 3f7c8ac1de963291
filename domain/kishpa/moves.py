"""What a seat may ask for in Kishpa. None of the moves names a hidden tile, so all lie on public lines."""

from __future__ import annotations

from domain.game import Move
from domain.kishpa.pack import Tile


class Expose(Move, frozen=True, tag="kishpa.expose"):
    """Show the kishpa's twin while the exposure window is open (K-43, K-51)."""


class Pass(Move, frozen=True, tag="kishpa.pass"):
    """Do not expose (K-51); or leave the last discard lying on a last chance (K-29)."""


class Draw(Move, frozen=True, tag="kishpa.draw"):
    """Take the top tile of the stock (K-26)."""


class Take(Move, frozen=True, tag="kishpa.take"):
    """Take the newest discard (K-26)."""


class Discard(Move, frozen=True, tag="kishpa.discard"):
    """Throw one tile and end the turn; with `declare`, say that the fourteen kept are a win (K-19, K-21)."""

    tile: Tile
    declare: bool = False


class Load(Move, frozen=True, tag="kishpa.load"):
    """Fetch one load of tokens from the bank, at any time (K-80)."""


MOVES = (Expose, Pass, Draw, Take, Discard, Load)
Moves = Expose | Pass | Draw | Take | Discard | Load
