"""Kupa as a user of the eventsourcing library expects it: repository, notification log, subscriptions, snapshots."""

import threading
from typing import Any, ClassVar
from uuid import UUID

import msgspec
import pytest
from eventsourcing.application import AggregateNotFoundError
from eventsourcing.persistence import IntegrityError, Tracking
from eventsourcing.postgres import PostgresTrackingRecorder
from eventsourcing.projection import Projection, ProjectionRunner
from eventsourcing.sqlite import SQLiteTrackingRecorder

from service.store.application import Kupa, environment
from service.store.mapper import Recorded, Snapshot
from service.store.postgres import PostgresLines
from service.store.sqlite import SQLiteLines
from tests.service.store.units import full_unit, lines_of, new_game


async def nothing(store):
    """Only so that the schema is made."""


class Tally(msgspec.Struct, frozen=True):
    """What a projector may fold lines into: any value with an id and a version."""

    id: UUID
    version: int
    types: tuple[str, ...] = ()


def tally(table, history):
    for recorded in history:
        if isinstance(recorded, Snapshot):
            table = msgspec.json.decode(recorded.state, type=Tally)
            continue
        before = table.types if table else ()
        table = Tally(recorded.originator_id, recorded.originator_version, (*before, recorded.line.type))
    return table


def test_the_repository_folds_the_lines_that_the_store_committed(place):
    game = new_game()

    async def write(store):
        await store.commit(full_unit(game))

    place.run(write)
    with place.application() as app:
        table = app.repository.get(UUID(game), projector_func=tally)
        assert table == Tally(UUID(game), 3, ("table.seat_ready",) * 3)
        assert app.repository.get(UUID(game), version=2, projector_func=tally).version == 2
        with pytest.raises(AggregateNotFoundError):
            app.repository.get(UUID(new_game()), projector_func=tally)


def test_what_the_application_saves_the_store_reads_byte_for_byte(place):
    game = new_game()
    lines = lines_of(game, 1, 3)
    with place.application() as app:
        recordings = app.save(*(Recorded.of(line.line) for line in lines))
        assert [recording.notification.topic for recording in recordings] == ["table.seat_ready"] * 3
        with pytest.raises(IntegrityError):
            app.save(Recorded.of(lines[2].line))

    async def read(store):
        assert await store.lines(game) == list(lines)

    place.run(read)


def test_the_notification_log_has_all_tables_in_the_order_of_their_commits(place):
    units = [full_unit(new_game()) for _ in range(5)]

    async def write(store):
        for unit in units:
            await store.commit(unit)

    place.run(write)
    with place.application() as app:
        notifications = [one for start in (1, 11) for one in app.notification_log.select(start, 10)]
        assert [(str(one.originator_id), one.originator_version) for one in notifications] == [
            (unit.game, line.seq) for unit in units for line in unit.lines
        ]
        assert [one.state for one in notifications] == [line.line for unit in units for line in unit.lines]
        section = app.notification_log["1,10"]
        assert section.next_id == "11,20"


def test_a_log_with_holes_reads_the_same_in_small_pages_as_at_once(place):
    """E1: ids have holes after refused commits; a page goes on after the last id, and never counts."""

    def spoiled(unit):
        return msgspec.structs.replace(unit, tokens=full_unit(unit.game).tokens, idempotency=None)

    async def write(store):
        for _ in range(10):
            game = new_game()
            await store.commit(full_unit(game))
            with pytest.raises(IntegrityError):
                await store.commit(spoiled(full_unit(game, 4)))
        whole = await store.tail(0, 1_000)
        assert len(whole) == 30
        pages, after = [], 0
        while page := await store.tail(after, 7):
            pages += page
            after = page[-1].id
        assert pages == whole
        assert [one.id for one in whole] == sorted({one.id for one in whole})
        assert await store.position() == whole[-1].id

    place.run(write)


def test_a_subscription_hears_what_was_and_what_comes(place):
    past, future = full_unit(new_game()), full_unit(new_game())

    async def write_past(store):
        await store.commit(past)

    async def write_future(store):
        await store.commit(future)

    place.run(write_past)
    with place.application() as app, app.recorder.subscribe(gt=0) as subscription:
        heard = [next(subscription) for _ in range(3)]
        later = threading.Timer(0.1, lambda: place.run(write_future))
        later.start()
        heard += [next(subscription) for _ in range(3)]
        later.join()
        assert [one.state for one in heard] == [line.line for unit in (past, future) for line in unit.lines]
        assert [one.id for one in heard] == sorted({one.id for one in heard})


def test_a_subscription_can_be_left_while_nothing_happens(place):
    with place.application() as app:
        app.recorder.max_notification_id()  # a pool's own threads are up
        before = threading.active_count()
        with app.recorder.subscribe():
            pass
        assert threading.active_count() <= before


def test_a_snapshot_spares_the_lines_before_it(place):
    game = new_game()

    async def write(store):
        await store.commit(full_unit(game))

    place.run(write)
    with place.application() as app:
        kept = Tally(UUID(game), 2, ("kept", "kept"))
        app.snapshots.put([Snapshot(UUID(game), 2, msgspec.json.encode(kept))])
        table = app.repository.get(UUID(game), projector_func=tally)
        assert table.types == ("kept", "kept", "table.seat_ready")
        assert len(app.notification_log.select(1, 10)) == 3  # a snapshot is no event


class Counting(Projection[Any]):
    """A follower: how many lines of each table it has been told of."""

    name = "counting"

    def process_event(self, domain_event, tracking):
        self.view.count(domain_event, tracking)


class CountsOnSQLite(SQLiteTrackingRecorder):
    seen: ClassVar[list[tuple[str, int]]] = []

    def count(self, recorded, tracking):
        self.seen.append((recorded.line.game, recorded.line.seq))
        self.insert_tracking(tracking)


class CountsOnPostgres(PostgresTrackingRecorder):
    seen = CountsOnSQLite.seen
    count = CountsOnSQLite.count


def test_a_follower_is_told_of_every_line_once_and_goes_on_where_it_was(place):
    first, second = full_unit(new_game()), full_unit(new_game())
    view: Any = {"sqlite": CountsOnSQLite, "postgres": CountsOnPostgres}[place.kind]
    view.seen.clear()
    for unit in (first, second):

        async def write(store, unit=unit):
            await store.commit(unit)

        place.run(write)
        with place.application() as app:
            last = app.recorder.max_notification_id()
        with ProjectionRunner(
            application_class=Kupa, projection_class=Counting, view_class=view, env=environment(**place.where)
        ) as runner:
            runner.wait(last, timeout=10)
    assert view.seen == [(unit.game, line.seq) for unit in (first, second) for line in unit.lines]


def test_a_tracking_record_is_refused_rather_than_dropped(place):
    with place.application() as app, pytest.raises(NotImplementedError, match="tracking"):
        app.recorder.insert_events([], tracking=Tracking("follower", 1))


def test_the_library_s_own_names_for_databases_lead_to_our_recorders_and_no_cache(place):
    place.run(nothing)
    stock = {"sqlite": "eventsourcing.sqlite", "postgres": "eventsourcing.postgres"}[place.kind]
    app = Kupa(env=environment(**place.where) | {"PERSISTENCE_MODULE": stock})
    assert type(app.recorder) in {SQLiteLines, PostgresLines}
    assert app.repository.cache is None
    app.close()
