"""Totem at the terminal: shapes in colour, every board in both languages, and a space bar that grabs."""

from __future__ import annotations

import io
import random
import re
from typing import Any

import msgspec
import pytest
from rich.console import Console

from domain.games import GAMES
from domain.totem.rules import TotemRules
from service.terminal.games import talk_of
from service.terminal.games.totem import COLOURS, SHAPES, board, face, opened, result, tile, timed
from service.terminal.words import Language
from tests.playing import Sitting, play
from tests.terminal.conftest import Server
from tests.terminal.test_play import GAME, open_terminal

__all__ = ["open_terminal"]
TALK = talk_of("totem")
HEBREW = re.compile("[א-ת]")


def shown(part: Any, width: int = 120) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(part)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return re.sub("[\u2066-\u2069]", "", text)


def played(seed: int) -> Sitting:
    game = GAMES["totem"]
    table = Sitting(game, TotemRules(symbols=4), 4, seed=seed).seat_all()
    return play(table, random.Random(seed), most=20_000)


def test_every_symbol_has_a_shape_of_its_own_and_every_colour_looks_different():
    assert len(set(SHAPES)) == len(SHAPES) == 36
    pack = GAMES["totem"].pack(TotemRules(symbols=36), 4)
    faces = {str(face(card)) + str(face(card).style) for card in pack}
    assert len(faces) == len(set(pack))
    assert len(set(COLOURS.values())) == 4
    assert shown(face("s01-green")).strip() == "▲g"
    assert "green" in str(tile("s01-green").style)


@pytest.mark.parametrize("lang", ["en", "he"])
def test_the_board_of_every_version_can_be_drawn(lang):
    sitting = played(3)
    for version in range(4, len(sitting.lines) + 1, 7):
        for seat in (0, None):
            view = msgspec.to_builtins(sitting.view(seat, version).inner)
            text = shown(board(view, TALK.voice(lang, seat)))
            dealt = view["board"]["phase"]["phase"] != "undealt"
            assert ("totem" in text) == (lang == "en" and dealt)
            assert bool(HEBREW.search(text)) == (lang == "he")
            tops = [top for top in view["board"]["tops"] if top]
            assert all(shown(face(top)).strip() in text for top in tops)


def test_the_opened_table_shows_every_card_and_the_end_says_who_won():
    sitting = played(4)
    zones = {zone: list(cards) for zone, cards in sitting.game.zones(sitting.tables[9].state).items()}
    text = shown(opened(zones, TALK.voice("en", None)), 400)
    assert len(re.findall(r"[^\s:]+[pgoy]\b|→←|←→|◨◧", text)) >= sum(map(len, zones.values()))
    won = {
        "by": "shed",
        "winners": [1],
        "standings": [{"seat": 1, "place": 1, "cards": 0}, {"seat": 0, "place": 2, "cards": 9}],
    }
    assert shown(result(won, TALK.voice("en", 1))).strip() == "You have won! seat 0: 9 cards."
    assert shown(result({"winners": [], "standings": []}, TALK.voice("en", 1))).strip() == "Nobody has won."


def test_one_card_goes_under_the_totem_and_many_go():
    def said(cards: int, lang: Language) -> str:
        line = {"type": "totem.cards_potted", "data": {"seats": [1], "cards": cards, "at": ""}}
        return shown(TALK.tell(line, TALK.voice(lang, 0))).strip()

    assert said(1, "en") == "1 card goes under the totem."
    assert said(4, "en") == "4 cards go under the totem."
    assert "קלף אחד עבר " in said(1, "he")
    assert " קלפים עברו " in said(4, "he")


def test_each_sentence_begins_with_a_capital_letter_and_your_arrows_are_yours():
    dealt = {"type": "totem.cards_dealt", "data": {"playing": [0, 1, 2], "each": 26, "pot": 2, "first": 2}}
    said = TALK.tell(dealt, TALK.voice("en", 0, frozenset({2}))).plain
    assert said == "Each gets 26 cards; 2 cards lie under the totem. Bot 2 begins."
    counted = {"type": "totem.count_started", "data": {"revealer": 0, "due": ""}}
    assert TALK.tell(counted, TALK.voice("en", 0)).plain.startswith("Your outward arrows:")
    assert "חיצים החוצה שלך:" in TALK.tell(counted, TALK.voice("he", 0)).plain
    assert "חיצים החוצה של מושב 0:" in TALK.tell(counted, TALK.voice("he", 1)).plain


def test_only_a_grab_says_how_fast_it_was():
    assert timed({"type": "totem.grab", "reveal": 3}, 240) == {"type": "totem.grab", "reveal": 3, "reaction_ms": 240}
    assert timed({"type": "totem.turn_up"}, 240) == {"type": "totem.turn_up"}


def test_one_key_turns_a_card_up_and_the_space_bar_grabs(open_terminal, server: Server):
    terminal = open_terminal("play", "totem", "--rule", "bot_delay_ms=0", "--rule", "min_flip_interval_ms=300")
    picture = terminal.until("Your move:")
    assert "turn a card up" in picture
    if "grab the totem" not in picture:
        terminal.send("1")
    picture = terminal.until("grab the totem!")
    assert " space " in picture
    terminal.send(" ")
    terminal.until_any(("You grab", "You are first", "came to nothing", "you take", "You take"))
    game = GAME.search(terminal.picture)
    assert game is not None
    lines = server.call("GET", f"/v1/games/{game[0]}/events?limit=1000")["items"]
    if any(line.get("type") == "totem.card_turned_up" and line["data"]["card"].startswith("s") for line in lines):
        codes = ("35", "32", "38", "93")
        assert any(f"\x1b[1;{code}" in terminal.output or f";{code}m" in terminal.output for code in codes)
    grabs = [grab for line in lines if line.get("type") == "totem.grabs_judged" for grab in line["data"]["grabs"]]
    mine = [grab for grab in grabs if grab["seat"] == 0]
    assert mine
    assert mine[0]["reaction_ms"] is not None
