"""S-36: what each seat and a spectator see, and what nobody does."""

import json
from typing import Any

import msgspec
import pytest

from domain.game import Deal, Secret, Whisper
from domain.shithead import GAME
from domain.shithead.moves import Flip, PickUp, Play, Ready
from domain.shithead.pile import Top
from domain.shithead.rules import ShitheadRules
from tests.domain.shithead.scenes import AT, DICE, given, playing, seen_from


def dealt(seats=3, **rules: Any):
    table = ShitheadRules(**rules)
    state = GAME.initial(table, seats)
    views = {seat: GAME.empty_view(table, seats, seat) for seat in (None, *range(seats))}
    deck = DICE.shuffle("deck", GAME.pack(table, seats))
    return hearing(state, views, GAME.deal(state, Deal(1, tuple(range(seats)), deck, DICE, AT, 0)))


def hearing(state, views, events):
    for event in events:
        state = GAME.evolve(state, event)
        for seat in views:
            if not isinstance(event, Secret) and (not isinstance(event, Whisper) or event.to == seat):
                views[seat] = GAME.see(views[seat], event)
    return state, views


def test_before_the_deal_a_view_shows_empty_seats():
    view = GAME.empty_view(ShitheadRules(), 3, 1)
    assert (view.phase, view.seat, view.hand, view.dealer) == ("undealt", 1, (), None)
    assert [seen.status for seen in view.seats] == ["seated"] * 3
    assert GAME.to_act(view) == ()
    assert GAME.options(view) == []


def test_after_the_deal_each_seat_sees_its_hand_and_everybodys_open_cards():
    state, views = dealt()
    for seat, view in views.items():
        assert view == seen_from(state, seat)
    assert views[None].hand == ()
    assert views[1].hand == state.holdings[1].hand
    assert [seen.open for seen in views[1].seats] == [held.open for held in state.holdings]


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_ss_46_blind_cards_are_a_count_also_for_their_owner(seat):
    state, views = dealt()
    shown = json.dumps(msgspec.to_builtins(views[seat]))
    hidden = {card for held in state.holdings for card in held.blind} | set(state.stock)
    hidden |= {card for other, held in enumerate(state.holdings) if other != seat for card in held.hand}
    assert not [card for card in hidden if f'"{card}"' in shown]
    assert [len(seen.blind) for seen in views[seat].seats] == [3, 3, 3]
    assert views[seat].stock == len(state.stock)


def test_a_spectator_has_no_options_and_the_game_waits_for_all_to_be_ready():
    state, views = dealt()
    assert GAME.options(views[None]) == []
    assert GAME.to_act(views[None]) == (0, 1, 2)
    _, views = hearing(state, views, GAME.decide(state, 1, Ready(), AT, DICE))
    assert GAME.to_act(views[None]) == (0, 2)
    assert GAME.options(views[1]) == []


def test_in_play_the_game_waits_for_the_mover_and_after_it_for_nobody():
    state = playing("3C", "4C")
    assert GAME.to_act(seen_from(state, 1)) == (0,)
    assert GAME.to_act(seen_from(given(state).when(0, Play(("3C",))).state, 1)) == ()


def test_the_whole_pile_is_shown():
    assert seen_from(playing("3C", "4C", lying="5C 6C 6D"), None).pile == ("5C", "6C", "6D")


def test_without_show_full_pile_only_top_rank_to_beat_and_count_are_shown():
    state = playing("3C 9C", "4C", lying="9D 3D", three_transparent=True, show_full_pile=False)
    view = seen_from(state, 0)
    assert view.pile is None
    assert view.top == Top("3D", "9", 1, 1)
    assert view.pile_count == 2
    assert "9D" not in json.dumps(msgspec.to_builtins(view))
    events = given(state).when(0, Play(("9C",))).events
    after = view
    for event in events:
        after = GAME.see(after, event)
    assert (after.pile, after.pile_count, after.top.card) == (None, 3, "9C")


def test_who_picks_up_a_pile_that_is_not_shown_still_knows_what_he_holds():
    state = playing("3C", "4C", lying="9D KD", show_full_pile=False)
    view = seen_from(state, 0)
    for event in given(state).when(0, PickUp()).events:
        view = GAME.see(view, event)
    assert view.hand == ("3C", "9D", "KD")


def test_what_a_view_folds_at_a_flip_names_the_turned_card_alone():
    state = playing("| | 5C 6C 7C", "KC", lying="JD")
    view = seen_from(state, 1)
    scene = given(state).when(0, Flip(2))
    for event in scene.events:
        view = GAME.see(view, event)
    assert view == seen_from(scene.state, 1)
    assert view.seats[0].blind == (1, 3)
    assert view.seats[0].hand == 2


def test_an_event_of_the_table_itself_changes_nothing_in_the_view():
    class Other(msgspec.Struct, frozen=True):
        seat: int

    view = GAME.empty_view(ShitheadRules(), 2, 0)
    assert GAME.see(view, Other(1)) is view


def test_a_view_is_small():
    """A late joiner's answer stays under 4 KB, with eleven seats and everybody's cards as many as can be."""
    table = ShitheadRules(show_full_pile=True)
    state = playing(
        " ".join(GAME.pack(table, 2)[:40]),
        *["9C 9D 9H | KC KD KS | 3C 4C 5C"] * 5,
        lying=" ".join(GAME.pack(table, 2)[40:]),
    )
    assert len(msgspec.json.encode(seen_from(state, 0))) < 4_000
