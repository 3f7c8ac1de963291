from __future__ import annotations

import re
from string import Formatter

import msgspec
import pytest

from domain.game import Game, Whisper, type_of
from domain.games import GAMES
from domain.lines import canonical
from domain.table import events as told
from domain.table import moves as asked
from service.terminal.cards import face
from service.terminal.direction import LTR, POP
from service.terminal.games import TALKS, talk_of
from service.terminal.table_words import TABLE_EVENTS, TABLE_MOVES
from service.terminal.words import Phrase, clean
from tests.terminal.samples import samples

HEBREW = re.compile("[א-ת]")
GAME_LIST = list(GAMES.values())


def line_of(event) -> dict:
    data = msgspec.to_builtins(event)
    line = {"type": data.pop("type"), "data": data, "seq": 1}
    if isinstance(event, Whisper):
        line["to"] = data.pop("to")
    return msgspec.json.decode(canonical(line))


@pytest.mark.parametrize("game", GAME_LIST, ids=lambda game: game.name)
def test_every_event_of_every_game_is_told_in_both_languages(game: Game):
    talk = talk_of(game.name)
    for kind in (*told.EVENTS, *game.events):
        for event in samples(kind):
            for lang in ("en", "he"):
                for seat in (None, 0, 2):
                    said = talk.tell(line_of(event), talk.voice(lang, seat, frozenset({1}))).plain
                    assert said.strip(), type_of(event)
                    assert "{" not in said or game.name not in TALKS, said


@pytest.mark.parametrize("game", GAME_LIST, ids=lambda game: game.name)
def test_every_move_of_every_game_is_offered_in_both_languages(game: Game):
    talk = talk_of(game.name)
    for kind in (asked.Ready, *game.moves):
        for move in samples(kind):
            for lang in ("en", "he"):
                offered = talk.offer(msgspec.to_builtins(move), talk.voice(lang, 0)).plain
                assert offered.strip()
                assert "None" not in offered
                assert "{" not in offered or game.name not in TALKS


@pytest.mark.parametrize("talk", TALKS.values(), ids=lambda talk: talk.game)
def test_a_game_with_words_of_its_own_has_them_for_everything(talk):
    game = GAMES[talk.game]
    assert set(talk.events) == set(game.events)
    assert set(talk.moves) == set(game.moves)
    assert set(TABLE_EVENTS) == set(told.EVENTS)
    assert set(TABLE_MOVES) == set(asked.MOVES)
    assert talk.titles == game.titles


@pytest.mark.parametrize("talk", TALKS.values(), ids=lambda talk: talk.game)
def test_hebrew_is_hebrew_and_english_is_english(talk):
    for kind, wording in {**TABLE_EVENTS, **talk.events}.items():
        for event in samples(kind):
            phrase = wording if isinstance(wording, Phrase) else wording(event)
            assert HEBREW.search(phrase.he), kind
            assert not HEBREW.search(phrase.en + (phrase.en_you or "")), kind
            assert (phrase.en_you is None) == (phrase.he_you is None), kind


@pytest.mark.parametrize("talk", TALKS.values(), ids=lambda talk: talk.game)
def test_a_phrase_speaks_only_of_fields_that_its_event_has(talk):
    wordings = {**TABLE_EVENTS, **TABLE_MOVES, **talk.events, **talk.moves}
    for kind, wording in wordings.items():
        for one in samples(kind):
            phrase = wording if isinstance(wording, Phrase) else wording(one)
            for form in filter(None, (phrase.en, phrase.he, phrase.en_you, phrase.he_you)):
                slots = {slot for _, slot, _, _ in Formatter().parse(form) if slot}
                if "who" in slots or phrase.en_you:
                    slots = slots - {"who"} | {phrase.actor}
                assert slots <= set(kind.__struct_fields__), kind


def test_you_are_told_of_yourself_as_you():
    talk = talk_of("shithead")
    line = {"type": "shithead.cards_played", "data": {"seat": 0, "zone": "hand", "cards": ["7H", "7S"], "open": []}}
    assert plain(talk.tell(line, talk.voice("en", 0))) == "You lay 7♥ 7♠."
    assert plain(talk.tell(line, talk.voice("en", 1))) == "Seat 0 lays 7♥ 7♠."
    assert plain(talk.tell(line, talk.voice("en", 1, frozenset({0})))) == "Bot 0 lays 7♥ 7♠."
    assert plain(talk.tell(line, talk.voice("he", 0))) == "הנחת 7♥ 7♠."
    assert plain(talk.tell(line, talk.voice("he", 1))) == "מושב 0 הניח 7♥ 7♠."


def test_the_end_of_a_round_says_who_lost_it():
    talk = talk_of("shithead")
    result = {"shithead": 1, "places": [2, 0], "cause": "played", "dealer": 0}
    data = {"round": 1, "result": result, "seats": [0, 1, 2], "seeds": {}, "opened": []}
    said = plain(talk.tell({"type": "table.round_ended", "data": data}, talk.voice("en", 1)))
    assert said == "Round 1 is over. You are the shithead! Out first to last: seat 2, seat 0"


def test_a_card_keeps_its_direction_inside_hebrew():
    assert face("10D").plain == f"{LTR}10♦{POP}"
    assert face("10D").style == "bold red"
    assert face("QS").style == "bold"


def test_something_newer_than_this_program_is_told_by_its_name():
    talk = talk_of("shithead")
    line = {"type": "shithead.cards_blessed", "data": {"seat": 1}}
    assert talk.tell(line, talk.voice("en", 0)).plain == 'cards blessed {"seat":1}'
    assert talk.offer({"type": "shithead.bless"}, talk.voice("en", 0)).plain == "bless"


def test_a_field_that_this_program_does_not_understand_costs_no_line():
    talk = talk_of("shithead")
    line = {"type": "shithead.cards_played", "data": {"seat": "first", "zone": "hat", "cards": []}}
    assert talk.tell(line, talk.voice("en", 0)).plain.startswith("cards played {")
    assert talk.offer({"type": "shithead.flip", "position": 9}, talk.voice("en", 0)).plain == 'flip {"position":9}'


def test_a_sealed_entry_tells_nothing():
    talk = talk_of("shithead")
    entry = {"seq": 9, "sealed": True, "hash": "0" * 64}
    assert talk.tell(entry, talk.voice("en", 0)).plain == "something hidden happened"


def test_a_game_without_words_of_its_own_is_told_by_its_names():
    talk = talk_of("tiddlywinks")
    line = {"type": "tiddlywinks.wink_flipped", "data": {"seat": 1}}
    assert talk.tell(line, talk.voice("he", None)).plain == 'wink flipped {"seat":1}'
    assert talk.titles == {"en": "tiddlywinks", "he": "tiddlywinks"}


def test_text_of_others_cannot_steer_the_terminal():
    assert clean("\x1b]0;owned\x07name\x1b[2J\u202eevil\n") == "]0;ownedname[2Jevil"
    assert clean("שולחן של דנה") == "שולחן של דנה"


def plain(text) -> str:
    """What a reader sees: no marks of direction."""
    return re.sub("[\u2066-\u2069]", "", text.plain)
