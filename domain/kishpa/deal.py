"""How a round is set up: the deal, the kishpa, the first payments, the exposure window and the replacement."""

from __future__ import annotations

from domain.game import Deal, Event
from domain.kishpa import events as told
from domain.kishpa.evening import clockwise, next_starter, seated
from domain.kishpa.evolve import evening_of, rules_of
from domain.kishpa.pack import DOLLS, in_order, joker_of
from domain.kishpa.payments import (
    contributions,
    load_the_short,
    opening,
    pay,
    replacement_rows,
    start_rows,
    top_up,
)
from domain.kishpa.rules import KishpaRules
from domain.kishpa.state import Over, Round, Setting, State, Undealt
from domain.kishpa.telling import Telling
from domain.kishpa.turns import play_on
from domain.times import deadline

HAND_TILES = 14


def deal(state: State, new: Deal) -> list[Event]:
    """The events that set a round up, until a seat has to act."""
    assert isinstance(state, Undealt | Over)
    telling = Telling(state, new.at, new.dice)
    rules, evening = rules_of(state), evening_of(state)
    if not evening.opened:
        telling.tell(opening(rules, seated(evening)))
    load_the_short(telling, rules)
    starter = next_starter(new.seats, evening.starter, _first_starter(rules, new))
    last = evening.called or evening.rounds + 1 == rules.rounds
    telling.tell(told.HandsDealt(new.round, new.seats, starter, last))
    telling.tell(*_dealt(new.deck, clockwise(new.seats, starter)))
    flip(telling)
    pay(telling, rules, contributions(telling.round))
    start_rows(telling)
    if somebody_has_a_joker(telling.round):
        play_on(telling)
    else:
        telling.tell(told.ExposureOpened(deadline(new.at, rules.exposure_timeout_s)))
    return telling.events


def _first_starter(rules: KishpaRules, new: Deal) -> int:
    """Who starts the first round (K-04)."""
    if rules.first_starter == "random":
        return new.seats[new.dice.below("first-player", len(new.seats))]
    return new.creator


def _dealt(deck: tuple[str, ...], order: tuple[int, ...]) -> list[Event]:
    """One tile at a time clockwise from the starter, fourteen times; one more to the starter; the rest is the stock."""
    tiles = HAND_TILES * len(order)
    hands = {seat: deck[place : tiles : len(order)] for place, seat in enumerate(order)}
    hands[order[0]] += deck[tiles : tiles + 1]
    shown = (told.HandShown(seat, in_order(hands[seat])) for seat in sorted(order))
    return [*shown, told.StockLaid(deck[tiles + 1 :])]


def flip(telling: Telling) -> None:
    """Turn the next tile up for kishpa; a doll goes back somewhere into the stock first (K-06)."""
    while (tile := telling.round.stock[0]) in DOLLS:
        telling.tell(told.DollFlipped(tile))
        round_ = telling.round
        place = telling.dice.below(f"reinsert:{round_.returns}", len(round_.stock) + 1)
        telling.tell(told.DollReturned(place))
    telling.tell(told.KishpaFlipped(tile, joker_of(tile)))


def somebody_has_a_joker(round_: Round) -> bool:
    """Whether any hand holds a joker; dolls do not count (K-41)."""
    return any(round_.joker in hand for hand in round_.hands)


def decline(telling: Telling, seat: int) -> None:
    """A seat passes in the exposure window; the last answer closes it."""
    telling.tell(told.ExposureDeclined(seat))
    close_window(telling)


def close_window(telling: Telling) -> None:
    """When the window has closed, the kishpa may be replaced (K-42), once (K-49); then the starter throws."""
    if not isinstance(telling.state, Setting):
        return
    round_ = telling.round
    if round_.exposer is not None or round_.rules.replace_when == "no_joker":
        flip(telling)
        top_up(telling, round_.kishpa)
        replacement_rows(telling)
    play_on(telling)
