"""The events of Totem (those of a judgement in verdicts.py); the two that order face-down cards are secret."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from domain.game import Event, Secret, TimedOut
from domain.totem.board import Board
from domain.totem.moves import ReportedKind
from domain.totem.verdicts import DeadHeatFound, GrabsJudged, GripEntered

TakenFor = Literal["duel", "multi_duel", "needless_grab"] | ReportedKind


class DrawPilesStacked(Secret, frozen=True, tag="totem.draw_piles_stacked"):
    """The order of every draw pile, by seat, and of the cards under the totem; index 0 is turned up next."""

    piles: tuple[tuple[str, ...], ...]
    pot: tuple[str, ...]


class CardsDealt(Event, frozen=True, tag="totem.cards_dealt"):
    """The round is dealt: who plays, how many cards each has, how many lie under the totem, who begins (T-04)."""

    playing: tuple[int, ...]
    each: int
    pot: int
    first: int


class TurnPassed(Event, frozen=True, tag="totem.turn_passed"):
    """The turn is with `seat`, but not before `opens`: the last card is still being looked at (T-08)."""

    seat: int
    opens: str
    due: str | None


class TurnStarted(Event, frozen=True, tag="totem.turn_started"):
    """The table waits for `seat` to turn a card up, until `due` (T-11)."""

    seat: int
    due: str | None


class CardTurnedUp(Event, frozen=True, tag="totem.card_turned_up"):
    """`seat` turned `card` up: reveal number `reveal`. `recycled`: its pile was turned over first (T-12)."""

    seat: int
    card: str
    reveal: int
    at: str
    recycled: bool = False


class TurnedUp(Struct, frozen=True, omit_defaults=True):
    """One card of an all-flip; `recycled` as in a single one."""

    seat: int
    card: str
    recycled: bool = False


class CountStarted(Event, frozen=True, tag="totem.count_started"):
    """Outward arrows of `revealer` lie open: at `due` everybody turns a card up at once (T-30)."""

    revealer: int
    due: str


class AllTurnedUp(Event, frozen=True, tag="totem.all_turned_up"):
    """The all-flip: everybody who could turned a card up, in one reveal, clockwise from the revealer's left."""

    cards: tuple[TurnedUp, ...]
    reveal: int
    at: str


class MatchAnnounced(Event, frozen=True, tag="totem.match_announced"):
    """Under `announce_matches` only: what may be grabbed for now, an inward contest or these duels (T-09)."""

    inward: bool
    duels: tuple[tuple[int, ...], ...]


class ChoiceOpened(Event, frozen=True, tag="totem.choice_opened"):
    """`seat` beat `losers` and names who takes the cards, until `due` (T-27)."""

    seat: int
    losers: tuple[int, ...]
    due: str | None


class TakerChosen(Event, frozen=True, tag="totem.taker_chosen"):
    """`seat` named `taker`."""

    seat: int
    taker: int


class CardsTaken(Event, frozen=True, tag="totem.cards_taken"):
    """`taker` put these face-up piles, in this order, and `pot` cards from under the totem below his pack (T-22)."""

    taker: int
    piles: tuple[int, ...]
    pot: int
    cards: int
    why: TakenFor
    at: str


class Share(Struct, frozen=True):
    """So many cards of the winner's pile and the pot for a loser."""

    seat: int
    cards: int


class CardsShared(Event, frozen=True, tag="totem.cards_shared"):
    """The pile of `seat`, then the pot, went to the losers in pieces; each took his own pile first (T-23)."""

    seat: int
    shares: tuple[Share, ...]
    pot: int
    at: str


class TakenShuffled(Secret, frozen=True, tag="totem.taken_shuffled"):
    """Under `shuffle_taken`: the order in which the cards just taken lie at the bottom of the pack of `taker`."""

    taker: int
    cards: tuple[str, ...]


class CardsPotted(Event, frozen=True, tag="totem.cards_potted"):
    """The face-up piles of `seats` went under the totem: an inward winner's, or all when the totem fell (T-48)."""

    seats: tuple[int, ...]
    cards: int
    at: str


class FoulReported(Event, frozen=True, tag="totem.foul_reported"):
    """A referee reported a foul; `offender` is None if nobody knows who it was."""

    kind: ReportedKind
    offender: int | None


class FoulReversed(Event, frozen=True, tag="totem.foul_reversed"):
    """A referee took the reported foul back: all piles lie as before, and `board` is what everybody sees (T-50)."""

    board: Board


class CardsWithdrawn(Event, frozen=True, tag="totem.cards_withdrawn"):
    """A leaver's cards went under the totem: `drawn` face down, then `up` from his face-up pile (T-44)."""

    seat: int
    drawn: int
    up: int
    at: str


class PilesRecycled(Event, frozen=True, tag="totem.piles_recycled"):
    """Nobody could turn a card up, and under `stalemate: recycle` all face-up piles were turned over (T-43)."""

    at: str


class WaitStarted(Event, frozen=True, tag="totem.wait_started"):
    """Nobody, not even `seat`, can turn a card up; the table ends at `due` unless somebody grabs (T-43)."""

    seat: int
    due: str


class CardsShed(Event, frozen=True, tag="totem.cards_shed"):
    """These seats have no card left: they have won, or under `play_on` are the next ones out (T-38, T-42)."""

    seats: tuple[int, ...]


class PlayEnded(Event, frozen=True, tag="totem.play_ended"):
    """No more is played: somebody shed all cards, one player is left, or nobody can turn a card up."""

    by: Literal["shed", "forfeit", "stalemate"]


class TotemTimedOut(TimedOut, frozen=True, tag="totem.timed_out"):
    """The clock of `seat` ran out; the table turns its card up, or names the taker, for it (T-11, T-27)."""


EVENTS: tuple[type[Event], ...] = (
    DrawPilesStacked,
    CardsDealt,
    TurnPassed,
    TurnStarted,
    CardTurnedUp,
    CountStarted,
    AllTurnedUp,
    MatchAnnounced,
    DeadHeatFound,
    GripEntered,
    GrabsJudged,
    ChoiceOpened,
    TakerChosen,
    CardsTaken,
    CardsShared,
    TakenShuffled,
    CardsPotted,
    FoulReported,
    FoulReversed,
    CardsWithdrawn,
    PilesRecycled,
    WaitStarted,
    CardsShed,
    PlayEnded,
    TotemTimedOut,
)
