"""S-02 to S-06: swaps, readiness, and who starts."""

from collections import Counter
from typing import Any

import pytest

from domain.fair import Dice
from domain.game import Due
from domain.shithead import GAME
from domain.shithead.events import CardsSwapped, PlayStarted, SeatReadied
from domain.shithead.moves import Flip, GiveSip, JumpIn, PickUp, Play, Ready, Swap
from domain.shithead.state import Playing
from tests.domain.shithead.scenes import AT, DUE, due_of, given, playing, swapping, turn

A = "4S 9H KC | AS 10D 2C | 5C 6C 7C"
B = "5S 8H QC | AD 10H 2D | 5D 6D 7D"
C = "6S 7H JC | AC 10S 2H | 5H 6H 7S"


def test_a_swap_exchanges_one_hand_card_for_one_open_card_for_all_to_see():
    given(swapping(A, B)).when(0, Swap("KC", "2C")).then(CardsSwapped(0, "KC", "2C")).then_holds(
        0, "4S 9H 2C | AS 10D KC | 5C 6C 7C"
    )


def test_a_player_swaps_as_often_as_he_likes_and_the_same_card_back():
    scene = given(swapping(A, B)).when(0, Swap("KC", "2C")).when(0, Swap("2C", "AS")).when(0, Swap("AS", "KC"))
    scene.then_holds(0, "4S 9H KC | AS 10D 2C | 5C 6C 7C".replace("AS 10D 2C", "2C 10D AS"))


def test_ss_04_who_is_ready_swaps_no_more():
    given(swapping(A, B)).when(0, Ready()).when(0, Swap("KC", "2C")).then_refused("S-02", "ready")


def test_nobody_is_ready_twice():
    given(swapping(A, B)).when(0, Ready()).when(0, Ready()).then_refused("S-02")


@pytest.mark.parametrize(
    "move",
    [
        Swap("QC", "2C"),
        Swap("KC", "2D"),
        Swap("KC", "9H"),
        Swap("AS", "2C"),
        Swap("5C", "2C"),
        Swap("KC", "5C"),
        Swap("ZZ", "2C"),
    ],
    ids=["B's hand", "B's open", "hand for hand", "open for open", "own blind", "for own blind", "no card at all"],
)
def test_ss_05_a_swap_of_any_other_cards_is_refused_in_the_same_words(move):
    words = given(swapping(A, B)).when(0, Swap("QC", "2C")).refusal
    scene = given(swapping(A, B)).when(0, move)
    scene.then_refused("S-02")
    assert str(scene.refusal) == str(words)


@pytest.mark.parametrize("move", [Play(("4S",)), PickUp(), Flip(1), JumpIn(("4S",))])
def test_nothing_is_played_before_all_are_ready(move):
    given(swapping(A, B)).when(0, move).then_refused("S-39")


@pytest.mark.parametrize("move", [Swap("3C", "4C"), Ready()])
def test_nothing_is_swapped_once_play_has_started(move):
    given(playing("3C | 4C", "5C")).when(0, move).then_refused("S-02")


def test_a_seat_without_cards_in_the_round_does_not_swap():
    state = given(swapping(A, B, C)).when_leaves(2).state
    given(state).when(2, Ready()).then_refused("S-02")
    given(state).when(2, Swap("6S", "AC")).then_refused("S-02")


def test_all_swap_at_the_same_time_and_the_last_ready_one_starts_play():
    scene = given(swapping(A, B, C)).when(2, Ready()).then(SeatReadied(2)).when(1, Swap("QC", "2D")).when(1, Ready())
    scene.when(0, Ready()).then(SeatReadied(0), PlayStarted(0, "4"), turn(0))
    assert isinstance(scene.state, Playing)


def test_the_options_before_play_are_ready_and_one_swap_for_each_pair_of_ranks():
    scene = given(swapping("4S 4H KC | AS AD 2C | 5C 6C 7C", B))
    scene.offers(0, Ready(), Swap("4H", "2C"), Swap("4H", "AD"), Swap("KC", "2C"), Swap("KC", "AD"))
    scene.when(0, Ready()).offers(0)


def starts(*holdings: str, dealer=0, **rules: Any):
    scene = given(swapping(*holdings, dealer=dealer, ready=tuple(range(1, len(holdings))), **rules)).when(0, Ready())
    return scene.events[1].starter, scene.events[1].rank


def test_ss_07_the_nearest_3_to_the_dealers_left_starts():
    assert starts("3C 5C 6C", "4C 8C 9C", "3D 7C JC") == (2, "3")


def test_ss_08_an_open_3_does_not_count_and_the_lowest_hand_card_starts():
    assert starts("5C 8C 9C", "6C 8D 9D | 3C", "5D 8H 9H") == (2, "5")


def test_a_3_is_looked_for_after_the_swaps():
    scene = (
        given(swapping("5C 8C 9C | 3C 4D 4H", "4C 8D 9D")).when(0, Swap("9C", "3C")).when(0, Ready()).when(1, Ready())
    )
    assert scene.events[1] == PlayStarted(0, "3")


def test_a_2_is_never_the_lowest_card_and_a_10_is_a_10():
    assert starts("2C 10C JC", "2D JD QD", "KC KD KH") == (0, "10")
    assert starts("2C 2D KC", "9C JD QD") == (1, "9")


def test_a_hand_of_2s_alone_does_not_compete():
    assert starts("2C 2D 2H", "KC KD KH", "AC AD AH") == (1, "K")


def test_if_all_hold_2s_alone_the_dealers_left_starts():
    assert starts("2C 2D 2H", "2S 2C 2D", "2H 2S 2C", dealer=1, decks=2, open_with_lowest=True) == (2, None)


@pytest.mark.parametrize(("dealer", "starter"), [(0, 1), (1, 2), (2, 0)])
def test_the_seat_settles_a_tie_from_the_dealers_left(dealer, starter):
    assert starts("3C 5C 6C", "3D 5D 6D", "3H 5H 6H", dealer=dealer) == (starter, "3")


def test_with_suit_clubs_are_lowest_then_hearts_spades_diamonds():
    rules = {"start_tie": "suit"}
    assert starts("3S 5C 6C", "3D 5D 6D", "3H 5H 6H", **rules) == (2, "3")
    assert starts("3S 5C 6C", "3D 5D 6D", "4H 5H 6H", **rules) == (0, "3")
    assert starts("3D 3S 6C", "3H 5D 6D", "4H 5H 6H", **rules) == (1, "3")
    assert starts("3D 3C 6C", "3H 5D 6D", "4H 5H 6H", **rules) == (0, "3")


def test_with_suit_equal_cards_of_two_packs_are_settled_by_seat():
    assert starts("3C 5C 6C", "3D 5D 6D", "3C 5H 6H", start_tie="suit", decks=2) == (2, "3")


def test_with_most_threes_the_most_cards_of_the_deciding_rank_start_then_the_seat():
    rules = {"start_tie": "most_threes"}
    assert starts("3S 3C 6C", "3D 5D 6D", "4H 5H 6H", **rules) == (0, "3")
    assert starts("3S 3C 6C", "3D 3H 6D", "4H 5H 6H", **rules) == (1, "3")
    assert starts("5S 5C 6C", "5D 6D 7D", "6H 7H 8H", **rules) == (0, "5")


def started(state: Any, dice: Dice) -> int:
    event: Any = GAME.decide(state, 0, Ready(), AT, dice)[1]
    assert type(event) is PlayStarted
    return event.starter


def test_with_random_the_rounds_seed_settles_the_tie():
    state = swapping("3C 5C 6C", "3D 5D 6D", "4H 5H 6H", ready=(1, 2), start_tie="random")
    starters = Counter(started(state, Dice(bytes([n] * 32))) for n in range(100))
    assert sorted(starters) == [0, 1]
    assert min(starters.values()) > 25
    dice = Dice(bytes([9] * 32))
    tied_in_order = (1, 0)
    assert started(state, dice) == tied_in_order[dice.below("start-tie", 2)]


def test_ss_10_the_starter_need_not_lead_the_3():
    scene = given(swapping("3C 7C 7D", "4C 8C 9C", ready=(1,))).when(0, Ready())
    scene.when(0, Play(("7C", "7D"))).then_turn(1)


def lead(*holdings: str, **rules: Any):
    return given(swapping(*holdings, ready=tuple(range(1, len(holdings))), open_with_lowest=True, **rules)).when(
        0, Ready()
    )


def test_with_open_with_lowest_the_first_play_is_of_the_rank_that_decided():
    scene = lead("3C 3D 7D | KC", "4C 8C 9C | KD")
    scene.offers(0, Play(("3C",)), Play(("3C", "3D")))
    given(scene.state).when(0, Play(("7D",))).then_refused("S-06")
    given(scene.state).when(0, Play(("3D",))).then_turn(1)
    given(scene.state).when(0, Play(("3C", "3D"))).then_turn(1).offers(
        1, Play(("4C",)), Play(("8C",)), Play(("9C",)), PickUp()
    )


def test_the_duty_is_for_the_first_play_alone():
    scene = lead("3C 7C 7D | KC", "4C 8C 9C | KD").when(0, Play(("3C",))).when(1, Play(("4C",)))
    assert scene.state.lead is None
    scene.when(0, Play(("7C",))).then_turn(1)


def test_the_duty_falls_away_if_the_starter_leaves():
    scene = lead("3C 7C 7D | KC", "4C 8C 9C | KD", "5C 8D 9D | KH")
    assert scene.state.lead == "3"
    scene.when_leaves(0).then_turn(1).when(1, Play(("9C",))).then_turn(2)


def test_the_duty_stays_if_another_leaves():
    scene = lead("3C 7C 7D | KC", "4C 8C 9C | KD", "5C 8D 9D | KH").when_leaves(1)
    scene.when(0, Play(("7C",))).then_refused("S-06")


def test_the_duty_falls_away_if_nobody_held_anything_but_2s():
    scene = lead("2C 2D 2H | KC", "2S 2C 2D | KD", decks=2).then_turn(1)
    scene.when(1, Play(("2C",))).then_turn(0)


def test_the_clock_makes_all_ready_and_starts_play():
    scene = given(swapping("3C 5C 6C", "4C 8C 9C", "4D 7C JC")).when(1, Ready())
    assert due_of(scene.state).seats == (0, 2)
    assert due_of(scene.state).at == DUE
    scene.when_due().then(SeatReadied(0, by_clock=True), SeatReadied(2, by_clock=True), PlayStarted(0, "3"), turn(0))


def test_the_clock_may_make_some_ready_before_the_others():
    scene = given(swapping("3C 5C 6C", "4C 8C 9C")).when_due(1).then(SeatReadied(1, by_clock=True))
    assert scene.state.ready == (1,)
    assert GAME.when_due(scene.state, Due(None, "swap", (1,)), AT, Dice(bytes(32))) == []


def test_nobody_gives_a_sip_that_he_does_not_have():
    given(swapping(A, B)).when(0, GiveSip(1)).then_refused("S-37")
