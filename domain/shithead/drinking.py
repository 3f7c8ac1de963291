"""The drinking game: events that say who drinks, and never a change of play (S-37)."""

from typing import TypeVar

from msgspec.structs import replace

from domain.game import Event, Refused
from domain.shithead.events import GlassEmptied, SipGiven, SipOwed, SipsTaken
from domain.shithead.moves import GiveSip
from domain.shithead.rules import ShitheadRules
from domain.shithead.state import Over, Playing, State, Swapping

S = TypeVar("S", Swapping, Playing, Over)
SIPS_FOR_PILE = 1
SIPS_FOR_BLIND = 2


def for_pile(rules: ShitheadRules, seat: int) -> list[Event]:
    """Who takes the pile drinks."""
    return [SipsTaken(seat, SIPS_FOR_PILE, "pile")] if rules.drinking else []


def for_blind(rules: ShitheadRules, seat: int) -> list[Event]:
    """Who turns a blind card that does not fit drinks, in place of the sip for the pile."""
    return [SipsTaken(seat, SIPS_FOR_BLIND, "blind")] if rules.drinking else []


def for_burn(rules: ShitheadRules, seat: int) -> list[Event]:
    """Who burns the pile may name a drinker."""
    return [SipOwed(seat)] if rules.drinking else []


def for_shithead(rules: ShitheadRules, seat: int) -> list[Event]:
    """The shithead of a round played out finishes the glass."""
    return [GlassEmptied(seat)] if rules.drinking else []


def give_sip(state: State, seat: int, move: GiveSip) -> list[Event]:
    """A burner names a drinker: any seat that has not left, but not itself."""
    sitting = state.sitting
    if not sitting.owed[seat]:
        raise Refused("S-37", "You have no sip to give.")
    if move.drinker == seat:
        raise Refused("S-37", "Nobody gives a sip to oneself.")
    if move.drinker >= sitting.seats or move.drinker in sitting.left:
        raise Refused("S-37", "Nobody sits there.")
    return [SipGiven(seat, move.drinker)]


def sip_owed(state: S, event: SipOwed) -> S:
    """Fold: one more sip to give."""
    return _owe(state, event.seat, 1)


def sip_given(state: S, event: SipGiven) -> S:
    """Fold: one sip less to give."""
    return _owe(state, event.seat, -1)


def _owe(state: S, seat: int, sips: int) -> S:
    owed: tuple[int, ...] = state.sitting.owed
    assert owed[seat] + sips >= 0, f"seat {seat} owed no sip"
    changed = (*owed[:seat], owed[seat] + sips, *owed[seat + 1 :])
    return replace(state, sitting=replace(state.sitting, owed=changed))
