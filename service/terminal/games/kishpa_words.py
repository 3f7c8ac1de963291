"""What happens and what may be done in Kishpa, in English and Hebrew."""

from __future__ import annotations

from collections.abc import Mapping

from domain.game import Event, Move
from domain.kishpa import events as e
from domain.kishpa import moves as m
from service.terminal.talk import Wording
from service.terminal.words import Phrase

# fmt: off
_ROWS: Mapping[str, Phrase] = {
    "red_doll": Phrase("{who} holds the red doll and is paid by everybody.", "{who} מחזיק את הבובה האדומה וקיבל מכולם.",
        "You hold the red doll and are paid by everybody.", "הבובה האדומה אצלך, וקיבלת מכולם."),
    "black_doll": Phrase("{who} holds the black doll and is paid by everybody.",
        "{who} מחזיק את הבובה השחורה וקיבל מכולם.",
        "You hold the black doll and are paid by everybody.", "הבובה השחורה אצלך, וקיבלת מכולם."),
    "joker": Phrase("{who} holds a joker and is paid by everybody.", "{who} מחזיק ג'וקר וקיבל מכולם.",
        "You hold a joker and are paid by everybody.", "יש לך ג'וקר, וקיבלת מכולם."),
    "one": Phrase("{who} holds the 1 of the kishpa's colour and is paid by everybody.",
        "{who} מחזיק את ה-1 בצבע הכישפה וקיבל מכולם.",
        "You hold the 1 of the kishpa's colour and are paid by everybody.", "ה-1 בצבע הכישפה אצלך, וקיבלת מכולם."),
    "kishpa": Phrase("{who} holds the kishpa's twin and is paid by everybody.",
        "{who} מחזיק את תאום הכישפה וקיבל מכולם.",
        "You hold the kishpa's twin and are paid by everybody.", "תאום הכישפה אצלך, וקיבלת מכולם."),
}
_STARTS = Phrase("It is {who}'s turn.", "התור של {who}.", "Your turn.", "התור שלך.")
_LAST_CHANCE = Phrase("The stock is empty: {who} may take the last discard and win with it.",
    "הערימה נגמרה: {who} רשאי לקחת את ההשלכה האחרונה ולנצח איתה.",
    "The stock is empty: you may take the last discard and win with it.",
    "הערימה נגמרה: אפשר לקחת את ההשלכה האחרונה ולנצח איתה.")
_DEALT = Phrase("{who} has fifteen tiles and begins.", "{who} קיבל חמישה עשר אריחים ומתחיל.",
    "You have fifteen tiles and begin.", "קיבלת חמישה עשר אריחים, וההתחלה אצלך.", "starter")
_DEALT_LAST = Phrase("The last bowl: {who} has fifteen tiles and begins.",
    "הקערה האחרונה: {who} קיבל חמישה עשר אריחים ומתחיל.", "The last bowl: you have fifteen tiles and begin.",
    "הקערה האחרונה: קיבלת חמישה עשר אריחים, וההתחלה אצלך.", "starter")
_EXHAUSTED = {
    "stock": Phrase("The stock is empty: nobody wins.", "הערימה נגמרה: אין מנצח."),
    "chance": Phrase("The last chance was let go: nobody wins.", "ההזדמנות האחרונה לא נוצלה: אין מנצח."),
    "turns": Phrase("The round has lasted long enough: nobody wins.", "הסיבוב נמשך מספיק: אין מנצח."),
}
_BOWL = {
    "bowl_won": Phrase("The bowl is won.", "הקערה נזכתה."),
    "bowl_split": Phrase("The bowl is split.", "הקערה חולקה."),
}

EVENTS: Mapping[type[Event], Wording] = {
    e.AccountsOpened: Phrase("The bank hands out the starting tokens.", "הבנק חילק את אסימוני הפתיחה."),
    e.HandsDealt: lambda event: _DEALT_LAST if event.last else _DEALT,
    e.HandShown: Phrase("{who} is dealt {tiles:cards}.", "{who} קיבל {tiles:cards}.",
        "Your tiles: {tiles:cards}.", "האריחים שלך: {tiles:cards}.", "to"),
    e.StockLaid: Phrase("The stock, next tile first: {tiles:cards}.", "הערימה, האריח הבא ראשון: {tiles:cards}."),
    e.DollFlipped: Phrase("{tile:card} is flipped, a doll: it goes back into the stock.",
        "נחשפה {tile:card}, בובה: היא חזרה לערימה."),
    e.DollReturned: Phrase("The doll lies at place {place} of the stock.", "הבובה במקום {place} בערימה."),
    e.KishpaFlipped: Phrase("The kishpa is {tile:card}, the joker {joker:card}.",
        "הכישפה היא {tile:card}, הג'וקר {joker:card}."),
    e.ContributionsPaid: Phrase("Everybody pays into the bowl.", "כולם שילמו לקערה."),
    e.BonusPaid: lambda event: _ROWS[event.row],
    e.ExposureOpened: Phrase("Nobody holds a joker: does anybody expose the kishpa's twin?",
        "לאיש אין ג'וקר: האם מישהו חושף את תאום הכישפה?"),
    e.ExposureDeclined: Phrase("{who} exposes nothing.", "{who} לא חשף דבר.", "You expose nothing.", "לא חשפת דבר."),
    e.KishpaExposed: Phrase("{who} exposes the kishpa's twin and is paid by everybody.",
        "{who} חשף את תאום הכישפה וקיבל מכולם.",
        "You expose the kishpa's twin and are paid by everybody.", "חשפת את תאום הכישפה וקיבלת מכולם."),
    e.TurnStarted: lambda event: _LAST_CHANCE if event.last_chance else _STARTS,
    e.TileDrawn: Phrase("{who} draws.", "{who} שלף.", "You draw.", "שלפת."),
    e.TileShown: Phrase("{who} draws {tile:card}.", "{who} שלף {tile:card}.",
        "You draw {tile:card}.", "שלפת {tile:card}.", "to"),
    e.DiscardTaken: Phrase("{who} takes {tile:card} from the discards.", "{who} לקח {tile:card} מההשלכות.",
        "You take {tile:card} from the discards.", "לקחת {tile:card} מההשלכות."),
    e.StockReshuffled: Phrase("The discards are shuffled: {tiles} tiles in the stock.",
        "ההשלכות עורבבו: {tiles} אריחים בערימה."),
    e.TileDiscarded: Phrase("{who} throws {tile:card}.", "{who} השליך {tile:card}.",
        "You throw {tile:card}.", "השלכת {tile:card}."),
    e.WinDenied: Phrase("{who} declares a win that is none, and pays the bowl.",
        "{who} הכריז על ניצחון שאינו, ושילם לקערה.",
        "You declare a win that is none, and pay the bowl.", "הכרזת על ניצחון שאינו, ושילמת לקערה."),
    e.HandWon: Phrase("{who} wins: {payment} from everybody.", "{who} ניצח: {payment} מכל אחד.",
        "You win: {payment} from everybody.", "ניצחת: {payment} מכל אחד."),
    e.RoundExhausted: lambda event: _EXHAUSTED[event.cause],
    e.BowlPaid: lambda event: _BOWL.get(event.transfers[0].code if event.transfers else "", _BOWL["bowl_won"]),
    e.TokensLoaded: Phrase("{who} loads tokens from the bank.", "{who} טען אסימונים מהבנק.",
        "You load tokens from the bank.", "טענת אסימונים מהבנק."),
    e.ClockRanOut: Phrase("{who} took too long: the clock plays.", "הזמן של {who} נגמר: השעון משחק במקומו.",
        "You took too long: the clock plays for you.", "הזמן שלך נגמר: השעון משחק במקומך."),
    e.PlayerLeft: Phrase("The turns of {who} are played by themselves until the round's end.",
        "התורות של {who} ישוחקו מעצמם עד סוף הסיבוב.",
        "Your turns are played by themselves until the round's end.", "התורות שלך ישוחקו מעצמם עד סוף הסיבוב."),
}

_THROWS = Phrase("throw {tile:card}", "להשליך {tile:card}")
_DECLARES = Phrase("throw {tile:card} and win", "להשליך {tile:card} ולנצח")

MOVES: Mapping[type[Move], Wording] = {
    m.Expose: Phrase("expose the kishpa's twin", "לחשוף את תאום הכישפה"),
    m.Pass: Phrase("pass", "לוותר"),
    m.Draw: Phrase("draw from the stock", "לשלוף מהערימה"),
    m.Take: Phrase("take the newest discard", "לקחת את ההשלכה האחרונה"),
    m.Discard: lambda move: _DECLARES if move.declare else _THROWS,
    m.Load: Phrase("load tokens from the bank", "לטעון אסימונים מהבנק"),
}

CLAUSES_HE: Mapping[str, str] = {
    "K-03": "משחקים בכיוון השעון: שולפים או לוקחים, ואז משליכים אריח אחד",
    "K-22": "ארבעה עשר האריחים האחרים אינם כולם בקבוצות תקינות עם רצף של ארבעה",
    "K-25": "אפשר להשליך כל אריח שיש לך, ורק אותו",
    "K-27": "בשולחן הזה אי אפשר להשליך באותו תור את האריח שנלקח",
    "K-29": "הערימה נגמרה: לוקחים את ההשלכה האחרונה, או מוותרים",
    "K-51": "קודם כל אחד אומר אם הוא חושף, ורק מי שמחזיק את התאום יכול לחשוף",
    "K-77": "אחרי הסיבוב האחרון אין עוד טעינות",
    "K-83": "מי שעזב לא טוען ולא משחק",
}
"""The clauses that refuse something, in Hebrew; the server's rulebook has them in English."""
# fmt: on
