"""The list of games: a game plays here once it has its line in it."""

from domain.game import Game
from domain.shithead import GAME as SHITHEAD

GAMES: dict[str, Game] = {game.name: game for game in (SHITHEAD,)}
"""Every game by its name."""
