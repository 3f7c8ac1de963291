"""Kishpa: a tile game of runs and sets, with a joker that changes every round, tokens and a bowl."""

from domain.game import Game
from domain.kishpa.bot import BOT
from domain.kishpa.clock import blocked, due, finished, leave, over, when_due, zones
from domain.kishpa.deal import deal
from domain.kishpa.decide import decide
from domain.kishpa.evening import empty_evening
from domain.kishpa.events import EVENTS
from domain.kishpa.evolve import evolve
from domain.kishpa.explain import TOKENS
from domain.kishpa.moves import MOVES, Load
from domain.kishpa.options import options, to_act
from domain.kishpa.pack import PACK
from domain.kishpa.rules import KishpaRules, check, seats
from domain.kishpa.see import see
from domain.kishpa.standing import TABLE_CHANGES
from domain.kishpa.state import Undealt
from domain.kishpa.view import empty_view


def _pack(_rules: KishpaRules, _seats: int) -> tuple[str, ...]:
    return PACK


def _initial(rules: KishpaRules, seats: int) -> Undealt:
    return Undealt(rules, empty_evening(seats))


GAME = Game(
    name="kishpa",
    rules_version=1,
    titles={"en": "Kishpa", "he": "כישפה"},
    rules=KishpaRules,
    moves=MOVES,
    events=EVENTS,
    seats=seats,
    check=check,
    pack=_pack,
    initial=_initial,
    deal=deal,
    decide=decide,
    evolve=evolve,
    leave=leave,
    over=over,
    finished=finished,
    blocked=blocked,
    due=due,
    when_due=when_due,
    zones=zones,
    empty_view=empty_view,
    see=see,
    to_act=to_act,
    options=options,
    bot=BOT,
    hears=frozenset(TABLE_CHANGES),
    anytime=(Load,),
    tokens=TOKENS,
)
