"""How a round ends: the rows turned up, action cards replaced, the score; and what those events do to the state."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec.structs import replace

from domain.fair import Dice
from domain.game import Event
from domain.hatchatul import ending_events as e
from domain.hatchatul.events import StockLaid, StockReshuffled
from domain.hatchatul.pack import SLOTS, Card
from domain.hatchatul.scoring import round_scored
from domain.hatchatul.state import Cards, Over, Revealing, RoundResult, State, clockwise

Cause = Literal["lap_done", "stock_out", "turn_cap", "abandoned"]


def reveal(state: State, cause: Cause, at: str, dice: Dice) -> list[Event]:
    """Turn up all rows, replace their action cards from the dealer's left, slots 1 to 4 (H-20), and score."""
    order = clockwise(state.course.seats, state.sitting.dealer or 0)
    rows = {seat: list(state.cards.rows[seat]) for seat in order}
    events: list[Event] = [e.RowsRevealed(tuple(e.Row(seat, state.cards.rows[seat]) for seat in order), cause)]
    stock, discard, reshuffles = list(state.cards.stock), list(state.cards.discard), state.course.reshuffles
    for seat in order:
        for slot in SLOTS:
            while isinstance(thrown := rows[seat][slot - 1], str):
                events.append(e.ActionCardThrown(seat, slot, thrown))
                discard.append(thrown)
                if not stock:  # H-24: the reveal reshuffles under either rule
                    reshuffles += 1
                    laid = reshuffled(discard, reshuffles, dice)
                    events += [StockReshuffled(reshuffles, len(laid)), StockLaid(laid)]
                    stock, discard = list(laid), discard[-1:]
                rows[seat][slot - 1] = drawn = stock.pop(0)
                events.append(e.ReplacementDrawn(seat, slot, drawn))
    sums = {seat: sum(card for card in row if isinstance(card, int)) for seat, row in rows.items()}
    return [*events, round_scored(state.sitting, state.course, sums, at)]


def reshuffled(discard: Sequence[Card], count: int, dice: Dice) -> tuple[Card, ...]:
    """The new stock: all thrown cards but the last (H-24), in the order of the dice for the `count`-th time."""
    return dice.shuffle(f"reshuffle:{count}", discard[:-1])


def unscored(state: State, leaders: tuple[int, ...]) -> RoundResult:
    """The result of a round that was cut short and ended the game."""
    return RoundResult(
        scored=False,
        scores=(),
        winners=(),
        knocker=state.course.knocker,
        out=state.sitting.out,
        leaders=leaders,
        final=True,
    )


# What these events do


def _rows_revealed(state: State, _: e.RowsRevealed) -> State:
    return State(state.sitting, state.cards, state.course, Revealing())


def _action_card_thrown(state: State, event: e.ActionCardThrown) -> State:
    cards = state.cards
    row = cards.rows[event.seat]
    assert row[event.slot - 1] == event.card, "another card lies there"
    rest = (*row[: event.slot - 1], *row[event.slot :])
    rows = (*cards.rows[: event.seat], rest, *cards.rows[event.seat + 1 :])
    after = Cards(rows, cards.stock, (*cards.discard, event.card), cards.aside)
    return State(state.sitting, after, state.course, state.phase)


def _replacement_drawn(state: State, event: e.ReplacementDrawn) -> State:
    cards = state.cards
    assert cards.stock[0] == event.card, "another card lies on the stock"
    row = cards.rows[event.seat]
    full = (*row[: event.slot - 1], event.card, *row[event.slot - 1 :])
    rows = (*cards.rows[: event.seat], full, *cards.rows[event.seat + 1 :])
    after = Cards(rows, cards.stock[1:], cards.discard, cards.aside)
    return State(state.sitting, after, state.course, state.phase)


def _scored(state: State, event: e.RoundScored) -> State:
    assert isinstance(state.phase, Revealing)
    totals = list(state.sitting.totals)
    for score in event.scores:
        totals[score.seat] = score.total
    sitting = replace(
        state.sitting,
        totals=tuple(totals),
        out=(*state.sitting.out, *event.out),
        rounds=state.sitting.rounds + 1,
        finished=event.final,
    )
    result = RoundResult(
        scored=True,
        scores=event.scores,
        winners=event.winners,
        knocker=state.course.knocker,
        out=sitting.out,
        leaders=event.leaders,
        final=event.final,
    )
    return State(sitting, state.cards, state.course, Over(result))


def _time_expired(state: State, event: e.TimeExpired) -> State:
    return cut_short(state, event.leaders)


def _game_forfeited(state: State, event: e.GameForfeited) -> State:
    return cut_short(state, (event.winner,))


def cut_short(state: State, leaders: tuple[int, ...]) -> State:
    """The game is over where it stands; a held card stays counted, for it is set aside."""
    cards = set_aside(state)
    return State(replace(state.sitting, finished=True), cards, state.course, Over(unscored(state, leaders)))


def set_aside(state: State) -> Cards:
    """The cards with a held one set aside."""
    card = getattr(state.phase, "card", None)
    if card is None:
        return state.cards
    return replace(state.cards, aside=(*state.cards.aside, card))


ENDING: dict[type[Event], Callable[[State, Any], State]] = {
    e.RowsRevealed: _rows_revealed,
    e.ActionCardThrown: _action_card_thrown,
    e.ReplacementDrawn: _replacement_drawn,
    e.RoundScored: _scored,
    e.TimeExpired: _time_expired,
    e.GameForfeited: _game_forfeited,
}
