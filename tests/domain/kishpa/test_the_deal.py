import pytest

from domain.game import RulesInvalid
from domain.kishpa import GAME
from domain.kishpa.evening import next_starter
from domain.kishpa.events import (
    AccountsOpened,
    DollFlipped,
    DollReturned,
    HandsDealt,
    HandShown,
    KishpaFlipped,
    StockLaid,
)
from domain.kishpa.moves import Discard, Draw
from domain.kishpa.pack import PACK, joker_of
from domain.kishpa.rules import KishpaRules
from tests.domain.kishpa.scenes import A, B, C, D, Sitting


def test_ks_01_four_players_get_fourteen_tiles_and_the_starter_fifteen():
    sitting = Sitting().deal()
    assert [len(sitting.hand(seat)) for seat in range(4)] == [15, 14, 14, 14]
    assert len(sitting.state.round.stock) == 48
    assert sum(len(zone) for zone in GAME.zones(sitting.state).values()) == 106


@pytest.mark.parametrize(("seats", "stock"), [(2, 76), (3, 62), (4, 48), (5, 34), (6, 20)])
def test_k_01_two_to_six_players_leave_this_much_stock(seats, stock):
    sitting = Sitting(seats, max_players=6).deal()
    assert len(sitting.state.round.stock) == stock


def test_k_01_more_players_only_by_table_rule():
    assert GAME.seats(KishpaRules()) == (2, 4)
    assert GAME.seats(KishpaRules(max_players=6)) == (2, 6)
    GAME.check(KishpaRules(), 4)
    for seats in (1, 5):
        with pytest.raises(RulesInvalid) as caught:
            GAME.check(KishpaRules(), seats)
        assert caught.value.field == "max_players"


def test_the_pack_is_published_in_order():
    assert GAME.pack(KishpaRules(), 4) == PACK
    assert PACK[:4] == ("R1", "R1", "R2", "R2")
    assert PACK[-4:] == ("K13", "K13", "DR", "DK")
    assert len(PACK) == 106


def test_ks_02_the_starter_moves_clockwise_after_every_round_an_exhausted_one_too():
    sitting = Sitting()
    starters = []
    for round_ in range(5):
        sitting = sitting.exhausted_round() if round_ == 2 else sitting.won_round(A)
        starters.append(sitting.state.round.starter)
    assert starters == [A, B, C, D, A]


def test_k_04_the_creator_starts_the_first_round():
    assert Sitting().deal(creator=C).state.round.starter == C


def test_k_04_by_table_rule_the_dice_name_the_first_starter():
    sitting = Sitting(first_starter="random")
    first = sitting.dice.below("first-player", 4)
    assert sitting.deal(creator=first).state.round.starter == first
    assert {Sitting(first_starter="random").deal(creator=first).state.round.starter} == {first}


def test_k_05_if_the_next_starter_has_left_the_one_after_him_starts():
    assert next_starter((0, 2, 3), 0, 0) == 2
    assert next_starter((0, 1), 3, 0) == 0
    sitting = Sitting().won_round(A).leave(B).deal()
    assert sitting.state.round.starter == C


def test_ks_04_the_joker_is_the_next_number_and_one_follows_thirteen():
    sitting = Sitting().deal(kishpa="Y13")
    assert sitting.state.round.joker == "Y1"
    assert joker_of("R5") == "R6"


def test_ks_05_the_starter_may_not_draw_and_the_others_may_not_discard_first():
    sitting = Sitting().deal({C: "*"})
    sitting.refuse(A, Draw(), "K-03").refuse(B, Draw(), "K-03").refuse(B, Discard(sitting.hand(B)[0]), "K-03")
    sitting.play(A, Discard(sitting.hand(A)[0])).refuse(B, Discard(sitting.hand(B)[0]), "K-03")
    sitting.refuse(A, Draw(), "K-03")


def test_tiles_go_round_one_by_one_from_the_starter_and_the_next_tile_is_flipped():
    sitting = Sitting(2).deal({A: "R1-13", B: "B1-13"}, kishpa="Y4", creator=B, stock="K1 K2")
    assert sitting.state.round.starter == B
    assert len(sitting.hand(B)) == 15
    shown = [event for event in sitting.told if isinstance(event, HandShown)]
    assert [(event.to, event.tiles) for event in shown] == [(A, sitting.hand(A)), (B, sitting.hand(B))]
    assert sum(isinstance(event, StockLaid) for event in sitting.told) == 1


def test_ks_46_a_flipped_doll_goes_back_into_the_stock_and_another_tile_is_flipped():
    sitting = Sitting().deal(kishpa="Y4", before=("DK", "DR"))
    dolls = [event.tile for event in sitting.told if isinstance(event, DollFlipped)]
    places = [event.place for event in sitting.told if isinstance(event, DollReturned)]
    assert dolls == ["DK", "DR"]
    assert places == [sitting.dice.below(f"reinsert:{number}", 49) for number in (1, 2)]
    assert "DK" in sitting.state.round.stock
    assert "DR" in sitting.state.round.stock
    assert sitting.kishpas() == ["Y4"]


def test_k_06_a_doll_put_back_on_top_is_flipped_again():
    sitting = Sitting().deal(kishpa="Y4", before=("DK",))
    again = [event.tile for event in sitting.told if isinstance(event, DollFlipped)]
    on_top = [event for event in sitting.told if isinstance(event, DollReturned) and event.place == 0]
    assert len(again) == 1 + len(on_top)


def test_k_78_every_seat_gets_its_starting_tokens_once():
    sitting = Sitting(starting_tokens=70).won_round(A).won_round(B)
    opened = [event for event in sitting.told if isinstance(event, AccountsOpened)]
    assert [[transfer.amount for transfer in event.transfers] for event in opened] == [[70] * 4]
    assert sitting.evening.accounts["bank"] == -280


def test_the_deal_begins_with_public_lines_and_names_the_seats():
    sitting = Sitting().deal()
    dealt = next(event for event in sitting.told if isinstance(event, HandsDealt))
    assert (dealt.round, dealt.seats, dealt.starter, dealt.last) == (1, (0, 1, 2, 3), A, False)
    assert isinstance(sitting.told[0], AccountsOpened)
    assert any(isinstance(event, KishpaFlipped) for event in sitting.told)
