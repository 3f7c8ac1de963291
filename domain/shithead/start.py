"""Who starts: a 3 in hand after the swaps, else the lowest card, and what settles a tie (S-03 to S-05)."""

from domain import times
from domain.fair import Dice
from domain.game import Event
from domain.playing_cards import HEIGHT, RANK, SUIT
from domain.shithead.events import PlayStarted, TurnStarted
from domain.shithead.seating import from_left_of
from domain.shithead.state import Swapping

SUIT_ORDER = "CHSD"
"""S-04: clubs below hearts below spades below diamonds."""


def started(state: Swapping, in_play: tuple[int, ...], at: str, dice: Dice) -> list[Event]:
    """Play begins among `in_play`: who leads, and that seat's turn."""
    starter, rank = starter_of(state, in_play, dice)
    return [PlayStarted(starter, rank), TurnStarted(starter, times.deadline(at, state.sitting.rules.turn_timeout_s))]


def starter_of(state: Swapping, in_play: tuple[int, ...], dice: Dice) -> tuple[int, str | None]:
    """The seat that leads and the rank that decided it, None if all hands are 2s (S-05)."""
    order = from_left_of(in_play, state.dealer)
    hands = {seat: tuple(card for card in state.holdings[seat].hand if RANK[card] != "2") for seat in order}
    ranks = {RANK[card] for hand in hands.values() for card in hand}
    if not ranks:
        return order[0], None
    lowest = min(ranks, key=HEIGHT.__getitem__)
    deciding = {seat: tuple(card for card in hands[seat] if RANK[card] == lowest) for seat in order}
    tied = tuple(seat for seat in order if deciding[seat])
    return _settle(state.sitting.rules.start_tie, tied, deciding, dice), lowest


def _settle(start_tie: str, tied: tuple[int, ...], deciding: dict[int, tuple[str, ...]], dice: Dice) -> int:
    """S-04: of the tied seats, given in the order of turns; what is still tied goes by that order."""
    if start_tie == "random":
        return tied[dice.below("start-tie", len(tied))]
    if start_tie == "suit":
        return min(tied, key=lambda seat: min(SUIT_ORDER.index(SUIT[card]) for card in deciding[seat]))
    if start_tie == "most_threes":
        return max(tied, key=lambda seat: len(deciding[seat]))
    return tied[0]
