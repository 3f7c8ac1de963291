"""What happens and what may be done at a table of Totem, in English and Hebrew."""

from __future__ import annotations

from collections.abc import Mapping

from domain.game import Event, Move
from domain.totem import events as e
from domain.totem import moves as m
from domain.totem import verdicts as v
from service.terminal.talk import Wording
from service.terminal.words import Phrase

# fmt: off
_JUDGED = {
    "duel": Phrase("{who} is first at the totem and wins the duel.", "{who} תפס ראשון וניצח בדו-קרב.",
        "You are first at the totem and win the duel.", "תפסת ראשון וניצחת בדו-קרב."),
    "multi_duel": Phrase("{who} is first at the totem and beats them all.", "{who} תפס ראשון וניצח את כולם.",
        "You are first at the totem and beat them all.", "תפסת ראשון וניצחת את כולם."),
    "inward": Phrase("{who} is first at the totem: the cards go under it.",
        "{who} תפס ראשון: הקלפים עוברים מתחת לטוטם.",
        "You are first at the totem: your cards go under it.", "תפסת ראשון: הקלפים שלך עוברים מתחת לטוטם."),
    "foul": Phrase("{who} grabs in vain: a foul.", "{who} תפס לשווא: עבירה.",
        "You grab in vain: a foul.", "תפסת לשווא: עבירה."),
}
_VAIN = Phrase("A grab came to nothing.", "תפיסה שלא נחשבה.")
_TAKES = Phrase("{who} takes {cards:many}.", "{who} לקח {cards:many}.",
    "You take {cards:many}.", "לקחת {cards:many}.", "taker")
_TAKES_FOUL = Phrase("{who} takes all face-up cards, {cards:many}.", "{who} לקח את כל הקלפים הגלויים, {cards:many}.",
    "You take all face-up cards, {cards:many}.", "לקחת את כל הקלפים הגלויים, {cards:many}.", "taker")
_TURNS = Phrase("{who} turns up {card:card}.", "{who} הפך {card:card}.",
    "You turn up {card:card}.", "הפכת {card:card}.")
_TURNS_OVER = Phrase("{who} turns the pile over, and then up {card:card}.", "{who} הפך את הערימה, ואז את {card:card}.",
    "You turn your pile over, and then up {card:card}.", "הפכת את הערימה, ואז את {card:card}.")
_POTS = {
    False: Phrase("{cards:many} go under the totem.", "{cards:many} עברו מתחת לטוטם."),
    True: Phrase("{cards:many} goes under the totem.", "{cards:many} עבר מתחת לטוטם."),
}
_MATCHES = {
    True: Phrase("Inward arrows: everybody grabs!", "חיצים פנימה: כולם תופסים!"),
    False: Phrase("Cards match!", "יש התאמה!"),
}
_FOULS = {
    "totem_struck": ("struck the totem", "היכה בטוטם"),
    "totem_thrown": ("threw the totem", "זרק את הטוטם"),
    "totem_upside_down": ("put the totem upside down", "העמיד את הטוטם הפוך"),
    "card_shown_to_self": ("looked at the card first", "הציץ בקלף קודם"),
    "violence": ("used violence", "נהג באלימות"),
    "blocking": ("was in the way of others", "חסם אחרים"),
    "totem_danced": ("made the totem dance", "הרקיד את הטוטם"),
    "totem_broken": ("broke the totem", "שבר את הטוטם"),
}
_FELL = Phrase("The referee: the totem fell by itself.", "השופט: הטוטם נפל מעצמו.")
_ENDS = {
    "shed": Phrase("The game is decided.", "המשחק הוכרע."),
    "forfeit": Phrase("Only one player is left.", "נשאר רק שחקן אחד."),
    "stalemate": Phrase("Nobody can turn a card up: the game ends.", "איש אינו יכול להפוך קלף: המשחק נגמר."),
}


def _foul(event: e.FoulReported) -> Phrase:
    if event.kind not in _FOULS or event.offender is None:
        return _FELL
    en, he = _FOULS[event.kind]
    return Phrase(f"The referee: {{who}} {en}.", f"השופט: {{who}} {he}.", actor="offender")


EVENTS: Mapping[type[Event], Wording] = {
    e.CardsDealt: Phrase("Each gets {each:many}; {pot:many} lie under the totem. {who} begins.",
        "כל אחד קיבל {each:many}; מתחת לטוטם {pot:many}. {who} מתחיל.",
        "Each gets {each:many}; {pot:many} lie under the totem. You begin.",
        "כל אחד קיבל {each:many}; מתחת לטוטם {pot:many}. ההתחלה אצלך.", "first"),
    e.DrawPilesStacked: Phrase("Under the totem: {pot:cards}.", "מתחת לטוטם: {pot:cards}."),
    e.TurnPassed: Phrase("{who} is next.", "הבא בתור: {who}.", "You are next.", "התור הבא שלך."),
    e.TurnStarted: Phrase("{who} may turn a card up.", "{who} רשאי להפוך קלף.",
        "You may turn a card up.", "אפשר להפוך קלף."),
    e.CardTurnedUp: lambda event: _TURNS_OVER if event.recycled else _TURNS,
    e.CountStarted: Phrase("Outward arrows of {revealer:seat}: at three everybody turns a card up.",
        "חיצים החוצה של {revealer:seat}: בשלוש כולם הופכים קלף.",
        "Your outward arrows: at three everybody turns a card up.",
        "חיצים החוצה שלך: בשלוש כולם הופכים קלף.", "revealer"),
    e.AllTurnedUp: Phrase("Everybody turns a card up.", "כולם הפכו קלף."),
    e.MatchAnnounced: lambda event: _MATCHES[event.inward],
    v.DeadHeatFound: Phrase("They hold the totem together: the referee looks.", "אוחזים בטוטם יחד: השופט בודק."),
    v.GripEntered: Phrase("The referee: {who} holds it with {fingers} fingers, at {grip_height}.",
        "השופט: {who} אוחז ב-{fingers} אצבעות, בגובה {grip_height}.",
        "The referee: you hold it with {fingers} fingers, at {grip_height}.",
        "השופט: אחיזה שלך ב-{fingers} אצבעות, בגובה {grip_height}."),
    v.GrabsJudged: lambda event: _JUDGED.get(event.verdict, _VAIN) if event.seat is not None else _VAIN,
    e.ChoiceOpened: Phrase("{who} chooses who takes the cards.", "{who} בוחר מי ייקח את הקלפים.",
        "You choose who takes the cards.", "הבחירה שלך: מי ייקח את הקלפים."),
    e.TakerChosen: Phrase("{who} names {taker:seat}.", "{who} בחר: {taker:seat}.",
        "You name {taker:seat}.", "בחרת: {taker:seat}."),
    e.CardsTaken: lambda event: _TAKES if event.why in ("duel", "multi_duel") else _TAKES_FOUL,
    e.CardsShared: Phrase("The cards of {who} are shared out among the losers.", "הקלפים של {who} חולקו בין המפסידים.",
        "Your cards are shared out among the losers.", "הקלפים שלך חולקו בין המפסידים."),
    e.TakenShuffled: Phrase("The taken cards are shuffled: {cards:cards}.", "הקלפים שנלקחו עורבבו: {cards:cards}."),
    e.CardsPotted: lambda event: _POTS[event.cards == 1],
    e.FoulReported: _foul,
    e.FoulReversed: Phrase("The referee takes the foul back: all lies as before.",
        "השופט ביטל את העבירה: הכול כמקודם."),
    e.CardsWithdrawn: Phrase("The cards of {who} go under the totem.", "הקלפים של {who} עברו מתחת לטוטם.",
        "Your cards go under the totem.", "הקלפים שלך עברו מתחת לטוטם."),
    e.PilesRecycled: Phrase("All piles are turned over.", "כל הערימות התהפכו."),
    e.WaitStarted: Phrase("Nobody can turn a card up; what lies there may still be grabbed for.",
        "איש אינו יכול להפוך קלף; עוד אפשר לתפוס."),
    e.CardsShed: Phrase("Somebody has no cards left!", "נגמרו למישהו הקלפים!"),
    e.PlayEnded: lambda event: _ENDS[event.by],
    e.TotemTimedOut: Phrase("{who} took too long.", "הזמן של {who} נגמר.", "You took too long.", "הזמן שלך נגמר."),
}

MOVES: Mapping[type[Move], Wording] = {
    m.TurnUp: Phrase("turn a card up", "להפוך קלף"),
    m.Grab: Phrase("grab the totem!", "לתפוס את הטוטם!"),
    m.ChooseTaker: Phrase("{taker:seat} takes the cards", "הקלפים אל {taker:seat}"),
}

CLAUSES_HE: Mapping[str, str] = {
    "T-08": "הופכים את הקלף הבא רק אחרי שהביטו די בקלף האחרון",
    "T-10": "הופכים קלף רק בתורך",
    "T-23": "בדו-קרב של רבים בוחרים מבין המפסידים",
    "T-27": "בזמן הבחירה אין הופכים קלפים",
    "T-30": "בזמן הספירה לא הופכים קלף לבד",
    "T-38": "אין קלפים במשחק",
    "T-44": "מי שעזב את הסיבוב אינו משחק בו",
    "T-45": "השופט בודק מי אוחז בטוטם",
    "T-54": "מי שהפך קלף ויתר על מה שמונח, עד שהקלף שלו ייענה",
    "T-55": "תופסים רק אחרי שקלף נחשף",
}
"""The clauses that refuse something, in Hebrew; the server's rulebook has them in English."""
# fmt: on
