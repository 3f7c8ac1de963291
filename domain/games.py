"""The list of games: a game plays here once it has its line in it."""

from domain.game import Game
from domain.hatchatul import GAME as HATCHATUL
from domain.kishpa import GAME as KISHPA
from domain.shithead import GAME as SHITHEAD
from domain.totem import GAME as TOTEM

GAMES: dict[str, Game] = {game.name: game for game in (HATCHATUL, KISHPA, SHITHEAD, TOTEM)}
"""Every game by its name."""
