"""What happens in Kishpa, and who hears it. Tokens move only inside these events, as transfers (code and clause)."""

from __future__ import annotations

from typing import Literal

from domain.game import Event, Secret, TimedOut, Whisper
from domain.kishpa.pack import Meld
from domain.tokens import Transfer

Row = Literal["red_doll", "black_doll", "joker", "one", "kishpa"]
"""A row of the bonus tables; its transfers carry the code `bonus_<row>`."""

Transfers = tuple[Transfer, ...]


class AccountsOpened(Event, frozen=True, tag="kishpa.accounts_opened"):
    """The bank hands every seat its starting tokens, once, before the first deal (K-78)."""

    transfers: Transfers


class HandsDealt(Event, frozen=True, tag="kishpa.hands_dealt"):
    """Fourteen tiles to each of `seats`, fifteen to the starter. `last`: this is the last bowl's round (K-72)."""

    round: int
    seats: tuple[int, ...]
    starter: int
    last: bool


class HandShown(Whisper, frozen=True, tag="kishpa.hand_shown"):
    """A seat sees the hand it was dealt, lowest tile first. One for each seat, after `hands_dealt`."""

    tiles: tuple[str, ...]


class StockLaid(Secret, frozen=True, tag="kishpa.stock_laid"):
    """The stock face down, the next tile first. One after `hands_dealt`, one after each `stock_reshuffled`."""

    tiles: tuple[str, ...]


class DollFlipped(Event, frozen=True, tag="kishpa.doll_flipped"):
    """The tile turned up for kishpa is a doll: all see it, then it goes back into the stock (K-06)."""

    tile: str


class DollReturned(Secret, frozen=True, tag="kishpa.doll_returned"):
    """Where in the stock the doll went, 0 = top. One after each `doll_flipped`."""

    place: int


class KishpaFlipped(Event, frozen=True, tag="kishpa.kishpa_flipped"):
    """The round's kishpa, or the one that replaces it, lies open; `joker` is the face of the jokers now."""

    tile: str
    joker: str


class ContributionsPaid(Event, frozen=True, tag="kishpa.contributions_paid"):
    """Every seat pays into the bowl (K-31), or tops up after a replacement (K-52)."""

    transfers: Transfers


class BonusPaid(Event, frozen=True, tag="kishpa.bonus_paid"):
    """A seat is paid by all others for `copies` special tiles in its hand (K-32 … K-40, K-46, K-55)."""

    seat: int
    row: Row
    copies: int
    transfers: Transfers


class ExposureOpened(Event, frozen=True, tag="kishpa.exposure_opened"):
    """Nobody holds a joker: every seat answers expose or pass, until `due` (K-51)."""

    due: str | None


class ExposureDeclined(Event, frozen=True, tag="kishpa.exposure_declined"):
    """A seat does not expose, whether or not it could."""

    seat: int


class KishpaExposed(Event, frozen=True, tag="kishpa.kishpa_exposed"):
    """A seat shows the twin, is paid for it (K-44) and keeps it (K-54). This closes the window."""

    seat: int
    transfers: Transfers


class TurnStarted(Event, frozen=True, tag="kishpa.turn_started"):
    """It is `seat`'s turn until `due`. `last_chance`: take the newest discard and win with it, or pass (K-29)."""

    seat: int
    due: str | None
    last_chance: bool = False


class TileDrawn(Event, frozen=True, tag="kishpa.tile_drawn"):
    """A seat took the top tile of the stock; `tile_shown` tells it which."""

    seat: int


class TileShown(Whisper, frozen=True, tag="kishpa.tile_shown"):
    """A seat sees the tile it drew. One after each `tile_drawn`."""

    tile: str


class DiscardTaken(Event, frozen=True, tag="kishpa.discard_taken"):
    """A seat took the newest discard."""

    seat: int
    tile: str


class StockReshuffled(Event, frozen=True, tag="kishpa.stock_reshuffled"):
    """All discards but the newest, `tiles` of them, are the stock again (K-29)."""

    tiles: int


class TileDiscarded(Event, frozen=True, tag="kishpa.tile_discarded"):
    """A seat threw a tile."""

    seat: int
    tile: str


class WinDenied(Event, frozen=True, tag="kishpa.win_denied"):
    """A declared win was none: the seat pays the bowl, and its turn goes on (K-22)."""

    seat: int
    transfers: Transfers


class HandWon(Event, frozen=True, tag="kishpa.hand_won"):
    """A declared win holds: the melds laid open, what they are worth to each loser, and the payments (K-62).

    `payment` = 2 + `jokers` among the fifteen + 1 if `joker_thrown` + 1 if `twin_kept`.
    """

    seat: int
    melds: tuple[Meld, ...]
    jokers: int
    joker_thrown: bool
    twin_kept: bool
    payment: int
    transfers: Transfers


class RoundExhausted(Event, frozen=True, tag="kishpa.round_exhausted"):
    """Nobody wins: the stock ran out, the last chance was let go, or the turns ran out (K-27, K-29)."""

    cause: Literal["stock", "chance", "turns"]


class BowlPaid(Event, frozen=True, tag="kishpa.bowl_paid"):
    """The bowl is won or split; the transfers say by which clause (K-67, K-70, K-71, K-73, K-83)."""

    transfers: Transfers


class TokensLoaded(Event, frozen=True, tag="kishpa.tokens_loaded"):
    """A seat gets loads from the bank, each one a transfer: asked for (K-80) or by itself (K-81)."""

    seat: int
    transfers: Transfers


class ClockRanOut(TimedOut, frozen=True, tag="kishpa.timed_out"):
    """A seat's time is up; what was played for it follows (K-30, K-51)."""


class PlayerLeft(Event, frozen=True, tag="kishpa.player_left"):
    """A seat is out after this round, or at once between rounds; until then its turns are played for it (K-83)."""

    seat: int


EVENTS = (
    AccountsOpened, HandsDealt, HandShown, StockLaid, DollFlipped, DollReturned, KishpaFlipped, ContributionsPaid,
    BonusPaid, ExposureOpened, ExposureDeclined, KishpaExposed, TurnStarted, TileDrawn, TileShown, DiscardTaken,
    StockReshuffled, TileDiscarded, WinDenied, HandWon, RoundExhausted, BowlPaid, TokensLoaded, ClockRanOut, PlayerLeft,
)  # fmt: skip
