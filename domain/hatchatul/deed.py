"""The base of all events that tell what a seat did."""

from domain.game import Event


class Deed(Event, frozen=True):
    """What a seat did by its own command, or its clock for it. It ends the looks of that seat (G-06)."""

    seat: int
