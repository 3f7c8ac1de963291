"""S-34: endless rounds end, by a position that comes back or by the number of plays."""

from typing import Any

from msgspec.structs import replace

from domain.shithead import GAME
from domain.shithead.events import BlindTurned, CardsPlayed, PilePickedUp, StalemateDeclared
from domain.shithead.moves import Flip, JumpIn, PickUp, Play
from domain.shithead.stalemate import digest
from tests.domain.shithead.scenes import given, playing, swapping, told

LOOP = [(1, Play(("QD",))), (0, Play(("3C",))), (1, PickUp()), (0, Play(("7C",))), (1, Play(("3C",))), (0, PickUp())]


def looping(**rules: Any):
    rules = {"voluntary_pickup": False, "seven_lower": True, "three_transparent": True} | rules
    return given(playing("7C 3C | KC QC | 4C 4D AC", "QD | 4H | 7D KD 2D", turn=1, **rules))


def commands_until_the_end(scene, most=100):
    for count in range(most):
        if GAME.over(scene.state):
            return count
        scene.when(*LOOP[count % 6])
    return None


def test_ss_58_at_3_repeats_the_round_ends_after_exactly_12_commands():
    scene = looping(stalemate_repeat=3)
    assert commands_until_the_end(scene) == 12
    scene.then(PilePickedUp(0, ("7C", "3C")), StalemateDeclared("stalemate"))
    scene.then_over(None, (), "stalemate")


def test_the_default_ends_it_at_the_fifth_time():
    assert commands_until_the_end(looping()) == 24


def test_two_is_the_least():
    assert commands_until_the_end(looping(stalemate_repeat=2)) == 6


def test_0_never_ends_it():
    assert commands_until_the_end(looping(stalemate_repeat=0)) is None


def test_finishing_places_stand():
    scene = looping(stalemate_repeat=2)
    scene.state = replace(scene.state, places=(2,))
    commands_until_the_end(scene)
    scene.then_over(None, (2,), "stalemate")


def test_positions_are_forgotten_when_a_change_comes_that_nothing_undoes():
    scene = looping(stalemate_repeat=3)
    for step in LOOP:
        scene.when(*step)
    assert len(scene.state.seen) == 7 * 8
    cases: list[tuple[str, str, Any, dict[str, Any]]] = [
        ("3C | KC", "", Play(("3C",)), {"stock": "4C"}),
        ("10C 3C", "5C", Play(("10C",)), {}),
        ("| KC QC", "", Play(("KC",)), {}),
        ("| | KC QC", "", Flip(1), {}),
        ("| KC QC", "AC", PickUp(("KC",)), {"pickup_adds_open_card": True}),
        ("KC | KD QC", "3C", Play(("KC",), ("KD",)), {"combine_last_hand": True}),
    ]
    for holds, lying, move, more in cases:
        state = playing(holds, "QD QH", lying=lying, seen=b"12345678" * 3, **more)
        assert given(state).when(0, move).state.seen == b"", move


def test_the_position_before_the_first_undoable_play_is_the_first():
    state = playing("5C 6C 7C 8C", "QD", stock="AC", lying="4C")
    scene = given(state).when(0, Play(("5C",)))
    assert scene.state.seen == digest(state) + digest(scene.state)


def test_a_position_is_all_cards_and_the_mover_but_no_order_in_hand():
    state = playing("5C 6C | KC | 3C 4C", "QD", stock="AC AD", lying="4D 5D")
    same = playing("6C 5C | KC | 3C 4C", "QD", stock="AC AD", lying="4D 5D", burnt=("9C",), plays=9)
    assert digest(state) == digest(same)
    others = [
        playing("5C 6C | KC | 3C 4C", "QD", stock="AD AC", lying="4D 5D"),
        playing("5C 6C | KC | 3C 4C", "QD", stock="AC AD", lying="5D 4D"),
        playing("5C 6C | KC | 4C 3C", "QD", stock="AC AD", lying="4D 5D"),
        playing("5C 6C | KC | 3C 4C", "QD", stock="AC AD", lying="4D 5D", turn=1),
        playing("5C KC | 6C | 3C 4C", "QD", stock="AC AD", lying="4D 5D"),
        playing("5C 6C QD | KC | 3C 4C", "", stock="AC AD", lying="4D 5D"),
        playing("5C 6C | KC | - 3C 4C", "QD", stock="AC AD", lying="4D 5D"),
    ]
    assert len({digest(state), *map(digest, others)}) == 8


def test_max_plays_ends_the_round_the_same_way():
    scene = given(playing("5C 6C 7C", "8C 9C JC", "QC QD QH", max_plays=3))
    scene.when(0, Play(("5C",))).when(1, Play(("8C",))).then_turn(2).when(2, PickUp())
    scene.then(PilePickedUp(2, ("5C", "8C")), StalemateDeclared("max_plays")).then_over(None, (), "max_plays")


def test_plays_pick_ups_flips_and_jump_ins_count_and_a_failed_flip_counts_once():
    state = playing("| | 5C 6C", "8C 9C 7S 7C", "QC 7D", lying="7C 7D 7H", jump_in=True, decks=2, max_plays=0)
    scene = given(state).when(0, Flip(1))
    assert type(scene.events[0]) is BlindTurned
    assert scene.state.plays == 1
    scene.when(1, Play(("7C",))).when(2, PickUp())
    assert scene.state.plays == 3
    assert given(state).when(1, JumpIn(("7S",))).state.plays == 1


def test_a_move_of_the_clock_counts():
    scene = given(playing("5C 6C", "8C 9C", max_plays=1)).when_due()
    assert told(scene, StalemateDeclared) == [StalemateDeclared("max_plays")]


def test_a_round_that_ends_with_its_last_play_is_played():
    given(playing("5C", "8C", max_plays=1)).when(0, Play(("5C",))).then_over(1, (0,), "played")


def test_swaps_do_not_count():
    scene = given(swapping("5C 6C", "8C 9C", ready=(1,)))
    scene.when(0, scene.options(0)[0])
    assert scene.state.plays == 0


def test_0_max_plays_is_no_limit():
    state = playing("5C 6C", "8C 9C", max_plays=0, plays=1_000_000)
    assert told(given(state).when(0, Play(("5C",))), CardsPlayed)
    assert GAME.over(given(state).when(0, Play(("5C",))).state) is None
