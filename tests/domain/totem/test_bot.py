"""Computer players: fair means, three strengths, chosen from what is listed."""

import random

from domain.totem import GAME, judge, reaction_ms
from domain.totem.bot import Memory
from domain.totem.moves import ChooseTaker, Grab, JudgeGrabs, MeasuredGrab, TurnUp
from tests.domain.totem.written import DICE, A, B, C, Written


def reactions(table, seat, strength, tries=400):
    rng = random.Random(7)
    memory = remembered(table, seat)
    times = [reaction_ms(strength, memory, table.views[seat], rng.randrange) for _ in range(tries)]
    return [time for time in times if time is not None]


def remembered(table, seat):
    memory = GAME.bot.memory(table.rules, seat)
    for event in table.told:
        memory = GAME.bot.remember(memory, event)
    return memory


def match():
    table = Written("20/1 S5g", "20/0", "20/1 S8y", turn=B, nexts={B: "S5o", C: "S1y"})
    table.turn_up(B)
    return table


def test_a_stronger_bot_is_faster_and_misses_less():
    seen = {strength: reactions(match(), A, strength) for strength in ("easy", "normal", "hard")}
    assert len(seen["easy"]) < len(seen["normal"]) < len(seen["hard"])
    mean = {strength: sum(times) / len(times) for strength, times in seen.items()}
    assert mean["hard"] + 150 < mean["normal"]
    assert mean["normal"] + 150 < mean["easy"]


def test_no_bot_reacts_faster_than_a_person_could():
    assert min(reactions(match(), A, "hard")) >= 230


def test_a_bot_grabs_for_inward_arrows_whoever_turned_them_up():
    table = Written("20/0", "20/0", "20/0", nexts={A: "IN"})
    table.turn_up(A)
    assert len(reactions(table, C, "hard")) > 350


def test_a_hard_bot_never_grabs_without_a_reason_and_an_easy_one_falls_for_traps():
    trap = Written("20/1 S5g", "20/0", "20/1 S8y", turn=B, nexts={B: "S6g"})
    trap.turn_up(B)
    assert reactions(trap, A, "hard") == []
    assert 0 < len(reactions(trap, A, "easy")) < 60
    plain = Written("20/1 S5g", "20/0", "20/1 S8y", turn=B, nexts={B: "S6o"})
    plain.turn_up(B)
    assert reactions(plain, A, "easy") == []


def test_in_colour_mode_the_trap_is_an_equal_symbol():
    trap = Written("20/1 S5g", "20/0", "20/1 S5y", turn=B, nexts={B: "COL"})
    trap.turn_up(B)
    assert 0 < len(reactions(trap, A, "easy")) < 60
    assert reactions(trap, B, "easy") == []


def test_an_old_match_is_overlooked_more_often():
    fresh, old = match(), match()
    old.turn_up(C)
    assert len(reactions(old, A, "easy")) < len(reactions(fresh, A, "easy"))


def test_a_bot_remembers_an_all_flip():
    table = Written("20/0", "20/0", "20/0", nexts={A: "OUT S5g", B: "S5o"})
    table.turn_up(A)
    table.let_due()
    assert remembered(table, B).reveal == 12
    assert len(reactions(table, B, "hard")) > 350


def test_a_bot_that_has_grabbed_or_does_not_play_does_not_grab():
    table = match()
    table.judge(MeasuredGrab(A, 10, 1, table.at(), 300))
    assert len(reactions(table, A, "hard")) > 350  # that one named an old reveal
    used = Written("20/1 S5g", "20/1 S5o", "20/0", min_reaction_ms=200)
    used.grab(A, reaction_ms=20)
    assert reactions(used, A, "hard") == []
    assert reaction_ms("hard", Memory(A), table.views[-1], random.Random(1).randrange) is None


def test_a_bot_chooses_only_from_what_is_listed():
    rng = random.Random(3)
    table = match()
    for seat in (A, B, C):
        listed = GAME.options(table.views[seat])
        for strength in ("easy", "normal", "hard"):
            move = GAME.bot.choose(strength, remembered(table, seat), table.views[seat], listed, rng.randrange)
            plain = Grab(move.reveal) if isinstance(move, Grab) else move
            assert plain in listed


def test_on_its_turn_it_grabs_if_it_sees_a_match_and_else_turns_a_card_up():
    table = match()
    table.turn_up(C)
    rng = random.Random(5)
    moves = [
        GAME.bot.choose("hard", remembered(table, A), table.views[A], GAME.options(table.views[A]), rng.randrange)
        for _ in range(100)
    ]
    grabs = [move for move in moves if isinstance(move, Grab)]
    assert len(grabs) > 80
    assert all(move.reaction_ms for move in grabs)
    assert all(move == TurnUp() for move in moves if not isinstance(move, Grab))


def test_a_hard_bot_burdens_who_is_nearest_to_winning():
    table = Written("9/1 S5g", "9/1 S5o", "2/1 S5y", turn=A)
    table.grab(A)
    listed = GAME.options(table.views[A])
    rng = random.Random(5)
    assert GAME.bot.choose("hard", Memory(A), table.views[A], listed, rng.randrange) == ChooseTaker(C)
    easy = [GAME.bot.choose("easy", Memory(A), table.views[A], listed, rng.randrange) for _ in range(40)]
    assert {move.taker for move in easy if isinstance(move, ChooseTaker)} == {B, C}


def duel_winner(strengths, seed):
    """One whole game of bots, each grab with the bot's own reaction as measured."""
    rng = random.Random(seed)
    table = Written(*["12/0"] * 3, nexts={seat: deck(seed, seat) for seat in range(3)})
    for _ in range(400):
        if table.result:
            return table.result.winners
        found = table.due
        table.ms += 2_000
        if found.what == "choose_taker":
            listed = GAME.options(table.views[found.seats[0]])
            table.move(found.seats[0], listed[0])
        elif found.seats:
            table.turn_up(found.seats[0])
        else:
            table.let_due()
        grabs = []
        for seat, strength in enumerate(strengths):
            time = None
            if table.board.reveal and not table.result:
                time = reaction_ms(strength, remembered(table, seat), table.views[seat], rng.randrange)
            if time is not None:
                arrived = table.at(table.ms + time)
                grabs.append(MeasuredGrab(seat, table.board.reveal, time, arrived, time))
        if grabs:
            table.ms += 1_500
            judging = JudgeGrabs(tuple(sorted(grabs, key=lambda grab: grab.elapsed_ms)))
            assert judge(table.state, judging, table.at(), DICE)
            table.judge(*judging.grabs)
    return ()


def deck(seed, seat):
    rng = random.Random(f"{seed}")
    cards = [f"S{number}{colour}" for number in range(1, 10) for colour in "pgoy"]
    rng.shuffle(cards)
    return " ".join(cards[12 * seat : 12 * seat + 12])


def test_hard_bots_beat_easy_ones():
    wins = [0, 0, 0]
    for seed in range(30):
        for seat in duel_winner(("hard", "easy", "easy"), seed):
            wins[seat] += 1
    assert wins[0] > wins[1] + wins[2]
