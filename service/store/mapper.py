"""Between the event line and eventsourcing's stored event: the line's own bytes are the stored state."""

from __future__ import annotations

from uuid import UUID

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent
from msgspec import DecodeError, Struct

from domain import lines

SNAPSHOT = "table.snapshot"
"""The topic of a snapshot; no event has this tag."""


class Recorded(Struct, frozen=True):
    """A line at its place: what the library calls a domain event. `state` are the bytes, `line` what they say."""

    originator_id: UUID
    originator_version: int
    line: lines.Line
    state: bytes

    @classmethod
    def of(cls, state: bytes) -> Recorded:
        """The record of a canonical line. Raises msgspec.DecodeError on anything else."""
        line = lines.decode(state)
        return cls(UUID(line.game), line.seq, line, state)


class Snapshot(Struct, frozen=True):
    """What a follower kept of a table as of `originator_version`; `state` is the follower's own JSON."""

    originator_id: UUID
    originator_version: int
    state: bytes


class LineMapper(Mapper[UUID]):
    """Stores a line as it is: topic = its event tag, state = its bytes; no transcoder comes near it."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        match domain_event:
            case Recorded(game, seq, line, state):
                return StoredEvent(game, seq, line.type, state)
            case Snapshot(game, seq, state):
                return StoredEvent(game, seq, SNAPSHOT, state)
        raise TypeError(f"{type(domain_event).__name__} is neither a recorded line nor a snapshot")

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        game, seq, state = stored_event.originator_id, stored_event.originator_version, stored_event.state
        if stored_event.topic == SNAPSHOT:
            assert isinstance(game, UUID)
            return Snapshot(game, seq, state)
        try:
            recorded = Recorded.of(state)
        except (DecodeError, ValueError) as fault:
            raise MapperDeserialisationError(f"line {seq} of {game} is not a line: {fault}") from fault
        if (recorded.originator_id, recorded.originator_version) != (game, seq):
            said = f"line {recorded.line.seq} of {recorded.line.game}"
            raise MapperDeserialisationError(f"line {seq} of {game} says it is {said}")
        return recorded
