"""`decide`: one row for each move in each phase; what has no row is refused."""

from typing import Any, Literal

from domain.fair import Dice
from domain.game import Event, Refused
from domain.playing_cards import RANK
from domain.shithead.drinking import for_pile, give_sip
from domain.shithead.events import BlindTurned, CardsPlayed, CardsSwapped, PilePickedUp, SeatReadied
from domain.shithead.holding import Holding, active, active_cards, empty, without
from domain.shithead.moves import Flip, GiveSip, JumpIn, PickUp, Play, Ready, Swap
from domain.shithead.pile import BURNING_RUN, refusal
from domain.shithead.play import failed, guarded, next_turn, placed
from domain.shithead.start import started
from domain.shithead.state import Playing, State, Swapping


def decide(state: State, seat: int, move: Any, at: str, dice: Dice) -> list[Event]:
    """The events of `seat`'s move at time `at`, or Refused with a clause of RULES.md."""
    match state, move:
        case Playing(), Play():
            return guarded(state, play(state, seat, move, at))
        case Playing(), PickUp():
            return guarded(state, pick_up(state, seat, move, at))
        case Playing(), Flip():
            return guarded(state, flip(state, seat, move, at))
        case Playing(), JumpIn():
            return guarded(state, jump_in(state, seat, move, at))
        case Swapping(), Swap():
            return swap(state, seat, move)
        case Swapping(), Ready():
            return ready(state, seat, at, dice)
        case _, GiveSip():
            return give_sip(state, seat, move)
        case _, Swap() | Ready():
            raise Refused("S-02", "Cards are swapped between the deal and the start of play only.")
        case _:
            raise Refused("S-39", "No play is open now.")


# Before play


def _may_swap(state: Swapping, seat: int) -> None:
    if seat not in state.in_play:
        raise Refused("S-02", "You hold no cards in this round.")
    if seat in state.ready:
        raise Refused("S-02", "You are ready: no more changes.")


def swap(state: Swapping, seat: int, move: Swap) -> list[Event]:
    """One hand card for one open card, both one's own."""
    _may_swap(state, seat)
    holding = state.holdings[seat]
    if move.hand not in holding.hand or move.open not in holding.open:
        raise Refused("S-02", "A swap is one card of your hand for one of your open cards.")
    return [CardsSwapped(seat, move.hand, move.open)]


def ready(state: Swapping, seat: int, at: str, dice: Dice) -> list[Event]:
    """No more swaps; the last one to say so starts play."""
    _may_swap(state, seat)
    waiting = any(other != seat and other not in state.ready for other in state.in_play)
    return [SeatReadied(seat)] if waiting else [SeatReadied(seat), *started(state, state.in_play, at, dice)]


# Play


def _holding_of_mover(state: Playing, seat: int) -> Holding:
    if seat != state.turn:
        raise Refused("S-39", "It is not your turn.")
    return state.holdings[seat]


def play(state: Playing, seat: int, move: Play, at: str) -> list[Event]:
    """Cards of one rank from the active zone, on a pile that they fit."""
    holding = _holding_of_mover(state, seat)
    rest = _rest_of(holding, move.cards)
    if move.open:
        rest = _combined(state, rest, move)
    _one_rank_that_goes(state, rest, move.cards)
    zone: Literal["hand", "open"] = "hand" if holding.hand else "open"
    cards, open_ = tuple(sorted(move.cards)), tuple(sorted(move.open))
    return placed(state, CardsPlayed(seat, zone, cards, open_), cards + open_, rest, at)


def _rest_of(holding: Holding, cards: tuple[str, ...]) -> Holding:
    """What is left of `holding` when `cards` are laid from its active zone, or Refused."""
    zone = active(holding)
    if zone == "blind":
        raise Refused("S-23", "Only blind cards are left: flip one by its position.")
    rest = without(active_cards(holding), cards)
    if rest is None:
        raise Refused("S-41", f"These are not all cards of your {zone}: first the hand, then the open cards.")
    return Holding(rest, holding.open, holding.blind) if zone == "hand" else Holding((), rest, holding.blind)


def _combined(state: Playing, rest: Holding, move: Play) -> Holding:
    """S-16: the whole hand, of one rank, takes equal open cards along once the stock is empty."""
    open_ = without(rest.open, move.open)
    whole_hand = not rest.hand and bool(state.holdings[state.turn].hand)
    if not state.sitting.rules.combine_last_hand or state.stock or not whole_hand or open_ is None:
        raise Refused("S-16", "Open cards may not be laid together with these.")
    if any(RANK[card] != RANK[move.cards[0]] for card in move.open):
        raise Refused("S-15", "Cards laid together are of one rank.")
    return Holding((), open_, rest.blind)


def _one_rank_that_goes(state: Playing, rest: Holding, cards: tuple[str, ...]) -> None:
    rank = RANK[cards[0]]
    if any(RANK[card] != rank for card in cards):
        raise Refused("S-15", "Cards laid together are of one rank.")
    last = not state.stock and empty(rest)
    no = refusal(state.sitting.rules, state.top, state.lead, rank, last=last)
    if no is not None:
        raise Refused(*no)


def pick_up(state: Playing, seat: int, move: PickUp, at: str) -> list[Event]:
    """The whole pile to the hand, because nothing fits or by choice; the turn passes."""
    holding, rules = _holding_of_mover(state, seat), state.sitting.rules
    zone = active(holding)
    if not state.pile:
        raise Refused("S-19", "There is no pile to pick up.")
    if zone == "blind" and not rules.voluntary_pickup_blind:
        raise Refused("S-20", "With blind cards only, one is flipped each turn.")
    if zone != "blind" and not rules.voluntary_pickup and _can_play(state, holding):
        raise Refused("S-19", "A card of yours fits, so the pile stays.")
    _open_going_along(state, holding, move.open)
    events = [PilePickedUp(seat, state.pile, move.open), *for_pile(rules, seat)]
    return [*events, next_turn(state, state.in_play, seat, at)]


def _can_play(state: Playing, holding: Holding) -> bool:
    cards = active_cards(holding)
    last = len(cards) == 1 and not state.stock and empty(_rest_of(holding, cards))
    rules, top, lead = state.sitting.rules, state.top, state.lead
    return any(refusal(rules, top, lead, rank, last=last) is None for rank in {RANK[card] for card in cards})


def _open_going_along(state: Playing, holding: Holding, cards: tuple[str, ...]) -> None:
    """S-21: open cards of one rank go along while they are active and the table says so, and only then."""
    if not (state.sitting.rules.pickup_adds_open_card and active(holding) == "open"):
        if cards:
            raise Refused("S-21", "Your open cards stay where they are.")
        return
    if not cards or without(holding.open, cards) is None or len({RANK[card] for card in cards}) > 1:
        raise Refused("S-21", "Name open cards of yours, of one rank, that go to your hand with the pile.")


def flip(state: Playing, seat: int, move: Flip, at: str) -> list[Event]:
    """One blind card, seen by all: it is played if it fits, else it goes to the hand with the pile."""
    holding, position = _holding_of_mover(state, seat), move.position
    if active(holding) != "blind":
        raise Refused("S-41", "Blind cards come after the hand and the open cards.")
    card = holding.blind[position - 1]
    if card is None:
        raise Refused("S-23", "No blind card lies at that position.")
    blind = (*holding.blind[: position - 1], None, *holding.blind[position:])
    rest = Holding((), (), blind)
    if refusal(state.sitting.rules, state.top, None, RANK[card], last=empty(rest)) is not None:
        return failed(state, seat, position, card, at)
    return placed(state, BlindTurned(seat, position, card, fits=True), (card,), rest, at)


def jump_in(state: Playing, seat: int, move: JumpIn, at: str) -> list[Event]:
    """S-13: out of turn, exactly the cards that make four of the pile's top rank."""
    rules, top = state.sitting.rules, state.top
    if not rules.jump_in:
        raise Refused("S-13", "This table knows no jumping in.")
    if seat == state.turn or seat not in state.in_play:
        raise Refused("S-13", "Only a player who is not to move jumps in.")
    if top.card is None:
        raise Refused("S-13", "There is nothing to complete.")
    holding = state.holdings[seat]
    rest = _rest_of(holding, move.cards)
    if len(move.cards) != BURNING_RUN - top.run or any(RANK[card] != RANK[top.card] for card in move.cards):
        raise Refused("S-13", "A jump-in completes exactly four of the top card's rank.")
    _one_rank_that_goes(state, rest, move.cards)
    zone: Literal["hand", "open"] = "hand" if holding.hand else "open"
    cards = tuple(sorted(move.cards))
    return placed(state, CardsPlayed(seat, zone, cards), cards, rest, at)
