"""A command being told: its events one after another, with the table as each leaves it."""

from __future__ import annotations

from domain.fair import Dice
from domain.game import Event
from domain.kishpa.evolve import evolve
from domain.kishpa.state import Dealt, Round, State, Undealt


class Telling:
    """The events told so far, the state that they lead to, and the time and dice of the command."""

    def __init__(self, state: State, at: str, dice: Dice) -> None:
        self.state = state
        self.at = at
        self.dice = dice
        self.events: list[Event] = []

    def tell(self, *events: Event) -> None:
        """Add events and follow them."""
        for event in events:
            self.events.append(event)
            self.state = evolve(self.state, event)

    @property
    def dealt(self) -> Dealt:
        """The state, in which a round has been dealt."""
        assert not isinstance(self.state, Undealt)
        return self.state

    @property
    def round(self) -> Round:
        """The round as the events told so far leave it."""
        return self.dealt.round
