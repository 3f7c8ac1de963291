"""What follows a play, always in one order: pile, burn, refill, out, end of the round, next turn (S-12, S-26, S-31)."""

from domain import times
from domain.game import Event
from domain.playing_cards import RANK
from domain.shithead.drinking import for_blind, for_burn, for_shithead
from domain.shithead.events import (
    BlindTurned,
    CardsDrawn,
    CardsPlayed,
    CardsShown,
    PileBurnt,
    SeatFinished,
    StalemateDeclared,
    TurnStarted,
)
from domain.shithead.evolve import evolve
from domain.shithead.holding import Holding, empty
from domain.shithead.pack import HAND_CARDS
from domain.shithead.pile import burns, laid
from domain.shithead.rules import ShitheadRules
from domain.shithead.seating import clockwise
from domain.shithead.stalemate import times_seen
from domain.shithead.state import Playing


def placed(
    state: Playing, event: CardsPlayed | BlindTurned, cards: tuple[str, ...], rest: Holding, at: str
) -> list[Event]:
    """`event` laid `cards` on the pile and left its seat `rest`: that event and all that follows."""
    rules, seat = state.sitting.rules, event.seat
    events: list[Event] = [event]
    burnt = burns(laid(rules, state.top, cards))
    if burnt is not None:
        events += (PileBurnt(seat, burnt, len(state.pile) + len(cards)), *for_burn(rules, seat))
    drawn = state.stock[: max(0, HAND_CARDS - len(rest.hand))]
    if drawn:
        events += (CardsDrawn(seat, len(drawn)), CardsShown(to=seat, cards=drawn))
    in_play = state.in_play
    out = not drawn and empty(rest)
    if out:
        in_play = tuple(other for other in in_play if other != seat)
        events.append(SeatFinished(seat, len(state.places) + 1))
        if len(in_play) == 1:  # S-28: the last one's turn is not played
            return events + for_shithead(rules, in_play[0])
    if burnt is None:
        skipped = skips(rules, state.top.to_beat, RANK[cards[0]], len(cards))
        events.append(next_turn(state, in_play, seat, at, skipped))
    elif not out and (burnt == "ten" or rules.four_plays_again):
        events.append(TurnStarted(seat, times.deadline(at, rules.turn_timeout_s)))
    else:
        events.append(next_turn(state, in_play, seat, at))
    return events


def skips(rules: ShitheadRules, met: str | None, rank: str, count: int) -> int:
    """How many players a play of `count` cards of `rank` skips, having met the rank `met` (S-31, S-32)."""
    mirrored = rank == "3" and met == "8" and rules.three_mode == "mirror"
    if not rules.eight_skips or not (rank == "8" or mirrored):
        return 0
    return count if rules.eight_skip == "per_card" else 1


def next_turn(state: Playing, in_play: tuple[int, ...], seat: int, at: str, skipped: int = 0) -> TurnStarted:
    """The turn after `seat`'s, among those still `in_play`."""
    due = times.deadline(at, state.sitting.rules.turn_timeout_s)
    return TurnStarted(clockwise(in_play, seat, 1 + skipped), due)


def failed(state: Playing, seat: int, position: int, card: str, at: str) -> list[Event]:
    """S-23: a blind card that does not fit goes to the hand with the pile; it has no effect, and the turn passes."""
    turned = BlindTurned(seat, position, card, fits=False, taken=state.pile)
    return [turned, *for_blind(state.sitting.rules, seat), next_turn(state, state.in_play, seat, at)]


def guarded(state: Playing, events: list[Event]) -> list[Event]:
    """`events`, ended by a stalemate in place of the next turn where S-34 ends the round."""
    rules = state.sitting.rules
    if type(events[-1]) is not TurnStarted:
        return events
    if rules.max_plays and state.plays + 1 >= rules.max_plays:
        return [*events[:-1], StalemateDeclared("max_plays")]
    if rules.stalemate_repeat and _returns(state, events) >= rules.stalemate_repeat:
        return [*events[:-1], StalemateDeclared("stalemate")]
    return events


def _returns(state: Playing, events: list[Event]) -> int:
    """How often the position that `events` lead to has now occurred."""
    if not state.seen:  # nothing came back yet that this play could meet again
        return 0
    after = state
    for event in events:
        stood = evolve(after, event)
        assert isinstance(stood, Playing)
        if not stood.seen:  # it changed what no later play undoes, and nothing after it in one command brings that back
            return 0
        after = stood
    return times_seen(after)
