"""The public facts after an event: the one fold behind the state and every view."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import Event
from domain.totem import events as told
from domain.totem import verdicts
from domain.totem.board import (
    Board,
    Choosing,
    Counting,
    Going,
    Grip,
    Over,
    Refereeing,
    Showing,
    Turning,
    Undealt,
    Waiting,
    going,
    matches,
)
from domain.totem.pack import INWARD

UNCOUNTED = frozenset(("settling", "choice_open", "old_reveal", "left", "voided"))
"""Outcomes of grabs that do not use up the one grab that a seat has for a reveal and resolution (T-56)."""


def board_after(board: Board, event: Event) -> Board:
    """The board once `event` is told; raises AssertionError for an event that cannot follow."""
    match event:
        case told.CardTurnedUp(seat=seat, card=card, recycled=recycled):
            return _revealed(board, (told.TurnedUp(seat, card, recycled),), event.reveal, event.at)
        case told.TurnPassed(seat=seat, opens=opens, due=due):
            return replace(board, phase=Showing(seat, opens, due))
        case told.TurnStarted(seat=seat, due=due):
            return replace(board, phase=Turning(seat, due))
        case verdicts.GrabsJudged():
            used = tuple(grab.seat for grab in event.grabs if grab.outcome not in UNCOUNTED)
            phase = going(board) if event.refereed else board.phase
            return replace(board, phase=phase, answered=board.answered + used)
        case told.CardsTaken(taker=taker, piles=piles, cards=cards):
            return _resolved(board, piles, {taker: cards}, 0, event.at)
        case told.AllTurnedUp(cards=turned):
            return _revealed(board, turned, event.reveal, event.at)
        case told.CountStarted(revealer=revealer, due=due):
            return replace(board, phase=Counting(revealer, due))
        case told.CardsPotted(seats=seats, cards=cards, at=at):
            return _resolved(board, seats, {}, board.pot + cards, at)
        case told.CardsShared(seat=seat, shares=shares, at=at):
            taken = {share.seat: share.cards + board.ups[share.seat] for share in shares}
            return _resolved(board, (seat, *taken), taken, 0, at)
        case _:
            return _after_end_or_start(board, event)


def _after_end_or_start(board: Board, event: Event) -> Board:
    """The events around the beginning and the end of a round, and of a player's part in it."""
    match event:
        case told.CardsDealt():
            return _dealt(board, event)
        case told.WaitStarted(seat=seat, due=due):
            return replace(board, phase=Waiting(seat, due))
        case told.CardsShed(seats=seats):
            playing = tuple(s for s in board.playing if s not in seats)
            return replace(board, playing=playing, shed=(*board.shed, seats))
        case told.PlayEnded(by=by):
            return replace(board, phase=Over(by))
        case told.PilesRecycled(at=at):
            return _recycled(board, at)
        case told.CardsWithdrawn(seat=seat):
            return _withdrawn(board, event)
        case told.FoulReversed(board=before):
            return before
        case _:
            return _interrupted(board, event)


def _interrupted(board: Board, event: Event) -> Board:
    """The events around a choice, a dead heat and a foul, and those that change nothing that all can see."""
    match board.phase, event:
        case (Turning() | Showing() | Counting() | Waiting()) as phase, told.ChoiceOpened():
            return replace(board, phase=Choosing(event.seat, event.losers, event.due, phase))
        case Refereeing() as heat, verdicts.DeadHeatFound(seats=seats):
            return replace(board, phase=replace(heat, seats=seats))
        case (Turning() | Showing() | Counting() | Waiting()) as phase, verdicts.DeadHeatFound():
            return replace(board, phase=Refereeing(event.grabs, event.silent, event.seats, (), event.due, phase))
        case Refereeing() as heat, verdicts.GripEntered():
            grips = tuple(grip for grip in heat.grips if grip.seat != event.seat)
            grip = Grip(event.seat, event.fingers, event.grip_height)
            return replace(board, phase=replace(heat, grips=(*grips, grip)))
        case _, told.FoulReported():  # T-46: it voids an open choice and undecided grabs
            return replace(board, phase=going(board))
        case _, (
            told.TakerChosen() | told.MatchAnnounced() | told.TotemTimedOut() | told.DrawPilesStacked()
        ) | told.TakenShuffled():
            return board
        case _:
            raise AssertionError(f"{event} cannot follow {board.phase}")


def _dealt(board: Board, event: told.CardsDealt) -> Board:
    seats = range(len(board.draws))
    draws = tuple(event.each if seat in event.playing else 0 for seat in seats)
    return Board(Undealt(), event.playing, draws, (0,) * len(draws), (None,) * len(draws), event.pot)


def _revealed(board: Board, turned: tuple[told.TurnedUp, ...], reveal: int, at: str) -> Board:
    """T-17, T-24, T-56: a reveal ends old contests, thaws what was frozen, and gives every seat a new grab."""
    draws, ups, tops = list(board.draws), list(board.ups), list(board.tops)
    for card in turned:
        seat = card.seat
        if card.recycled:
            draws[seat], ups[seat] = ups[seat], 0
        draws[seat] -= 1
        ups[seat] += 1
        tops[seat] = card.card
        assert draws[seat] >= 0, f"seat {seat} has no card to turn up"
    return Board(
        board.phase,
        board.playing,
        tuple(draws),
        tuple(ups),
        tuple(tops),
        board.pot,
        reveal,
        at,
        None,
        tuple(card.seat for card in turned if card.card == INWARD),
        (),
        (),
        board.shed,
        board.recycled + tuple(card.seat for card in turned if card.recycled),
    )


def _resolved(board: Board, piles: tuple[int, ...], taken: dict[int, int], pot: int, at: str) -> Board:
    """T-17, T-24: a resolution ends the contest and freezes the matches that were there before it.

    The face-up `piles` are gone, each taker has so many cards more in his pack, `pot` cards lie under the totem.
    """
    draws, ups, tops = list(board.draws), list(board.ups), list(board.tops)
    for seat in piles:
        ups[seat], tops[seat] = 0, None
    for seat, count in taken.items():
        draws[seat] += count
    left = tuple(tops)
    return Board(
        going(board),
        board.playing,
        tuple(draws),
        tuple(ups),
        left,
        pot,
        board.reveal,
        board.revealed_at,
        at,
        (),
        _frozen(board, left),
        (),
        board.shed,
    )


def _frozen(board: Board, left: tuple[str | None, ...]) -> tuple[str, ...]:
    """T-24: the matches that are left of those that there were; one that a change of mode has made is none of them."""
    still = matches(left)
    if not still:
        return ()
    before = matches(board.tops)
    return tuple(key for key in still if key in before or key in board.frozen)


def _recycled(board: Board, at: str) -> Board:
    """T-43: all face-up piles are draw piles again; there is nothing left to grab for."""
    nothing = (0,) * len(board.ups)
    return replace(
        board,
        draws=board.ups,
        ups=nothing,
        tops=(None,) * len(nothing),
        resolved_at=at,
        inward=(),
        frozen=(),
        answered=(),
        recycled=board.playing,
    )


def _withdrawn(board: Board, event: told.CardsWithdrawn) -> Board:
    """T-44: the leaver's cards are under the totem, and nothing is asked of him any more."""
    gone = event.seat
    return replace(
        board,
        phase=_without(board, gone),
        playing=tuple(s for s in board.playing if s != gone),
        draws=tuple(0 if s == gone else count for s, count in enumerate(board.draws)),
        ups=tuple(0 if s == gone else count for s, count in enumerate(board.ups)),
        tops=tuple(None if s == gone else top for s, top in enumerate(board.tops)),
        pot=board.pot + event.drawn + event.up,
        inward=tuple(s for s in board.inward if s != gone),
        left_at=event.at,
    )


def _without(board: Board, gone: int) -> Going | Choosing | Refereeing:
    match board.phase:
        case Choosing(losers=losers) as choosing:
            return replace(choosing, losers=tuple(s for s in losers if s != gone))
        case Refereeing() as heat:
            return replace(heat, seats=tuple(s for s in heat.seats if s != gone), gone=(*heat.gone, gone))
        case _:
            return going(board)
