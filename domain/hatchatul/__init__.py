"""Hatchatul: the lowest row of four cards that nobody may look at twice. `RULES.md` is its rule book."""

from typing import get_args

from domain.game import Game
from domain.hatchatul.bot import BOT
from domain.hatchatul.clock import due, when_due
from domain.hatchatul.deal import deal
from domain.hatchatul.decide import decide
from domain.hatchatul.events import Events
from domain.hatchatul.evolve import evolve
from domain.hatchatul.moves import Moves
from domain.hatchatul.pack import PACK
from domain.hatchatul.rules import SEATS, HatchatulRules, check
from domain.hatchatul.see import cover, see
from domain.hatchatul.state import finished, initial, over, zones
from domain.hatchatul.turns import leave
from domain.hatchatul.view import empty_view, options, to_act

GAME = Game(
    name="hatchatul",
    rules_version=1,
    titles={"en": "Hatchatul", "he": "חתחתול"},
    rules=HatchatulRules,
    moves=get_args(Moves),
    events=get_args(Events),
    seats=lambda _: SEATS,
    check=check,
    pack=lambda _rules, _seats: PACK,
    initial=initial,
    deal=deal,
    decide=decide,
    evolve=evolve,
    leave=leave,
    over=over,
    finished=finished,
    due=due,
    when_due=when_due,
    hears=frozenset({"table.last_round_called", "table.seat_left"}),
    out=lambda state: state.sitting.out,
    zones=zones,
    empty_view=empty_view,
    see=see,
    cover=cover,
    to_act=to_act,
    options=options,
    bot=BOT,
)
