"""Every error that a caller can meet: one closed list of codes, each with its status and its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

MEDIA_TYPE = "application/problem+json"
PAGES = "/problems/"

Source = Literal["body", "query", "header", "path"]


class Fault(Struct, frozen=True):
    """One thing wrong with a request: where (`pointer` is an RFC 6901 pointer into the body, or a name) and what."""

    pointer: str
    source: Source
    detail: str


class Problem(Exception):
    """An answer that is an error. `code` is one of CODES; `detail` names nothing that the caller may not hear.

    `ruling` is the clause of a refusal, `version` the table's version where it helps, `retry_after` in seconds.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        ruling: str | None = None,
        version: int | None = None,
        errors: Sequence[Fault] = (),
        retry_after: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code, self.detail, self.ruling, self.version = code, detail, ruling, version
        self.errors, self.retry_after = tuple(errors), retry_after
        self.headers = dict(headers or {})

    @property
    def status(self) -> int:
        """The HTTP status of its code."""
        return CODES[self.code].status

    def document(self) -> ProblemDocument:
        """The problem as RFC 9457 has it."""
        page = CODES[self.code]
        return ProblemDocument(
            type=PAGES + self.code,
            title=page.title,
            status=page.status,
            detail=self.detail,
            code=self.code,
            ruling=self.ruling,
            version=self.version,
            errors=self.errors,
        )


class ProblemDocument(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An RFC 9457 problem. `code` is the stable name to branch on; `ruling` the clause of the rules that refused."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    ruling: str | None = None
    version: int | None = None
    errors: tuple[Fault, ...] = ()


class Page(Struct, frozen=True):
    """What a code means, for people: its status, a title, and what to do about it in English and Hebrew."""

    status: int
    title: str
    text: str
    title_he: str
    text_he: str


# fmt: off
CODES: Mapping[str, Page] = {
    "malformed-json": Page(400, "The body is not JSON",
        "The body must be one JSON value in UTF-8, without repeated keys and nested at most 32 deep.",
        "הגוף אינו JSON", "הגוף צריך להיות ערך JSON אחד ב-UTF-8, בלי מפתחות כפולים ובעומק של 32 לכל היותר."),
    "invalid-value": Page(400, "A value does not fit",
        "A field or parameter has the wrong type, or lies outside its bounds; `errors` says which one.",
        "ערך אינו מתאים", "שדה או פרמטר מסוג שגוי או מחוץ לתחום; `errors` אומר איזה."),
    "unknown-field": Page(400, "There is no such field",
        "The body has a field that this call does not know. Nothing was done, in case it was a misspelt guard.",
        "אין שדה כזה", "בגוף יש שדה שהקריאה אינה מכירה. דבר לא נעשה, שמא זו שגיאת כתיב."),
    "unknown-parameter": Page(400, "There is no such parameter",
        "The query has a parameter that this call does not know, or has one twice.",
        "אין פרמטר כזה", "בשאילתה יש פרמטר שהקריאה אינה מכירה, או פרמטר שמופיע פעמיים."),
    "cursor-invalid": Page(400, "This cursor leads nowhere",
        "Send a cursor exactly as `next` gave it, or none at all to begin at the beginning.",
        "הסמן אינו תקין", "יש לשלוח סמן בדיוק כפי ש-`next` נתן אותו, או לא לשלוח כלל כדי להתחיל מההתחלה."),
    "idempotency-key-missing": Page(400, "This call needs an Idempotency-Key",
        "Tokens move by this call, so it must be safe to send twice: add the header Idempotency-Key.",
        "חסר Idempotency-Key",
        "הקריאה מזיזה אסימונים ולכן חייבת להיות בטוחה לשליחה חוזרת: הוסיפו את הכותרת Idempotency-Key."),
    "token-missing": Page(401, "A token is needed",
        "Send `Authorization: Bearer <token>`.", "נדרש טוקן", "שלחו `Authorization: Bearer <token>`."),
    "token-invalid": Page(401, "This token is not valid",
        "The token is malformed, unknown or expired.", "הטוקן אינו תקף", "הטוקן פגום, לא מוכר או שפג תוקפו."),
    "token-revoked": Page(401, "This token was revoked",
        "The token was replaced or withdrawn. The key that sat can ask for a new seat token.",
        "הטוקן בוטל", "הטוקן הוחלף או נמשך. המפתח שהתיישב יכול לבקש טוקן מושב חדש."),
    "wrong-role": Page(403, "This is not yours to do",
        "The token is valid, and the call is for another role: a seat, the host, or an API key.",
        "הפעולה אינה שלך", "הטוקן תקף, אבל הקריאה מיועדת לתפקיד אחר: מושב, מארח או מפתח API."),
    "scope-missing": Page(403, "The key lacks a scope",
        "The API key is valid and has not the scope that this call needs.",
        "למפתח חסרה הרשאה", "מפתח ה-API תקף, אבל אין לו ההרשאה שהקריאה דורשת."),
    "conflict-of-interest": Page(403, "You sit, or sat, at this table",
        "A key that holds or held a seat may not referee or audit that table while it runs.",
        "ניגוד עניינים", "מפתח שיושב או ישב בשולחן אינו יכול לשפוט או לבקר אותו בזמן שהוא פועל."),
    "not-found": Page(404, "There is nothing here",
        "There is no such thing, or it is not yours to know of.",
        "אין כאן דבר", "אין דבר כזה, או שאינך רשאי לדעת עליו."),
    "method-not-allowed": Page(405, "Not with this method",
        "The header Allow names the methods that work here.",
        "לא בשיטה הזאת", "הכותרת Allow מונה את השיטות שפועלות כאן."),
    "not-acceptable": Page(406, "No form that you accept",
        "The Accept header leaves out every media type that this call can answer with.",
        "אין צורה שקבילה עליך", "הכותרת Accept אינה כוללת אף סוג תוכן שהקריאה יכולה להשיב בו."),
    "refused": Page(409, "The rules do not allow it",
        "The move has the right shape, and a clause of the rules, named in `ruling`, forbids it now.",
        "הכללים אינם מתירים", "המהלך תקין בצורתו, אבל סעיף בכללים, הנקוב ב-`ruling`, אוסר אותו כעת."),
    "table-full": Page(409, "Every seat is taken",
        "No seat is free at this table.", "כל המושבים תפוסים", "אין מושב פנוי בשולחן הזה."),
    "table-busy": Page(409, "Too many at once",
        "Others wrote to this table at the same moment, three times over. Nothing was done; send it again.",
        "עומס על השולחן", "אחרים כתבו לשולחן באותו רגע, שלוש פעמים. דבר לא נעשה; שלחו שוב."),
    "request-in-progress": Page(409, "The first one still runs",
        "A request with the same Idempotency-Key is not finished yet; ask again a little later.",
        "הבקשה הראשונה עדיין פועלת", "בקשה עם אותו Idempotency-Key טרם הסתיימה; נסו שוב מעט אחר כך."),
    "version-stale": Page(412, "The table has moved on",
        "If-Match names an older version; `version` is the present one. Read the view again.",
        "השולחן התקדם", "הכותרת If-Match נוקבת בגרסה ישנה; `version` היא הגרסה הנוכחית. קראו שוב את המבט."),
    "body-too-large": Page(413, "The body is too large",
        "A body may have 64 KiB.", "הגוף גדול מדי", "גוף הבקשה מוגבל ל-64 KiB."),
    "unsupported-media-type": Page(415, "Only JSON is read here",
        "Send `Content-Type: application/json`, in UTF-8 and not compressed.",
        "נקרא כאן רק JSON", "שלחו `Content-Type: application/json`, ב-UTF-8 וללא דחיסה."),
    "rules-invalid": Page(422, "These table rules make no game",
        "Each rule fits its schema, and together, or with so many seats, they cannot be played.",
        "כללי השולחן אינם אפשריים", "כל כלל תקין לעצמו, אבל יחד, או עם מספר המושבים הזה, אי אפשר לשחק לפיהם."),
    "deck-invalid": Page(422, "This deck is not the game's pack",
        "A sandbox deck must hold exactly the cards of the pack, in any order.",
        "החפיסה אינה של המשחק", "חפיסת ארגז חול חייבת להכיל בדיוק את קלפי המשחק, בכל סדר."),
    "bundle-invalid": Page(422, "This bundle does not verify",
        "The evidence bundle has a fault. No call takes one yet.",
        "החבילה אינה מתאמתת", "בחבילת הראיות יש פגם. אין עדיין קריאה שמקבלת חבילה."),
    "idempotency-key-reused": Page(422, "This Idempotency-Key was used for something else",
        "The same key came with another method, path or body. Use a new key for a new request.",
        "ה-Idempotency-Key כבר שימש לדבר אחר", "אותו מפתח הגיע עם שיטה, נתיב או גוף אחרים. לבקשה חדשה נדרש מפתח חדש."),
    "rate-limited": Page(429, "Too fast",
        "Wait for the seconds in Retry-After. Playing move after move is never limited.",
        "מהר מדי", "המתינו את מספר השניות שב-Retry-After. משחק מהלך אחר מהלך אינו מוגבל לעולם."),
    "too-many-streams": Page(429, "Too many streams at once",
        "This token has as many open streams or waiting requests as it may have.",
        "יותר מדי זרמים", "לטוקן הזה יש כבר מספר מרבי של זרמים פתוחים או בקשות ממתינות."),
    "internal": Page(500, "Our mistake",
        "Something went wrong here; it was written down. With the same Idempotency-Key it is safe to send again.",
        "טעות שלנו", "משהו השתבש אצלנו ונרשם. עם אותו Idempotency-Key בטוח לשלוח שוב."),
    "unavailable": Page(503, "Not just now",
        "The service cannot take this now, and nothing was done. Retry-After says when to ask again.",
        "לא כרגע", "השירות אינו יכול לקבל זאת כעת ודבר לא נעשה. Retry-After אומר מתי לנסות שוב."),
}
# fmt: on

STATUS_CODES: Mapping[int, str] = {page.status: code for code, page in reversed(list(CODES.items()))}
"""The general code of each status, for errors that come from the framework."""

_encode = msgspec.json.Encoder().encode


def render(problem: Problem) -> bytes:
    """The problem document as JSON."""
    return _encode(problem.document())
