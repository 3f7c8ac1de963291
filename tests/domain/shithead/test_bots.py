"""The computer players: they choose what is listed, remember what they heard, and the stronger ones win more."""

import random

import pytest

from domain.game import STRENGTHS
from domain.shithead import GAME
from domain.shithead.memory import Memory
from domain.shithead.moves import Flip, GiveSip, JumpIn, PickUp, Play, Ready, Swap
from domain.shithead.rules import ShitheadRules
from domain.shithead.tactics import unseen
from tests.domain.shithead.scenes import AT, DICE, given, playing, result_of, seen_from, swapping
from tests.domain.shithead.test_random_play import Round


def chosen(strength, state, seat=0, memory=None):
    view = seen_from(state, seat)
    memory = memory or Memory(state.sitting.rules, seat, pile=getattr(state, "pile", ()), known=((),) * 11)
    return GAME.bot.choose(strength, memory, view, GAME.options(view), random.Random(1).randrange)


@pytest.mark.parametrize("strength", ["normal", "hard"])
def test_the_lowest_rank_that_fits_goes_whole_and_2_and_10_stay(strength):
    state = playing("2C 9C 9D KS 10C", "4C", lying="8C", stock="3C")
    assert chosen(strength, state) == Play(("9C", "9D"))


@pytest.mark.parametrize("strength", ["normal", "hard"])
def test_a_single_2_goes_before_a_10_and_both_before_the_pile(strength):
    assert chosen(strength, playing("2C 2D 10C 4C", "5C", lying="AC")) == Play(("2C",))
    assert chosen(strength, playing("10C 10D 4C", "5C", lying="AC")) == Play(("10C",))
    assert chosen(strength, playing("5D 4C", "5C", lying="AC")) == PickUp()


@pytest.mark.parametrize("strength", ["normal", "hard"])
def test_a_blind_card_is_flipped_and_a_jump_in_taken(strength):
    assert chosen(strength, playing("| | 4C 5C", "6C", lying="AC")) == Flip(1)
    state = playing("5C", "7C 4C", lying="7D 7H 7S", jump_in=True)
    assert chosen(strength, state, seat=1) == JumpIn(("7C",))


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_sip_is_given_to_somebody(strength):
    state = given(playing("10C 4C", "KC", "QC", lying="9C", drinking=True)).when(0, Play(("10C",))).state
    assert chosen(strength, state) in (GiveSip(1), GiveSip(2))


def test_only_the_hard_one_swaps_and_then_is_ready():
    state = swapping("10S AC 2C | 4C 5C 6C", "7C 8C 9C | JC QC KC")
    assert chosen("easy", state) == chosen("normal", state) == Ready()
    scene = given(state)
    for _ in range(9):
        move = chosen("hard", scene.state)
        scene.when(0, move)
        if move == Ready():
            break
        assert isinstance(move, Swap)
    scene.then_holds(0, "4C 5C 6C | 10S AC 2C")
    assert 0 in scene.state.ready


def test_the_hard_one_keeps_a_2_in_hand_if_its_open_cards_are_good_without_it():
    assert chosen("hard", swapping("2C 3C 4C | 9C JC KC", "7C 8C 9D | JD QC KD")) == Ready()


def test_the_hard_one_forces_a_player_of_open_cards_to_pick_up():
    state = playing("9C KC", "| 9D JC | 4D", lying="4C 5C 6C 8C")
    assert chosen("normal", state) == Play(("9C",))
    assert chosen("hard", state) == Play(("KC",))


def test_the_hard_one_plays_high_against_blind_cards_that_it_has_counted():
    state = playing("9C KC", "| | 4D", lying="4C 5C 6C 8C 4S 5S 6S 8S 4H 5H 6H 8H")
    gone = tuple(rank + suit for rank in ("A", "K", "2", "10") for suit in "CDHS" if rank + suit != "KC")
    memory = Memory(ShitheadRules(), 0, pile=state.pile, gone=gone, known=((),) * 11)
    assert chosen("hard", state, memory=memory) == Play(("KC",))


def test_the_hard_one_takes_a_small_pile_of_high_cards_while_the_stock_lasts():
    rich = playing("10C 10D 4C", "5C 6C 7C", lying="AC", stock="8C")
    assert chosen("normal", rich) == Play(("10C",))
    assert chosen("hard", rich) == PickUp()
    assert chosen("hard", playing("10C 10D 4C", "5C 6C 7C", lying="AC")) == Play(("10C",))


def test_a_memory_places_every_card_that_was_seen():
    for seed in range(3):
        played = Round(seed, seats=2 + seed, rules=ShitheadRules(show_full_pile=False, jump_in=True, drinking=True))
        while GAME.over(played.state) is None:
            for seat, memory in played.memories.items():
                zones = GAME.zones(played.state)
                assert memory.pile == zones.get("pile", ())
                assert sorted(memory.gone) == sorted(zones.get("burnt", ()))
                for other in range(played.seats):
                    assert set(memory.known[other]) <= set(zones[f"hand:{other}"])
                left = unseen(memory, played.views[seat])
                hidden = [card for name, lying in zones.items() if name[:5] in ("stock", "blind") for card in lying]
                for other in range(played.seats):
                    if other != seat:
                        hidden += set(zones[f"hand:{other}"]) - set(memory.known[other])
                assert left.total() == len(hidden)
                assert all(left[card[:-1]] > 0 for card in hidden)
            for _ in range(20):
                if GAME.over(played.state) is None:
                    played.step(leaving=0.0)


def test_what_a_leaver_was_known_to_hold_is_gone():
    played = Round(5, seats=3, rules=ShitheadRules())
    while not (known := played.memories[0].known[1]):
        played.step()
    played.hear(GAME.leave(played.state, 1, AT, played.dice))
    assert set(known) <= set(played.memories[0].gone)
    assert played.memories[0].known[1] == ()


def test_a_memory_before_any_deal_takes_a_leaving():
    memory = GAME.bot.memory(ShitheadRules(), 0)
    for event in GAME.leave(GAME.initial(ShitheadRules(), 3), 1, AT, DICE):
        assert GAME.bot.remember(memory, event) == memory


def not_shithead(stronger, weaker, rounds):
    """(rounds lost by the weaker, by the stronger) head to head, seats alternating."""
    lost = [0, 0]
    for seed in range(rounds):
        strengths = (stronger, weaker) if seed % 2 == 0 else (weaker, stronger)
        played = Round(seed // 2, seats=2, rules=ShitheadRules())
        played.look_at_views = lambda: None  # type: ignore[method-assign]
        played.look = lambda *_: None  # type: ignore[method-assign]
        while GAME.over(played.state) is None:
            for seat in GAME.to_act(played.views[0]):
                view = played.views[seat]
                move = GAME.bot.choose(
                    strengths[seat], played.memories[seat], view, GAME.options(view), played.rng.randrange
                )
                played.hear(GAME.decide(played.state, seat, move, AT, played.dice))
        shithead = result_of(played.state).shithead
        if shithead is not None:
            lost[strengths[shithead] == stronger] += 1
    return lost


def test_normal_beats_easy():
    by_weaker, by_stronger = not_shithead("normal", "easy", 40)
    assert by_weaker > 10 * by_stronger


def test_hard_beats_normal():
    """Over 2,000 rounds it wins 64 %; these 200 are always the same ones."""
    by_weaker, by_stronger = not_shithead("hard", "normal", 200)
    assert by_weaker > 1.4 * by_stronger


@pytest.mark.parametrize("seed", range(12))
def test_every_strength_chooses_what_is_listed_under_any_rules(seed):
    played = Round(seed + 500)
    strengths = [STRENGTHS[(seed + seat) % 3] for seat in range(played.seats)]
    for _ in range(400):
        if GAME.over(played.state) is not None:
            return
        able = [seat for seat in range(played.seats) if GAME.options(played.views[seat])]
        seat = played.rng.choice(able)
        view = played.views[seat]
        options = GAME.options(view)
        move = GAME.bot.choose(strengths[seat], played.memories[seat], view, options, played.rng.randrange)
        assert move in options
        played.hear(GAME.decide(played.state, seat, move, AT, played.dice))
