"""Every event type goes to the database and comes back, byte for byte and value for value."""

from uuid import UUID

import msgspec
import pytest
from eventsourcing.persistence import JSONTranscoder, MapperDeserialisationError, StoredEvent

from domain.game import Event, Secret, Whisper, type_of
from domain.games import GAMES
from domain.lines import NO_LINE, Entry, encode, entry_of
from domain.table import events as told
from service.store.mapper import LineMapper, Recorded
from tests.service.store.sample import sample
from tests.service.store.units import AT, lines_of, new_game

MAPPER = LineMapper(JSONTranscoder())
EVENTS: dict[str, type[Event]] = {
    type_of(event): event for event in (*told.EVENTS, *(event for game in GAMES.values() for event in game.events))
}


class Stranger(msgspec.Struct, frozen=True):
    """A domain event of some other application."""

    originator_id: UUID
    originator_version: int


@pytest.mark.parametrize("tag", sorted(EVENTS))
def test_every_event_type_survives_the_round_trip(tag):
    event = sample(EVENTS[tag])
    game = new_game()
    hidden = isinstance(event, Whisper | Secret)
    entry = Entry(1, AT, "seat:1", event, 1 if hidden else None)
    line = encode(entry, game, NO_LINE, "00" * 16)
    recorded = Recorded.of(line)
    stored = MAPPER.to_stored_event(recorded)
    assert stored == StoredEvent(UUID(game), 1, tag, line)
    again = MAPPER.to_domain_event(stored)
    assert again == recorded
    assert entry_of(again.line, EVENTS, {}) == entry


def test_all_event_types_come_back_from_the_database_with_their_bytes(place):
    game, lines = new_game(), []
    for seq, tag in enumerate(sorted(EVENTS), 1):
        event = sample(EVENTS[tag])
        hidden = isinstance(event, Whisper | Secret)
        lines.append(encode(Entry(seq, AT, "seat:1", event, 1 if hidden else None), game, NO_LINE, "00" * 16))
    with place.application() as app:
        app.save(*map(Recorded.of, lines))
        events = list(app.events.get(UUID(game)))
        assert [one.state for one in events] == lines
        assert [entry_of(one.line, EVENTS, {}).event for one in events] == [sample(EVENTS[t]) for t in sorted(EVENTS)]


@pytest.mark.parametrize(
    ("game", "seq", "state"),
    [
        ("0190b6a4-1111-7abc-8def-000000000001", 1, b"no line"),
        ("0190b6a4-1111-7abc-8def-000000000001", 2, lines_of("0190b6a4-1111-7abc-8def-000000000001", 1)[0].line),
        ("0190b6a4-1111-7abc-8def-000000000002", 1, lines_of("0190b6a4-1111-7abc-8def-000000000001", 1)[0].line),
    ],
)
def test_a_stored_line_that_is_not_what_its_place_says_is_not_read(game, seq, state):
    with pytest.raises(MapperDeserialisationError):
        MAPPER.to_domain_event(StoredEvent(UUID(game), seq, "table.seat_ready", state))


def test_only_lines_and_snapshots_can_be_saved():
    with pytest.raises(TypeError, match="neither"):
        MAPPER.to_stored_event(Stranger(UUID(int=1), 1))
