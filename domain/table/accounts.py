"""Accounts by their names, and why the table itself moved tokens: in English and Hebrew."""

from __future__ import annotations

from domain.game import Event
from domain.table import events as told
from domain.tokens import BANK, BOWL, Transfer, Words

NAMES: dict[str, Words] = {
    BANK: {"en": "the bank", "he": "הבנק"},
    BOWL: {"en": "the bowl", "he": "הקערה"},
}


def name_of(account: str) -> Words:
    """An account as people call it."""
    if account in NAMES:
        return NAMES[account]
    seat = account.removeprefix("seat:")
    return {"en": f"seat {seat}", "he": f"מושב {seat}"}


def paying(transfer: Transfer) -> Words:
    """Who pays whom how much: the end of every explanation."""
    payer, payee, amount = name_of(transfer.payer), name_of(transfer.payee), transfer.amount
    tokens = {"en": "1 token" if amount == 1 else f"{amount} tokens", "he": many_he(amount)}
    return {
        "en": f"{payer['en']} pays {payee['en']} {tokens['en']} ({transfer.clause}).",
        "he": f"{tokens['he']} מ{payer['he']} ל{payee['he'].removeprefix('ה')} ({transfer.clause}).",
    }


def many_he(amount: int) -> str:
    """So many tokens, in Hebrew."""
    return "אסימון אחד" if amount == 1 else f"{amount} אסימונים"


def explained(event: Event, transfer: Transfer) -> Words:
    """Why the table itself moved these tokens: what was paid before is given back."""
    why = _why(event)
    back, who = transfer.reverses, paying(transfer)
    assert back is not None, "the table itself only gives back"
    return {
        "en": f"{why['en']}; transfer {back.index} of line {back.seq} is given back: {who['en']}",
        "he": f"{why['he']}; העברה {back.index} של שורה {back.seq} מוחזרת: {who['he']}",
    }


def _why(event: Event) -> Words:
    match event:
        case told.SeatFreed(seat=seat):
            return {"en": f"Seat {seat} got up before the start", "he": f"מושב {seat} התפנה לפני ההתחלה"}
        case told.RoundVoided(round=number):
            return {"en": f"Round {number} was voided", "he": f"סיבוב {number} בוטל"}
        case _:
            return {"en": "The round was voided", "he": "הסיבוב בוטל"}
