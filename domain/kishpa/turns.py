"""What a turn is made of, how it passes on, and how a round ends."""

from __future__ import annotations

from domain.kishpa import events as told
from domain.kishpa.evening import after
from domain.kishpa.layout import arrangement
from domain.kishpa.pack import ORDER, Meld
from domain.kishpa.payments import WIN_PLAIN, end_rows, from_the_others, pay, pay_the_bowl, to_the_last_player
from domain.kishpa.state import Cause, Drawing, Holding, Round, Setting, Thrown
from domain.kishpa.telling import Telling
from domain.times import deadline


def play_on(telling: Telling) -> None:
    """Go on until a seat that is still here has to act, or the round is over; leavers are played for (K-83)."""
    while True:
        match telling.state:
            case Setting(round=round_):
                _start_turn(telling, round_.starter)
            case Thrown(round=round_, seat=seat, last_chance=tried):
                cause = _exhaustion(round_, last_chance_tried=tried)
                if cause is not None:
                    exhaust(telling, cause)
                    return
                _start_turn(telling, after(round_.seats, seat))
            case Drawing() | Holding() as turn if turn.seat in turn.round.evening.left:
                play_for(telling)
            case _:
                return


def _start_turn(telling: Telling, seat: int) -> None:
    """A turn begins; whoever has left needs no clock."""
    round_ = telling.round
    seconds = 0 if seat in round_.evening.left else round_.rules.turn_timeout_s
    last_chance = not round_.stock and round_.rules.stock_empty == "last_chance"
    telling.tell(told.TurnStarted(seat, deadline(telling.at, seconds), last_chance))


def _exhaustion(round_: Round, *, last_chance_tried: bool) -> Cause | None:
    """Why the round ends after a discard that did not win, if it does (K-27, K-29)."""
    if round_.turns >= round_.rules.max_turns_per_round:
        return "turns"
    if last_chance_tried:
        return "chance"
    return "stock" if not round_.stock and round_.rules.stock_empty == "end" else None


def draw(telling: Telling) -> None:
    """The top tile of the stock to the hand on turn; an empty stock is made of the discards first (K-29)."""
    state = telling.state
    assert isinstance(state, Drawing)
    round_ = state.round
    if not round_.stock:
        older = round_.discards[:-1]
        shuffled = telling.dice.shuffle(f"reshuffle:{round_.reshuffles + 1}", older)
        telling.tell(told.StockReshuffled(len(older)), told.StockLaid(shuffled))
    tile = telling.round.stock[0]
    telling.tell(told.TileDrawn(state.seat), told.TileShown(state.seat, tile))


def throw(telling: Telling, tile: str) -> None:
    """The hand on turn discards without winning, and play goes on."""
    state = telling.state
    assert isinstance(state, Holding)
    telling.tell(told.TileDiscarded(state.seat, tile))
    play_on(telling)


def play_for(telling: Telling) -> None:
    """The turn of a seat that does not play it: draw, and throw the tile that came last (K-30). It never wins."""
    state = telling.state
    if isinstance(state, Drawing):
        if state.last_chance:
            exhaust(telling, "chance")
            return
        draw(telling)
        state = telling.state
    assert isinstance(state, Holding)
    telling.tell(told.TileDiscarded(state.seat, _thrown_for(state)))


def _thrown_for(state: Holding) -> str:
    """The tile that came last, or the highest if none did, or if that one may not be thrown (K-30)."""
    hand = state.round.hands[state.seat]
    if state.tile is None:
        return max(hand, key=ORDER.__getitem__)
    if is_banned(state, state.tile):
        return max((tile for tile in hand if tile != state.tile), key=ORDER.__getitem__)
    return state.tile


def is_banned(state: Holding, tile: str) -> bool:
    """Whether the table forbids throwing the face just taken from the discards (K-27)."""
    return state.round.rules.ban_rediscard and state.taken and tile == state.tile


def melds_after(state: Holding, tile: str) -> tuple[Meld, ...] | None:
    """The winning arrangement of what is kept when `tile` is thrown, if there is one (K-19)."""
    round_, kept = state.round, list(state.round.hands[state.seat])
    kept.remove(tile)
    rules = round_.rules
    return arrangement(tuple(kept), round_.joker, wrap=rules.run_wrap == "high_one", seven_pairs=rules.seven_pairs)


def win(telling: Telling, tile: str, melds: tuple[Meld, ...]) -> None:
    """The hand on turn throws `tile` and wins: 2 + jokers + 1 for a joker thrown + 1 for the twin kept (K-62)."""
    state = telling.state
    assert isinstance(state, Holding)
    round_, seat = state.round, state.seat
    hand = round_.hands[seat]
    jokers, thrown = hand.count(round_.joker), tile == round_.joker
    twin_kept = round_.kishpa in hand and tile != round_.kishpa  # K-63
    payment = WIN_PLAIN + jokers + thrown + twin_kept
    telling.tell(told.TileDiscarded(seat, tile))
    transfers = from_the_others(round_, seat, payment, "win", "K-62")
    pay(telling, round_.rules, told.HandWon(seat, melds, jokers, thrown, twin_kept, payment, transfers))
    _settle(telling)


def exhaust(telling: Telling, cause: Cause) -> None:
    """The round ends without a winner (K-27, K-29)."""
    assert cause != "won"
    telling.tell(told.RoundExhausted(cause))
    _settle(telling)


def _settle(telling: Telling) -> None:
    """What follows the end of play: end bonuses (K-60, K-61), the bowl, and the leavers are gone (K-83)."""
    end_rows(telling)
    pay_the_bowl(telling)
    to_the_last_player(telling)
