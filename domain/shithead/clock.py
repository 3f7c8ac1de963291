"""Whose clock runs, and what the table plays for a seat whose time is up (S-38)."""

from domain.fair import Dice
from domain.game import Due, Event
from domain.playing_cards import RANK, SUIT
from domain.shithead.decide import decide
from domain.shithead.events import ClockPlayed, SeatReadied
from domain.shithead.holding import active, active_cards
from domain.shithead.moves import Flip, PickUp, Play
from domain.shithead.pack import BLIND_POSITIONS, THRIFT
from domain.shithead.pile import refusal
from domain.shithead.start import started
from domain.shithead.state import Playing, State, Swapping


def due(state: State) -> Due | None:
    """The end of the swaps for all who are not ready, or the mover's turn."""
    match state:
        case Playing():
            return Due(state.due, "turn", (state.turn,))
        case Swapping():
            return Due(state.due, "swap", tuple(seat for seat in state.in_play if seat not in state.ready))
        case _:
            return None


def when_due(state: State, due: Due, at: str, dice: Dice) -> list[Event]:
    """What the clock does for `due.seats`; [] if none of them is awaited any more."""
    match state:
        case Playing() if state.turn in due.seats:
            seat = state.turn
            return [ClockPlayed(seat), *decide(state, seat, thriftiest(state, seat), at, dice)]
        case Swapping():
            return _readied(state, due.seats, at, dice)
        case _:
            return []


def _readied(state: Swapping, seats: tuple[int, ...], at: str, dice: Dice) -> list[Event]:
    """G-09 counts timeouts of play only, so these are told by `by_clock`."""
    late = tuple(seat for seat in seats if seat in state.in_play and seat not in state.ready)
    events: list[Event] = [SeatReadied(seat, by_clock=True) for seat in late]
    waiting = any(seat not in late and seat not in state.ready for seat in state.in_play)
    return events if waiting or not events else events + started(state, state.in_play, at, dice)


def in_thrift(card: str) -> tuple[int, str]:
    """Sort key: the card to part with first, 2 and 10 last, equal ones by suit C, D, H, S."""
    return THRIFT[RANK[card]], SUIT[card]


def thriftiest(state: Playing, seat: int) -> Play | PickUp | Flip:
    """The lowest legal single card; none: pick up; blind: the lowest remaining position."""
    holding, rules = state.holdings[seat], state.sitting.rules
    if active(holding) == "blind":
        return Flip(next(at for at in BLIND_POSITIONS if holding.blind[at - 1] is not None))
    cards = sorted(active_cards(holding), key=in_thrift)
    last = len(cards) == 1 and not state.stock and not (holding.hand and holding.open) and not any(holding.blind)
    for card in cards:
        if refusal(rules, state.top, state.lead, RANK[card], last=last) is None:
            return Play((card,))
    adds = rules.pickup_adds_open_card and active(holding) == "open"
    return PickUp((cards[0],) if adds else ())
