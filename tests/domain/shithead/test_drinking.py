"""S-37: the drinking game tells who drinks and changes nothing else."""

import random
from typing import Any

import pytest

from domain.game import Deal, Refused
from domain.shithead import GAME
from domain.shithead.events import (
    BlindTurned,
    CardsPlayed,
    GlassEmptied,
    PileBurnt,
    PilePickedUp,
    SeatFinished,
    SipGiven,
    SipOwed,
    SipsTaken,
)
from domain.shithead.moves import Flip, GiveSip, JumpIn, PickUp, Play
from domain.shithead.rules import ShitheadRules
from tests.domain.shithead.scenes import AT, DICE, given, playing, swapping, told, turn

B, C = "KC KD 3H", "QC QD 3S"


def drinking(*holdings: str, **more: Any):
    return given(playing(*holdings, drinking=True, **more))


def test_who_takes_the_pile_drinks_one_sip_also_by_choice():
    drinking("4C", B, lying="8C").when(0, PickUp()).then(PilePickedUp(0, ("8C",)), SipsTaken(0, 1, "pile"), turn(1))
    assert told(drinking("9C 4C", B, lying="8C").when(0, PickUp()), SipsTaken) == [SipsTaken(0, 1, "pile")]


def test_ss_70_a_failed_flip_is_two_sips_and_no_third():
    scene = drinking("| | 5C 6C", B, lying="JC").when(0, Flip(1))
    scene.then(BlindTurned(0, 1, "5C", fits=False, taken=("JC",)), SipsTaken(0, 2, "blind"), turn(1))


def burnt():
    return drinking("10C 4C 5C", B, C, lying="8C").when(0, Play(("10C",)))


def test_who_burns_may_name_a_drinker_and_play_does_not_wait():
    scene = burnt().then(CardsPlayed(0, "hand", ("10C",)), PileBurnt(0, "ten", 2), SipOwed(0), turn(0))
    scene.when(0, Play(("4C",))).then_turn(1).when(1, Play(("KC",)))
    scene.when(0, GiveSip(2)).then(SipGiven(0, 2)).then_turn(2)


def test_four_of_a_kind_and_a_jump_in_burn_too():
    assert told(drinking("7S 4C", B, lying="7C 7D 7H").when(0, Play(("7S",))), SipOwed) == [SipOwed(0)]
    scene = drinking(C, "7S 4C", B, lying="7C 7D 7H", jump_in=True).when(1, JumpIn(("7S",)))
    assert told(scene, SipOwed) == [SipOwed(1)]


def test_several_10s_are_one_sip():
    assert told(drinking("10C 10D 4C", B, lying="8C").when(0, Play(("10C", "10D"))), SipOwed) == [SipOwed(0)]


def test_each_burn_gives_one_sip_and_no_more():
    burnt().when(0, GiveSip(1)).when(0, GiveSip(1)).then_refused("S-37")
    burnt().when(1, GiveSip(0)).then_refused("S-37")


@pytest.mark.parametrize("drinker", [0, 3, 10])
def test_not_oneself_and_not_an_empty_place(drinker):
    burnt().when(0, GiveSip(drinker)).then_refused("S-37")


def test_a_finished_player_may_drink_and_one_who_left_not():
    scene = drinking("10C 4C 5C", "", C, B, lying="8C", places=(1,)).when(0, Play(("10C",))).when_leaves(3)
    scene.offers(0, Play(("4C",)), Play(("5C",)), GiveSip(1), GiveSip(2))
    given(scene.state).when(0, GiveSip(3)).then_refused("S-37")
    given(scene.state).when(0, GiveSip(1)).then(SipGiven(0, 1))


def test_who_is_out_with_a_burn_still_gives():
    scene = drinking("10C", B, C, lying="8C").when(0, Play(("10C",))).then_turn(1)
    scene.offers(0, GiveSip(1), GiveSip(2)).when(0, GiveSip(2)).then(SipGiven(0, 2)).offers(0)


def test_so_he_does_after_the_round_and_in_the_next_one():
    scene = drinking("10C", B, lying="8C").when(0, Play(("10C",)))
    scene.then(
        CardsPlayed(0, "hand", ("10C",)), PileBurnt(0, "ten", 2), SipOwed(0), SeatFinished(0, 1), GlassEmptied(1)
    ).offers(0, GiveSip(1))
    given(scene.state).when(0, GiveSip(1)).then(SipGiven(0, 1))
    deck = DICE.shuffle("deck", GAME.pack(ShitheadRules(), 2))
    for event in GAME.deal(scene.state, Deal(2, (0, 1), deck, DICE, AT, 0)):
        scene.state = GAME.evolve(scene.state, event)
    assert GiveSip(1) in scene.options(0)
    scene.when(0, GiveSip(1)).then(SipGiven(0, 1))
    scene.when(0, GiveSip(1)).then_refused("S-37")


def test_it_lapses_when_he_leaves():
    scene = burnt().when_leaves(0)
    scene.when(0, GiveSip(1)).then_refused("S-37")


def test_it_lapses_when_he_is_missing_from_the_next_deal():
    scene = drinking("10C", "KC", C, lying="8C").when(0, Play(("10C",))).when(1, Play(("KC",)))
    deck = DICE.shuffle("deck", GAME.pack(ShitheadRules(), 3))
    for event in GAME.deal(scene.state, Deal(2, (1, 2), deck, DICE, AT, 0)):
        scene.state = GAME.evolve(scene.state, event)
    assert scene.state.sitting.owed == (0, 0, 0)
    assert scene.state.sitting.left == (0,)


def test_the_shithead_finishes_the_glass_of_a_round_played_out_alone():
    scene = drinking("4C", B).when(0, Play(("4C",)))
    assert told(scene, GlassEmptied) == [GlassEmptied(1)]
    assert told(drinking("4C", B).when_leaves(0), GlassEmptied) == []


def test_without_the_rule_nobody_drinks():
    for scene in (
        given(playing("4C", B, lying="8C")).when(0, PickUp()),
        given(playing("| | 5C 6C", B, lying="JC")).when(0, Flip(1)),
        given(playing("10C", B, lying="8C")).when(0, Play(("10C",))),
    ):
        assert not [event for event in scene.events if type(event) in (SipsTaken, SipOwed, GlassEmptied)]
        scene.when(0, GiveSip(1)).then_refused("S-37")


def test_nobody_gives_a_sip_before_any_deal():
    with pytest.raises(Refused, match="S-37"):
        GAME.decide(GAME.initial(ShitheadRules(drinking=True), 2), 0, GiveSip(1), AT, DICE)


def test_the_same_moves_lead_to_the_same_cards_with_and_without_it():
    rng = random.Random(3)
    sober = given(swapping("3C 4C 5C | 10C JC 2C | 6C 7C 8C", "3D 4D 5D | 10D JD 2D | 6D 7D 8D", stock="9C 9D 10H"))
    merry = given(
        swapping("3C 4C 5C | 10C JC 2C | 6C 7C 8C", "3D 4D 5D | 10D JD 2D | 6D 7D 8D", stock="9C 9D 10H", drinking=True)
    )
    while not GAME.over(sober.state):
        seat = rng.randrange(2)
        moves = sober.options(seat)
        if moves:
            move = rng.choice(moves)
            sober.when(seat, move)
            merry.when(seat, move)
            assert GAME.zones(sober.state) == GAME.zones(merry.state)
    assert GAME.over(merry.state) == GAME.over(sober.state)
