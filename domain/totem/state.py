"""The whole table: what all see, and the cards in the order in which they lie; `evolve` folds the events."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from domain.game import Event
from domain.totem import events as told
from domain.totem import verdicts
from domain.totem.arbitration import QUOTA_START_MS, refilled
from domain.totem.board import Board, empty_board
from domain.totem.public import board_after
from domain.totem.rules import TotemRules

Pile = tuple[str, ...]


class Quota(Struct, frozen=True):
    """What a seat's quota held when reveal number `reveal` was the last."""

    ms: int
    reveal: int


class State(Struct, frozen=True):
    """`draws` are face down, next card first; `ups` face up, the top last; `pot` lies under the totem, oldest first.

    `takings` numbers the takings of the round, `before_foul` is the table before a foul that may be taken back.
    """

    rules: TotemRules
    board: Board
    draws: tuple[Pile, ...]
    ups: tuple[Pile, ...]
    pot: Pile
    quotas: tuple[Quota, ...]
    takings: int = 0
    before_foul: State | None = None


def initial(rules: TotemRules, seats: int) -> State:
    """The table before the first deal."""
    nothing: tuple[Pile, ...] = ((),) * seats
    return State(rules, empty_board(seats), nothing, nothing, (), _full(seats))


def _full(seats: int) -> tuple[Quota, ...]:
    return (Quota(QUOTA_START_MS, 0),) * seats


def quota_ms(state: State, seat: int) -> int:
    """What the quota of `seat` holds now."""
    quota = state.quotas[seat]
    return refilled(quota.ms, state.board.reveal - quota.reveal)


def zones(state: State) -> dict[str, Pile]:
    """Every card by where it lies; nothing before the first deal."""
    if not any(state.draws) and not any(state.ups) and not state.pot:
        return {}
    piles = {f"draw:{seat}": pile for seat, pile in enumerate(state.draws)}
    piles |= {f"up:{seat}": pile for seat, pile in enumerate(state.ups)}
    return {**piles, "pot": state.pot}


def evolve(state: State, event: Event) -> State:
    """The table after `event`."""
    board = board_after(state.board, event)
    match event:
        case told.CardTurnedUp(seat=seat, card=card, recycled=recycled):
            return _turned_up(state, board, (told.TurnedUp(seat, card, recycled),))
        case told.TurnStarted() | told.TurnPassed():
            return _with_board(state, board)
        case verdicts.GrabsJudged():
            return _judged(state, board, event)
        case told.CardsTaken(taker=taker, piles=piles):
            cards = tuple(card for seat in piles for card in state.ups[seat]) + state.pot
            return _moved(state, board, piles, {taker: cards}, ())
        case told.AllTurnedUp(cards=turned):
            return _turned_up(state, board, turned)
        case told.CardsPotted(seats=seats):
            cards = tuple(card for seat in seats for card in state.ups[seat])
            return _moved(state, board, seats, {}, state.pot + cards)
        case told.CardsShared(seat=seat, shares=shares):
            return _shared(state, board, seat, shares)
        case _:
            return _relaid(state, board, event)


def _relaid(state: State, board: Board, event: Event) -> State:
    """The events that lay piles anew without a resolution, and those that move no card."""
    match event:
        case told.TakenShuffled(taker=taker, cards=cards):
            pile = state.draws[taker]
            kept = pile[: len(pile) - len(cards)]
            assert sorted(pile[len(kept) :]) == sorted(cards), "other cards were shuffled than taken"
            return replace(state, draws=_with(state.draws, taker, kept + cards))
        case told.DrawPilesStacked(piles=piles, pot=pot):
            seats_ = len(piles)
            return State(state.rules, board, piles, ((),) * seats_, pot, _full(seats_))
        case told.CardsWithdrawn(seat=seat):
            pot = state.pot + state.draws[seat] + state.ups[seat]
            draws, ups = _with(state.draws, seat, ()), _with(state.ups, seat, ())
            return replace(state, board=board, draws=draws, ups=ups, pot=pot, before_foul=None)
        case told.PilesRecycled():
            nothing: tuple[Pile, ...] = ((),) * len(state.ups)
            return replace(state, board=board, draws=state.ups, ups=nothing, before_foul=None)
        case told.FoulReported():
            return replace(state, board=board, before_foul=replace(state, before_foul=None))
        case told.FoulReversed():
            before = state.before_foul
            assert before is not None, "no foul can be taken back"
            return replace(before, board=board, takings=state.takings)
        case _:
            return _with_board(state, board)


def _with_board(state: State, board: Board) -> State:
    return State(state.rules, board, state.draws, state.ups, state.pot, state.quotas, state.takings, state.before_foul)


def _with(piles: tuple[Pile, ...], seat: int, pile: Pile) -> tuple[Pile, ...]:
    return (*piles[:seat], pile, *piles[seat + 1 :])


def _turned_up(state: State, board: Board, turned: tuple[told.TurnedUp, ...]) -> State:
    draws, ups = list(state.draws), list(state.ups)
    for card in turned:
        seat = card.seat
        if card.recycled:
            draws[seat], ups[seat] = ups[seat], ()
        assert draws[seat][0] == card.card, f"{card.card} is not the next card of seat {seat}"
        ups[seat] += draws[seat][:1]
        draws[seat] = draws[seat][1:]
    return State(state.rules, board, tuple(draws), tuple(ups), state.pot, state.quotas, state.takings)


def _moved(state: State, board: Board, gone: tuple[int, ...], taken: dict[int, Pile], pot: Pile) -> State:
    """The face-up piles of `gone` are away, each taker has his cards at the bottom of his pack (T-22)."""
    draws, ups = list(state.draws), list(state.ups)
    for seat in gone:
        ups[seat] = ()
    for seat, cards in taken.items():
        draws[seat] += cards
    takings = state.takings + len(taken)
    return State(state.rules, board, tuple(draws), tuple(ups), pot, state.quotas, takings, state.before_foul)


def _shared(state: State, board: Board, winner: int, shares: tuple[told.Share, ...]) -> State:
    cards = state.ups[winner] + state.pot
    assert len(cards) == sum(share.cards for share in shares), "the shares are not what there is to share"
    taken: dict[int, Pile] = {}
    for share in shares:
        taken[share.seat] = state.ups[share.seat] + cards[: share.cards]
        cards = cards[share.cards :]
    return _moved(state, board, (winner, *taken), taken, ())


def _judged(state: State, board: Board, event: verdicts.GrabsJudged) -> State:
    """A4: the compensation given comes off the quotas; a grab that decided anything ends what a referee may undo."""
    quotas = state.quotas
    for grab in event.grabs:
        if grab.compensation_ms:
            quota = Quota(grab.quota_ms - grab.compensation_ms, board.reveal)
            quotas = (*quotas[: grab.seat], quota, *quotas[grab.seat + 1 :])
    before = state.before_foul if event.verdict == "void" else None
    return State(state.rules, board, state.draws, state.ups, state.pot, quotas, state.takings, before)
