"""Who pays whom, how much, and by which clause: contributions, bonus rows, the win, the bowl, loads (K-31 … K-83)."""

from __future__ import annotations

from collections.abc import Iterable

from domain.kishpa import events as told
from domain.kishpa.evening import clockwise, seated, short_of_tokens
from domain.kishpa.evolve import evening_of
from domain.kishpa.pack import DOLL_OF_COLOUR, colour, number, one_of
from domain.kishpa.rules import BALANCE_MIN, KishpaRules
from domain.kishpa.state import Over, Round
from domain.kishpa.telling import Telling
from domain.tokens import BANK, BOWL, Transfer, seat_account

CONTRIBUTION, CONTRIBUTION_FOR_ONE = 1, 2
WIN_PLAIN = 2
LOADS_IN_A_LINE_MAX = 500
"""A line has 65,535 bytes, and a load takes at most 90 of them."""
DOLL_ROWS: tuple[tuple[str, told.Row], ...] = (("DR", "red_doll"), ("DK", "black_doll"))
Paying = told.ContributionsPaid | told.BonusPaid | told.KishpaExposed | told.WinDenied | told.HandWon | told.BowlPaid


def pay(telling: Telling, rules: KishpaRules, event: Paying) -> None:
    """Tell a payment; who cannot cover it goes into debt, or is loaded first (K-81)."""
    if rules.shortfall == "auto_load":
        accounts = evening_of(telling.state).accounts
        for seat in range(len(evening_of(telling.state).loads)):
            account = seat_account(seat)
            owed = sum(transfer.amount for transfer in event.transfers if transfer.payer == account)
            if owed > accounts[account]:
                load(telling, rules, seat, owed - accounts[account])
    telling.tell(event)


def load(telling: Telling, rules: KishpaRules, seat: int, shortage: int) -> None:
    """The loads that cover a shortage by themselves."""
    count = -(-shortage // rules.load_size)
    while count > 0:
        loads = min(count, LOADS_IN_A_LINE_MAX)
        telling.tell(told.TokensLoaded(seat, (one_load(rules, seat, "K-81"),) * loads))
        count -= loads


def load_the_short(telling: Telling, rules: KishpaRules) -> None:
    """Under `auto_load` everybody has enough to start a round (K-81)."""
    evening = evening_of(telling.state)
    for seat in short_of_tokens(evening, rules) if rules.shortfall == "auto_load" else ():
        load(telling, rules, seat, BALANCE_MIN - evening.accounts[seat_account(seat)])


def one_load(rules: KishpaRules, seat: int, clause: str) -> Transfer:
    """One load from the bank (K-80)."""
    return Transfer(BANK, seat_account(seat), rules.load_size, "load", clause)


def opening(rules: KishpaRules, seats: Iterable[int]) -> told.AccountsOpened:
    """The starting tokens (K-78)."""
    amount = rules.starting_tokens
    transfers = (Transfer(BANK, seat_account(seat), amount, "opening", "K-78") for seat in seats if amount)
    return told.AccountsOpened(tuple(transfers))


def contributions(round_: Round) -> told.ContributionsPaid:
    """Each seat's contribution, doubled when the kishpa is a 1 (K-31)."""
    amount = CONTRIBUTION_FOR_ONE if number(round_.kishpa) == 1 else CONTRIBUTION
    return _into_the_bowl(round_, amount, "K-31")


def top_up(telling: Telling, replaced: str) -> None:
    """When the new kishpa is a 1 and the old was not, the contribution is doubled late (K-52)."""
    round_ = telling.round
    if round_.rules.recontribute and number(round_.kishpa) == 1 and number(replaced) != 1:
        amount = CONTRIBUTION_FOR_ONE - CONTRIBUTION
        pay(telling, round_.rules, _into_the_bowl(round_, amount, "K-52"))


def _into_the_bowl(round_: Round, amount: int, clause: str) -> told.ContributionsPaid:
    order = clockwise(round_.seats, round_.starter)
    return told.ContributionsPaid(
        tuple(Transfer(seat_account(seat), BOWL, amount, "contribution", clause) for seat in order)
    )


def start_rows(telling: Telling) -> None:
    """The bonuses of the deal: dolls, joker, one; the kishpa only by table rule (K-34, K-39, K-40)."""
    round_ = telling.round
    for doll, row in DOLL_ROWS:
        if round_.rules.doll_bonus == "always" or DOLL_OF_COLOUR.get(colour(round_.kishpa)) == doll:
            _row(telling, row, doll, 1, "K-34")
    _row(telling, "joker", round_.joker, 1, "K-32")
    _one_row(telling, "K-32")
    if round_.rules.kishpa_start == "always" and not is_merged(round_):
        _row(telling, "kishpa", round_.kishpa, 1, "K-40")


def replacement_rows(telling: Telling) -> None:
    """On a new kishpa only the joker and the one are paid (K-46)."""
    round_ = telling.round
    barred = round_.exposer if round_.rules.exposer_block != "kishpa" else None  # K-45
    _row(telling, "joker", round_.joker, 1, "K-46", barred)
    _one_row(telling, "K-46", barred)


def end_rows(telling: Telling) -> None:
    """The bonuses of the end, for every hand of fourteen (K-55, K-61); the kishpa's only if unused (K-48, K-50)."""
    round_ = telling.round
    barred = round_.exposer if round_.rules.exposer_block == "all" else None  # K-45
    _row(telling, "joker", round_.joker, 1, "K-55", barred)
    _one_row(telling, "K-55", barred)
    used_up = round_.exposer is not None and round_.rules.exposure_limit == "table"
    if not used_up and not is_merged(round_):
        _row(telling, "kishpa", round_.kishpa, 1, "K-50", round_.exposer)


def _one_row(telling: Telling, clause: str, barred: int | None = None) -> None:
    """The 1 of the kishpa's colour: two tokens when it is the kishpa's twin (K-37)."""
    round_ = telling.round
    if number(round_.kishpa) == 1:
        _row(telling, "one", round_.kishpa, 2, "K-37", barred)
    else:
        _row(telling, "one", one_of(round_.kishpa), 1, clause, barred)


def _row(telling: Telling, row: told.Row, tile: str, amount: int, clause: str, barred: int | None = None) -> None:
    """Pay every holder of `tile` what was not paid him yet (K-33, K-47)."""
    round_ = telling.round
    most = 2 if round_.rules.bonus_per_copy else 1
    for seat in clockwise(round_.seats, round_.starter):
        held = min(most, round_.hands[seat].count(tile))
        copies = held - round_.paid.count((seat, row))
        if copies > 0 and seat != barred:
            transfers = from_the_others(round_, seat, amount, f"bonus_{row}", clause) * copies
            pay(telling, round_.rules, told.BonusPaid(seat, row, copies, transfers))


def from_the_others(round_: Round, seat: int, amount: int, code: str, clause: str) -> tuple[Transfer, ...]:
    """So much to `seat` from each other seat, clockwise from it (K-36, K-39)."""
    payers = clockwise(round_.seats, seat)[1:]
    return tuple(Transfer(seat_account(payer), seat_account(seat), amount, code, clause) for payer in payers)


def is_merged(round_: Round) -> bool:
    """Whether the kishpa row is part of the one row (K-37)."""
    return round_.rules.kishpa_one == "merged" and number(round_.kishpa) == 1


def exposure(round_: Round, seat: int) -> told.KishpaExposed:
    """What the exposed twin brings (K-44)."""
    return told.KishpaExposed(
        seat, () if is_merged(round_) else from_the_others(round_, seat, 1, "bonus_kishpa", "K-44")
    )


def false_win(rules: KishpaRules, seat: int) -> told.WinDenied:
    """The penalty for a false declaration (K-22)."""
    return told.WinDenied(seat, (Transfer(seat_account(seat), BOWL, rules.false_win_penalty, "false_win", "K-22"),))


def pay_the_bowl(telling: Telling) -> None:
    """Who gets the bowl after the round (K-66 … K-74)."""
    state = telling.dealt
    assert isinstance(state, Over)
    round_, winner = state.round, state.winner
    tokens = round_.evening.accounts[BOWL]
    if winner is None:
        if round_.last:
            _split(telling, tokens, round_.starter, "K-73")
    elif not round_.last:
        if round_.evening.streak > 1:
            _whole_bowl(telling, tokens, winner, "K-67")
    elif round_.rules.last_bowl == "winner_takes" or round_.before.previous == winner:
        _whole_bowl(telling, tokens, winner, "K-70")
    else:
        _split(telling, tokens, winner, "K-71" if round_.before.previous is None else "K-70")


def to_the_last_player(telling: Telling) -> None:
    """Whoever alone is left when the others have gone takes the bowl (K-83)."""
    evening = evening_of(telling.state)
    left = seated(evening)
    if len(left) == 1 and evening.accounts[BOWL]:
        _whole_bowl(telling, evening.accounts[BOWL], left[0], "K-83")


def _whole_bowl(telling: Telling, tokens: int, seat: int, clause: str) -> None:
    telling.tell(told.BowlPaid((Transfer(BOWL, seat_account(seat), tokens, "bowl_won", clause),)))


def _split(telling: Telling, tokens: int, first: int, clause: str) -> None:
    """Equal shares for all who have not left; what does not divide goes one by one clockwise from `first` (K-74)."""
    round_ = telling.round
    sharers = tuple(seat for seat in clockwise(round_.seats, first) if seat not in round_.evening.left)
    if not sharers:
        return
    share, rest = divmod(tokens, len(sharers))
    shares = ((seat, share + (place < rest)) for place, seat in enumerate(sharers))
    telling.tell(
        told.BowlPaid(
            tuple(Transfer(BOWL, seat_account(seat), amount, "bowl_split", clause) for seat, amount in shares if amount)
        )
    )
