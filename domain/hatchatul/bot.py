"""A computer player: easy forgets, normal remembers, hard also counts the cards and judges the others' rows."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from domain.game import Bot, Move
from domain.hatchatul import moves as m
from domain.hatchatul.memory import Memory, Trace, empty_memory, remember
from domain.hatchatul.pack import PACK, Card
from domain.hatchatul.view import View

MEAN = 50
"""What an unseen card is worth, in tenths of a point: the number cards of the pack have the mean 5."""

KEEP = 25
"""How much an action card must gain in the row to be worth more than its power."""

HOPE = 25
"""What a draw is expected to gain, in tenths, by who does not count."""

POWERS = 8
"""What the action cards add to the gain of a draw, in tenths."""

LEAD = 100
"""How far ahead of all others, in tenths, who judges them wants to be before a knock."""


class Skill(Struct, frozen=True):
    """How well a strength plays. `span`: turns that it remembers; `patience`: knocks at so many tenths or fewer.

    `counts`: reckons with the cards not seen yet; `slips`: one choice in so many is left to chance (0 = none).
    """

    span: int
    patience: int
    counts: bool
    slips: int


SKILLS = {
    "easy": Skill(span=4, patience=120, counts=False, slips=6),
    "normal": Skill(span=1_000, patience=80, counts=False, slips=0),
    "hard": Skill(span=1_000, patience=65, counts=True, slips=0),
}


class Table(Struct, frozen=True):
    """What a bot thinks of the table: worth of each slot of each seat in tenths, and of a card not seen."""

    seat: int
    worth: tuple[tuple[int, ...], ...]
    unseen: int
    stock: tuple[int, ...]
    """The numbers that may be drawn, if it counts them."""


def choose(strength: str, memory: Memory, view: View, options: Sequence[Move], below: Callable[[int], int]) -> Move:
    """One of `options` for the seat whose memory and view these are."""
    skill = SKILLS[strength]
    if skill.slips and below(skill.slips) == 0:
        return options[below(len(options))]
    table = judged(skill, memory)
    match view.phase:
        case "peeking":
            return options[0]
        case "turn_start":
            return taking(table, view, options)
        case "holding":
            return playing(skill, table, memory, options)
    return ending(skill, table, options)


def judged(skill: Skill, memory: Memory) -> Table:
    """The worth of every slot, as far as this strength remembers and counts."""
    known = [
        trace.card
        for row in memory.rows
        for trace in row
        if trace.card is not None and memory.turn - trace.since <= skill.span
    ]
    numbers: tuple[int, ...] = ()
    unseen = MEAN
    if skill.counts:
        numbers = not_seen([*memory.pile, *known, *(() if memory.hand is None else (memory.hand,))])
        unseen = 10 * sum(numbers) // len(numbers) if numbers else MEAN
    worth = tuple(
        tuple(slot_worth(skill, memory, trace, unseen, own=seat == memory.seat) for trace in row)
        for seat, row in enumerate(memory.rows)
    )
    return Table(memory.seat, worth, unseen, numbers)


def not_seen(seen: list[Card]) -> tuple[int, ...]:
    """The numbers of the pack without those seen."""
    rest = list(PACK)
    for card in seen:
        rest.remove(card)
    return tuple(card for card in rest if isinstance(card, int))


def slot_worth(skill: Skill, memory: Memory, trace: Trace, unseen: int, *, own: bool) -> int:
    """What a slot counts, in tenths; an action card will be replaced by an unseen one (H-20)."""
    if memory.turn - trace.since > skill.span:
        return unseen
    if isinstance(trace.card, int):
        return 10 * trace.card
    if trace.card is None and trace.chosen and not own:
        return unseen // 2 if skill.counts else unseen  # nobody keeps a high card of his choice
    return unseen


def worst(table: Table) -> tuple[int, int]:
    """Worth and slot of the own card that counts most."""
    return max((worth, slot) for slot, worth in enumerate(table.worth[table.seat], start=1))


def taking(table: Table, view: View, options: Sequence[Move]) -> Move:
    """The upcard if it gains more than a draw may, else the stock."""
    worth, slot = worst(table)
    take = m.TakeDiscard(slot)
    if take not in options:
        return m.DrawStock()
    upcard = 10 * view.discard_top if isinstance(view.discard_top, int) else table.unseen
    hoped = HOPE
    if table.stock:
        hoped = sum(max(0, worth - 10 * card) for card in table.stock) // len(table.stock) + POWERS
    return take if worth - upcard > hoped else m.DrawStock()


def playing(skill: Skill, table: Table, memory: Memory, options: Sequence[Move]) -> Move:
    """The held card where it gains most: its power, a place in the row, or the pile."""
    worth, slot = worst(table)
    card = memory.hand
    place = m.Place(slot)
    if isinstance(card, int):
        return place if worth > 10 * card else m.Throw()
    if card == "draw2":
        return m.UseDrawTwo()
    kept = worth - table.unseen if place in options else 0
    if card == "swap":
        return swapping(table, options, kept) or (place if kept > KEEP else m.Throw())
    unknown = [slot for slot, trace in enumerate(memory.rows[table.seat], start=1) if is_lost(skill, memory, trace)]
    if kept > KEEP or not unknown:
        return place if kept > KEEP else m.Throw()
    return m.UsePeek(unknown[0])


def is_lost(skill: Skill, memory: Memory, trace: Trace) -> bool:
    """Whether the seat does not know, or no longer knows, what lies there."""
    return trace.card is None or memory.turn - trace.since > skill.span


def swapping(table: Table, options: Sequence[Move], kept: int) -> Move | None:
    """The swap that gains most, if it gains anything and no less than keeping the card would."""

    def gain(move: m.UseSwap) -> int:
        return table.worth[table.seat][move.mine - 1] - table.worth[move.seat][move.theirs - 1]

    best = max((move for move in options if isinstance(move, m.UseSwap)), key=gain, default=None)
    return best if best is not None and gain(best) >= max(1, kept) else None


def ending(skill: Skill, table: Table, options: Sequence[Move]) -> Move:
    """Knock when the own row is low enough; who counts also knocks when it is lower than all others seem."""
    knock = m.Knock()
    if knock not in options:
        return m.EndTurn()
    own = sum(table.worth[table.seat])
    others = min(sum(row) for seat, row in enumerate(table.worth) if row and seat != table.seat)
    low = own <= skill.patience or (skill.counts and own + LEAD <= others and own <= 2 * skill.patience)
    return knock if low else m.EndTurn()


BOT = Bot(memory=empty_memory, remember=remember, choose=choose)
