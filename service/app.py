"""The service, wired top to bottom on one screen: store, tables, clocks and bots, routes, edge."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache

from litestar import Litestar

from service import clock, logs
from service.auth import Auth, Minter, server_key
from service.background import Background
from service.dealer import SecretDealer
from service.ending import heed_stops, told_to_stop
from service.feeds.streams import Bounds, Streams
from service.parts import Parts
from service.routes import feed, front, games, health, history, keys, ledger, play, rulebooks, seats
from service.routes.referee import ROUTES as REFEREE_ROUTES
from service.routes.socket import handler as socket_handler
from service.settings import Settings
from service.store.opening import open_store
from service.store.port import Store
from service.tables.bots import Bots
from service.tables.kinds import Kinds
from service.tables.snapshots import Snapshots
from service.tables.tables import Tables
from service.tables.timers import Timers
from service.web import openapi
from service.web.edge import Edge, Methods
from service.web.handlers import ERRORS, handler
from service.web.limits import Bucket, Waiting
from service.web.operations import Route

ROUTES: tuple[Route, ...] = (
    *rulebooks.ROUTES,
    *games.ROUTES,
    *seats.ROUTES,
    *play.ROUTES,
    *REFEREE_ROUTES,
    *feed.ROUTES,
    *ledger.ROUTES,
    *history.ROUTES,
    *keys.ROUTES,
    *health.ROUTES,
    *front.ROUTES,
)


def create_app(settings: Settings) -> Edge:
    """The ASGI application. Its lifespan opens the store and lets clocks and bots run."""
    logs.configure()
    wired: list[Parts] = []

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        async with serving(settings) as parts:
            wired.append(parts)
            yield
            wired.clear()

    app = Litestar(
        [socket_handler(lambda: wired[0]), *(handler(route, lambda: wired[0]) for route in ROUTES)],
        lifespan=[lifespan],
        exception_handlers=ERRORS,
        openapi_config=None,
        logging_config=None,
    )
    return Edge(app, Methods(ROUTES))


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Parts]:
    """All parts at work: the store open, clocks and bots running; on leaving everything is finished and closed."""
    store = await open_store(data_dir=settings.data_dir, database_url=settings.database_url)
    parts = connect(settings, store, Minter(server_key(settings)))
    background = parts.background
    bots = Bots(parts.tables, spawn=background.spawn)
    timers = Timers(parts.tables, bots.wake, spawn=background.spawn)
    snapshots = Snapshots(store, spawn=background.spawn)
    parts.tables.followers += [timers.follow, bots.follow, snapshots.follow]
    background.keep("clocks", timers.run())
    background.keep("sweep", timers.sweep())
    background.keep("forget", timers.forget())
    background.keep("revocations", parts.auth.listen())
    if parts.streams.tail is not None:
        background.keep("tail", parts.streams.tail.run())
        await parts.tables.desk.company.arrive()
        background.keep("company", parts.tables.desk.company.run())
        background.keep("distances", parts.tables.desk.distances.run())
    try:
        with told_to_stop(parts.streams.end):
            heed_stops()
            yield parts
    finally:
        await background.stop()
        await store.close()


def connect(settings: Settings, store: Store, minter: Minter) -> Parts:
    """The parts on an open store; nothing runs yet."""
    dealer, now, background = SecretDealer(), clock.now, Background()
    several = settings.database_url is not None
    tables = Tables(store, minter, dealer, now, several=several, spawn=background.spawn)
    auth = Auth(store, minter, now, several=several)
    return Parts(
        settings=settings,
        store=store,
        tables=tables,
        kinds=Kinds(store),
        auth=auth,
        minter=minter,
        dealer=dealer,
        now=now,
        buckets={
            "opens": Bucket("opens", settings.opens_per_minute),
            "tokens": Bucket("tokens", settings.tokens_per_minute),
            "failures": Bucket("failures", settings.failures_per_minute),
        },
        waiting=Waiting(),
        streams=Streams(tables, auth, bounds(settings), background.spawn, shared=several),
        document=document(),
        background=background,
    )


def bounds(settings: Settings) -> Bounds:
    """What live feeds may hold, as the operator decided."""
    return Bounds(
        heartbeat_seconds=settings.stream_heartbeat_s,
        buffer_bytes=settings.stream_buffer_bytes,
        per_token=settings.streams_per_token,
        most=settings.streams_max,
    )


def document() -> Callable[[], bytes]:
    """The OpenAPI document as JSON, made when it is first asked for."""
    return cache(lambda: openapi.encoded(ROUTES))
