"""What must hold in every round: random rules, random legal moves, clocks and leavers, looked at after each event."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from domain.fair import Dice
from domain.game import Deal, Due, Refused, RulesInvalid, Secret, Whisper, type_of
from domain.playing_cards import PACK, RANK, RANKS
from domain.shithead import GAME
from domain.shithead.moves import Flip, GiveSip, JumpIn, PickUp, Play, Ready, Swap
from domain.shithead.rules import ShitheadRules
from domain.shithead.state import Dealing, Over, Playing, State, Undealt
from domain.times import later
from tests.domain.shithead.scenes import AT, result_of, seen_from

EVENT_OF = {type_of(event): event for event in GAME.events}
MOST_MOVES = 20_000


def random_rules(rng: random.Random, seats: int) -> ShitheadRules:
    """Any table rules that make a game."""
    switches = [name for name in ShitheadRules.__struct_fields__ if isinstance(getattr(ShitheadRules(), name), bool)]
    while True:
        drawn: dict[str, Any] = {name: rng.random() < 0.4 for name in switches}
        rules = ShitheadRules(
            **drawn,
            decks=rng.choice(["auto", 2]),
            start_tie=rng.choice(["seat", "suit", "random", "most_threes"]),
            eight_skip=rng.choice(["per_card", "once"]),
            three_mode=rng.choice(["transparent", "mirror"]),
            first_dealer=rng.choice(["seat0", "random"]),
            stalemate_repeat=rng.choice([0, 2, 5]),
            max_plays=rng.choice([0, 300, 10_000]),
        )
        try:
            GAME.check(rules, seats)
        except RulesInvalid:
            continue
        return rules


class Round:
    """A round played at random; `hear` looks at the state and at every view after each event."""

    def __init__(self, seed: int, seats: int | None = None, rules: ShitheadRules | None = None) -> None:
        self.rng = random.Random(seed)
        self.seats = seats or self.rng.randint(2, 11)
        self.rules = rules or random_rules(self.rng, self.seats)
        self.dice = Dice(seed.to_bytes(32, "big"))
        self.deck = self.dice.shuffle("deck", GAME.pack(self.rules, self.seats))
        self.state: Any = GAME.initial(self.rules, self.seats)
        self.views = {seat: GAME.empty_view(self.rules, self.seats, seat) for seat in (None, *range(self.seats))}
        self.memories = {seat: GAME.bot.memory(self.rules, seat) for seat in range(self.seats)}
        self.events: list[Any] = []
        self.commands = 0
        self.hear(GAME.deal(self.state, Deal(1, tuple(range(self.seats)), self.deck, self.dice, AT, 0)))

    def hear(self, events: list[Any]) -> None:
        assert events
        for event in events:
            before = self.state
            self.state = GAME.evolve(self.state, event)
            self.events.append(event)
            for seat in self.views:
                if not isinstance(event, Secret) and (not isinstance(event, Whisper) or event.to == seat):
                    self.views[seat] = GAME.see(self.views[seat], event)
                    if seat is not None:
                        self.memories[seat] = GAME.bot.remember(self.memories[seat], event)
            self.look(before, event)
        self.commands += 1
        if self.commands < 60 or self.commands % 5 == 0 or isinstance(self.state, Over):
            self.look_at_views()

    def look(self, before: Any, event: Any) -> None:
        zones = GAME.zones(self.state)
        if not isinstance(self.state, Dealing | Undealt):
            assert Counter(card for cards in zones.values() for card in cards) == Counter(self.deck)
        if not isinstance(before, Dealing | Undealt) and not isinstance(self.state, Dealing):
            assert set(in_play(self.state)) <= set(in_play(before)), "nobody comes back into the round"
        if len(self.deck) == 52 and not isinstance(event, Secret | Whisper):
            face_down = [
                card for name, cards in zones.items() if name == "stock" or name[:5] == "blind" for card in cards
            ]
            assert not names(event, face_down), f"{event} names a card lying face down"

    def look_at_views(self) -> None:
        """Whole commands later: the folded views are what the state says, and name nothing hidden."""
        for seat, view in self.views.items():
            assert view == seen_from(self.state, seat)
            if len(self.deck) == 52:
                zones = GAME.zones(self.state)
                own = f"hand:{seat}"
                hidden = [c for name, cards in zones.items() if name[:4] != "open" and name != own for c in cards]
                hidden = [card for card in hidden if card not in zones.get("pile", ())]
                assert not names(view, hidden)
        if isinstance(self.state, Playing):
            for seat in self.state.in_play:
                assert len(self.state.holdings[seat].hand) >= 3 or not self.state.stock
            assert self.state.turn in self.state.in_play
            assert GAME.options(self.views[self.state.turn]), "the player to move always has a move"

    def step(self, *, leaving: float = 0.0, sleeping: float = 0.0) -> None:
        chance = self.rng.random()
        staying = [seat for seat in range(self.seats) if seat not in self.state.sitting.left]
        if chance < leaving and len(staying) > 1:
            seat = self.rng.choice(staying)
            self.hear(GAME.leave(self.state, seat, AT, self.dice))
            return
        if chance < leaving + sleeping:
            due = GAME.due(self.state)
            assert due is not None
            some = tuple(seat for seat in due.seats if self.rng.random() < 0.7) or due.seats
            self.hear(GAME.when_due(self.state, Due(due.at, due.what, some), later(AT, seconds=120), self.dice))
            return
        able = [seat for seat in range(self.seats) if GAME.options(self.views[seat])]
        seat = self.rng.choice(able)
        move = self.rng.choice(GAME.options(self.views[seat]))
        self.hear(GAME.decide(self.state, seat, move, AT, self.dice))

    def to_the_end(self, **chances: float) -> "Round":
        for _ in range(MOST_MOVES):
            if GAME.over(self.state) is not None:
                return self
            self.step(**chances)
        raise AssertionError(f"no end after {MOST_MOVES} moves")


def in_play(state: Any) -> tuple[int, ...]:
    return state.stood.in_play if isinstance(state, Over) else state.in_play


def names(told: Any, hidden: list[str]) -> list[str]:
    text = msgspec.json.encode(told).decode()
    return [card for card in hidden if f'"{card}"' in text]


@pytest.mark.parametrize("seed", range(30))
def test_a_random_round_under_random_rules_keeps_all_that_must_hold(seed):
    Round(seed).to_the_end()


@pytest.mark.parametrize("seed", range(100, 120))
def test_so_does_one_with_sleepers_and_leavers(seed):
    Round(seed).to_the_end(leaving=0.004, sleeping=0.1)


@pytest.mark.parametrize("seed", range(200, 203))
def test_the_clock_alone_plays_a_round_to_its_end(seed):
    Round(seed, seats=4, rules=ShitheadRules()).to_the_end(sleeping=1.0)


@pytest.mark.parametrize("seats", range(2, 12))
def test_the_plain_game_ends_with_any_number_of_seats(seats):
    result = result_of(Round(seats, seats=seats, rules=ShitheadRules(stalemate_repeat=0)).to_the_end().state)
    assert result.cause == "played"
    assert sorted((*result.places, result.shithead)) == list(range(seats))


@pytest.mark.parametrize("seed", range(4))
def test_the_same_events_lead_to_the_same_state_also_through_json(seed):
    played = Round(seed, seats=3).to_the_end()
    state = GAME.initial(played.rules, played.seats)
    for event in played.events:
        line = msgspec.json.encode(event)
        state = GAME.evolve(state, msgspec.json.decode(line, type=EVENT_OF[type_of(event)]))
    assert state == played.state
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


@pytest.mark.parametrize("seed", range(10))
def test_a_state_in_the_middle_of_a_round_survives_json(seed):
    played = Round(seed, seats=3)
    for _ in range(40):
        assert msgspec.json.decode(msgspec.json.encode(played.state), type=State) == played.state
        view = played.views[1]
        assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view
        memory = played.memories[1]
        assert msgspec.json.decode(msgspec.json.encode(memory), type=type(memory)) == memory
        if GAME.over(played.state) is None:
            played.step()


def every_move(played: Round, seat: int) -> list[Any]:
    """All moves that could be meant, by equal cards: what is held, one more of each, and what is not held at all."""
    held = GAME.zones(played.state)
    hand, open_ = held[f"hand:{seat}"], held[f"open:{seat}"]
    moves: list[Any] = [Ready(), PickUp(), Flip(1), Flip(2), Flip(3), *map(GiveSip, range(played.seats))]
    for zone in (hand, open_):
        for rank in RANKS:
            cards = tuple(card for card in zone if RANK[card] == rank)
            for count in range(1, len(cards) + 1):
                moves += (Play(cards[:count]), JumpIn(cards[:count]), PickUp(cards[:count]))
    moves += [Swap(mine, other) for mine in first_of_ranks(hand) for other in first_of_ranks(open_)]
    moves += [Play((card,)) for card in PACK[:5]]
    return list(dict.fromkeys(moves))


def first_of_ranks(cards: tuple[str, ...]) -> list[str]:
    return list({RANK[card]: card for card in reversed(cards)}.values())


def alike(move: Any) -> Any:
    """A move up to equal cards."""
    told = msgspec.to_builtins(move)
    for key in ("cards", "open", "hand"):
        named = told.get(key)
        if named is not None:
            told[key] = RANK[named] if isinstance(named, str) else [RANK[card] for card in named]
    return told


@pytest.mark.parametrize("seed", range(300, 316))
def test_what_is_listed_is_accepted_and_what_is_accepted_is_listed(seed):
    played = Round(seed, seats=2 + seed % 4)
    for _ in range(150):
        if GAME.over(played.state) is not None:
            return
        for seat in range(played.seats):
            listed = GAME.options(played.views[seat])
            assert len(listed) == len(set(listed))
            for move in listed:
                assert GAME.decide(played.state, seat, move, AT, played.dice)
            like = [alike(move) for move in listed]
            for move in every_move(played, seat):
                try:
                    GAME.decide(played.state, seat, move, AT, played.dice)
                except Refused:
                    assert move not in listed
                else:
                    assert alike(move) in like, move
        played.step()


@pytest.mark.parametrize("seed", range(2))
def test_several_rounds_follow_one_another_and_the_loser_deals(seed):
    played = Round(seed, seats=2, rules=ShitheadRules(rounds=3, drinking=True))
    for number in (2, 3, 4):
        played.to_the_end()
        loser = result_of(played.state).shithead
        deck = played.dice.shuffle(f"deck {number}", GAME.pack(played.rules, 2))
        played.hear(GAME.deal(played.state, Deal(number, (0, 1), deck, played.dice, AT, 0)))
        assert played.views[None].dealer == loser
        assert not played.views[None].places
