"""Random tables, random play: what must hold after every line, whatever is played (checked in `Sitting.hear` too)."""

from random import Random
from typing import Any, Union, get_args, get_type_hints

import msgspec
import pytest

from domain.game import Event, Move, Refused, Secret, Whisper
from domain.kishpa import GAME
from domain.kishpa.events import (
    EVENTS,
    DiscardTaken,
    DollFlipped,
    DollReturned,
    HandsDealt,
    HandShown,
    HandWon,
    KishpaFlipped,
    StockLaid,
    StockReshuffled,
    TileDiscarded,
    TileDrawn,
    TileShown,
)
from domain.kishpa.moves import MOVES, Discard, Draw, Expose, Load, Pass, Take
from domain.kishpa.pack import PACK
from domain.kishpa.rules import KishpaRules
from domain.kishpa.state import Holding, State
from tests.domain.kishpa.scenes import Sitting

OWN_RULES = set(KishpaRules.__struct_fields__) - {"rounds", "unseal", "ready_timeout_s", "absent_after", "bot_delay_ms"}
KINDS = tuple(dict.fromkeys(PACK))
EVERY_MOVE: tuple[Move, ...] = (
    Expose(),
    Pass(),
    Draw(),
    Take(),
    *(Discard(tile, declare=declare) for tile in KINDS for declare in (False, True)),
)
NAMES_A_TILE = (DollFlipped, KishpaFlipped, DiscardTaken, TileDiscarded, HandWon)
EVENT_DECODER: Any = msgspec.json.Decoder(Union[EVENTS])  # noqa: UP007 - a union of a tuple


def any_rules(random: Random) -> dict[str, Any]:
    """A value for every table rule of the game's own."""
    chosen: dict[str, Any] = {}
    for name, kind in get_type_hints(KishpaRules).items():
        if name in OWN_RULES:
            values = (False, True) if kind is bool else get_args(kind)
            chosen[name] = random.choice(values or (0, 1))
    return chosen | {
        "max_players": 6,
        "false_win_penalty": random.choice((0, 0, 3)),
        "max_turns_per_round": random.choice((5, 40, 90)),
        "exposure_timeout_s": random.choice((0, 10)),
        "turn_timeout_s": random.choice((0, 120)),
        "starting_tokens": random.choice((0, 3, 2000)),
        "load_size": random.choice((1, 50)),
    }


def any_sitting(seed: int, rounds: int = 3) -> Sitting:
    """A whole sitting of random play under random rules."""
    random = Random(seed)
    sitting = Sitting(random.randint(2, 6), **any_rules(random))
    for _ in range(rounds):
        while blocked := GAME.blocked(sitting.state):
            sitting.play(blocked[0], Load())
        sitting.deal_any(random)
        voided = random.random() < 0.1
        while GAME.over(sitting.state) is None:
            act(sitting, random)
            if voided and random.random() < 0.1:
                sitting.void()
                break
        if GAME.finished(sitting.state):
            break
    return sitting


def act(sitting: Sitting, random: Random) -> None:
    """One command: mostly a listed move, sometimes the clock, a load, a leave, the last round."""
    seated = [seat for seat in range(sitting.size) if seat not in sitting.evening.left]
    chance = random.random()
    if chance < 0.03:
        sitting.play(random.choice(seated), Load())
    elif chance < 0.04 and len(seated) > 1:
        sitting.leave(random.choice(seated))
    elif chance < 0.05:
        sitting.call_last_round()
    elif chance < 0.1:
        sitting.clock()
    elif chance < 0.12 and sitting.rules.false_win_penalty and isinstance(sitting.state, Holding):
        seat = sitting.state.seat
        (*_, throw) = [move for move in GAME.options(sitting.views[seat]) if isinstance(move, Discard)]
        sitting.play(seat, Discard(throw.tile, declare=True))
    else:
        seat = random.choice(GAME.to_act(sitting.views[None]))
        listed, memory = GAME.options(sitting.views[seat]), GAME.bot.memory(sitting.rules, seat)
        sensible = random.random() < 0.7
        move = GAME.bot.choose("normal", memory, sitting.views[seat], listed, random.randrange) if sensible else None
        sitting.play(seat, move or random.choice(listed))


def accepted(sitting: Sitting, seat: int, move: Move) -> bool:
    try:
        return bool(GAME.decide(sitting.state, seat, move, sitting.at, sitting.dice))
    except Refused:
        return False


@pytest.mark.parametrize("seed", range(60))
def test_tiles_and_tokens_are_kept_and_views_agree_after_every_line(seed):
    sitting = any_sitting(seed)
    loads = sum(sitting.evening.loads)
    assert sitting.evening.accounts["bank"] == -sitting.rules.starting_tokens * sitting.size - loads
    assert sum(sitting.balances) == sitting.rules.starting_tokens * sitting.size + loads


def test_random_play_reaches_every_kind_of_event():
    told = {type(event) for seed in range(60) for event in any_sitting(seed).told}
    assert set(EVENTS) <= told


@pytest.mark.parametrize("seed", range(100, 112))
def test_what_is_listed_is_accepted_and_what_is_accepted_is_listed(seed):
    random = Random(seed)
    sitting = Sitting(random.randint(2, 5), **any_rules(random)).deal_any(random)
    while GAME.over(sitting.state) is None:
        for seat in range(sitting.size):
            listed = GAME.options(sitting.views[seat])
            assert len(set(map(msgspec.json.encode, listed))) == len(listed)
            for move in EVERY_MOVE:
                allowed = move in listed
                if isinstance(move, Discard) and sitting.rules.false_win_penalty:
                    allowed = Discard(move.tile) in listed
                assert accepted(sitting, seat, move) == allowed, (seat, move)
        act(sitting, random)
        if sitting.evening.left:
            break


@pytest.mark.parametrize("seed", range(200, 210))
def test_until_the_round_is_over_somebody_has_a_move(seed):
    random = Random(seed)
    sitting = Sitting(random.randint(2, 6), **any_rules(random)).deal_any(random)
    while GAME.over(sitting.state) is None:
        awaited = GAME.to_act(sitting.views[None])
        assert awaited
        assert all(GAME.options(sitting.views[seat]) for seat in awaited)
        assert GAME.options(sitting.views[None]) == []
        seat = random.choice(awaited)
        sitting.play(seat, random.choice(GAME.options(sitting.views[seat])))
    assert GAME.to_act(sitting.views[None]) == ()


@pytest.mark.parametrize("seed", range(300, 320))
def test_no_public_event_names_a_tile_that_lies_face_down(seed):
    for event in any_sitting(seed, rounds=2).told:
        if not isinstance(event, (Whisper, Secret, *NAMES_A_TILE)):
            named = {word for word in msgspec.json.encode(event).decode().split('"') if word in PACK}
            assert not named, event


@pytest.mark.parametrize("seed", range(300, 320))
def test_the_hidden_lines_follow_from_the_public_ones(seed):
    told = [event for event in any_sitting(seed, rounds=2).told if type(event).__module__.startswith("domain.kishpa")]
    place, followers = 0, list[type[Event]]()
    while place < len(told):
        event = told[place]
        place += 1
        match event:
            case HandsDealt(seats=seats):
                followers = [*(HandShown,) * len(seats), StockLaid]
            case StockReshuffled():
                followers = [StockLaid]
            case DollFlipped():
                followers = [DollReturned]
            case TileDrawn():
                followers = [TileShown]
            case _:
                followers = []
        assert not isinstance(event, Whisper | Secret)
        assert [type(each) for each in told[place : place + len(followers)]] == followers
        place += len(followers)


@pytest.mark.parametrize("seed", range(400, 412))
def test_ks_80_a_replay_gives_the_same_table(seed):
    sitting = any_sitting(seed, rounds=2)
    state: Any = GAME.initial(sitting.rules, sitting.size)
    for event in sitting.told:
        again = event
        if type(event) in EVENTS:
            again = EVENT_DECODER.decode(msgspec.json.encode(event))
            assert again == event
        state = GAME.evolve(state, again)
    assert state == sitting.state
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


def test_moves_survive_json():
    decoder = msgspec.json.Decoder(Expose | Pass | Draw | Take | Discard | Load)
    for move in (*EVERY_MOVE, Load()):
        assert decoder.decode(msgspec.json.encode(move)) == move
    assert {type(move) for move in (*EVERY_MOVE, Load())} == set(MOVES)


@pytest.mark.parametrize("tile", ["R0", "R14", "X1", "r1", "DB", "R01", "", "R1 "])
def test_a_word_that_is_no_tile_is_no_move(tile):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode({"type": "kishpa.discard", "tile": tile}), type=Discard)


@pytest.mark.parametrize("seed", range(500, 530))
def test_a_seat_hears_the_same_of_two_packs_that_differ_where_it_cannot_look(seed):
    random = Random(seed)
    one, other = two_worlds(random)
    seat = 0
    for _ in range(16):
        if GAME.over(one.state) is not None:
            break
        assert one.views[seat] == other.views[seat]
        assert GAME.options(one.views[seat]) == GAME.options(other.views[seat])
        turn = random.choice(GAME.to_act(one.views[seat]))
        moves = [
            move
            for move in GAME.options(one.views[turn])
            if move in GAME.options(other.views[turn]) and not getattr(move, "declare", False)
        ]
        move = random.choice(moves)
        heard_one, heard_other = one.play(turn, move), other.play(turn, move)
        assert heard(heard_one, seat) == heard(heard_other, seat)


def two_worlds(random: Random) -> tuple[Sitting, Sitting]:
    """The same deal twice, but for two tiles of no worth: one in seat 2's hand, one deep in the stock."""
    while True:
        deck = random.sample(PACK, len(PACK))
        held, lying = 2 + 4 * random.randrange(14), 100
        one = Sitting(4, replace_when="exposed").deal_deck(tuple(deck))
        special = {one.state.round.kishpa, one.state.round.joker, f"{one.state.round.kishpa[0]}1", "DR", "DK"}
        if {deck[held], deck[lying]} & special or deck[held] == deck[lying]:
            continue
        deck[held], deck[lying] = deck[lying], deck[held]
        other = Sitting(4, replace_when="exposed").deal_deck(tuple(deck))
        if one.state.round.kishpa == other.state.round.kishpa and one.state.round.returns == 0:
            return one, other


def heard(sitting: Sitting, seat: int) -> list[Any]:
    return [
        event
        for event in sitting.last
        if (event.to == seat if isinstance(event, Whisper) else not isinstance(event, Secret))
    ]


def test_ks_76_a_view_shows_the_own_hand_and_of_the_others_counts_only():
    sitting = Sitting().deal({2: "*"}, stock="K13 K12")
    sitting.clock().clock()
    view = sitting.views[1]
    named = {word for word in msgspec.json.encode(view).decode().split('"') if word in PACK}
    assert named <= {*view.hand, *view.discards, view.kishpa, view.joker}
    assert view.tiles == (14, 14, 14, 14)
    assert view.stock == 47
    assert view.discards[-1] == "K13"
    assert [(paid.seat, paid.row) for paid in view.bonuses] == [(2, "joker")]
    spectator = sitting.views[None]
    assert spectator.hand == ()
    assert spectator.hands == {}


def test_the_open_view_of_an_opened_round_shows_every_hand():
    sitting = Sitting().deal({2: "*"}, stock="K13 K12").clock().clock()
    sitting.play(2, Take())
    view = GAME.empty_view(sitting.rules, 4, None)
    for event in sitting.told:
        view = GAME.see(view, event)
    assert view.hands == {str(seat): sitting.hand(seat) for seat in range(4)}


def test_an_impossible_history_raises():
    sitting = Sitting().deal({2: "*"})
    for event in (TileDrawn(1), TileDiscarded(0, "Y4"), DiscardTaken(1, "R1"), TileShown(0, "R1")):
        with pytest.raises((AssertionError, AttributeError, ValueError, IndexError)):
            GAME.evolve(sitting.state, event)
