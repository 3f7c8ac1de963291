"""What a player does with one card: take it, place it, throw it, use it."""

from domain.fair import Dice
from domain.game import Event, Refused
from domain.hatchatul import events as e
from domain.hatchatul import moves as m
from domain.hatchatul.deal import turn
from domain.hatchatul.pack import OUTER, Card
from domain.hatchatul.reveal import reshuffled, reveal
from domain.hatchatul.state import HoldingAction, HoldingNumber, State, Turn


def draw_stock(state: State, now: Turn, at: str, dice: Dice) -> list[Event]:
    """The next card of the stock into the hand; an empty stock is made anew, or ends the round (H-24)."""
    events = begin(state)
    stock = state.cards.stock
    if not stock and state.sitting.rules.stock_out == "end_round":
        return [*events, e.StockExhausted(now.seat), *reveal(state, "stock_out", at, dice)]
    if not stock:
        count = state.course.reshuffles + 1
        stock = reshuffled(state.cards.discard, count, dice)
        events += [e.StockReshuffled(count, len(stock)), e.StockLaid(stock)]
    return [*events, *drawn(now.seat, stock[0])]


def drawn(seat: int, card: Card) -> list[Event]:
    """An action card is shown to all, a number to him who drew it (H-10)."""
    if isinstance(card, str):
        return [e.CardDrawn(seat, card)]
    return [e.CardDrawn(seat, None), e.DrawnCardShown(seat, card)]


def begin(state: State) -> list[Event]:
    """Before the first card of a round is taken, all that the opening showed is covered (H-06)."""
    return [] if state.course.begun else [e.PlayBegun()]


def take_discard(state: State, now: Turn, slot: int, at: str) -> list[Event]:
    """The last thrown card into the row at once (H-08)."""
    discarded = state.cards.rows[now.seat][slot - 1]
    return [*begin(state), e.DiscardTaken(now.seat, slot, discarded), *further(state, now, at)]


def place(state: State, phase: HoldingNumber | HoldingAction, slot: int, at: str) -> list[Event]:
    """The held card into the row, face down, or face up where the row lies open (H-29)."""
    seat = phase.turn.seat
    face = phase.card if state.sitting.rules.open_outer and slot in OUTER else None
    discarded = state.cards.rows[seat][slot - 1]
    return [e.CardPlaced(seat, slot, discarded, face), *further(state, phase.turn, at, spent=True)]


def throw(state: State, phase: HoldingNumber | HoldingAction, at: str) -> list[Event]:
    """The held card on the pile, its power unused."""
    return [e.CardThrown(phase.turn.seat, phase.card), *further(state, phase.turn, at)]


def use_peek(state: State, phase: HoldingAction, slot: int, at: str) -> list[Event]:
    """A look at one card of his own (H-11)."""
    seat = phase.turn.seat
    shown = e.SlotShown(seat, slot, state.cards.rows[seat][slot - 1])
    return [e.PeekUsed(seat, slot), shown, *further(state, phase.turn, at, spent=True)]


def use_swap(state: State, phase: HoldingAction, move: m.UseSwap, at: str) -> list[Event]:
    """Two cards change places unseen; then each of the two sees the one that he got (H-12, H-13)."""
    seat, rules, rows = phase.turn.seat, state.sitting.rules, state.cards.rows
    if move.seat == seat or move.seat not in state.course.seats:
        raise Refused("H-12", "Swap with a slot of another player in this round.")
    if rules.knocker_protected and move.seat == state.course.knocker:
        raise Refused("H-18", "At this table the row of the player who knocked is safe.")
    if rules.open_outer and (move.mine in OUTER or move.theirs in OUTER):
        raise Refused("H-29", "Only cards that lie face down can be swapped.")
    events: list[Event] = [e.CardsSwapped(seat, move.mine, move.seat, move.theirs)]
    if rules.swap_look == "own_new":
        events += [
            e.SlotShown(seat, move.mine, rows[move.seat][move.theirs - 1]),
            e.SlotShown(move.seat, move.theirs, rows[seat][move.mine - 1]),
        ]
    return events + further(state, phase.turn, at, spent=True)


def use_draw_two(state: State, phase: HoldingAction, at: str) -> list[Event]:
    """Two turns in place of this one; under `pick_one` two draws, whatever was owed before (H-14)."""
    seat, rules = phase.turn.seat, state.sitting.rules
    owed = 2 if rules.draw_two == "pick_one" else phase.turn.owed + 1
    return [e.DrawTwoUsed(seat), turn(rules, seat, at, owed, extra=True)]


def further(state: State, now: Turn, at: str, *, spent: bool = False) -> list[Event]:
    """The next turn that Draw Two owes; under `pick_one` a card placed or used (`spent`) forfeits it (H-14)."""
    rules = state.sitting.rules
    if now.owed == 1 or (spent and rules.draw_two == "pick_one"):
        return []
    return [turn(rules, now.seat, at, now.owed - 1, extra=True)]
