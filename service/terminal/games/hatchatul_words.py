"""What happens and what may be done in Hatchatul, in English and Hebrew."""

from __future__ import annotations

from collections.abc import Mapping

from domain.game import Event, Move
from domain.hatchatul import ending_events as ending
from domain.hatchatul import events as e
from domain.hatchatul import moves as m
from domain.hatchatul import opening_events as opening
from service.terminal.talk import Wording
from service.terminal.words import Phrase

# fmt: off
_DRAWS = {
    None: Phrase("{who} draws a number.", "{who} משך מספר.", "You draw a number.", "משכת מספר."),
    "peek": Phrase("{who} draws a Peek.", "{who} משך הצץ.", "You draw a Peek.", "משכת הצץ."),
    "swap": Phrase("{who} draws a Swap.", "{who} משך החלף.", "You draw a Swap.", "משכת החלף."),
    "draw2": Phrase("{who} draws a Draw Two.", "{who} משך משוך 2.", "You draw a Draw Two.", "משכת משוך 2."),
}
_PLACES = Phrase("{who} puts the card into slot {slot} and throws {discarded:card}.",
    "{who} הניח את הקלף במקום {slot} וזרק {discarded:card}.",
    "You put the card into slot {slot} and throw {discarded:card}.",
    "הנחת את הקלף במקום {slot} וזרקת {discarded:card}.")
_PLACES_OPEN = Phrase("{who} puts {face:card} into slot {slot} and throws {discarded:card}.",
    "{who} הניח {face:card} במקום {slot} וזרק {discarded:card}.",
    "You put {face:card} into slot {slot} and throw {discarded:card}.",
    "הנחת {face:card} במקום {slot} וזרקת {discarded:card}.")
_REVEALED = {
    "lap_done": Phrase("The last lap is over: all rows are turned up.", "ההקפה האחרונה נגמרה: כל הקלפים נחשפים."),
    "stock_out": Phrase("The stock is empty: all rows are turned up.", "הקופה נגמרה: כל הקלפים נחשפים."),
    "turn_cap": Phrase("So many turns are enough: all rows are turned up.", "מספיק תורות: כל הקלפים נחשפים."),
    "abandoned": Phrase("Nobody plays any more: all rows are turned up.", "איש אינו משחק: כל הקלפים נחשפים."),
}

EVENTS: Mapping[type[Event], Wording] = {
    opening.CardsDealt: Phrase("{who} deals four cards to each.", "{who} חילק ארבעה קלפים לכל אחד.",
        "You deal four cards to each.", "חילקת ארבעה קלפים לכל אחד.", "dealer"),
    opening.RowsLaid: Phrase("The stock, next card first: {stock:cards}.", "הקופה, הקלף הבא ראשון: {stock:cards}."),
    opening.UpcardReturned: Phrase(
        "{card:card} is turned up, and goes back into the stock.", "נחשף {card:card}, והוא חוזר לקופה."),
    opening.UpcardTurned: Phrase("The pile begins with {card:card}.", "הערימה מתחילה ב-{card:card}."),
    opening.OuterCardsTurned: Phrase("The outer cards of every row lie open.", "הקלפים הקיצוניים של כולם גלויים."),
    opening.PeekingStarted: Phrase(
        "Everybody may look at the two outer cards of their row.", "כל אחד רשאי להציץ בשני הקלפים הקיצוניים שלו."),
    opening.OuterCardsPeeked: Phrase("{who} looks at the outer cards.", "{who} הציץ בקלפים הקיצוניים.",
        "You look at your outer cards.", "הצצת בקלפים הקיצוניים שלך."),
    opening.OuterCardsShown: Phrase("{who} sees {left:card} in slot 1 and {right:card} in slot 4.",
        "{who} ראה {left:card} במקום 1, {right:card} במקום 4.",
        "You see {left:card} in slot 1 and {right:card} in slot 4.",
        "ראית {left:card} במקום 1, {right:card} במקום 4.", "to"),
    opening.PeekSkipped: Phrase("{who} does not look.", "{who} ויתר על ההצצה.", "You do not look.", "ויתרת על ההצצה."),
    opening.PeekingEnded: Phrase("All have looked or skipped it.", "כולם הציצו או ויתרו."),
    e.TurnStarted: Phrase("{who} is to move.", "התור של {who}.", "Your move.", "התור שלך."),
    e.PlayBegun: Phrase("Play has begun: the outer cards stay covered.", "המשחק התחיל: הקיצוניים נשארים מכוסים."),
    e.CardDrawn: lambda event: _DRAWS[event.card],
    e.DrawnCardShown: Phrase("{who} holds {card:card}.", "ל{who} ביד {card:card}.",
        "You hold {card:card}.", "יש לך ביד {card:card}.", "to"),
    e.DiscardTaken: Phrase("{who} takes the top of the pile into slot {slot} and throws {discarded:card}.",
        "{who} לקח את ראש הערימה למקום {slot} וזרק {discarded:card}.",
        "You take the top of the pile into slot {slot} and throw {discarded:card}.",
        "לקחת את ראש הערימה למקום {slot} וזרקת {discarded:card}."),
    e.CardPlaced: lambda event: _PLACES if event.face is None else _PLACES_OPEN,
    e.CardThrown: Phrase("{who} throws {card:card}.", "{who} זרק {card:card}.",
        "You throw {card:card}.", "זרקת {card:card}."),
    e.PeekUsed: Phrase("{who} peeks at slot {slot}.", "{who} הציץ במקום {slot}.",
        "You peek at slot {slot}.", "הצצת במקום {slot}."),
    e.CardsSwapped: Phrase("{who} swaps slot {mine} with slot {theirs} of {other:seat}.",
        "{who} החליף את מקום {mine} במקום {theirs} של {other:seat}.",
        "You swap slot {mine} with slot {theirs} of {other:seat}.",
        "החלפת את מקום {mine} במקום {theirs} של {other:seat}."),
    e.SlotShown: Phrase("{who} sees {card:card} in slot {slot}.", "{who} ראה {card:card} במקום {slot}.",
        "You see {card:card} in slot {slot}.", "ראית {card:card} במקום {slot}.", "to"),
    e.DrawTwoUsed: Phrase("{who} plays two turns for a Draw Two.", "{who} משחק שני תורות על משוך 2.",
        "You play two turns for a Draw Two.", "שיחקת משוך 2: שני תורות שלך."),
    e.TurnsWaived: Phrase("{who} waives the turns still owed.", "{who} ויתר על התורות שנותרו לו.",
        "You waive the turns still owed.", "ויתרת על התורות שנותרו לך."),
    e.TurnEnded: Phrase("{who} ends the turn.", "{who} סיים את התור.", "You end your turn.", "סיימת את התור."),
    e.Knocked: Phrase("{who} knocks! Everybody else has one more turn.", "{who} דפק! לכל השאר נותר תור אחד.",
        "You knock! Everybody else has one more turn.", "דפקת! לכל השאר נותר תור אחד."),
    e.StockReshuffled: Phrase("The stock is empty: {cards:many} of the pile are the new one, shuffled.",
        "הקופה נגמרה: {cards:many} מהערימה נטרפו והם הקופה החדשה."),
    e.StockLaid: Phrase("The new stock, next card first: {stock:cards}.",
        "הקופה החדשה, הקלף הבא ראשון: {stock:cards}."),
    e.StockExhausted: Phrase("{who} finds the stock empty, and that ends the round.",
        "{who} מצא קופה ריקה, והסיבוב נגמר.", "You find the stock empty, and that ends the round.",
        "מצאת קופה ריקה, והסיבוב נגמר."),
    e.SeatTimedOut: Phrase("{who} took too long: the clock plays.", "הזמן של {who} נגמר: השעון משחק במקומו.",
        "You took too long: the clock plays for you.", "הזמן שלך נגמר: השעון משחק במקומך."),
    e.SeatWithdrawn: Phrase("The cards of {who} are set aside, unseen.", "הקלפים של {who} הונחו בצד בלי שנראו.",
        "Your cards are set aside, unseen.", "הקלפים שלך הונחו בצד בלי שנראו."),
    ending.RowsRevealed: lambda event: _REVEALED[event.cause],
    ending.ActionCardThrown: Phrase("{card:card} in slot {slot} of {seat:seat} counts nothing and is thrown.",
        "{card:card} במקום {slot} של {seat:seat} אינו נספר ונזרק."),
    ending.ReplacementDrawn: Phrase("{card:card} takes slot {slot} of {seat:seat}.",
        "{card:card} נכנס למקום {slot} של {seat:seat}."),
    ending.RoundScored: Phrase("The points are counted.", "הנקודות נספרו."),
    ending.TimeExpired: Phrase("The time is up.", "הזמן נגמר."),
    ending.GameForfeited: Phrase("Only {who} is left, and wins.", "נשאר רק {who}, והוא מנצח.",
        "Only you are left, and win.", "נשארת רק את/ה, והניצחון שלך.", "winner"),
}

MOVES: Mapping[type[Move], Wording] = {
    m.PeekStart: Phrase("look at your outer cards", "להציץ בקלפים הקיצוניים"),
    m.Skip: Phrase("do not look", "לוותר על ההצצה"),
    m.DrawStock: Phrase("draw from the stock", "למשוך מהקופה"),
    m.TakeDiscard: Phrase("top of the pile into slot {slot}", "ראש הערימה למקום {slot}"),
    m.Place: Phrase("into slot {slot}", "למקום {slot}"),
    m.Throw: Phrase("throw it", "לזרוק"),
    m.UsePeek: Phrase("peek at slot {slot}", "להציץ במקום {slot}"),
    m.UseSwap: Phrase("swap slot {mine} with slot {theirs} of {seat:seat}",
        "להחליף את מקום {mine} במקום {theirs} של {seat:seat}"),
    m.UseDrawTwo: Phrase("play two turns", "לשחק שני תורות"),
    m.Waive: Phrase("waive the turns still owed", "לוותר על התורות שנותרו"),
    m.EndTurn: Phrase("end the turn", "לסיים את התור"),
    m.Knock: Phrase("knock: the last lap", "לדפוק: הקפה אחרונה"),
}

CLAUSES_HE: Mapping[str, str] = {
    "H-06": "מציצים בקיצוניים פעם אחת, לפני שמתחילים לשחק",
    "H-09": "קלף פעולה שנזרק לא לוקחים מהערימה",
    "H-10": "לפי כללי השולחן קלף פעולה לא נכנס לשורה",
    "H-11": "הצץ: מסתכלים בקלף אחד משלך",
    "H-12": "החלף: קלף אחד שלך בקלף אחד של שחקן אחר, בלי להסתכל קודם",
    "H-14": "משוך 2 נותן שני תורות ברצף",
    "H-16": "דופקים רק בסוף התור שלך, אחרי ששיחקת",
    "H-17": "אחרי שדפקו לא דופקים שוב",
    "H-18": "לפי כללי השולחן השורה של מי שדפק מוגנת",
    "H-22": "הזמן נגמר",
    "H-29": "מחליפים רק קלפים מכוסים",
    "H-31": "רק מי שבתור משחק",
    "H-32": "תור מתחיל בלקיחת קלף אחד, מהקופה או מהערימה",
}
"""The clauses that refuse something, in Hebrew; the server's rulebook has them in English."""
# fmt: on
