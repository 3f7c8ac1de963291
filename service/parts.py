"""The parts that routes work with, wired once by `create_app`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from service.auth import Auth, Minter
from service.background import Background
from service.dealer import Dealer
from service.feeds.streams import Streams
from service.settings import Settings
from service.store.port import Store
from service.tables.kinds import Kinds
from service.tables.tables import Tables
from service.web.limits import Bucket, Waiting


class Parts(Struct, frozen=True, kw_only=True):
    """Everything a route may need."""

    settings: Settings
    store: Store
    tables: Tables
    kinds: Kinds
    auth: Auth
    minter: Minter
    dealer: Dealer
    now: Callable[[], str]
    buckets: Mapping[str, Bucket]
    waiting: Waiting
    streams: Streams
    document: Callable[[], bytes]
    """The OpenAPI document as JSON."""
    background: Background
