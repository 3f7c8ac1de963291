"""What a move does, or which clause refuses it: one table of rows for each phase, read from the top."""

from domain.fair import Dice
from domain.game import Event, Move, Refused
from domain.hatchatul import events as e
from domain.hatchatul import moves as m
from domain.hatchatul import plays, turns
from domain.hatchatul.opening_events import OuterCardsPeeked, OuterCardsShown, PeekSkipped
from domain.hatchatul.pack import is_action
from domain.hatchatul.state import HoldingAction, HoldingNumber, Peeking, State, TurnEnd, TurnStart


def decide(state: State, seat: int, move: Move, at: str, dice: Dice) -> list[Event]:
    """The events of `move` by `seat` at the time `at`; raises Refused with a clause of RULES.md."""
    if turns.is_dropped(state, at):
        raise Refused("H-22", "The time is up: this round is dropped.")
    return answer(state, seat, move, at, dice)


def answer(state: State, seat: int, move: Move, at: str, dice: Dice) -> list[Event]:
    """The same, whatever the time of the mode."""
    match state.phase, move:
        case Peeking(waiting=waiting), _:
            return in_setup(state, seat, move, at, looks=seat in waiting)
        case _, m.PeekStart() | m.Skip():
            raise Refused("H-06", "The opening look is over.")
        case TurnStart(turn), _ if turn.seat == seat:
            return at_turn_start(state, state.phase, move, at, dice)
        case HoldingNumber(turn), _ if turn.seat == seat:
            return with_number(state, state.phase, move, at)
        case HoldingAction(turn), _ if turn.seat == seat:
            return with_action(state, state.phase, move, at)
        case TurnEnd(turn), _ if turn.seat == seat:
            return at_turn_end(state, seat, move, at, dice)
    raise Refused("H-31", "It is not your turn.")


def in_setup(state: State, seat: int, move: Move, at: str, *, looks: bool) -> list[Event]:
    """The opening look (H-06): all at once, each once."""
    match move:
        case m.PeekStart() if looks:
            row = state.cards.rows[seat]
            shown = OuterCardsShown(seat, row[0], row[3])
            return [OuterCardsPeeked(seat), *turns.after_look(state, seat, at), shown]
        case m.Skip() if looks:
            return [PeekSkipped(seat), *turns.after_look(state, seat, at)]
        case m.PeekStart() | m.Skip():
            raise Refused("H-06", "You have looked or skipped already.")
    raise Refused("H-06", "Play begins when all have looked at their outer cards or skipped it.")


def at_turn_start(state: State, phase: TurnStart, move: Move, at: str, dice: Dice) -> list[Event]:
    """A turn begins with one card, from the stock or the pile (H-32)."""
    rules, turn = state.sitting.rules, phase.turn
    match move:
        case m.DrawStock():
            return plays.draw_stock(state, turn, at, dice)
        case m.TakeDiscard() if turn.extra and rules.draw_two == "pick_one":
            raise Refused("H-14", "The cards of Draw Two come from the stock.")
        case m.TakeDiscard() if is_action(state.cards.discard[-1]) and not rules.take_dead_action:
            raise Refused("H-09", "A thrown action card cannot be taken.")
        case m.TakeDiscard(slot):
            return plays.take_discard(state, turn, slot, at)
        case m.Waive() if turn.extra and rules.draw_two == "two_turns":
            return [e.TurnsWaived(turn.seat)]
        case m.Waive() if turn.extra:
            raise Refused("H-14", "At this table the cards of Draw Two cannot be waived.")
        case m.Waive():
            raise Refused("H-14", "You have no turn of Draw Two to give up.")
        case m.Knock():
            raise Refused("H-16", "Knock at the end of your turn, when no turn is owed to you.")
    raise Refused("H-32", "Take a card first.")


def with_number(state: State, phase: HoldingNumber, move: Move, at: str) -> list[Event]:
    """He holds a number: into the row, or away with it."""
    match move:
        case m.Place(slot):
            return plays.place(state, phase, slot, at)
        case m.Throw():
            return plays.throw(state, phase, at)
    raise refusal_while_holding(move)


def with_action(state: State, phase: HoldingAction, move: Move, at: str) -> list[Event]:
    """He holds an action card: its power, or the row, or away with it."""
    match phase.card, move:
        case "peek", m.UsePeek(slot):
            return plays.use_peek(state, phase, slot, at)
        case "swap", m.UseSwap():
            return plays.use_swap(state, phase, move, at)
        case "draw2", m.UseDrawTwo():
            return plays.use_draw_two(state, phase, at)
        case _, m.Throw():
            return plays.throw(state, phase, at)
        case _, m.Place() if not state.sitting.rules.keep_action_in_row:
            raise Refused("H-10", "At this table no action card goes into a row.")
        case _, m.Place(slot):
            return plays.place(state, phase, slot, at)
    raise refusal_while_holding(move)


def at_turn_end(state: State, seat: int, move: Move, at: str, dice: Dice) -> list[Event]:
    """He has played: the next player's turn, or the last lap (H-16)."""
    match move:
        case m.EndTurn():
            return turns.after_turn(state, e.TurnEnded(seat), at, dice)
        case m.Knock() if state.course.knocker is not None:
            raise Refused("H-17", "The last lap is on: nobody knocks again.")
        case m.Knock():
            return turns.knock(state, seat, at, dice)
        case m.Waive():
            raise Refused("H-14", "You have no turn of Draw Two to give up.")
    raise Refused("H-32", "You have played your card: end your turn, or knock.")


def refusal_while_holding(move: Move) -> Refused:
    """Why a player who holds a card cannot do this."""
    match move:
        case m.UsePeek():
            return Refused("H-11", "You hold no Peek.")
        case m.UseSwap():
            return Refused("H-12", "You hold no Swap.")
        case m.UseDrawTwo():
            return Refused("H-14", "You hold no Draw Two.")
        case m.Waive():
            return Refused("H-14", "Play the card that you hold first.")
        case m.EndTurn() | m.Knock():
            return Refused("H-16", "Play the card that you hold first.")
    return Refused("H-32", "One card a turn: play the one that you hold.")
