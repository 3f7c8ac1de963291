"""A look at a recording: the table as of any version, as a seat saw it, as everybody did, or with nothing hidden."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct
from rich.console import RenderableType
from rich.text import Text

from domain.table.view import to_act
from service.terminal.direction import held
from service.terminal.games import talk_of
from service.terminal.recording import Recording
from service.terminal.talk import Talk
from service.terminal.trouble import Exit, Trouble
from service.terminal.words import Language, Voice

Eye = int | Literal["open"] | None
"""Who looks: a seat, `open` for everything, None for a spectator."""


class Look(Struct, frozen=True):
    """A recording, and whose seat the record was fetched for (None: nobody's): such a seat's lines are all there."""

    recording: Recording
    own: int | None = None

    @property
    def talk(self) -> Talk:
        """The words and the board of its game."""
        return talk_of(self.recording.raw[0]["data"]["game"])

    def missing(self, version: int, eye: Eye) -> int | None:
        """The first line that this look would need and that is sealed; None if it can be had."""
        if eye is None or eye == self.own:
            return None
        return self.recording.sealed(version)

    def check(self, version: int, eye: Eye) -> None:
        """Raises Trouble for a version, a seat or a look that is not to be had."""
        if not 1 <= version <= self.recording.version:
            last = self.recording.version
            raise Trouble(
                *(Exit.USAGE, f"There is no version {version}; this record has 1 to {last}."),
                he=f"אין גרסה {version}; ברשומה הזאת יש 1 עד {last}.",
            )
        if isinstance(eye, int) and not 0 <= eye < self.recording.seats:
            last = self.recording.seats - 1
            raise Trouble(
                *(Exit.USAGE, f"There is no seat {eye}; this table has 0 to {last}."),
                he=f"אין מושב {eye}; בשולחן הזה יש 0 עד {last}.",
            )
        sealed = self.missing(version, eye)
        if sealed is not None:
            hint = "It opens when the round ends. --as public shows what everybody saw."
            raise Trouble(
                *(Exit.REFUSED, f"Line {sealed} is still sealed, so this look is not open yet.", hint),
                he=f"שורה {sealed} עוד חתומה, ולכן המבט הזה עוד לא פתוח.",
                hint_he=f"הוא ייפתח בסוף הסיבוב. {held('--as public')} מראה מה שכולם ראו.",
            )

    def voice(self, lang: Language, eye: Eye) -> Voice:
        """Who tells it, to whom."""
        return self.talk.voice(lang, eye if isinstance(eye, int) else None, self.recording.bots)

    def board(self, version: int, eye: Eye, voice: Voice) -> RenderableType:
        """The table as of `version`, drawn."""
        if eye == "open":
            return self.talk.opened(self.recording.zones(version), voice)
        return self.talk.board(msgspec.to_builtins(self.recording.view(version, eye).inner), voice)

    def told(self, version: int, eye: Eye, voice: Voice) -> Text:
        """Line `version` in words, as that eye heard it."""
        raw = self.recording.raw[version - 1]
        if self.recording.voiced(version, eye if isinstance(eye, int) else None, opened=eye == "open"):
            return self.talk.tell(raw, voice)
        return self.talk.tell({"sealed": True}, voice)

    def as_json(self, version: int, eye: Eye) -> dict[str, Any]:
        """The table as of `version`, for programs: the same fields as the API's view, the line, and its words."""
        table = self.recording.view(version, eye if isinstance(eye, int) else None)
        heard = self.recording.voiced(version, table.seat, opened=eye == "open")
        line = self.recording.raw[version - 1]
        sealed = {"hash": self.recording.hashes[version - 1], "sealed": True, "seq": version}
        return {
            "game": self.recording.id,
            "version": version,
            "head": self.recording.hashes[version - 1],
            "last": self.recording.version,
            "vouched": self.recording.vouched,
            "status": table.status,
            "round": table.round,
            "to_act": list(to_act(table)),
            "as": "open" if eye == "open" else "public" if eye is None else f"seat:{eye}",
            "seat": table.seat,
            "view": {"zones": self.recording.zones(version)} if eye == "open" else msgspec.to_builtins(table.inner),
            "line": line if heard else sealed,
            "words": self.told(version, eye, self.voice("en", eye)).plain,
        }

    def commands(self) -> list[int]:
        """The first lines of commands, oldest first."""
        return [n for n, line in enumerate(self.recording.raw, start=1) if "move" in line] or [1]

    def decisive(self) -> list[int]:
        """For each round, the first line of the command that ended it."""
        commands, found = self.commands(), []
        for n, line in enumerate(self.recording.raw, start=1):
            if line.get("type") == "table.round_ended":
                found.append(max(first for first in commands if first <= n))
        return found


def eye_of(text: str) -> Eye:
    """`open`, `public`, `seat:2` or `2`. Raises ValueError for anything else."""
    if text in ("open", "public"):
        return "open" if text == "open" else None
    return int(text.removeprefix("seat:"))
