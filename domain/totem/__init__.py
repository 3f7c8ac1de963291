"""Totem: turn a card up, see the match before the others do, and grab.

`GAME` is the game. Beside it stands what no seat may ask for, pure functions like `GAME.decide`:

* `referee(state, move, at, dice)`: the events of a referee's move (`REFEREE_MOVES`).
* `judge(state, judging, at, dice)`: the events of `totem.judge_grabs` (`TABLE_MOVES`), which carries all grabs that
  lie undecided, as measured. Until then a grab is no line and no part of the state. `grab_error` refuses at once what
  cannot be judged, `judging_due` says when the decision falls due, `lower_quartile` makes a latency figure of pings.
* `void(state, voiding, at, dice)`: the event of `totem.void_grabs`, told before whatever ends play while grabs lie
  undecided.
* `reaction_ms(strength, memory, view, below)`: when a bot grabs after a reveal, if at all; its turn comes by `choose`.

While grabs lie undecided, a card turned up is held until they are judged, by whichever seat or clock, and so is the
all-flip; that a turn opens (`due` says `turn`) is not held, for its absence would tell. A grab has its line and its
answer with its judgement, not before.

`GAME.decide` judges a grab alone and at once, which is play within one process.
"""

from domain.game import Bot, Game
from domain.totem.arbitration import lower_quartile
from domain.totem.bot import choose, memory, reaction_ms, remember
from domain.totem.decide import deal, decide, due, when_due
from domain.totem.events import EVENTS
from domain.totem.judging import grab_error, judge, judging_due, void
from domain.totem.leaving import leave
from domain.totem.moves import REFEREE_MOVES, SEAT_MOVES, TABLE_MOVES, JudgeGrabs, VoidGrabs
from domain.totem.pack import pack
from domain.totem.referee import referee
from domain.totem.rules import TotemRules, check, seats
from domain.totem.scoring import finished, over
from domain.totem.state import evolve, initial, zones
from domain.totem.view import empty_view, options, see, to_act

GAME = Game(
    name="totem",
    rules_version=1,
    titles={"en": "Totem", "he": "טוטם"},
    rules=TotemRules,
    moves=SEAT_MOVES,
    events=EVENTS,
    seats=seats,
    check=check,
    pack=pack,
    initial=initial,
    deal=deal,
    decide=decide,
    evolve=evolve,
    leave=leave,
    over=over,
    finished=finished,
    due=due,
    when_due=when_due,
    zones=zones,
    empty_view=empty_view,
    see=see,
    to_act=to_act,
    options=options,
    table_moves={JudgeGrabs: judge, VoidGrabs: void},
    referee_moves=dict.fromkeys(REFEREE_MOVES, referee),
    bot=Bot(memory=memory, remember=remember, choose=choose),
)

__all__ = [
    "GAME",
    "REFEREE_MOVES",
    "TABLE_MOVES",
    "grab_error",
    "judge",
    "judging_due",
    "lower_quartile",
    "reaction_ms",
    "referee",
]
