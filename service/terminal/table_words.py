"""Words for what happens at every table, whatever is played at it."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.game import Event, Move
from domain.table import events as told
from domain.table import moves as asked
from service.terminal.words import Phrase

_SAT = Phrase("{who} sits down.", "{who} התיישב.", "You sit down.", "התיישבת.")
_SAT_BOT = Phrase("{who} sits down ({bot:name}).", "{who} התיישב ({bot:name}).")
_ENDED = {
    "rounds": Phrase("The table has ended.", "השולחן הסתיים."),
    "finished": Phrase("The table has ended: the game is decided.", "השולחן הסתיים: המשחק הוכרע."),
    "abandoned": Phrase("The table has ended: too few are left to play.", "השולחן הסתיים: נשארו מעט מדי שחקנים."),
}

TABLE_EVENTS: Mapping[type[Event], Phrase | Callable[[Any], Phrase]] = {
    told.Created: Phrase("A table of {game:name} for {seats} is opened.", "נפתח שולחן {game:name} ל-{seats}."),
    told.SeedDrawn: Phrase("The server's seed is drawn.", "נמשך הזרע של השרת."),
    told.RoundCommitted: Phrase(
        "Round {round} is sealed: the cards can no longer be changed.",
        "סיבוב {round} נחתם: אי אפשר עוד לשנות את הקלפים.",
    ),
    told.SeatTaken: lambda event: _SAT_BOT if event.bot else _SAT,
    told.SeatFreed: Phrase("{who} gets up.", "{who} קם.", "You get up.", "קמת."),
    told.SeatLeft: Phrase("{who} leaves the table.", "{who} עזב את השולחן.", "You leave the table.", "עזבת את השולחן."),
    told.RoundStarted: Phrase("Round {round} begins.", "סיבוב {round} מתחיל."),
    told.SeatReadied: Phrase(
        "{who} is ready for the next round.",
        "{who} מוכן לסיבוב הבא.",
        "You are ready for the next round.",
        "סימנת שאפשר להתחיל בסיבוב הבא.",
    ),
    told.LastRoundCalled: Phrase("The next deal is the last.", "החלוקה הבאה היא האחרונה."),
    told.RoundEnded: Phrase("Round {round} is over.", "סיבוב {round} הסתיים."),
    told.TransfersReversed: Phrase("Payments of the round are given back.", "תשלומים של הסיבוב מוחזרים."),
    told.RoundVoided: Phrase("Round {round} does not count.", "סיבוב {round} אינו נחשב."),
    told.Ended: lambda event: _ENDED[event.reason],
    told.Voided: Phrase("The table is closed without a result.", "השולחן נסגר בלי תוצאה."),
}

TABLE_QUIET: frozenset[type[Event]] = frozenset({told.SeedDrawn, told.RoundCommitted})
"""What goes without saying beside a board."""

TABLE_MOVES: Mapping[type[Move], Phrase | Callable[[Any], Phrase]] = {
    asked.Ready: Phrase("next round", "לסיבוב הבא"),
    asked.Create: Phrase("open a table", "פתיחת שולחן"),
    asked.Commit: Phrase("seal round {round}", "חתימת סיבוב {round}"),
    asked.Sit: Phrase("sit down on seat {seat}", "ישיבה במושב {seat}"),
    asked.Leave: Phrase("leave", "עזיבה"),
    asked.Start: Phrase("start", "התחלה"),
    asked.Act: Phrase("what is due", "מה שהגיע זמנו"),
    asked.CallLastRound: Phrase("call the last round", "הכרזה על סיבוב אחרון"),
    asked.VoidRound: Phrase("void the round", "ביטול הסיבוב"),
    asked.Void: Phrase("close the table", "סגירת השולחן"),
}

TABLE_CLAUSES_HE: Mapping[str, str] = {
    "G-02": "במצב הזה של השולחן אי אפשר לעשות זאת",
    "G-07": "השעון עוד לא נגמר",
    "G-08": "במשחק הזה מספר הסיבובים קבוע מראש",
    "G-09": "אחרי ההתחלה רק המושב עצמו עוזב",
    "G-11": "מבטלים רק את הסיבוב הנוכחי, או את האחרון לפני החלוקה הבאה",
    "G-12": "השולחן כבר הסתיים",
    "G-15": "שחקן אחד יושב פעם אחת בשולחן",
}
"""The shared clauses that refuse something, in Hebrew."""
