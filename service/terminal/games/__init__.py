"""What the terminal knows of each game: one file a game, and its line in this list."""

from domain.game import Game
from domain.games import GAMES
from service.terminal.games.hatchatul import HATCHATUL
from service.terminal.games.kishpa import KISHPA
from service.terminal.games.shithead import SHITHEAD
from service.terminal.games.totem import TOTEM
from service.terminal.plain import plain_talk
from service.terminal.talk import Talk

TALKS: dict[str, Talk] = {talk.game: talk for talk in (HATCHATUL, KISHPA, SHITHEAD, TOTEM)}
"""Every game that has words and a board of its own here, by its name."""


def talk_of(game: str) -> Talk:
    """The words and the board of `game`; plain ones for a game that has none of its own."""
    if game in TALKS:
        return TALKS[game]
    known: Game | None = GAMES.get(game)
    return plain_talk(game, known)
