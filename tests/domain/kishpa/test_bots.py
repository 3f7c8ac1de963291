from random import Random

import pytest

from domain.game import Move
from domain.kishpa import GAME
from domain.kishpa.events import DiscardTaken, HandsDealt, TileDiscarded
from domain.kishpa.memory import Memory
from domain.kishpa.moves import Discard, Draw, Expose, Pass, Take
from tests.domain.kishpa.scenes import PLAIN_WIN, A, B, C, Sitting, hears


def chosen(sitting: Sitting, seat: int, strength: str = "hard", seed: int = 1) -> Move:
    view = sitting.views[seat]
    memory = GAME.bot.memory(sitting.rules, seat)
    for event in sitting.told:
        if hears(event, seat):
            memory = GAME.bot.remember(memory, event)
    return GAME.bot.choose(strength, memory, view, GAME.options(view), Random(seed).randrange)


def round_of(strengths: tuple[str, str], seed: int) -> int | None:
    """Who wins a round of two."""
    random = Random(seed)
    sitting = Sitting(2).deal_any(random)
    memories = [GAME.bot.memory(sitting.rules, seat) for seat in (0, 1)]
    heard = 0
    while GAME.over(sitting.state) is None:
        for event in sitting.told[heard:]:
            memories = [
                GAME.bot.remember(memory, event) if hears(event, seat) else memory
                for seat, memory in enumerate(memories)
            ]
        heard = len(sitting.told)
        seat = GAME.to_act(sitting.views[None])[0]
        view = sitting.views[seat]
        listed = GAME.options(view)
        move = GAME.bot.choose(strengths[seat], memories[seat], view, listed, random.randrange)
        assert move in listed
        sitting.play(seat, move)
    return next(iter(sitting.result.winners), None)


@pytest.mark.parametrize(
    ("stronger", "weaker", "rounds", "least"), [("normal", "easy", 24, 17), ("hard", "easy", 16, 12)]
)
def test_a_stronger_player_wins_more_rounds(stronger, weaker, rounds, least):
    won = 0
    for seed in range(rounds):
        strengths = (stronger, weaker) if seed % 2 else (weaker, stronger)
        winner = round_of(strengths, seed)
        won += winner is not None and strengths[winner] == stronger
    assert won >= least


@pytest.mark.parametrize("strength", ["easy", "normal", "hard"])
def test_every_strength_declares_a_win(strength):
    sitting = Sitting().deal({A: PLAIN_WIN + " B13"}, flips="K2").all_pass()
    assert chosen(sitting, A, strength) == Discard("B13", declare=True)


def test_a_joker_is_thrown_last_if_that_wins_and_the_twin_kept():
    sitting = Sitting().deal({A: "R3-6 B9-11 R7 B7 * 4x10 K7"})
    assert chosen(sitting, A) == Discard("Y5", declare=True)
    sitting = Sitting(replace_when="exposed").deal({A: "R3-6 B9-11 Y1-4 R10 B10 Y10 K10"}).all_pass()
    assert Discard("Y4", declare=True) in GAME.options(sitting.views[A])
    move = chosen(sitting, A)
    assert isinstance(move, Discard)
    assert move.declare
    assert move.tile != "Y4"


def test_a_hand_one_tile_away_throws_the_tile_that_belongs_nowhere():
    sitting = Sitting().deal({A: "R3-6 B9-11 R7 B7 4x10 B2 Y13"}, flips="K2").all_pass()
    move = chosen(sitting, A)
    assert isinstance(move, Discard)
    assert move.tile in {"B2", "Y13"}


def test_a_tile_that_wins_is_taken_and_one_that_does_not_help_is_left():
    sitting = Sitting().deal({A: "K7 B12", B: "R3-6 B9-11 R7 B7 4x10 B2", C: "*"})
    for strength in ("easy", "normal", "hard"):
        assert chosen(sitting.play(A, Discard("K7")) if strength == "easy" else sitting, B, strength) == Take()
    sitting = Sitting().deal({A: "K7 B12", B: "R3-6 B9-11 R7 B7 4x10 B2", C: "*"}).play(A, Discard("B12"))
    assert chosen(sitting, B) == Draw()


def test_a_joker_in_the_discards_is_taken_by_all_but_the_easy_one():
    sitting = Sitting().deal({A: "*"}).play(A, Discard("Y5"))
    assert chosen(sitting, B, "normal") == chosen(sitting, B, "hard") == Take()


def test_a_last_chance_is_let_go_unless_it_wins():
    sitting = Sitting(2, stock_empty="last_chance").deal({A: "*"}).play(A, Discard("Y5"))
    while not getattr(sitting.state, "last_chance", False):
        sitting.clock()
    assert chosen(sitting, sitting.state.seat) == Pass()


def test_the_twin_is_exposed_because_the_kishpa_will_be_replaced():
    sitting = Sitting().deal({C: "Y4"})
    assert chosen(sitting, C) == Expose()
    assert chosen(sitting, B) == Pass()


def test_the_memory_holds_what_others_took_and_threw_in_this_round():
    memory = Memory()
    for event in (DiscardTaken(1, "R5"), DiscardTaken(1, "R6"), TileDiscarded(1, "R5"), TileDiscarded(2, "B1")):
        memory = GAME.bot.remember(memory, event)
    assert memory == Memory({"1": ("R6",), "2": ()}, {"1": ("R5",), "2": ("B1",)})
    assert GAME.bot.remember(memory, HandsDealt(2, (0, 1, 2), 0, last=False)) == Memory()


def test_what_the_next_player_collects_is_thrown_less_gladly():
    """Y13 and R13 fit the hand equally badly; the next player took R12."""
    sitting = Sitting().deal({A: "B2-4 K6-8 B9-11 R3-5 R13 Y13 R12", B: "*"})
    sitting.play(A, Discard("R12"))
    shy = sitting.play(B, Take(), Discard(next(tile for tile in sitting.hand(B) if tile not in {"R12", "Y5"})))
    shy.clock().clock().play(A, Take())
    taken, options = shy.views[A], [Discard("R13"), Discard("Y13")]
    memory = Memory({str(B): ("R12",)}, {})
    assert GAME.bot.choose("hard", memory, taken, options, lambda _: 0) == Discard("Y13")
    memory = Memory({str(B): ("Y12",)}, {})
    assert GAME.bot.choose("hard", memory, taken, options, lambda _: 0) == Discard("R13")
