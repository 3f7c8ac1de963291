"""What goes on from round to round, all of it public: accounts, who left, whose turn to start, the streak of wins."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.kishpa.rules import BALANCE_MIN, KishpaRules
from domain.tokens import BANK, BOWL, Transfer, seat_account, settled

ILS_PER_TOKEN = 2
"""What a token is worth in statements (K-79); nothing is ever paid with it."""


class Evening(Struct, frozen=True):
    """One table's sitting. `accounts` are tokens by account (`bank`, `bowl`, `seat:<n>`), together always 0.

    `starter` began the last round dealt; `previous` won the last round, `streak` counts his wins in a row that
    the bowl has not paid; `loads` are tokens loaded by seat; `called`: the last round was called.
    """

    accounts: dict[str, int]
    loads: tuple[int, ...]
    opened: bool = False
    left: tuple[int, ...] = ()
    starter: int | None = None
    rounds: int = 0
    previous: int | None = None
    streak: int = 0
    called: bool = False


class Course(Struct, frozen=True):
    """The part of an evening that a voided round gives back (G-11); what else it holds stands, or is paid back."""

    starter: int | None = None
    rounds: int = 0
    previous: int | None = None
    streak: int = 0


class Statement(Struct, frozen=True):
    """What the evening has been for a seat: `net` tokens = balance - start - loads (K-79, K-82)."""

    seat: int
    balance: int
    loads: int
    net: int
    net_ils: int


def empty_evening(seats: int) -> Evening:
    """Before anything was paid."""
    accounts = {BANK: 0, BOWL: 0} | {seat_account(seat): 0 for seat in range(seats)}
    return Evening(accounts, (0,) * seats)


def course(evening: Evening) -> Course:
    """How the evening has gone, to be kept while a round is played."""
    return Course(evening.starter, evening.rounds, evening.previous, evening.streak)


def restored(evening: Evening, before: Course) -> Evening:
    """The evening after its last round was voided."""
    return replace(evening, **asdict(before))


def paid(evening: Evening, transfers: Iterable[Transfer]) -> Evening:
    """The evening after `transfers`."""
    return replace(evening, accounts=settled(evening.accounts, transfers))


def loaded(evening: Evening, seat: int, transfers: tuple[Transfer, ...]) -> Evening:
    """The evening after loads of a seat."""
    amount = evening.loads[seat] + sum(transfer.amount for transfer in transfers)
    loads = (*evening.loads[:seat], amount, *evening.loads[seat + 1 :])
    return replace(evening, accounts=settled(evening.accounts, transfers), loads=loads)


def freed(evening: Evening, seat: int, transfers: tuple[Transfer, ...]) -> Evening:
    """The evening after a seat was freed before the start, its loads given back."""
    loads = (*evening.loads[:seat], 0, *evening.loads[seat + 1 :])
    return replace(evening, accounts=settled(evening.accounts, transfers), loads=loads)


def won(evening: Evening, seat: int, transfers: tuple[Transfer, ...]) -> Evening:
    """The evening after a won round."""
    streak = evening.streak + 1 if evening.previous == seat else 1
    return replace(paid(evening, transfers), rounds=evening.rounds + 1, previous=seat, streak=streak)


def drawn(evening: Evening, *, breaks_streak: bool) -> Evening:
    """The evening after an exhausted round (K-68)."""
    if breaks_streak:
        return replace(evening, rounds=evening.rounds + 1, previous=None, streak=0)
    return replace(evening, rounds=evening.rounds + 1)


def bowl_paid(evening: Evening, transfers: tuple[Transfer, ...], *, reset: bool) -> Evening:
    """The evening after the bowl was paid; with `reset` a streak that was paid begins again (K-67)."""
    streak = 0 if reset and transfers[0].clause == "K-67" else evening.streak
    return replace(paid(evening, transfers), streak=streak)


def seated(evening: Evening) -> tuple[int, ...]:
    """The seats that have not left."""
    return tuple(seat for seat in range(len(evening.loads)) if seat not in evening.left)


def balance(evening: Evening, rules: KishpaRules, seat: int) -> int:
    """A seat's tokens; before the first deal those that it will be given are counted (K-78)."""
    return evening.accounts[seat_account(seat)] + (0 if evening.opened else rules.starting_tokens)


def short_of_tokens(evening: Evening, rules: KishpaRules) -> tuple[int, ...]:
    """The seats that have too little for a round to start (K-81)."""
    return tuple(seat for seat in seated(evening) if balance(evening, rules, seat) < BALANCE_MIN)


def clockwise(seats: tuple[int, ...], first: int) -> tuple[int, ...]:
    """`seats` clockwise from `first`, or from the next one after it if it is not among them (K-03)."""
    return tuple(seat for seat in seats if seat >= first) + tuple(seat for seat in seats if seat < first)


def after(seats: tuple[int, ...], seat: int) -> int:
    """The next of `seats` clockwise after `seat`."""
    return clockwise(seats, seat + 1)[0]


def next_starter(seats: tuple[int, ...], last: int | None, first: int) -> int:
    """Who of `seats` starts: the first time `first`, then one seat clockwise from the `last` starter (K-05)."""
    return clockwise(seats, first)[0] if last is None else after(seats, last)


def statements(evening: Evening, rules: KishpaRules) -> tuple[Statement, ...]:
    """Everybody's statement, those who left too."""
    return tuple(_statement(evening, rules, seat) for seat in range(len(evening.loads)))


def _statement(evening: Evening, rules: KishpaRules, seat: int) -> Statement:
    tokens, loads = balance(evening, rules, seat), evening.loads[seat]
    net = tokens - rules.starting_tokens - loads
    return Statement(seat, tokens, loads, net, ILS_PER_TOKEN * net)
