"""Golden transcripts: every game owns some, and playing one gives its file."""

from pathlib import Path

import pytest

from domain.games import GAMES
from tests.transcript import replayed

FOLDER = Path(__file__).parent / "transcripts"
FILES = sorted(path for path in FOLDER.glob("*/*.txt") if path.parent.name in GAMES)
LINES_MAX = 120


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_written_game_played_again_says_what_is_written(path, accept):
    written = path.read_text()
    again = replayed(written)
    if accept:
        path.write_text(again)
    assert again == path.read_text()


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_transcript_is_one_story_on_a_page(path):
    lines = path.read_text().splitlines()
    assert lines[0].startswith("# "), "the first line tells the story"
    assert len(lines) <= LINES_MAX


@pytest.mark.parametrize("name", GAMES)
def test_every_game_owns_transcripts(name):
    assert len(list((FOLDER / name).glob("*.txt"))) >= 3
