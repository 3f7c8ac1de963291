"""`options`: the legal moves of a view's seat, each ready to be sent. Equal ranks are listed once, lowest suits."""

from domain.game import Move
from domain.playing_cards import RANK
from domain.shithead.moves import Flip, GiveSip, JumpIn, PickUp, Play, Ready, Swap
from domain.shithead.pile import BURNING_RUN, refusal
from domain.shithead.view import SeatSeen, ShitheadView


def options(view: ShitheadView) -> list[Move]:
    """All that this seat may do now; [] for a spectator."""
    if view.seat is None:
        return []
    own = view.seats[view.seat]
    return [*_play_options(view, own), *_sips(view, own)]


def _play_options(view: ShitheadView, own: SeatSeen) -> list[Move]:
    if own.status != "in":
        return []
    if view.phase == "swapping":
        return [] if own.ready else _swaps(view, own)
    if view.phase != "playing":
        return []
    if view.turn != view.seat:
        return _jump_ins(view, own)
    if not (view.hand or own.open):
        return _blind(view, own)
    plays = _plays(view, own)
    may_pick_up = view.pile_count > 0 and (view.rules.voluntary_pickup or not plays)
    return plays + (_pick_ups(view, own) if may_pick_up else [])


def _swaps(view: ShitheadView, own: SeatSeen) -> list[Move]:
    hand, open_ = by_rank(view.hand), by_rank(own.open)
    return [Ready(), *(Swap(cards[0], others[0]) for cards in hand.values() for others in open_.values())]


def by_rank(cards: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Cards, given in order of height and suit, by rank."""
    ranks: dict[str, tuple[str, ...]] = {}
    for card in cards:
        ranks[RANK[card]] = (*ranks.get(RANK[card], ()), card)
    return ranks


def _leaves_none(view: ShitheadView, own: SeatSeen, count: int) -> bool:
    """Whether laying `count` cards of the active zone leaves this seat without a card (S-25)."""
    held = len(view.hand) + len(own.open) + len(own.blind)
    return count == held and not view.stock


def _plays(view: ShitheadView, own: SeatSeen) -> list[Move]:
    plays: list[Move] = []
    for rank, cards in by_rank(view.hand or own.open).items():
        if refusal(view.rules, view.top, view.lead, rank, last=False) is not None:
            continue
        for count in range(1, len(cards) + 1):
            last = _leaves_none(view, own, count)
            if not last or refusal(view.rules, view.top, view.lead, rank, last=True) is None:
                plays.append(Play(cards[:count]))
    return plays


def _pick_ups(view: ShitheadView, own: SeatSeen) -> list[Move]:
    """S-21 asks for open cards of one rank while they are active."""
    if view.hand or not view.rules.pickup_adds_open_card:
        return [PickUp()]
    return [PickUp(cards[:count]) for cards in by_rank(own.open).values() for count in range(1, len(cards) + 1)]


def _blind(view: ShitheadView, own: SeatSeen) -> list[Move]:
    flips: list[Move] = [Flip(position) for position in own.blind]
    if view.rules.voluntary_pickup_blind and view.pile_count:
        flips.append(PickUp())
    return flips


def _jump_ins(view: ShitheadView, own: SeatSeen) -> list[Move]:
    top, active = view.top, view.hand or own.open
    if not view.rules.jump_in or top.card is None:
        return []
    count = BURNING_RUN - top.run
    cards = by_rank(active).get(RANK[top.card], ())
    last = _leaves_none(view, own, count)
    if len(cards) < count or refusal(view.rules, top, None, RANK[top.card], last=last) is not None:
        return []
    return [JumpIn(cards[:count])]


def _sips(view: ShitheadView, own: SeatSeen) -> list[Move]:
    if not own.sips_owed:
        return []
    return [GiveSip(seen.seat) for seen in view.seats if seen.seat != own.seat and seen.status != "left"]
