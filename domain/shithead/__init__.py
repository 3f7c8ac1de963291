"""Shithead: be rid of all your cards, also of those you never saw; the last one with cards is the shithead."""

from domain.game import Game
from domain.shithead.bot import BOT
from domain.shithead.clock import due, when_due
from domain.shithead.deal import deal
from domain.shithead.decide import decide
from domain.shithead.events import EVENTS
from domain.shithead.evolve import evolve
from domain.shithead.leaving import leave
from domain.shithead.moves import MOVES
from domain.shithead.options import options
from domain.shithead.pack import pack
from domain.shithead.rules import ShitheadRules, check, seats
from domain.shithead.see import see
from domain.shithead.state import finished, initial, over, zones
from domain.shithead.view import empty_view, to_act

GAME = Game(
    name="shithead",
    rules_version=1,
    titles={"en": "Shithead", "he": "שיטהד"},
    rules=ShitheadRules,
    moves=MOVES,
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
    hears=frozenset({"table.seat_left"}),
    zones=zones,
    empty_view=empty_view,
    see=see,
    to_act=to_act,
    options=options,
    bot=BOT,
)
