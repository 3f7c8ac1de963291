"""What happens without a seat's move: clocks, leaving, and whether another round can follow."""

from __future__ import annotations

from domain.fair import Dice
from domain.game import Due, Event
from domain.kishpa import events as told
from domain.kishpa.deal import decline
from domain.kishpa.evening import seated, short_of_tokens, statements
from domain.kishpa.evolve import evening_of, rules_of
from domain.kishpa.payments import to_the_last_player
from domain.kishpa.state import Drawing, Exposing, Holding, Over, Result, State, Undealt
from domain.kishpa.telling import Telling
from domain.kishpa.turns import play_for, play_on
from domain.tokens import BOWL

SEATS_PLAYING_MIN = 2


def due(state: State) -> Due | None:
    """Whose clock runs: the seats that have not answered in the exposure window, or the seat on turn."""
    match state:
        case Exposing(due=at, awaited=seats):
            return Due(at, "exposure", seats)
        case Drawing(due=at, seat=seat) | Holding(due=at, seat=seat):
            return Due(at, "turn", (seat,))
        case _:
            return None


def when_due(state: State, due: Due, at: str, dice: Dice) -> list[Event]:
    """What the clock plays for those of `due.seats` that are awaited: a pass (K-51), a plain turn (K-30)."""
    telling = Telling(state, at, dice)
    if isinstance(state, Exposing):
        for seat in due.seats:
            if seat in state.awaited:
                telling.tell(told.ClockRanOut(seat))
                decline(telling, seat)
    elif isinstance(state, Drawing | Holding) and state.seat in due.seats:
        telling.tell(told.ClockRanOut(state.seat))
        play_for(telling)
        play_on(telling)
    return telling.events


def leave(state: State, seat: int, at: str, dice: Dice) -> list[Event]:
    """What a seat's leaving brings: its answer and its turns are played at once (K-83)."""
    telling = Telling(state, at, dice)
    telling.tell(told.PlayerLeft(seat))
    match telling.state:
        case Exposing(awaited=awaited) if seat in awaited:
            decline(telling, seat)
        case Drawing() | Holding():
            play_on(telling)
        case Undealt() | Over():
            to_the_last_player(telling)
        case _:
            pass
    return telling.events


def over(state: State) -> Result | None:
    """What the round came to, once it is over."""
    if not isinstance(state, Over):
        return None
    round_ = state.round
    made = statements(round_.evening, round_.rules)
    best = max(statement.net for statement in made)
    return Result(
        winners=() if state.winner is None else (state.winner,),
        cause=state.cause,
        payment=state.payment,
        last=round_.last,
        bowl=round_.evening.accounts[BOWL],
        statements=made,
        leaders=tuple(statement.seat for statement in made if statement.net == best),
    )


def finished(state: State) -> bool:
    """Whether no round can follow: the last one is over (K-77), or fewer than two are left (K-83)."""
    if isinstance(state, Over):
        return state.round.last or len(seated(state.round.evening)) < SEATS_PLAYING_MIN
    return isinstance(state, Undealt) and len(seated(state.evening)) < SEATS_PLAYING_MIN


def blocked(state: State) -> tuple[int, ...]:
    """The seats without which no round can start until they load tokens (K-81)."""
    between = isinstance(state, Undealt | Over) and rules_of(state).shortfall == "debt"
    return short_of_tokens(evening_of(state), rules_of(state)) if between else ()


def zones(state: State) -> dict[str, tuple[str, ...]]:
    """Every tile by where it lies; {} until the deal has laid the stock."""
    if isinstance(state, Undealt) or not (state.round.stock or state.round.kishpa):
        return {}
    round_ = state.round
    hands = {f"hand:{seat}": round_.hands[seat] for seat in round_.seats}
    turned = (round_.turned,) if round_.turned else ()
    kishpa = (round_.kishpa,) if round_.kishpa else ()
    table = {"kishpa": kishpa, "spent": round_.spent, "turned": turned}
    return hands | {"stock": round_.stock, "discards": round_.discards} | table
